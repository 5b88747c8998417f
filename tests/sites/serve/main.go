// Serve serves the recorded sites until it is interrupted and prints the flags that
// make egod's Chrome use them, one a line, for trying packs by hand:
//
//	go run ./tests/sites/serve
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"egod/tests/sites"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := serve(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(1)
	}
}

func serve(ctx context.Context) error {
	server, err := sites.Start(ctx, sites.Recorded()...)
	if err != nil {
		return err
	}
	for _, arg := range server.EgodArgs() {
		fmt.Println(arg)
	}
	<-ctx.Done()
	return server.Close()
}
