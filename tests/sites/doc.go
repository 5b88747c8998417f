// Package sites serves recorded pages on loopback under the host names of real
// sites, so that packs written for those sites run unmodified and without a
// network.
//
// The pages are made for the tests: their markup follows what the packs select
// on in the real sites, their content is invented.
//
// A [Server] listens on one loopback port and speaks both TLS and plain HTTP
// there. [Server.ChromeArgs] returns the flags that send every host name of a
// Chrome to that port and make it accept the server's certificate, which is made
// when the server starts and is never written to disk:
//
//	server, err := sites.Start(ctx, sites.Recorded()...)
//	...
//	args = append(args, server.EgodArgs()...) // egod serve --chrome-arg=... --chrome-arg=...
//
// A request for an address that was not recorded gets a 404 that says so. Those on
// the hosts of the sites are listed by [Server.Misses], so that a test can fail
// on a recording that is less complete than its pack.
//
// To try a pack by hand, run the command in the directory serve, which prints the
// flags and serves until it is interrupted.
//
// To add a site:
//
//  1. Put its pages in pages/<site>/, one file per page, with inline scripts
//     and styles only.
//  2. Add a [Site] to [Recorded] in recorded.go: its host names and one [Page] per
//     address. The first page whose path and query values fit is served.
//  3. Use it from a test in tests/packs_test.go.
package sites
