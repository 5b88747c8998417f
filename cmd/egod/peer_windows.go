package main

import (
	"context"
	"os"
)

// watchPeer watches nothing: Windows tells of a closed pipe when something is
// written to it.
func watchPeer(context.Context, *os.File, func()) error { return nil }
