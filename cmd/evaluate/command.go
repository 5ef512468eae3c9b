package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/birdcall/birdcall/internal/cli"
	"github.com/birdcall/birdcall/internal/evaluation/execute"
	"github.com/birdcall/birdcall/internal/evaluation/scorereport"
	"github.com/birdcall/birdcall/pkg/evaluate"
)

// dataFlags say where the samples and the databases are.
type dataFlags struct {
	dataset   string
	databases string
	questions string
	split     string
	apis      cli.APIs
	timeout   time.Duration
	jobs      int
	quiet     bool
}

// scoreFlags say how to score and where to write.
type scoreFlags struct {
	dataFlags
	rules   string
	out     string
	by      []string
	noRun   bool
	missing bool
	all     bool
}

func command() *cobra.Command {
	f := &scoreFlags{}
	var predictions, model string
	c := &cobra.Command{
		Use:   "evaluate",
		Short: "Score what language models call",
		Long: `Score a file of predictions against the samples that convert wrote: precision,
recall and F1 of functions and arguments, the share of samples that the calls
complete when they are run, and a class for each error.

docs/evaluation.md defines the scores and says what predictions look like.`,
		Example: `  evaluate --dataset out/slot --predictions calls.jsonl
  evaluate --dataset out/slot --databases bird/dev --predictions calls.jsonl --rules paper
  evaluate run --dataset out/slot --model NAME --base-url http://127.0.0.1:8000/v1
  evaluate compare score/*/report.json`,
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.check(c.Flags(), cli.Flag{Name: "predictions", Hint: "give a file"}, cli.Flag{Name: "model", Hint: "give a name, or leave the flag out for the predictions' own"}); err != nil {
				return err
			}
			if predictions == "" {
				return fmt.Errorf("no --predictions: give a file of what a model answered, or ask a model with evaluate run")
			}
			d, err := evaluate.Load(c.Context(), f.dataset)
			if err != nil {
				return err
			}
			return f.scoreFile(c, d, predictions, model)
		},
	}
	cli.AddVersion(c)
	set := c.Flags()
	set.SortFlags = false
	f.data(set)
	set.StringVar(&predictions, "predictions", "", "file of predictions, as JSON lines or a JSON array")
	set.StringVar(&model, "model", "", "the model's name, where the predictions do not tell")
	f.score(set)
	c.AddCommand(runCommand(), queryCommand(), mixedCommand(), compareCommand(), inspectCommand(samples))
	cli.Guide(c)
	return c
}

// samples loads the samples of a folder.
func samples(ctx context.Context, dir string) ([]*evaluate.Sample, error) {
	d, err := evaluate.Load(ctx, dir)
	if err != nil {
		return nil, err
	}
	return d.Samples, nil
}

// data adds the flags that say where samples and databases are.
func (f *dataFlags) data(set *pflag.FlagSet) {
	set.StringVar(&f.dataset, "dataset", "", "folder of samples that convert wrote, such as out/slot")
	set.StringVar(&f.databases, "databases", "", "the dataset that convert was given, whose databases calls are run on (default: the embedded sample)")
	set.StringVar(&f.questions, "questions", "", "the questions' file of --databases, where the layout does not tell")
	set.StringVar(&f.split, "split", "", "which questions of --databases, such as dev or train")
	f.apis.AddFlags(set)
	set.DurationVar(&f.timeout, "timeout", 30*time.Second, "time for one call or SELECT on the databases")
	set.IntVar(&f.jobs, "jobs", runtime.NumCPU(), "samples to work on at a time")
	set.BoolVar(&f.quiet, "quiet", false, "print nothing but errors")
}

// score adds the flags that say how to score.
func (f *scoreFlags) score(set *pflag.FlagSet) {
	set.StringVar(&f.rules, "rules", string(evaluate.Exact), "what counts as the same: exact for what calls mean, or paper for the code of Elder et al.")
	set.BoolVar(&f.noRun, "no-execute", false, "run nothing: a sample is completed if its calls are gold's")
	set.BoolVar(&f.missing, "missing", false, "count samples without a prediction as not completed, instead of leaving them out")
	set.StringSliceVar(&f.by, "by", []string{"database", "difficulty"}, "tables to print besides the totals: "+strings.Join(breakdowns(), ", ")+", separated by commas")
	set.StringVar(&f.out, "out", ".", "folder to write score/MODEL to")
	set.BoolVar(&f.all, "all", false, "write completed samples to the score file, too")
}

func breakdowns() []string {
	var out []string
	for _, b := range scorereport.Breakdowns() {
		out = append(out, string(b))
	}
	return out
}

// check reports flags that are not as they should be.
func (f *scoreFlags) check(set *pflag.FlagSet, more ...cli.Flag) error {
	if err := cli.NotEmpty(set, append(more,
		cli.Flag{Name: "dataset", Hint: "give a folder that convert wrote, such as out/slot"},
		cli.Flag{Name: "databases", Hint: "give a folder, or leave the flag out for the embedded sample"},
		cli.Flag{Name: "out", Hint: "give a folder, or leave the flag out for this one"},
	)...); err != nil {
		return err
	}
	switch {
	case f.dataset == "":
		return fmt.Errorf("no --dataset: give a folder that convert wrote, such as out/slot")
	case f.jobs < 1:
		return fmt.Errorf("--jobs %d: work on 1 sample at a time at least", f.jobs)
	case f.timeout <= 0:
		return fmt.Errorf("--timeout %v: give a time, such as 30s", f.timeout)
	}
	for _, b := range f.by {
		if err := cli.OneOf("--by", b, breakdowns()); err != nil {
			return err
		}
	}
	return cli.OneOf("--rules", f.rules, []string{string(evaluate.Exact), string(evaluate.Paper)})
}

// open opens the databases that the samples are about.
func (f *dataFlags) open(ctx context.Context) (*execute.Databases, error) {
	dataset, err := f.load(ctx)
	if err != nil {
		return nil, err
	}
	return execute.Open(dataset, execute.Options{Timeout: f.timeout, Jobs: f.jobs}), nil
}

// scoreFile scores the predictions of a file, model by model.
func (f *scoreFlags) scoreFile(c *cobra.Command, d *evaluate.Dataset, file, model string) error {
	predictions, problems, err := evaluate.ReadPredictions(file)
	if err != nil {
		return err
	}
	if len(predictions) == 0 {
		return fmt.Errorf("%s: there is no prediction in it, which is a line of JSON with a sample_id%s", file, firstOf(problems))
	}
	var executor evaluate.Executor
	if !f.noRun {
		databases, err := f.open(c.Context())
		if err != nil {
			return err
		}
		defer func() { _ = databases.Close() }() // what was only read needs no Close to succeed
		executor = databases
	}
	for _, one := range byModel(predictions, model) {
		if err := f.scoreModel(c, d, one.predictions, problems, one.model, executor); err != nil {
			return err
		}
		problems = nil // which are the file's, and said once
	}
	return nil
}

func firstOf(problems []evaluate.Problem) string {
	if len(problems) == 0 {
		return ""
	}
	return fmt.Sprintf("; %s, line %d: %s: %s", problems[0].File, problems[0].Line, problems[0].Kind, problems[0].Text)
}

// asked is the predictions of one model that were asked in one mode.
type asked struct {
	model       string
	mode        evaluate.Mode
	predictions []evaluate.Prediction
}

// unnamed is the model of predictions where none names its model.
const unnamed = "unnamed"

// byModel splits predictions by their models and modes, in the order in which
// these come. A name that is given is that of all of them, and one that some
// give is that of those that give none, too, if it is the only one.
func byModel(predictions []evaluate.Prediction, model string) []asked {
	names := map[string]bool{}
	for _, p := range predictions {
		if p.Model != "" {
			names[p.Model] = true
		}
	}
	other := unnamed
	for name := range names {
		if len(names) == 1 {
			other = name
		}
	}
	var out []asked
	for _, p := range predictions {
		p.Model = cmp.Or(model, p.Model, other)
		p.Mode = cmp.Or(p.Mode, evaluate.Direct)
		i := slices.IndexFunc(out, func(o asked) bool { return o.model == p.Model && o.mode == p.Mode })
		if i < 0 {
			i = len(out)
			out = append(out, asked{model: p.Model, mode: p.Mode})
		}
		out[i].predictions = append(out[i].predictions, p)
	}
	return out
}

// scoreModel scores the predictions of a model, prints the scores and writes them.
func (f *scoreFlags) scoreModel(c *cobra.Command, d *evaluate.Dataset, predictions []evaluate.Prediction, problems []evaluate.Problem, model string, executor evaluate.Executor) error {
	stdout := c.OutOrStdout()
	bar := cli.Progress(c.ErrOrStderr(), len(predictions), "samples", f.quiet)
	r, err := evaluate.Score(c.Context(), d, predictions, problems, evaluate.Options{
		Rules: evaluate.Rules(f.rules), Executor: executor, Model: model, Jobs: f.jobs, Missing: f.missing,
		Progress: func() { _ = bar.Add(1) },
	})
	_ = bar.Clear()
	if err != nil {
		return err
	}
	if len(r.Outcomes) == 0 {
		return nothing(r, len(predictions))
	}
	var by []scorereport.Breakdown
	for _, b := range f.by {
		by = append(by, scorereport.Breakdown(b))
	}
	opts := scorereport.Options{Breakdowns: by, Width: cli.Width(stdout, 80), All: f.all}
	files, err := scorereport.Write(filepath.Join(f.out, "score"), r, opts)
	if err != nil {
		return err
	}
	if f.quiet {
		return nil
	}
	if err := scorereport.Print(stdout, r, opts); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "\nWritten:\n")
	for _, name := range files {
		fmt.Fprintf(stdout, "  %s\n", name)
	}
	return nil
}

// nothing says why there is no score.
func nothing(r *evaluate.Report, predictions int) error {
	if r.NotRun+r.Failed > 0 {
		return fmt.Errorf("%s: nothing to score: %d questions were not asked, and %d have no answer", r.Model, r.NotRun, r.Failed)
	}
	return fmt.Errorf("%s: nothing to score: none of %d predictions can be used%s", r.Model, predictions, firstOf(r.Problems))
}
