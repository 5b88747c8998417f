// Package policy reads the policy file: what packs and callers may do, by default
// and for single packs. It decides nothing; internal/ops does, of what the file and
// the flags say together. The format is in docs/policy.md.
package policy
