package main

import (
	"slices"
	"strings"
)

// programVariables are the variables that tools and scripts see as process.env: how
// to write for a person, and in which kind of place they run. Nothing in them tells
// who that is, or opens a door.
var programVariables = []string{
	"CI", "COLORTERM", "FORCE_COLOR", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "LC_NUMERIC", "LC_TIME",
	"NODE_ENV", "NO_COLOR", "TERM", "TZ",
}

// programEnv is process.env of tools and scripts. What is named as a secret is none of it.
func (c *command) programEnv() map[string]string {
	secrets := c.secretNames()
	env := make(map[string]string)
	for _, entry := range c.env {
		name, value, _ := strings.Cut(entry, "=")
		if slices.Contains(programVariables, name) && !slices.Contains(secrets, name) {
			env[name] = value
		}
	}
	return env
}

// workerEnv is the environment of a worker: enough to start on every system, and
// none of the secrets that may be in it.
func (c *command) workerEnv() []string {
	var kept []string
	for _, entry := range c.env {
		name, _, _ := strings.Cut(entry, "=")
		switch strings.ToUpper(name) {
		case "TZ", "LANG", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "WINDIR":
			kept = append(kept, entry)
		}
	}
	return kept
}
