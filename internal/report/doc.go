// Package report writes the findings of packs: as text for people, as workflow
// annotations for GitHub, and as SARIF for what reads that.
//
// It decides nothing: what is found, and how much it matters, comes from package
// skills.
package report
