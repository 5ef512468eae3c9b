package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/pipeline"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/export"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
)

// errMismatch says that an answer of ours differs from the SQL's; the report
// has said which.
var errMismatch = errors.New("an answer differs from the SQL's")

// errTooFew says that fewer questions were verified than --at-least asks for.
var errTooFew = errors.New("too few questions are verified")

// flags are the command line's.
type flags struct {
	variant   string
	dataset   string
	split     string
	questions string
	databases []string
	out       string
	toolset   string
	asOf      string
	timeout   time.Duration
	jobs      int
	spec      string
	format    string
	shortlist int
	seed      uint64
	obfuscate bool
	atLeast   int
	quiet     bool
}

func command() *cobra.Command {
	f := &flags{}
	c := &cobra.Command{
		Use:   "convert",
		Short: "Turn questions and SQL into verified tool-call samples",
		Long: `Turn a dataset of questions, SQL and SQLite databases into samples: for each
question the sequence of tool calls that answers it, executed and compared with
the SQL's own answer.

Without --dataset, the sample dataset inside this binary is converted.`,
		Example: `  convert --variant slot
  convert --variant slot --dataset bird/dev --db superhero,formula_1 --jobs 2
  convert --variant rest --spec openai --shortlist 25 --format parquet`,
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(c *cobra.Command, _ []string) error { return f.run(c) },
	}
	set := c.PersistentFlags()
	set.SortFlags, c.Flags().SortFlags = false, false // in order of importance
	set.StringVar(&f.variant, "variant", "slot", "what to write: slot, sel with every choice bound into a function of its own, or rest with an endpoint for every query")
	set.StringVar(&f.dataset, "dataset", "", "folder of a dataset in BIRD's, Spider's or the plain layout (default: the embedded sample)")
	set.StringVar(&f.split, "split", "", "which questions of the folder, such as dev, train or train_spider")
	set.StringVar(&f.questions, "questions", "", "the questions' file, where the layout does not tell")
	set.StringSliceVar(&f.databases, "db", nil, "only these databases, separated by commas")
	set.StringVar(&f.out, "out", "out", "folder to write to")
	set.StringVar(&f.toolset, "toolset", "full", "which tools the sequences may use: full, or paper for the paper's seven as they are")
	set.StringVar(&f.asOf, "as-of", pipeline.DefaultAsOf.Format(time.RFC3339), "the instant that 'now' and CURRENT_TIMESTAMP stand for")
	set.DurationVar(&f.timeout, "timeout", 30*time.Second, "time for one question")
	set.IntVar(&f.jobs, "jobs", runtime.NumCPU(), "questions to work on at a time")
	set.StringVar(&f.spec, "spec", "function", "format of the tools' specifications: function, openai, openai-strict, anthropic, gemini or mcp")
	set.StringVar(&f.format, "format", "json", "format of the records: json, or jsonl or parquet with a dataset card")
	set.IntVar(&f.shortlist, "shortlist", 100, "list only this percentage of the tools in a sample: 10, 25, 50, 75 or 100; the gold ones always")
	set.Uint64Var(&f.seed, "seed", 0, "seed of the shortlists")
	set.BoolVar(&f.obfuscate, "obfuscate", false, "call functions FUNC_i and arguments ARG_i; <db>.obfuscation.json tells what they stand for")
	set.IntVar(&f.atLeast, "at-least", 0, "exit with 1 when fewer questions are verified")
	set.BoolVar(&f.quiet, "quiet", false, "print nothing but errors")
	complete(c, "variant", variants)
	complete(c, "toolset", toolsets)
	complete(c, "spec", spec.Formats())
	complete(c, "format", export.Formats())
	c.AddCommand(coverageCommand(f))
	return c
}

var (
	variants = pipeline.Variants()
	toolsets = []string{string(slot.Full), string(slot.Paper)}
)

func complete(c *cobra.Command, flag string, words []string) {
	if err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag does not exist, which a test would see
	}
}

func (f *flags) run(c *cobra.Command) error {
	opts, err := f.options()
	if err != nil {
		return err
	}
	stdout, stderr := c.OutOrStdout(), c.ErrOrStderr()
	if !f.quiet {
		for _, w := range opts.Dataset.Warnings {
			fmt.Fprintf(stderr, "warning: %s:%d: %s\n", w.File, w.Line, w.Text)
		}
		bar := progress(stderr, len(opts.Dataset.Questions))
		opts.Progress = func() { _ = bar.Add(1) }
	}
	report, err := pipeline.Run(c.Context(), opts)
	if err != nil {
		return err
	}
	if !f.quiet {
		pipeline.Summarize(stdout, report, width(stdout))
		fmt.Fprintln(stdout)
		if err := report.Stats.Write(stdout); err != nil {
			return err
		}
		fmt.Fprintf(stdout, "\nWritten to %s\n", opts.Out)
	}
	switch {
	case report.Totals.Mismatch > 0:
		return errMismatch
	case report.Totals.Verified < f.atLeast:
		return fmt.Errorf("%w: %d, and --at-least asks for %d", errTooFew, report.Totals.Verified, f.atLeast)
	}
	return nil
}

// options checks the flags and reads the dataset.
func (f *flags) options() (pipeline.Options, error) {
	opts := pipeline.Options{Variant: f.variant, Out: f.out, Toolset: slot.Toolset(f.toolset), Timeout: f.timeout, Jobs: f.jobs}
	if err := oneOf("--variant", f.variant, variants); err != nil {
		return opts, err
	}
	if err := oneOf("--toolset", f.toolset, toolsets); err != nil {
		return opts, err
	}
	if f.jobs < 1 {
		return opts, fmt.Errorf("--jobs %d: give a number of 1 or more", f.jobs)
	}
	if f.timeout <= 0 {
		return opts, fmt.Errorf("--timeout %s: give a duration such as 30s", f.timeout)
	}
	var err error
	if opts.AsOf, err = instant(f.asOf); err != nil {
		return opts, err
	}
	if opts.Writing, err = f.writing(); err != nil {
		return opts, err
	}
	load := bird.Options{Dir: f.dataset, Split: f.split, Questions: f.questions, Databases: f.databases}
	if f.dataset == "" {
		load.FS = sample.FS()
	}
	opts.Dataset, err = bird.Load(load)
	return opts, err
}

// writing checks the flags that say in what form records are written.
func (f *flags) writing() (w pipeline.Writing, err error) {
	w = pipeline.Writing{Shortlist: f.shortlist, Seed: f.seed, Obfuscate: f.obfuscate}
	if w.Spec, err = spec.Parse(f.spec); err != nil {
		return w, fmt.Errorf("--spec: %w", err)
	}
	if w.Format, err = export.Parse(f.format); err != nil {
		return w, fmt.Errorf("--format: %w", err)
	}
	if !slices.Contains(spec.Shares(), f.shortlist) {
		return w, fmt.Errorf("--shortlist %d: use 10, 25, 50, 75 or 100", f.shortlist)
	}
	return w, nil
}

// instant reads a date or an instant.
func instant(s string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339, time.DateTime, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("--as-of %q: write it as 2025-01-01 or 2025-01-01T00:00:00Z", s)
}

func oneOf(flag, word string, words []string) error {
	for _, w := range words {
		if w == word {
			return nil
		}
	}
	return fmt.Errorf("%s %q: use %s", flag, word, strings.Join(words, ", "))
}

// progress is a bar where w is a terminal, and nothing elsewhere.
func progress(w io.Writer, total int) *progressbar.ProgressBar {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return progressbar.DefaultSilent(int64(total))
	}
	return progressbar.NewOptions(total, progressbar.OptionSetWriter(f), progressbar.OptionSetDescription("questions"),
		progressbar.OptionShowCount(), progressbar.OptionFullWidth(), progressbar.OptionClearOnFinish(),
		progressbar.OptionThrottle(100*time.Millisecond))
}

// width is the number of columns to write to w: the terminal's, else 100.
func width(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
			return n
		}
	}
	return 100
}
