package pipeline

import (
	"context"
	"encoding/json"
	"time"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/artifact/folder"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/spec"
)

// examplesName begins the names of the files with the examples for prompts.
const examplesName = "examples"

// examples makes the samples of the example questions, whatever the dataset is.
func examples(ctx context.Context, opts Options) ([]*outcome, error) {
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		return nil, err
	}
	opts.Dataset, opts.Timeout, opts.Source = dataset, time.Minute, "" // the user's are for another dataset
	var questions []bird.ID
	for _, n := range opts.variant().Examples {
		questions = append(questions, bird.Number(n))
	}
	return opts.method().examples(ctx, opts, questions)
}

// examples writes the examples for prompts. Each lists the tools that it uses,
// so that three of them fit next to a sample's own list.
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
