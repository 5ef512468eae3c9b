// Command mutants measures whether the tests notice mistakes:
//
//	mutants -seed 1 -n 100 -jobs 2 -journal out/mutants1.jsonl [packages]
//
// It draws changes of single tokens (mutants) in the code of the programs and of the
// public packages: a bound that is off by one, a condition that is negated, an error
// that is not returned. Each is compiled by go test -overlay, so that no file of the
// tree is touched. The tests of the package run first, then those of the nearest
// packages that import it. A mutant that they fail on, or do not end with, is killed;
// one that they pass with survives, and lacks a test, unless no test could tell it
// from the original. Those are listed in equivalent.txt, each with the reason.
//
// The same seed draws the same mutants of the same code. Classes are drawn in fixed
// shares, so that bounds and returned errors, which tests miss most often, are two
// fifths. A mutant that does not compile is drawn again.
//
// A run that was stopped goes on with the same -journal. With -again, it tries those
// that survived once more, after tests were added.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/birdcall/birdcall/internal/cli"
)

// options say what is drawn and how it is tried.
type options struct {
	seed      uint64
	number    int
	jobs      int
	importers int           // packages besides the mutant's own whose tests may run
	timeout   time.Duration // of the tests of one package
	memory    int           // MiB of data of each process
	journal   string        // file, or ""
	again     bool
	list      bool
	packages  []string // patterns of go list
}

func main() {
	var o options
	flag.Uint64Var(&o.seed, "seed", 1, "of what is drawn")
	flag.IntVar(&o.number, "n", 100, "how many mutants to draw")
	flag.IntVar(&o.jobs, "jobs", 1, "how many to try at once")
	flag.IntVar(&o.importers, "importers", 4, "how many packages to test besides the mutant's own")
	flag.DurationVar(&o.timeout, "timeout", 5*time.Minute, "of the tests of one package")
	flag.IntVar(&o.memory, "memory", 4096, "MiB of data that a process may have")
	flag.StringVar(&o.journal, "journal", "", "file of results, which a run that was stopped goes on with")
	flag.BoolVar(&o.again, "again", false, "try those that survived in the journal once more")
	flag.BoolVar(&o.list, "list", false, "list the mutants that would be tried first, and try none")
	flag.Parse()
	o.packages = flag.Args()
	cli.Tool("mutants", func(ctx context.Context) error { return run(ctx, o, os.Stdout) })
}

// run draws mutants of the module in the working directory, tries them and reports.
func run(ctx context.Context, o options, w io.Writer) error {
	if o.number < 1 || o.jobs < 1 || o.importers < 0 || o.memory < 256 {
		return fmt.Errorf("-n and -jobs are at least 1, -importers 0 and -memory 256")
	}
	m, err := loadModule(ctx)
	if err != nil {
		return err
	}
	found, err := m.mutants(ctx, o.packages)
	if err != nil {
		return err
	}
	equal, err := readEquivalents(equivalentFile)
	if err != nil {
		return err
	}
	if len(o.packages) == 0 {
		for _, e := range equal.unused(found) {
			fmt.Fprintf(w, "no such mutant: %s: take it out\n", e)
		}
	}
	d := newDraw(found, o.seed, o.number)
	if o.list {
		for mu := d.next(); mu != nil; mu = d.next() {
			fmt.Fprintln(w, mu)
		}
		return nil
	}
	j, err := openJournal(o.journal, fingerprint(found), o.again)
	if err != nil {
		return err
	}
	t := &trial{module: m, options: o, perJob: max(1, runtime.NumCPU()/o.jobs), plain: map[string]*baseline{}}
	all, err := tryAll(ctx, d, equal, j, t, w)
	if closed := j.close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return errors.Join(report(w, all), t.broken())
}
