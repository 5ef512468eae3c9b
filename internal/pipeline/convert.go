package pipeline

import (
	"cmp"
	"context"
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
	Writing Writing
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
	w := newWriter(out, opts, opts.Writing)
	report := &Report{Variant: opts.Variant, Toolset: opts.Toolset, Failures: []Failure{}, Stats: w.stats}
	for _, info := range opts.Dataset.Databases {
		start := time.Now()
		outcomes, universe, err := convertDatabase(ctx, info, opts)
		if err != nil {
			return nil, err
		}
		report.add(info.ID, outcomes)
		if err := w.database(info.ID, universe, verified(outcomes)); err != nil {
			return nil, err
		}
		if opts.Measure != nil {
			opts.Measure(info.ID, len(outcomes), time.Since(start))
		}
	}
	if err := w.examples(ctx); err != nil {
		return nil, err
	}
	if err := w.finish(report.calls, report.slots); err != nil {
		return nil, err
	}
	if err := out.report(report); err != nil {
		return nil, err
	}
	return report, out.publish()
}

// verified returns the records of the questions that were.
func verified(outcomes []*outcome) []*slot.Record {
	var out []*slot.Record
	for _, o := range outcomes {
		if o.status == "" {
			out = append(out, o.record)
		}
	}
	return out
}

// convertDatabase works on the questions of one database, and returns what
// became of them and the keys of all that the database has.
func convertDatabase(ctx context.Context, info *bird.Database, opts Options) ([]*outcome, []slot.Key, error) {
	d, err := openDatabase(ctx, info)
	if err != nil {
		return nil, nil, err
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
	if err := ctx.Err(); err != nil {
		return nil, nil, err // some questions were not worked on
	}
	return outcomes, d.universe(verified(outcomes)), nil
}

// outcome is what became of one question: a record, or a status and a reason.
type outcome struct {
	question  bird.Question
	status    Status
	construct string
	reason    string

	record       *slot.Record // without its tools, which are made to be written
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
	if opts.Variant == SEL {
		if r, err = d.bind(ctx, run, r, opts); err != nil {
			return err
		}
	}
	if err := d.validator.Validate(r); err != nil {
		return err
	}
	r.Tools = nil
	o.calls = len(r.Output)
	for _, c := range r.Output {
		o.slots += len(c.Arguments)
	}
	o.record = r
	return nil
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
