package ops

import "egod/internal/skills"

// Suggest returns the names nearest to a mistyped one, nearest first.
func Suggest(name string, names []string) []string { return skills.Suggest(name, names) }
