package pipeline

import (
	"bufio"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/rest"
	"github.com/birdcall/birdcall/pkg/slot"
)

// REST is the variant with one endpoint for every query.
const REST = "rest"

// RunREST converts a dataset to REST samples: it serves the endpoints, asks
// each question's own over HTTP, compares the answer with the SQL's, and
// writes, beside the report, for every database the samples in <db>.json, the
// endpoints as tools in <db>.tools.json and as an OpenAPI document in
// <db>.openapi.json, and openapi.json for all of them. Errors are as of Run.
func RunREST(ctx context.Context, opts Options) (*Report, error) {
	out, err := newOutput(opts.Out, REST)
	if err != nil {
		return nil, err
	}
	defer out.discard()
	x, err := rest.NewConverter(ctx, opts.Dataset, rest.ConverterOptions{AsOf: opts.AsOf, Timeout: opts.Timeout, Jobs: opts.Jobs})
	if err != nil {
		return nil, err
	}
	defer func() { _ = x.Close() }() // what was only read needs no Close to succeed
	report := &Report{Variant: REST, Toolset: opts.Toolset, Failures: []Failure{}}
	for _, d := range x.Catalog.Databases {
		start := time.Now()
		outcomes, records, err := restDatabase(ctx, x, d.ID, opts)
		if err != nil {
			return nil, err
		}
		report.add(d.ID, outcomes)
		if err := errors.Join(out.json(d.ID+".json", records), out.json(d.ID+".tools.json", d.Tools())); err != nil {
			return nil, err
		}
		if err := out.openAPI(ctx, x, d.ID+".openapi.json", d.ID); err != nil {
			return nil, err
		}
		if opts.Measure != nil {
			opts.Measure(d.ID, len(outcomes), time.Since(start))
		}
	}
	if err := out.openAPI(ctx, x, "openapi.json"); err != nil {
		return nil, err
	}
	if err := out.report(report); err != nil {
		return nil, err
	}
	return report, out.publish()
}

// restDatabase works on the questions of one database.
func restDatabase(ctx context.Context, x *rest.Converter, db string, opts Options) ([]*outcome, []*rest.Record, error) {
	var questions []*bird.Question
	for i := range opts.Dataset.Questions {
		if q := &opts.Dataset.Questions[i]; q.DB == db {
			questions = append(questions, q)
		}
	}
	outcomes := make([]*outcome, len(questions))
	records := make([]*rest.Record, len(questions))
	var wait sync.WaitGroup
	var progress sync.Mutex
	jobs := make(chan struct{}, max(opts.Jobs, 1))
	for i, q := range questions {
		jobs <- struct{}{}
		wait.Go(func() {
			defer func() { <-jobs }()
			outcomes[i], records[i] = restQuestion(ctx, x, q, opts)
			if opts.Progress != nil {
				progress.Lock()
				opts.Progress()
				progress.Unlock()
			}
		})
	}
	wait.Wait()
	verified := []*rest.Record{}
	for _, r := range records {
		if r != nil {
			verified = append(verified, r)
		}
	}
	return outcomes, verified, ctx.Err()
}

// restQuestion takes one question to its record, nil if there is none.
func restQuestion(ctx context.Context, x *rest.Converter, q *bird.Question, opts Options) (*outcome, *rest.Record) {
	o := &outcome{question: *q}
	ctx, cancel := context.WithTimeout(ctx, opts.Timeout)
	defer cancel()
	r, rows, err := x.Convert(ctx, q)
	switch {
	case err == nil:
		o.calls = len(r.Output)
		for _, call := range r.Output {
			o.slots += call.Slots()
		}
		r.GoldAnswer = slot.Answer(rows)
		return o, r
	case errors.Is(err, rest.ErrSQL):
		o.fail(SQLError, "SQL", "%v", err)
	case errors.Is(err, context.DeadlineExceeded):
		o.fail(Timeout, "time", "not finished within %s; allow more with --timeout", opts.Timeout)
	case errors.Is(err, rest.ErrUnsupported):
		o.fail(Unsupported, "endpoint", "%v", err)
	default:
		o.fail(Mismatch, "answer", "%v", err)
	}
	return o, nil
}

// openAPI writes the document of the databases of those ids, or of all.
func (o *output) openAPI(ctx context.Context, x *rest.Converter, name string, ids ...string) error {
	text, err := x.Catalog.Document(ctx, rest.DocumentOptions{Indent: "  "}, ids...)
	if err != nil {
		return err
	}
	return o.write(name, func(w *bufio.Writer) error {
		_, err := w.Write(text)
		return err
	})
}
