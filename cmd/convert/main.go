// Command convert turns a dataset of questions and SQL into tool-call samples
// whose sequences were executed and give the SQL's own answers.
//
//	convert --variant slot
//	convert --variant slot --dataset DIR --db superhero,formula_1 --out out --jobs 2
//
// Exit codes: 0 when no answer differs, 1 when one does, 2 when the command
// line, the dataset or the output folder is not as it should be.
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
	case errors.Is(err, errMismatch):
		os.Exit(1)
	default:
		fmt.Fprintln(os.Stderr, "convert:", err)
		os.Exit(2)
	}
}
