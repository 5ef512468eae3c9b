package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/birdcall/birdcall/internal/cli"
	"github.com/birdcall/birdcall/internal/convert/embedded"
	"github.com/birdcall/birdcall/internal/evaluation/queryscore"
	"github.com/birdcall/birdcall/internal/evaluation/scorereport"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/evaluate"
)

// queryFlags say how queries are scored.
type queryFlags struct {
	dataFlags
	predictions string
	model       string
	metrics     []string
	calls       string
	missing     bool
	out         string
}

// queryCommand scores queries that models ask with one tool.
func queryCommand() *cobra.Command {
	f := &queryFlags{}
	c := &cobra.Command{
		Use:   "query",
		Short: "Score the queries that language models ask with one tool",
		Long: `Score a file of predictions against the queries that convert --variant query
wrote, or a file of predictions of Shorten et al. (Querying Databases with
Function Calling), which has its gold queries in it: matches by up to four metrics, AST scores, the collections
that queries are routed to, and what is no query.

docs/evaluation.md defines the scores.`,
		Example: `  evaluate query --dataset out/query --predictions calls.jsonl
  evaluate query --dataset out/query --predictions calls.jsonl --metric strict,execution
  evaluate query --predictions gpt-4o.json --metric published,paper,strict`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c) },
	}
	set := c.Flags()
	set.SortFlags = false
	f.data(set)
	set.StringVar(&f.predictions, "predictions", "", "file of predictions, as JSON lines or a JSON array, or as the repository of Shorten et al. has them")
	set.StringVar(&f.model, "model", "", "the model's name, where the predictions do not tell (default for a file of Shorten et al.: its name)")
	f.score(set, string(queryscore.Strict))
	set.BoolVar(&f.missing, "missing", false, "count samples without a prediction as answered without a call, instead of leaving them out")
	set.StringVar(&f.out, "out", ".", "folder to write score/MODEL to")
	return c
}

// score adds the flags that say what a match is.
func (f *queryFlags) score(set *pflag.FlagSet, metric string) {
	set.StringSliceVar(&f.metrics, "metric", []string{metric}, "what a match is: "+joined(queryscore.Metrics())+", separated by commas")
	set.StringVar(&f.calls, "calls", string(queryscore.First), "which call of several counts: first, best for the one with the highest score, or one where several are no match")
}

func joined[T ~string](names []T) string {
	texts := make([]string, len(names))
	for i, n := range names {
		texts[i] = string(n)
	}
	return strings.Join(texts, ", ")
}

// check reports flags that are not as they should be, and returns the metrics.
func (f *queryFlags) check(set *pflag.FlagSet) ([]queryscore.Metric, error) {
	if err := cli.NotEmpty(set,
		cli.Flag{Name: "predictions", Hint: "give a file"},
		cli.Flag{Name: "dataset", Hint: "give a folder that convert --variant query wrote, such as out/query"},
		cli.Flag{Name: "databases", Hint: "give a folder, or leave the flag out for the embedded sample"},
		cli.Flag{Name: "model", Hint: "give a name, or leave the flag out for the predictions' own"},
		cli.Flag{Name: "out", Hint: "give a folder, or leave the flag out for this one"},
	); err != nil {
		return nil, err
	}
	metrics, err := f.scored()
	switch {
	case err != nil:
		return nil, err
	case f.predictions == "":
		return nil, errors.New("no --predictions: give a file of what a model answered, or ask a model with evaluate run")
	case f.jobs < 1:
		return nil, fmt.Errorf("--jobs %d: work on 1 sample at a time at least", f.jobs)
	case f.timeout <= 0:
		return nil, fmt.Errorf("--timeout %v: give a time, such as 30s", f.timeout)
	}
	return metrics, nil
}

// scored checks the flags that say what a match is.
func (f *queryFlags) scored() ([]queryscore.Metric, error) {
	metrics, err := queryscore.ParseMetrics(f.metrics)
	if err != nil {
		return nil, fmt.Errorf("--metric: %w", err)
	}
	if !slices.Contains(queryscore.AllCalls(), queryscore.Calls(f.calls)) {
		return nil, fmt.Errorf("unknown --calls %q: use %s", f.calls, joined(queryscore.AllCalls()))
	}
	return metrics, nil
}

func (f *queryFlags) run(c *cobra.Command) error {
	metrics, err := f.check(c.Flags())
	if err != nil {
		return err
	}
	content, err := os.ReadFile(f.predictions)
	if err != nil {
		return err
	}
	if queryscore.IsPublic(content) {
		return f.public(c, content, metrics)
	}
	if f.dataset == "" {
		return errors.New("no --dataset: give a folder that convert --variant query wrote, such as out/query; only files of Shorten et al. need none")
	}
	samples, found, err := queryscore.Load(c.Context(), f.dataset)
	if err != nil {
		return err
	}
	return f.file(c, samples, found, metrics)
}

// file scores the predictions of a file, model by model.
func (f *queryFlags) file(c *cobra.Command, samples []*queryscore.Sample, found []evaluate.Problem, metrics []queryscore.Metric) error {
	predictions, problems, err := evaluate.ReadPredictions(f.predictions)
	if err != nil {
		return err
	}
	if len(predictions) == 0 {
		return fmt.Errorf("%s: there is no prediction in it%s", f.predictions, firstOf(problems))
	}
	o := f.options(metrics)
	if slices.Contains(metrics, queryscore.Execution) {
		dataset, err := f.load(c.Context())
		if err != nil {
			return err
		}
		databases := queryscore.Open(dataset, f.timeout)
		defer func() { _ = databases.Close() }() // what was only read needs no Close to succeed
		o.Executor = databases
	}
	problems = append(found, problems...)
	for _, one := range byModel(predictions, f.model) {
		answers, more := queryscore.Answers(samples, one.predictions)
		if len(answers) == 0 {
			return fmt.Errorf("%s: nothing to score: none of %d predictions can be used%s", one.model, len(one.predictions), firstOf(slices.Concat(problems, more)))
		}
		r, err := f.scoreAll(c, samples, answers, o)
		if err != nil {
			return err
		}
		r.Model, r.Problems = one.model, slices.Concat(problems, more)
		for _, p := range one.predictions {
			r.Simulated = r.Simulated || p.Simulated
			if p.Usage != nil {
				r.Usage.Add(*p.Usage)
			}
		}
		if err := f.writeScore(c, r); err != nil {
			return err
		}
		problems = nil // which are the file's, and said once
	}
	return nil
}

// public scores a file of the repository of Shorten et al.
func (f *queryFlags) public(c *cobra.Command, content []byte, metrics []queryscore.Metric) error {
	switch {
	case f.dataset != "":
		return fmt.Errorf("%s has its own gold queries; leave --dataset out", f.predictions)
	case slices.Contains(metrics, queryscore.Execution):
		return fmt.Errorf("--metric %s: there are no databases to %s; use %s, %s or %s", queryscore.Execution, f.predictions, queryscore.Strict, queryscore.Paper, queryscore.Published)
	}
	p, err := queryscore.ParsePublic(content)
	if err != nil {
		return fmt.Errorf("%s: %w", f.predictions, err)
	}
	if len(p.Samples) == 0 {
		return fmt.Errorf("%s: there is no prediction in it", f.predictions)
	}
	o := f.options(metrics)
	o.SameSearch = p.SameSearch
	r, err := f.scoreAll(c, p.Samples, p.Answers, o)
	if err != nil {
		return err
	}
	// The model's name alone does not distinguish the repository's files.
	r.Model = cmp.Or(f.model, strings.TrimSuffix(filepath.Base(f.predictions), ".json"))
	r.Shape, r.Notes = "", append([]string{fmt.Sprintf("the file says that the model is %s", cmp.Or(p.Model, unnamed))}, p.Notes()...)
	return f.writeScore(c, r)
}

func (f *queryFlags) options(metrics []queryscore.Metric) queryscore.Options {
	return queryscore.Options{Metrics: metrics, Calls: queryscore.Calls(f.calls), Jobs: f.jobs, Missing: f.missing}
}

// load loads the dataset whose databases calls and queries are run on: all databases,
// as queries need no questions.
func (f *dataFlags) load(ctx context.Context) (dataset *bird.Dataset, err error) {
	if f.databases == "" && f.questions == "" {
		dataset, err = embedded.All(f.split)
	} else {
		dataset, err = bird.Load(bird.Options{Dir: f.databases, Split: f.split, Questions: f.questions, AllDatabases: true})
	}
	if err != nil {
		return nil, err
	}
	return dataset, f.apis.Attach(ctx, dataset, false)
}

func (f *queryFlags) scoreAll(c *cobra.Command, samples []*queryscore.Sample, answers map[*queryscore.Sample]queryscore.Answer, o queryscore.Options) (*queryscore.Report, error) {
	bar := cli.Progress(c.ErrOrStderr(), len(answers), "samples", f.quiet)
	o.Progress = func() { _ = bar.Add(1) }
	r, err := queryscore.Score(c.Context(), samples, answers, o)
	_ = bar.Clear()
	return r, err
}

// writeScore writes a report, and prints it.
func (f *queryFlags) writeScore(c *cobra.Command, r *queryscore.Report) error {
	files, err := scorereport.WriteQueries(filepath.Join(f.out, "score"), r)
	if err != nil || f.quiet {
		return err
	}
	stdout := c.OutOrStdout()
	if err := scorereport.PrintQueries(stdout, r, cli.Width(stdout, 80)); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "\nWritten:\n")
	for _, name := range files {
		fmt.Fprintf(stdout, "  %s\n", name)
	}
	return nil
}
