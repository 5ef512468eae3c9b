package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
)

// Tool runs a program that is for developers alone, and exits: with 1 where run
// fails, after saying why. SIGINT cancels the context.
func Tool(name string, run func(context.Context) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
	os.Exit(0)
}
