// Package scaffold writes a new pack for an author to start from: one that has no
// findings, and whose tools run.
package scaffold
