//go:build race

package tests

// raceEnabled makes the binary under test a race-detecting one too.
const raceEnabled = true
