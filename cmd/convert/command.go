package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/birdcall/birdcall/internal/artifact/export"
	"github.com/birdcall/birdcall/internal/cli"
	"github.com/birdcall/birdcall/internal/convert/multi"
	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
)

// errMismatch says that an answer of ours differs from the SQL's; the report
// has said which.
var errMismatch = errors.New("an answer differs from the SQL's")

// errNone says that no question was verified.
var errNone = errors.New("no question is verified")

// errTooFew says that fewer questions were verified than --at-least asks for.
var errTooFew = errors.New("too few questions are verified")

// flags are the command line's.
type flags struct {
	variant   string
	dataset   string
	split     string
	questions string
	databases []string
	source    cli.Source
	apis      cli.APIs
	out       string
	toolset   string
	asOf      string
	timeout   time.Duration
	maxValue  int
	memory    int64
	jobs      int
	spec      string
	format    string
	shortlist int
	by        string
	maxTools  int
	tools     string
	seed      uint64
	obfuscate bool
	messages  bool
	license   string
	atLeast   int
	shard     string
	quiet     bool
	query     queryFlags
	multi     multiFlags
}

func command() *cobra.Command {
	f := &flags{}
	c := &cobra.Command{
		Use:   "convert",
		Short: "Turn questions and SQL into verified tool-call samples",
		Long: `Turn a dataset of questions, SQL and SQLite databases into samples: for each
question the sequence of tool calls that answers it, executed and compared with
the SQL's own answer.

Without --dataset, the sample dataset inside this binary is converted. With
--source, the databases are on a Postgres server, and only --variant rest is made
of them; docs/postgres.md tells more.`,
		Example: `  convert --variant slot
  convert --variant slot --dataset bird/dev --db superhero,formula_1 --jobs 2
  convert --variant rest --spec openai --shortlist 25 --format parquet
  convert --variant rest --source postgres://reader@db.example/bird --dataset minidev
  convert --shard 0/2 && convert --shard 1/2 && convert merge`,
		Args:              cobra.NoArgs,
		SilenceUsage:      true,
		SilenceErrors:     true,
		RunE:              func(c *cobra.Command, _ []string) error { return f.run(c) },
		PersistentPostRun: func(*cobra.Command, []string) { f.apis.Close() },
	}
	cli.AddVersion(c)
	set := c.PersistentFlags()
	set.SortFlags, c.Flags().SortFlags = false, false // in order of importance
	set.StringVar(&f.variant, "variant", record.SLOT, "what to write: "+variant.Usage())
	set.StringVar(&f.dataset, "dataset", "", "folder of a dataset in BIRD's, Spider's or the plain layout (default: the embedded sample)")
	set.StringVar(&f.split, "split", "", "which questions of the folder, such as dev, train or train_spider")
	set.StringVar(&f.questions, "questions", "", "the questions' file, where the layout does not tell")
	cli.DatabasesVar(set, &f.databases, "only these databases, or SQLite files of yours, separated by commas; may be repeated")
	f.source.AddFlags(set)
	set.Lookup("source").Usage += "; with --variant query, where queries are from: sql (default), grid for all combinations of arguments over the schemas, or both"
	f.apis.AddFlags(set)
	set.StringVar(&f.out, "out", "out", "folder to write to")
	set.StringVar(&f.toolset, "toolset", string(slot.Auto), "which tools the samples list: auto for the paper's seven and what the database's questions need, full, or paper for sequences of the paper's seven as they are; with --variant query, full (default) or paper")
	f.query.addFlags(set)
	f.multi.addFlags(set)
	set.StringVar(&f.asOf, "as-of", bird.DefaultAsOf.Format(time.RFC3339), "the instant that 'now' and CURRENT_TIMESTAMP stand for")
	set.DurationVar(&f.timeout, "timeout", 30*time.Second, "time for one question")
	set.IntVar(&f.maxValue, "max-value", pipeline.DefaultMaxValue, "bytes of one value or stored row that SQL reads or makes")
	set.Int64Var(&f.memory, "question-memory", pipeline.DefaultMemory, "bytes of one question's tables, texts and answer together")
	set.IntVar(&f.jobs, "jobs", runtime.NumCPU(), "questions to work on at a time")
	set.StringVar(&f.spec, "spec", string(spec.Function), "format of the tools' specifications: "+spelling.List(spec.Formats(), "or"))
	set.StringVar(&f.format, "format", string(export.Array), "format of the records: json, or jsonl or parquet with a dataset card")
	set.IntVar(&f.shortlist, "shortlist", 100, "list only this percentage of the tools in a sample: "+spelling.List(spec.ShortlistPercents(), "or")+"; the gold ones always")
	set.IntVar(&f.maxTools, "max-tools", spec.DefaultMaxTools, "list at most so many tools in a sample: the gold ones, those nearest to the question, and others; 0 for any number, as with --shortlist")
	set.StringVar(&f.by, "shortlist-by", string(spec.Random), "which tools --shortlist and --max-tools fill a list up with: random, or near for those nearest to the gold ones, without any that gives the gold answer, too")
	set.StringVar(&f.tools, "tools", toolsEach, "where the tools are: each for a list in each sample, or once for <db>.tools.json alone, which the samples name")
	set.Uint64Var(&f.seed, "seed", 0, "seed of what --shortlist, --max-tools and --variant multi draw")
	set.BoolVar(&f.obfuscate, "obfuscate", false, "call functions FUNC_i and arguments ARG_i; <db>.obfuscation.json tells what they stand for")
	set.BoolVar(&f.messages, "messages", false, "give each sample as a chat with tool calls, too, in OpenAI's form; --spec is openai then, or openai-strict")
	set.StringVar(&f.license, "license", "", "the dataset's licence, for the card beside jsonl or parquet, as Hugging Face's Hub names it (default: cc-by-sa-4.0 in the layouts of BIRD and Spider)")
	set.IntVar(&f.atLeast, "at-least", 0, "exit with 1 when fewer questions are verified")
	set.StringVar(&f.shard, "shard", "", "work on one shard only, such as 0/7, the first of seven, for convert merge")
	set.BoolVar(&f.quiet, "quiet", false, "print nothing but errors")
	complete(c, "variant", variants)
	complete(c, "toolset", toolsets)
	complete(c, "tool", query.Shapes())
	complete(c, "calls", multi.Forms())
	complete(c, "shortlist-by", spec.Fillers())
	complete(c, "tools", []string{toolsEach, toolsOnce})
	complete(c, "spec", spec.Formats())
	complete(c, "format", export.Formats())
	c.AddCommand(coverageCommand(f), describeCommand(), mergeCommand(f), sqlCommand(f), mixedCommand(f), findCommand(f))
	cli.Guide(c)
	return c
}

var (
	variants = variant.Names()
	toolsets = slot.Toolsets()
)

// The values of --tools.
const (
	toolsEach = "each"
	toolsOnce = "once"
)

func complete(c *cobra.Command, flag string, words []string) {
	if err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag does not exist, which a test would see
	}
}

func (f *flags) run(c *cobra.Command) error {
	opts, err := f.options(c)
	if err != nil {
		return err
	}
	if f.shard != "" {
		return f.runShard(c, opts)
	}
	report, err := f.work(c, opts, len(opts.Dataset.Questions), pipeline.Run)
	if err != nil {
		return err
	}
	return f.finish(c, opts, report)
}

// work runs a conversion of so many questions and shows how far it is.
func (f *flags) work(c *cobra.Command, opts pipeline.Options, questions int, run func(context.Context, pipeline.Options) (*pipeline.Report, error)) (*pipeline.Report, error) {
	stderr := c.ErrOrStderr()
	if !f.quiet {
		for _, w := range opts.Dataset.Warnings {
			cli.Warn(stderr, w)
		}
	}
	bar := cli.Progress(stderr, questions, "questions", f.quiet)
	opts.Progress = func() { _ = bar.Add(1) }
	opts.Warn = cli.Once(func(text string) {
		if !f.quiet {
			_ = bar.Clear()
			cli.Warn(stderr, text)
		}
	})
	report, err := run(c.Context(), opts)
	_ = bar.Clear() // where it stopped half-way
	return report, err
}

// finish prints the report of a whole conversion and judges it.
func (f *flags) finish(c *cobra.Command, opts pipeline.Options, report *pipeline.Report) error {
	if stdout := c.OutOrStdout(); !f.quiet {
		pipeline.Summarize(stdout, report, cli.Width(stdout, 100))
		fmt.Fprintln(stdout)
		if err := report.Stats.Write(stdout); err != nil {
			return err
		}
		fmt.Fprintf(stdout, "\nWritten to %s\n", opts.Folder())
	}
	return f.judge(report)
}

// judge returns what a report says against the samples.
func (f *flags) judge(r *pipeline.Report) error {
	switch {
	case r.Mismatches() > 0:
		return errMismatch
	case r.Totals.Verified == 0 && r.Totals.Questions > 0:
		return errNone
	case r.Totals.Verified < f.atLeast:
		return fmt.Errorf("%w: %d, and --at-least asks for %d", errTooFew, r.Totals.Verified, f.atLeast)
	}
	return nil
}
