package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/artifact/folder"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/spec"
)

// examplesName begins the names of the files with the examples for prompts.
const examplesName = "examples"

// exampleQuestions are the embedded sample's questions that serve as examples,
// whatever the dataset, as the paper's prompts have the same three (appendix
// F.1.9). Each toolset can answer them. They show a join with two filters, an
// aggregate, and a transformation with groups; for QUERY a filter, an aggregation,
// and both.
func exampleQuestions(variant string) []bird.ID {
	if variant == record.QUERY {
		return []bird.ID{bird.Number(3), bird.Number(43), bird.Number(44)}
	}
	return []bird.ID{bird.Number(8), bird.Number(91), bird.Number(53)}
}

// pairedQuestions are the embedded sample's questions that make the examples of
// MULTI, two of each database.
var pairedQuestions = []int{0, 17, 44, 57, 83, 95}

// pairExamples makes pairs of them.
func pairExamples(ctx context.Context, opts Options) ([]*outcome, error) {
	opts.Dataset.Questions = slices.DeleteFunc(opts.Dataset.Questions, func(q bird.Question) bool {
		return !slices.ContainsFunc(pairedQuestions, func(n int) bool { return q.ID == bird.Number(n) })
	})
	opts.Writing.Seed, opts.Pairs.Count, opts.Progress = 0, 3, nil
	p, err := openPairs(ctx, opts)
	defer p.close()
	if err != nil {
		return nil, err
	}
	return p.convert(ctx)
}

// examples converts the example questions.
func examples(ctx context.Context, opts Options) ([]*outcome, error) {
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		return nil, err
	}
	opts.Dataset, opts.Timeout, opts.Source = dataset, time.Minute, "" // the user's are for another dataset
	if opts.Variant == record.MULTI {
		return pairExamples(ctx, opts)
	}
	v, err := opts.variant(ctx)
	if err != nil {
		return nil, err
	}
	defer v.close()
	var out []*outcome
	for _, id := range exampleQuestions(opts.Variant) {
		at := slices.IndexFunc(dataset.Questions, func(q bird.Question) bool { return q.ID == id })
		o := &outcome{question: &dataset.Questions[at]}
		in, err := v.open(ctx, dataset.Database(o.question.DB))
		if err != nil {
			return nil, err
		}
		o.convert(ctx, in, opts)
		in.close()
		if o.status != "" {
			return nil, fmt.Errorf("example %s: %s: %s", id, o.status, o.reason)
		}
		out = append(out, o)
	}
	return out, nil
}

// examples writes the examples for prompts. Each lists the tools that it uses,
// so that three of them fit beside a sample's own list.
func (w *writer) examples(ctx context.Context) error {
	outcomes, err := examples(ctx, w.opts)
	if err != nil {
		return err
	}
	how := w.how.tools()
	how.Shortlist = 0
	var lists [][]spec.Tool
	for _, o := range outcomes {
		lists = append(lists, spec.Shortlist(o.sample.tools(), o.sample.calls, 0, 0, ""))
	}
	if w.how.Obfuscate {
		how.Names = spec.NewNames(spec.Union(lists...))
		if err := w.out.JSON(examplesName+folder.ObfuscationEnd, how.Names); err != nil {
			return err
		}
	}
	encoder := how.Encoder()
	var texts []json.RawMessage
	for i, o := range outcomes {
		text, _, err := o.sample.encode("", lists[i], encoder)
		if err != nil {
			return err
		}
		texts = append(texts, text)
	}
	return w.out.JSON(folder.ExamplesFile, texts)
}
