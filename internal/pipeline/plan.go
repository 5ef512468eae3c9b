package pipeline

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/birdcall/birdcall/internal/dialect"
	"github.com/birdcall/birdcall/internal/jsontext"
	"github.com/birdcall/birdcall/internal/outdir"
	"github.com/birdcall/birdcall/internal/plan"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/sel"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// planner makes SLOT and SEL samples: a question's SQL is planned, and the plan
// written as calls.
type planner struct{ Options }

func (p planner) open(ctx context.Context, info *bird.Database) (source, error) {
	d, err := openDatabase(ctx, info)
	return &planned{database: d, opts: p.Options}, err
}

func (p planner) finish(context.Context, *outdir.Dir) error { return nil }
func (p planner) close()                                    {}

// planned is a database whose questions are planned.
type planned struct {
	*database
	opts      Options
	validator spec.Validator
}

func (d *planned) unchanged() error { return d.db.Unchanged() }
func (d *planned) close()           { d.db.Close() }

// specs returns the variant's tools for tables with these keys.
func (d *planned) specs(keys []slot.Key) []spec.Tool {
	if d.opts.Variant == SEL {
		return d.set(keys).Specs()
	}
	return slot.Specs(keys, d.opts.Toolset)
}

func (d *planned) set(keys []slot.Key) *sel.Set {
	return sel.New(d.opts.Toolset.Definitions(), d.opts.Toolset.Operations(), keys)
}

// tools returns the tools for the keys of every table of the database, and for
// those that samples have besides, such as the second use of a table.
func (d *planned) tools(samples []*sample) []spec.Tool {
	whole := tools.Start{}
	for _, t := range d.catalog.Schema.Tables {
		whole.Tables = append(whole.Tables, tools.StartTable{Original: t.Name, Modified: t.Name})
	}
	starts := []tools.Start{whole}
	for _, s := range samples {
		starts = append(starts, s.starts...)
	}
	return d.specs(d.keys(&slot.Sequence{Starts: starts}))
}

func (d *planned) document(_ context.Context, list []spec.Tool) ([]byte, error) {
	text, err := jsontext.Marshal(spec.OpenAPI(d.info.ID, list), "  ")
	return append(text, '\n'), err
}

func (d *planned) sample(ctx context.Context, o *outcome) error {
	if err := dialect.CheckSize(o.question.SQL); err != nil {
		o.fail(SQLError, "SQL", "%v", err)
		return err
	}
	sql, _ := dialect.FixClock(o.question.SQL, d.opts.AsOf)
	gold, err := d.db.Query(ctx, sql)
	if err != nil {
		o.fail(SQLError, "SQL", "%v", err)
		return err
	}
	p, err := plan.Build(o.question.SQL, d.catalog, plan.Options{AsOf: d.opts.AsOf})
	if err != nil {
		o.fail(Unsupported, cmp.Or(construct(err), "unknown"), "%v", err)
		return err
	}
	seq, err := slot.Emit(p, d.catalog, d.opts.Toolset)
	if err != nil {
		if c := construct(err); c != "" {
			o.fail(Unsupported, c, "%v", err)
		}
		return err
	}
	run, err := d.run(ctx, p, seq, d.opts)
	if err != nil {
		return err
	}
	verdict, err := run.verify(ctx, d.database, sql, gold.Rows)
	if err != nil {
		return err
	}
	switch {
	case verdict.right:
	case verdict.tie:
		o.fail(Unsupported, "open answer", "SQL leaves the answer open, and SQLite's is none of the right ones that were tried: %s", verdict.reason)
		return nil
	default:
		o.fail(Mismatch, "answer", "%s", verdict.reason)
		return nil
	}
	o.tie = verdict.tie
	r := d.record(o.question, p, seq, verdict.answer)
	r.TieDependent = verdict.tie
	if d.opts.Variant == SEL {
		if r.Output, err = d.bind(ctx, run, r); err != nil {
			return err
		}
	}
	o.sample = &sample{
		calls: r.Output, starts: seq.Starts,
		tools: func() []spec.Tool { return d.specs(r.Keys) },
		record: func(calls []tools.Call) any {
			out := *r
			out.Output = calls
			return out
		},
	}
	return d.validator.Validate(o.sample.tools(), r.Output)
}

func (d *planned) record(q *bird.Question, p *plan.Plan, seq *slot.Sequence, answer [][]value.Value) *slot.Record {
	for i := range seq.Starts {
		seq.Starts[i].Database = d.info.ID + ".sqlite"
	}
	r := &slot.Record{
		Query: q.SQL, Input: q.Text, DatasetName: d.info.ID, SampleID: q.ID,
		GoldAnswer: slot.Answer(answer), Output: seq.Calls, Keys: d.keys(seq),
		Initialization: seq.Starts[0], Further: seq.Starts[1:],
	}
	if p.Clock {
		r.TimeDependent, r.AsOf = true, d.opts.AsOf.UTC().Format(time.RFC3339)
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
