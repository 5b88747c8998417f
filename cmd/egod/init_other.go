//go:build !linux

package main

import "io"

// firstProcess is about containers, which run Linux.
func firstProcess() bool { return false }

func runAsInit([]string, io.Writer) int { return exitFailure }

func foreignClient() bool { return false }
