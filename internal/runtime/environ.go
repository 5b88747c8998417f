package runtime

import (
	"os"
	"slices"
)

// envNames are the variables of the environment that programs see as process.env:
// how to write for a person, and in which kind of place they run. Nothing in them
// tells who that is, or opens a door.
var envNames = []string{
	"CI", "COLORTERM", "FORCE_COLOR", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "LC_NUMERIC", "LC_TIME",
	"NODE_ENV", "NO_COLOR", "TERM", "TZ",
}

// ProgramSees reports whether programs see an environment variable as a member of
// process.env, if their worker has it.
func ProgramSees(name string) bool { return slices.Contains(envNames, name) }

// processEnv is process.env of one run. A program may change its own.
func processEnv() map[string]string {
	env := make(map[string]string)
	for _, name := range envNames {
		if value, ok := os.LookupEnv(name); ok {
			env[name] = value
		}
	}
	return env
}
