// Command serve answers the questions of a dataset as REST endpoints.
//
//	serve
//	serve --dataset DIR --db superhero,formula_1 --addr :8080
//	serve healthcheck
//
// Every flag can be given as an environment variable too: --max-rows is
// BIRDCALL_MAX_ROWS. Exit codes: 0 after a stop that was asked for, 1 when
// healthcheck finds the service ill, 2 for all other errors.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := command().ExecuteContext(ctx)
	stop()
	switch {
	case err == nil:
	case errors.Is(err, errIll):
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(1)
	default:
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(2)
	}
}
