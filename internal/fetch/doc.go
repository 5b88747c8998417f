// Package fetch gets web resources for code that is not trusted: a script may
// name any URL, and the client decides whether to go there. It speaks http and
// https only, takes no proxy from the environment, keeps no cookies, and unless
// it is told otherwise connects to public addresses alone. The address is checked
// where the connection is made, after DNS and for every redirect, so that neither
// a name nor a redirect leads into a private network.
package fetch
