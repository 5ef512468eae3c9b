package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/cli"
	"github.com/birdcall/birdcall/internal/mixed"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/rest"
)

// mixedFlags are those of convert mixed besides the ones that it shares.
type mixedFlags struct {
	benchmark int
	shares    []int
	seeds     []uint
	cache     string
	delay     time.Duration
	page      int
	limit     int
}

// defaultShares are the paper's.
var defaultShares = []int{0, 20, 40, 50, 60, 80, 100}

// mixedCommand runs the benchmarks of databases and APIs together.
func mixedCommand(f *flags) *cobra.Command {
	own := &mixedFlags{}
	c := &cobra.Command{
		Use:   "mixed",
		Short: "Answer questions whose tables are partly behind an API, and write them as datasets",
		Long: `Answer the questions of a dataset while a share of the tables of each database is
behind an API that runs on this computer, and hold each answer against that of the
files alone (--benchmark 1); or make questions that need the functions of such an
API, and keep those that are answered the same in two forms (--benchmark 2).

Each share and seed has a folder under --out with the declaration of the API for
--apis, the questions for --questions, and a report.`,
		Example: `  convert mixed --benchmark 1 --share 0,50,100 --seed 1,2,3
  convert mixed --benchmark 1 --dataset bird/dev --db superhero --cache forever
  convert mixed --benchmark 2 --dataset bird/dev --out mixed`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.runMixed(c, own) },
	}
	set := c.Flags()
	set.SortFlags = false
	set.IntVar(&own.benchmark, "benchmark", 1, "1 for the dataset's questions over tables of an API, or 2 for questions that need functions of one")
	set.IntSliceVar(&own.shares, "share", nil, "percentages of a database's tables that are behind the API (default: 0,20,40,50,60,80,100; with --benchmark 2: 0)")
	set.UintSliceVar(&own.seeds, "seed", []uint{1}, "seeds of what is drawn")
	set.StringVar(&own.cache, "cache", mixed.CacheStatement, "how long what the API has said is kept: statement, or forever for all statements on a database")
	set.DurationVar(&own.delay, "delay", 0, "how long the API waits before it answers a request")
	set.IntVar(&own.page, "page", 1000, fmt.Sprintf("rows of a page of the API, %d at most", rest.DefaultMaxRows))
	set.IntVar(&own.limit, "limit", 0, "take the first so many questions of each database; 0 for all")
	complete(c, "cache", []string{mixed.CacheStatement, mixed.CacheForever})
	return c
}

// mixedOptions checks the flags and reads the dataset.
func (f *flags) mixedOptions(c *cobra.Command, own *mixedFlags) (o mixed.Options, err error) {
	shares := own.shares
	switch {
	case own.benchmark != 1 && own.benchmark != 2:
		return o, fmt.Errorf("--benchmark %d: there are 1 and 2", own.benchmark)
	case f.apis.IsSet():
		return o, errors.New("--apis: the benchmark declares the API itself; leave the flag out")
	case f.source.URL != "":
		return o, errors.New("--source: the benchmark works on SQLite files; leave the flag out")
	case own.delay < 0:
		return o, fmt.Errorf("--delay %s: give a time such as 50ms, or 0", own.delay)
	case own.page < 1 || own.page > rest.DefaultMaxRows:
		return o, fmt.Errorf("--page %d: give a number of rows from 1 to %d", own.page, rest.DefaultMaxRows)
	case own.limit < 0:
		return o, fmt.Errorf("--limit %d: give a number of questions, or 0 for all", own.limit)
	case len(own.seeds) == 0:
		return o, errors.New("--seed: give one number or several, separated by commas")
	case !c.Flags().Changed("share") && own.benchmark == 2:
		shares = []int{0}
	case !c.Flags().Changed("share"):
		shares = defaultShares
	}
	for _, s := range shares {
		if s < 0 || s > 100 {
			return o, fmt.Errorf("--share %d: give percentages from 0 to 100, separated by commas", s)
		}
	}
	asOf, ok := rest.ParseInstant(f.asOf)
	for _, err := range []error{
		cli.OneOf("--cache", own.cache, []string{mixed.CacheStatement, mixed.CacheForever}),
		cli.NotEmpty(c.Flags(), append(cli.DatasetFlags, cli.Flag{Name: "out", Hint: "give a folder, or leave the flag out for out"})...),
		f.numbers(),
	} {
		if err != nil {
			return o, err
		}
	}
	if !ok {
		return o, fmt.Errorf("--as-of %q: write it as 2025-01-01, 2025-01-01 10:00:00 or 2025-01-01T00:00:00Z", f.asOf)
	}
	o = mixed.Options{
		Benchmark: own.benchmark, Shares: distinct(shares), Asking: mixed.Asking{Cache: own.cache, Page: own.page}, Delay: own.delay, Timeout: f.timeout, AsOf: asOf, Jobs: min(f.jobs, runtime.NumCPU()), Limit: own.limit,
	}
	for _, s := range own.seeds {
		o.Seeds = append(o.Seeds, uint64(s))
	}
	o.Seeds = distinct(o.Seeds)
	load := bird.Options{Dir: f.dataset, Split: f.split, Questions: f.questions, Databases: f.databases}
	if f.embedded() {
		load.FS = sample.FS()
	}
	o.Dataset, err = bird.Load(load)
	return o, err
}

// distinct returns numbers in ascending order, each once.
func distinct[T int | uint64](all []T) []T { return slices.Compact(slices.Sorted(slices.Values(all))) }

func (f *flags) runMixed(c *cobra.Command, own *mixedFlags) error {
	o, err := f.mixedOptions(c, own)
	if err != nil {
		return err
	}
	bar := cli.Progress(c.ErrOrStderr(), o.Steps(), "questions", f.quiet)
	o.Progress = func() { _ = bar.Add(1) }
	reports, err := mixed.Run(c.Context(), o)
	_ = bar.Clear()
	if err != nil {
		return err
	}
	wrong := false
	for _, r := range reports {
		if err := r.Write(filepath.Join(f.out, r.Folder())); err != nil {
			return err
		}
		wrong = wrong || r.Wrong()
	}
	if !f.quiet {
		stdout := c.OutOrStdout()
		mixed.Summarize(stdout, reports, cli.Width(stdout, 80))
		fmt.Fprintf(stdout, "\nWritten to %s\n", f.out)
	}
	if wrong {
		return errMismatch
	}
	return nil
}
