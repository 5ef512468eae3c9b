package convert

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/birdcall/birdcall/internal/artifact/facts"
	"github.com/birdcall/birdcall/internal/querytool/oracle"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/internal/sql/dialect"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
	"github.com/birdcall/birdcall/pkg/verify"
)

// Options adjust a Converter. The zero value is right for most callers.
type Options struct {
	Toolset query.Toolset // default query.Full
	Shape   query.Shape   // of the records' calls and tools; default query.Unified
	AsOf    time.Time     // what 'now' stands for; default bird.DefaultAsOf
	// MaxValue bounds the bytes of one value or stored row that SQL reads or makes; 0
	// is 256 MiB.
	MaxValue int
}

// Converter makes verified records of questions about one database. Several
// goroutines may use it at once.
type Converter struct {
	db    *query.Database
	opts  Options
	tools []spec.Tool
	// judge knows where SQL leaves an answer open.
	judge     *slot.Converter
	judged    *slot.Database
	proof     *oracle.Database // knows the schema, and runs the SQL of queries
	validator spec.Validator
}

// Open opens a database for questions about it. Errors name the file and what would
// mend it. Close must be called when done.
func Open(ctx context.Context, info *bird.Database, opts Options) (*Converter, error) {
	if opts.Toolset == "" {
		opts.Toolset = query.Full
	}
	if opts.Shape == "" {
		opts.Shape = query.Unified
	}
	if opts.AsOf.IsZero() {
		opts.AsOf = bird.DefaultAsOf
	}
	c := &Converter{opts: opts}
	var err error
	if c.db, err = query.OpenWith(ctx, info, query.Options{MaxValue: opts.MaxValue}); err != nil {
		return nil, err
	}
	if c.judged, err = slot.OpenWith(ctx, info, slot.OpenOptions{MaxValue: opts.MaxValue}); err != nil {
		return nil, errors.Join(err, c.db.Close())
	}
	if c.proof, err = oracle.Open(ctx, info, c.db.Collections(), opts.MaxValue); err != nil {
		return nil, errors.Join(err, c.judged.Close(), c.db.Close())
	}
	c.judge = slot.NewConverter(c.judged, slot.Options{AsOf: opts.AsOf, Unchecked: true})
	c.tools = query.Tools(c.db.Collections(), opts.Toolset, opts.Shape)
	return c, nil
}

// Close releases the database. No conversion may be running.
func (c *Converter) Close() error {
	return errors.Join(c.proof.Close(), c.judged.Close(), c.db.Close())
}

// Unchanged fails if the file was replaced or written to since Open, so that records
// need not belong together.
func (c *Converter) Unchanged() error {
	return errors.Join(c.proof.Unchanged(), c.judged.Unchanged(), c.db.Unchanged())
}

// Database returns the database that queries run on.
func (c *Converter) Database() *query.Database { return c.db }

// Tools returns the tools of all records.
func (c *Converter) Tools() []spec.Tool { return c.tools }

// Convert writes the SQL of a question as a query, runs it, and holds its answer
// against that of the SQL. A question without a record gives a *slot.Error; other
// errors are those of slot.Converter.
func (c *Converter) Convert(ctx context.Context, q *bird.Question) (*query.Record, error) {
	r, err := c.convert(ctx, q)
	if err != nil && ctx.Err() != nil {
		err = ctx.Err() // whatever the database makes of it
	}
	return r, err
}

func (c *Converter) convert(ctx context.Context, q *bird.Question) (*query.Record, error) {
	if err := dialect.CheckSize(q.SQL); err != nil {
		return nil, &slot.Error{Reason: slot.ErrSQL, Err: err}
	}
	t, err := c.translate(q.SQL) // most are refused, so that their SQL need not be run
	if err != nil {
		return nil, err
	}
	sql, _ := dialect.FixClock(q.SQL, c.opts.AsOf)
	gold, err := c.db.Query(ctx, sql)
	if err != nil {
		return nil, &slot.Error{Reason: slot.ErrSQL, Err: err}
	}
	result, err := c.db.Run(ctx, t.query)
	if err != nil {
		return nil, err
	}
	got, err := result.Rows(t.parts)
	if err != nil {
		return nil, err
	}
	facts, answer, err := c.compare(ctx, q, t, gold, got)
	if err != nil {
		return nil, err
	}
	r := c.record(q, t.query)
	r.AnswerFrom, r.Source, r.Facts, r.GoldAnswer = t.parts, query.FromSQL, *facts, answer
	return r, c.check(r)
}

func (c *Converter) translate(sql string) (*translation, error) {
	tree, err := sqltree.Read(sql, c.proof.Schema())
	if err != nil {
		return nil, &slot.Error{Reason: slot.ErrUnsupported, Construct: dialect.Construct(err), Err: err}
	}
	t, err := translate(tree, c.db.Collections(), c.opts.Toolset)
	if why := (*Refused)(nil); errors.As(err, &why) {
		return nil, &slot.Error{Reason: slot.ErrUnsupported, Construct: why.Construct, Err: why}
	}
	return t, err
}

// compare holds the query's answer against gold, the SQL's. Where SQL leaves the
// answer open another right one will do: that of the calls of pkg/slot, which have
// been shown to be right.
func (c *Converter) compare(ctx context.Context, q *bird.Question, t *translation, gold, got [][]value.Value) (*record.Facts, any, error) {
	var session slot.Session
	of, err := c.judge.Convert(ctx, q, slot.WithGold(gold), slot.WithWatch(func(in slot.Session) slot.Session {
		session = in
		return in
	}))
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if err != nil { // nobody knows of ties, then
		if of, err = c.withoutCalls(ctx, q, gold); err != nil {
			return nil, nil, err
		}
	}
	o := verify.Options{Ordered: t.ordered, Ties: groups(of.Gold, len(gold))}
	verdict := verify.Compare(gold, got, o)
	if !verdict.Equal && of.TieDependent {
		rows, err := answerIn(ctx, session, of)
		if err != nil {
			return nil, nil, err
		}
		verdict = verify.Compare(rows, got, o)
	}
	switch {
	case verdict.Equal:
		return &of.Facts, of.GoldAnswer, nil
	case of.TieDependent:
		return nil, nil, &slot.Error{Reason: slot.ErrOpen, Err: errors.New(verdict.Reason)}
	case t.assumes != "":
		return nil, nil, &slot.Error{Reason: slot.ErrUnsupported, Construct: t.assumes, Err: fmt.Errorf("the query says the same only for %s: %s", t.assumes, verdict.Reason)}
	}
	return nil, nil, &slot.Error{Reason: slot.ErrMismatch, Err: errors.New(verdict.Reason)}
}

// answerIn returns the rows that the calls of a record gave in a session.
func answerIn(ctx context.Context, session slot.Session, r *record.Slot) ([][]value.Value, error) {
	label := cmp.Or(r.Initialization.Label, tools.StartLabel)
	if n := len(r.Calls); n > 0 {
		label = r.Calls[n-1].Label
	}
	t, ok := session.Table(label)
	if !ok {
		return nil, fmt.Errorf("no result %q", label)
	}
	return t.Rows(ctx)
}

// withoutCalls is what is known of a question that has no calls.
func (c *Converter) withoutCalls(ctx context.Context, q *bird.Question, gold [][]value.Value) (*record.Slot, error) {
	names, err := c.db.Columns(ctx, q.SQL)
	return &record.Slot{GoldAnswer: spec.Answer(gold), Facts: facts.New(q, names, gold)}, err
}

// groups numbers rows so that those that may change places have the same number;
// nil where no two may.
func groups(gold record.Gold, rows int) []int {
	if len(gold.Ties) == 0 || len(gold.Rows) != rows {
		return nil
	}
	out := make([]int, rows)
	for i := range out {
		out[i] = i
	}
	for _, tie := range gold.Ties {
		for i := tie[0]; i <= tie[1] && i < rows; i++ {
			out[i] = tie[0]
		}
	}
	return out
}

// record writes a query as the call of a question.
func (c *Converter) record(q *bird.Question, as query.Query) *query.Record {
	components := query.ComponentsOf(as, c.db.Collections())
	call := as.Call(c.opts.Toolset, c.opts.Shape, c.db.Collections())
	return &query.Record{
		SQL: q.SQL, Question: q.Text, DB: q.DB, ID: q.ID,
		Calls:       []query.Output{{Name: call.Name, Arguments: call.Arguments}},
		Collections: c.db.Collections(), Toolset: c.opts.Toolset, Shape: c.opts.Shape,
		Components: components, Complexity: components.Complexity(), AnswerFrom: []query.Part{},
	}
}

// check holds a record's call against its tools.
func (c *Converter) check(r *query.Record) error {
	calls := r.ToolCalls()
	if err := c.validator.Validate(c.tools, calls); err != nil {
		return err
	}
	for _, call := range calls {
		if _, err := query.Read(call, c.opts.Toolset, c.db.Collections()); err != nil {
			return err
		}
	}
	return nil
}
