// Package cli is what the programs' main functions share: a program ends when
// a signal asks it to, says why it ends, and knows its version.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/birdcall/birdcall/internal/text/table"
)

// Exit codes that all programs have.
const (
	exitError  = 2
	exitSignal = 128 // and the signal's number, as shells have it
)

// Program is a command and how it ends.
type Program struct {
	Command *cobra.Command
	// Code returns the exit code of an error that has one, else 0;
	// that is 2 then.
	Code func(error) int
	// Service runs until it is asked to stop: it ends with 0 when it is.
	Service bool
}

// Main runs the program and exits.
func (p Program) Main() { os.Exit(p.Run(context.Background())) }

// plain returns a message, which may have texts of others, without what a terminal
// obeys.
func plain(message string) string {
	lines := strings.Split(message, "\n")
	for i := range lines {
		lines[i] = table.Plain(lines[i])
	}
	return strings.Join(lines, "\n")
}

// Warn prints a warning.
func Warn(w io.Writer, what any) { fmt.Fprintln(w, "warning:", table.Plain(fmt.Sprint(what))) }

// stopped is why a context was canceled by a signal.
type stopped struct{ by syscall.Signal }

func (s *stopped) Error() string { return s.by.String() }

// Run runs the program and returns its exit code. SIGINT and SIGTERM cancel the
// command's context; a second one exits at once. Errors go to the command's
// stderr.
func (p Program) Run(ctx context.Context) int {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	signals, ended := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	defer close(ended)
	go func() {
		for warned := false; ; warned = true {
			select {
			case s := <-signals:
				by := s.(syscall.Signal)
				if warned {
					os.Exit(exitSignal + int(by))
				}
				cancel(&stopped{by})
			case <-ended:
				return
			}
		}
	}()
	err := p.Command.ExecuteContext(ctx)
	say := func(what any) {
		fmt.Fprintf(p.Command.ErrOrStderr(), "%s: %s\n", p.Command.Name(), plain(fmt.Sprint(what)))
	}
	end := (*stopped)(nil)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, context.Canceled) && errors.As(context.Cause(ctx), &end):
		if p.Service {
			return 0
		}
		say("interrupted")
		return exitSignal + int(end.by)
	}
	say(err)
	if p.Code != nil {
		if code := p.Code(err); code != 0 {
			return code
		}
	}
	return exitError
}
