// Command peers measures package tools against other libraries for tables, on the
// same data and in one run:
//
//	peers -python python3 -update docs/performance.md
//	peers engine NAME FILE     what it starts for itself: an engine in Go
//
// Each engine is a separate process, which reads one CSV file and then runs lines
// as it is asked for them. They take turns line by line, so that what else the
// computer does falls on all, and the least time of each counts. Engines whose
// results differ fail the run. One that is not installed is left out.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/birdcall/birdcall/internal/cli"
	"github.com/birdcall/birdcall/internal/dev/toolbench"
	"github.com/birdcall/birdcall/pkg/tools"
)

func main() {
	if len(os.Args) == 4 && os.Args[1] == "engine" {
		cli.Tool("peers", func(ctx context.Context) error {
			return serve(ctx, os.Args[2], os.Args[3], os.Stdin, os.Stdout)
		})
	}
	o := options{}
	flag.IntVar(&o.rounds, "rounds", 10, "how often each engine runs each line")
	flag.IntVar(&o.rows, "rows", toolbench.Rows, "rows of the table")
	flag.StringVar(&o.python, "python", "python3", "the Python that has pandas")
	flag.StringVar(&o.core, "core", "", "the core that engines of one core stay on, by taskset; any without it")
	flag.StringVar(&o.update, "update", "", "the page whose tables are written anew")
	flag.Parse()
	cli.Tool("peers", func(ctx context.Context) (err error) {
		if o.self, err = os.Executable(); err != nil {
			return err
		}
		return run(ctx, o)
	})
}

type options struct {
	rounds, rows         int
	python, core, update string
	self                 string // this program
}

func run(ctx context.Context, o options) (err error) {
	dir, err := os.MkdirTemp("", "peers")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	file := filepath.Join(dir, "table.csv")
	if err := writeTable(ctx, file, o.rows); err != nil {
		return err
	}
	engines, missing, err := startAll(ctx, dir, file, o)
	defer func() {
		for _, e := range engines {
			e.stop()
		}
	}()
	if err != nil {
		return err
	}
	if err := measure(ctx, engines, o.rounds); err != nil {
		return err
	}
	report := format(engines, o)
	fmt.Print(report)
	for _, m := range missing {
		fmt.Println("left out:", m)
	}
	switch {
	case o.update == "":
		return nil
	case len(missing) > 0:
		return fmt.Errorf("%s is as it was: its tables are of all engines; install those that were left out", o.update)
	}
	return rewrite(o.update, report)
}

func writeTable(ctx context.Context, path string, rows int) (err error) {
	t, err := toolbench.Table(rows)
	if err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return tools.WriteCSV(ctx, f, t)
}

// patience is the time after which an engine is not asked for a line again.
const patience = 4 * time.Second

// measure asks the engines in turn for each line, round by round, and compares the
// results of the first round.
func measure(ctx context.Context, engines []*engine, rounds int) error {
	for round := range rounds {
		for _, line := range lines {
			var first *engine
			for _, e := range engines {
				took := e.took[line.name]
				if took == nil || took.spent > patience {
					continue
				}
				got, err := e.ask(request{Line: line.name, Check: round == 0})
				if err != nil {
					return errors.Join(ctx.Err(), err)
				}
				e.add(took, got)
				if round > 0 {
					continue
				}
				if first == nil {
					first = e
				}
				if want := first.took[line.name].result; got.result != want {
					return fmt.Errorf("%s: %s has %v and %s has %v; one of them does not do what the line says", line.name, first.name, want, e.name, got.result)
				}
			}
		}
	}
	return nil
}
