package fetch

import (
	"net/netip"
	"testing"
)

func TestPrivateAddresses(t *testing.T) {
	for _, tt := range []struct{ addr, what string }{
		{"0.0.0.0", "unspecified"}, {"0.1.2.3", "unspecified"}, {"10.0.0.1", "private"}, {"10.255.255.255", "private"},
		{"172.16.0.1", "private"}, {"172.31.255.255", "private"}, {"192.168.1.1", "private"},
		{"100.64.0.1", "shared (CGNAT)"}, {"100.100.100.200", "shared (CGNAT)"}, {"127.0.0.1", "loopback"}, {"127.1.2.3", "loopback"},
		{"169.254.169.254", "link-local"}, {"168.63.129.16", "metadata"}, {"192.0.0.192", "special"}, {"198.18.0.1", "special"},
		{"192.0.2.1", "documentation"}, {"224.0.0.1", "multicast"}, {"239.255.255.250", "multicast"}, {"240.0.0.1", "reserved"},
		{"255.255.255.255", "reserved"},
		{"::", "unspecified"}, {"::1", "loopback"}, {"::ffff:127.0.0.1", "loopback"}, {"::ffff:10.0.0.1", "private"},
		{"::127.0.0.1", "reserved"}, {"fe80::1", "link-local"}, {"fe80::1%eth0", "link-local"}, {"fd00:ec2::254", "unique local"},
		{"fc00::1", "unique local"}, {"fec0::1", "site-local"}, {"ff02::1", "multicast"}, {"2001:db8::1", "documentation"},
		{"64:ff9b::7f00:1", "loopback"}, {"64:ff9b::a9fe:a9fe", "link-local"}, {"2002:7f00:1::", "loopback"},
		{"2002:a00:1::1", "private"}, {"2001::1", "special"}, {"64:ff9b:1::1", "reserved"}, {"100::1", "reserved"}, {"4000::1", "reserved"},
		{"1.1.1.1", ""}, {"8.8.8.8", ""}, {"9.255.255.255", ""}, {"11.0.0.0", ""}, {"100.63.255.255", ""}, {"100.128.0.0", ""},
		{"172.15.255.255", ""}, {"172.32.0.0", ""}, {"192.167.255.255", ""}, {"198.20.0.0", ""}, {"223.255.255.255", ""},
		{"2606:4700::1111", ""}, {"2a00:1450::1", ""}, {"::ffff:8.8.8.8", ""}, {"64:ff9b::808:808", ""}, {"2002:808:808::1", ""},
	} {
		if got := newGuard().private(netip.MustParseAddr(tt.addr)); got != tt.what {
			t.Errorf("private(%s) = %q, want %q", tt.addr, got, tt.what)
		}
	}
}

// FuzzPrivate holds that the IPv6 spellings of an IPv4 address are judged as
// that address is.
func FuzzPrivate(f *testing.F) {
	f.Add(uint32(0x7f000001))
	f.Add(uint32(0x08080808))
	g := newGuard()
	f.Fuzz(func(t *testing.T, n uint32) {
		four := [4]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}
		want := g.private(netip.AddrFrom4(four))
		mapped := netip.AddrFrom16(netip.AddrFrom4(four).As16())
		if got := g.private(mapped); got != want {
			t.Errorf("%v: %q, want %q", mapped, got, want)
		}
		sixToFour := [16]byte{0: 0x20, 1: 0x02, 2: four[0], 3: four[1], 4: four[2], 5: four[3], 15: 1}
		if got := g.private(netip.AddrFrom16(sixToFour)); got != want {
			t.Errorf("%v: %q, want %q", netip.AddrFrom16(sixToFour), got, want)
		}
	})
}
