// Package skills loads packs of site knowledge ("learnings") from directories
// and answers which packs speak for a URL.
//
// A pack is a directory that holds manifest.json, notes for an agent to read,
// node tools (JavaScript modules) and browser tools (one function expression
// each). A root is a directory of packs. Several roots are stacked: the same id
// in two of them is served from the higher one.
//
// [Store] watches the roots and publishes immutable [Catalog] values. A reader
// takes one with [Store.Catalog], keeps it as long as it likes, and never waits:
// everything a catalog answers with was read when it was made. A change on disk
// makes a new catalog beside the old one, in which only the changed packs were
// read again.
//
// One engine finds faults. The loader reports them as [Diagnostic] values, and
// [Validate], [Catalog.Diagnostics] and the [Change] values a store publishes
// hand out the same ones.
//
// Nothing here parses or runs JavaScript: foreign source can take a parser
// down, so that check is given in as [Config.Check] and runs off the hot path.
package skills
