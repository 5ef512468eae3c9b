package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
)

// examplesFile holds the examples for prompts.
const examplesFile = "examples"

// exampleQuestions are the embedded sample's questions that serve as examples,
// whatever the dataset, as the paper's prompts have the same three (appendix
// F.1.9). Each toolset can answer them. They show a join with two filters, an
// aggregate, and a transformation with groups.
var exampleQuestions = []bird.ID{bird.Number(8), bird.Number(91), bird.Number(53)}

// examples converts the example questions.
func examples(ctx context.Context, opts Options) ([]*slot.Record, error) {
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		return nil, err
	}
	opts.Timeout = time.Minute // the user's is for questions of the dataset
	var out []*slot.Record
	for _, id := range exampleQuestions {
		at := slices.IndexFunc(dataset.Questions, func(q bird.Question) bool { return q.ID == id })
		q := dataset.Questions[at]
		d, err := openDatabase(ctx, dataset.Database(q.DB))
		if err != nil {
			return nil, err
		}
		o := &outcome{question: q}
		d.convert(ctx, o, opts)
		d.db.Close()
		if o.status != "" {
			return nil, fmt.Errorf("example %s: %s: %s", id, o.status, o.reason)
		}
		out = append(out, o.record)
	}
	return out, nil
}

// examples writes the examples for prompts. Each lists the tools that it uses,
// so that three of them fit beside a sample's own list.
func (w *writer) examples(ctx context.Context) error {
	records, err := examples(ctx, w.opts)
	if err != nil {
		return err
	}
	how := w.how.tools()
	how.Shortlist = 0
	var lists [][]slot.Spec
	for _, r := range records {
		lists = append(lists, spec.Shortlist(w.opts.specs(r.Keys), r.Output, 0, 0, ""))
	}
	if w.how.Obfuscate {
		how.Names = spec.NewNames(spec.Union(lists...))
		if err := w.out.json(examplesFile+".obfuscation.json", how.Names); err != nil {
			return err
		}
	}
	var texts []json.RawMessage
	for i, r := range records {
		text, _, err := encodeRecord(r, lists[i], how)
		if err != nil {
			return err
		}
		texts = append(texts, text)
	}
	return w.out.json(examplesFile+".json", texts)
}
