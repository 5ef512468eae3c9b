// Command convert turns a dataset of questions and SQL into tool-call samples
// whose sequences were executed and give the SQL's own answers.
//
//	convert --variant slot
//	convert --variant slot --dataset DIR --db superhero,formula_1 --out out --jobs 2
//
// Exit codes: 0 when no answer differs, 1 when one does (or fewer are verified
// than --at-least asks for), 2 when the command
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
	if err != nil {
		fmt.Fprintln(os.Stderr, "convert:", err)
	}
	os.Exit(exitCode(err))
}

func exitCode(err error) int {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errMismatch), errors.Is(err, errTooFew):
		return 1
	}
	return 2
}
