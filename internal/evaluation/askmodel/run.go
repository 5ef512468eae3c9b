package askmodel

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/birdcall/birdcall/internal/evaluation/chatapi"
	"github.com/birdcall/birdcall/pkg/evaluate"
)

// Summary is what a run has come to.
type Summary struct {
	File     string         // the journal
	Recorded int            // samples that had an answer before
	Answered int            // by this run, as the next two
	NotRun   int            //
	Failed   int            //
	Reason   string         // why the first of the failed ones did
	Sent     evaluate.Usage // by this run
	Total    evaluate.Usage // of all that is recorded

	Simulated bool // whether a program answered that stands for a model
}

// Run asks each sample that has no answer yet. Where it returns an error, what was
// answered until then is recorded. Errors are those of the context, of files, of
// settings that differ, of the Executor and the Schemas, and chatapi's
// ErrUnauthorized and ErrNotFound. A question that failed is none: the Summary
// counts it.
func Run(ctx context.Context, o Options) (*Summary, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	s, err := settingsOf(&o)
	if err != nil {
		return nil, err
	}
	j, err := openJournal(&o, s)
	if err != nil {
		return nil, err
	}
	r := &runner{Options: o, journal: j, summary: Summary{File: j.results.path}, done: map[sampleKey]evaluate.Prediction{}}
	err = r.all(ctx)
	if err == nil {
		err = r.finish()
	}
	if closed := j.close(); err == nil {
		err = closed
	}
	if err != nil {
		return nil, err
	}
	return &r.summary, nil
}

// runner asks the samples of one run.
type runner struct {
	Options
	journal *journal

	mu      sync.Mutex
	summary Summary
	done    map[sampleKey]evaluate.Prediction // by this run
}

// all asks the samples that have no answer.
func (r *runner) all(whole context.Context) error {
	ctx, stop := context.WithCancelCause(whole)
	defer stop(nil)
	samples := make(chan *evaluate.Sample)
	var workers sync.WaitGroup
	for range max(1, r.Jobs) {
		workers.Go(func() {
			for s := range samples {
				if err := r.one(ctx, s); err != nil {
					stop(err)
				}
			}
		})
	}
	asked := r.Samples
	if r.Limit > 0 {
		asked = asked[:min(r.Limit, len(asked))]
	}
feed:
	for _, s := range asked {
		if p, ok := r.journal.recorded[keyOf(s)]; ok && p.Status != evaluate.Failed {
			r.summary.Recorded++
			r.progress()
			continue
		}
		select {
		case samples <- s:
		case <-ctx.Done():
			break feed
		}
	}
	close(samples)
	workers.Wait()
	if err := whole.Err(); err != nil {
		return err
	}
	return context.Cause(ctx) // of the first sample that ended the run
}

func (r *runner) progress() {
	if r.Progress != nil {
		r.Progress()
	}
}

// one asks one sample and records the answer.
func (r *runner) one(ctx context.Context, s *evaluate.Sample) error {
	e := &exchange{runner: r, sample: s, prediction: evaluate.Prediction{
		DB: s.DB, ID: s.ID, Model: r.Model, Mode: r.Mode, Status: evaluate.Answered, Usage: &evaluate.Usage{},
	}}
	if err := e.run(ctx); err != nil {
		if ctx.Err() != nil || errors.Is(err, chatapi.ErrUnauthorized) || errors.Is(err, chatapi.ErrNotFound) {
			return err
		}
		return fmt.Errorf("%s: %w", s.Key(), err)
	}
	if e.prediction.Usage.Attempts == 0 {
		e.prediction.Usage = nil
	}
	r.price(&e.prediction)
	if err := r.journal.results.add(e.prediction); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done[keyOf(s)] = e.prediction
	switch e.prediction.Status {
	case evaluate.Answered:
		r.summary.Answered++
	case evaluate.NotRun:
		r.summary.NotRun++
	default:
		r.summary.Failed++
		r.summary.Reason = cmp.Or(r.summary.Reason, e.prediction.Reason)
	}
	r.summary.Sent.Add(e.sent)
	r.progress()
	return nil
}

// price writes down what a prediction cost.
func (r *runner) price(p *evaluate.Prediction) {
	if p.Usage == nil || r.PriceIn == 0 && r.PriceOut == 0 {
		return
	}
	const million = 1e6
	p.Usage.Cost = (float64(p.Usage.PromptTokens)*r.PriceIn + float64(p.Usage.CompletionTokens)*r.PriceOut) / million
}

// finish writes the journal anew, in the order of the samples.
func (r *runner) finish() error {
	var all []evaluate.Prediction
	for _, s := range r.Samples {
		p, ok := r.done[keyOf(s)]
		if !ok {
			if p, ok = r.journal.recorded[keyOf(s)]; !ok {
				continue
			}
			r.price(&p)
		}
		all = append(all, p)
		if p.Usage != nil {
			r.summary.Total.Add(*p.Usage)
		}
		r.summary.Simulated = r.summary.Simulated || p.Simulated
	}
	sent := evaluate.Prediction{Usage: &r.summary.Sent}
	r.price(&sent)
	return r.journal.finish(all)
}
