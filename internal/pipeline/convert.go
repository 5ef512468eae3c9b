package pipeline

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/birdcall/birdcall/internal/dialect"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/plan"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Options of Run.
type Options struct {
	Dataset *bird.Dataset
	Variant string // "slot" or "sel"
	Out     string // the folder that the variant's folder goes into
	Toolset slot.Toolset
	Timeout time.Duration // for one question
	Jobs    int           // questions at a time
	AsOf    time.Time     // what 'now' stands for
	// Progress is called after each question, from one goroutine at a time.
	// It may be nil.
	Progress func()
	// Measure is told, if not nil, what one database took.
	Measure func(db string, questions int, took time.Duration)
}

// DefaultAsOf is the instant that stands for 'now' unless another is chosen.
var DefaultAsOf = time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC)

// Run converts a dataset to SLOT samples and writes them with a report. Errors
// are those of files and of ctx; what goes wrong with a question is in the
// report.
func Run(ctx context.Context, opts Options) (*Report, error) {
	out, err := newOutput(opts.Out, opts.Variant)
	if err != nil {
		return nil, err
	}
	defer out.discard()
	report := &Report{Variant: opts.Variant, Toolset: opts.Toolset, Failures: []Failure{}}
	for _, info := range opts.Dataset.Databases {
		start := time.Now()
		outcomes, err := convertDatabase(ctx, info, opts)
		if err != nil {
			return nil, err
		}
		report.add(info.ID, outcomes)
		var records []json.RawMessage
		for _, o := range outcomes {
			if o.status == "" {
				records = append(records, o.record)
			}
		}
		if err := out.records(info.ID, records); err != nil {
			return nil, err
		}
		if opts.Measure != nil {
			opts.Measure(info.ID, len(outcomes), time.Since(start))
		}
	}
	if err := out.report(report); err != nil {
		return nil, err
	}
	return report, out.publish()
}

// convertDatabase works on the questions of one database.
func convertDatabase(ctx context.Context, info *bird.Database, opts Options) ([]*outcome, error) {
	d, err := openDatabase(ctx, info)
	if err != nil {
		return nil, err
	}
	defer d.db.Close()
	var outcomes []*outcome
	for _, q := range opts.Dataset.Questions {
		if q.DB == info.ID {
			outcomes = append(outcomes, &outcome{question: q})
		}
	}
	work := make(chan *outcome)
	var wait sync.WaitGroup
	var progress sync.Mutex
	for range max(opts.Jobs, 1) {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for o := range work {
				d.convert(ctx, o, opts)
				if opts.Progress != nil {
					progress.Lock()
					opts.Progress()
					progress.Unlock()
				}
			}
		}()
	}
feed:
	for _, o := range outcomes {
		select {
		case work <- o:
		case <-ctx.Done():
			break feed
		}
	}
	close(work)
	wait.Wait()
	return outcomes, ctx.Err()
}

// outcome is what became of one question: a record, or a status and a reason.
type outcome struct {
	question  bird.Question
	status    Status
	construct string
	reason    string

	record       json.RawMessage
	tie          bool
	calls, slots int
}

func (o *outcome) fail(status Status, construct, format string, args ...any) {
	o.status, o.construct, o.reason = status, construct, fmt.Sprintf(format, args...)
}

// convert takes one question all the way to a verified record.
func (d *database) convert(ctx context.Context, o *outcome, opts Options) {
	ctx, cancel := context.WithTimeout(ctx, opts.Timeout)
	defer cancel()
	if err := d.sample(ctx, o, opts); err != nil {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			o.fail(Timeout, "time", "not finished within %s; allow more with --timeout", opts.Timeout)
		} else if limit := (*tools.LimitError)(nil); errors.As(err, &limit) {
			o.fail(Unsupported, "size of a result", "%v", err)
		} else if o.status == "" {
			o.fail(Mismatch, "error", "%v", err)
		}
	}
}

// sample makes the record. An error without a status is a defect of ours.
func (d *database) sample(ctx context.Context, o *outcome, opts Options) error {
	sql, _ := dialect.FixClock(o.question.SQL, opts.AsOf)
	gold, err := d.db.Query(ctx, sql)
	if err != nil {
		o.fail(SQLError, "SQL", "%v", err)
		return err
	}
	p, err := plan.Build(o.question.SQL, d.catalog, plan.Options{AsOf: opts.AsOf})
	if err != nil {
		o.fail(Unsupported, cmp.Or(construct(err), "unknown"), "%v", err)
		return err
	}
	seq, err := slot.Emit(p, d.catalog, opts.Toolset)
	if err != nil {
		if c := construct(err); c != "" {
			o.fail(Unsupported, c, "%v", err)
		}
		return err
	}
	run, err := d.run(ctx, p, seq, opts)
	if err != nil {
		return err
	}
	verdict, err := run.verify(ctx, d, sql, gold.Rows)
	if err != nil {
		return err
	}
	if !verdict.right {
		o.fail(Mismatch, "answer", "%s", verdict.reason)
		return nil
	}
	o.tie = verdict.tie
	r := d.record(o.question, p, seq, verdict.answer, opts)
	r.TieDependent = verdict.tie
	if err := d.validator.Validate(r); err != nil {
		return err
	}
	o.calls = len(r.Output)
	for _, c := range r.Output {
		o.slots += len(c.Arguments)
	}
	o.record, err = encode(r, "")
	return err
}

func (d *database) record(q bird.Question, p *plan.Plan, seq *slot.Sequence, answer [][]value.Value, opts Options) *slot.Record {
	for i := range seq.Starts {
		seq.Starts[i].Database = d.info.ID + ".sqlite"
	}
	keys := d.keys(seq)
	r := &slot.Record{
		Query: q.SQL, Input: q.Text, DatasetName: d.info.ID, SampleID: q.ID,
		GoldAnswer: slot.Answer(answer), Output: seq.Calls, Tools: slot.Specs(keys, opts.Toolset), Keys: keys,
		Initialization: seq.Starts[0], Further: seq.Starts[1:],
	}
	if p.Clock {
		r.TimeDependent, r.AsOf = true, opts.AsOf.UTC().Format(time.RFC3339)
	}
	return r
}

// construct names the construct that planning stopped at; "" is none.
func construct(err error) string {
	var u *plan.Unsupported
	if errors.As(err, &u) {
		return u.Construct
	}
	return dialect.Construct(err)
}
