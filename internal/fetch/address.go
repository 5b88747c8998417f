package fetch

import "net/netip"

// network is a range of addresses that is not of the public internet.
type network struct {
	prefix netip.Prefix
	what   string
}

func networks(what string, prefixes ...string) []network {
	var all []network
	for _, p := range prefixes {
		all = append(all, network{netip.MustParsePrefix(p), what})
	}
	return all
}

// private4 are the IPv4 ranges that IANA's special-purpose registry keeps from
// global use, and the one public address at which a cloud serves its machines
// (Azure's 168.63.129.16). The metadata services of the others lie in these
// ranges.
func private4() []network {
	return concat(
		networks("unspecified", "0.0.0.0/8"),
		networks("private", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"),
		networks("shared (CGNAT)", "100.64.0.0/10"),
		networks("loopback", "127.0.0.0/8"),
		networks("link-local", "169.254.0.0/16"),
		networks("metadata", "168.63.129.16/32"),
		networks("special", "192.0.0.0/24", "192.88.99.0/24", "198.18.0.0/15"),
		networks("documentation", "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"),
		networks("multicast", "224.0.0.0/4"),
		networks("reserved", "240.0.0.0/4"),
	)
}

// private6 are the IPv6 ranges of that registry. They come before public6, which
// holds some of them.
func private6() []network {
	return concat(
		networks("unspecified", "::/128"),
		networks("loopback", "::1/128"),
		networks("unique local", "fc00::/7"),
		networks("link-local", "fe80::/10"),
		networks("site-local", "fec0::/10"),
		networks("multicast", "ff00::/8"),
		networks("special", "2001::/23"),
		networks("documentation", "2001:db8::/32", "3fff::/20"),
	)
}

func concat(lists ...[]network) []network {
	var all []network
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// guard tells public addresses from others.
type guard struct {
	private4, private6 []network
	// public6 is all of IPv6 that is given out for global use.
	public6 netip.Prefix
	// nat64 and sixToFour hold an IPv4 address that the packets go to in the end.
	nat64, sixToFour netip.Prefix
}

func newGuard() *guard {
	return &guard{
		private4: private4(), private6: private6(),
		public6:   netip.MustParsePrefix("2000::/3"),
		nat64:     netip.MustParsePrefix("64:ff9b::/96"),
		sixToFour: netip.MustParsePrefix("2002::/16"),
	}
}

// private says which kind of private address this is; empty for a public one.
func (g *guard) private(addr netip.Addr) string {
	addr = addr.WithZone("").Unmap()
	if addr.Is4() {
		return within(g.private4, addr)
	}
	bytes := addr.As16()
	switch {
	case g.nat64.Contains(addr):
		return g.private(netip.AddrFrom4([4]byte(bytes[12:])))
	case g.sixToFour.Contains(addr):
		return g.private(netip.AddrFrom4([4]byte(bytes[2:6])))
	}
	if what := within(g.private6, addr); what != "" {
		return what
	}
	if !g.public6.Contains(addr) {
		return "reserved"
	}
	return ""
}

func within(list []network, addr netip.Addr) string {
	for _, n := range list {
		if n.prefix.Contains(addr) {
			return n.what
		}
	}
	return ""
}
