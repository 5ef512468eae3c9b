package slot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/birdcall/birdcall/internal/dialect"
	"github.com/birdcall/birdcall/internal/emit"
	"github.com/birdcall/birdcall/internal/plan"
	"github.com/birdcall/birdcall/internal/rewrite"
	"github.com/birdcall/birdcall/internal/sqltree"
	"github.com/birdcall/birdcall/internal/ties"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Options adjust a Converter. The zero value is right for most callers.
type Options struct {
	Toolset  Toolset   // of the calls; default Full
	AsOf     time.Time // what 'now' stands for; default bird.DefaultAsOf
	MaxRows  int       // of the result of a call; default tools.DefaultMaxRows
	MaxBytes int       // of text that a call makes; default tools.DefaultMaxBytes
}

// Converter makes verified records of questions about one database. Several
// goroutines may use it at once.
type Converter struct {
	db        *Database
	opts      Options
	validator spec.Validator

	mu    sync.Mutex
	needs Needs // of all sequences that were verified
}

// NewConverter returns a converter of questions about a database.
func NewConverter(db *Database, opts Options) *Converter {
	if opts.AsOf.IsZero() {
		opts.AsOf = bird.DefaultAsOf
	}
	return &Converter{db: db, opts: opts}
}

// Convert writes the SQL of a question as calls, runs them, holds their answer
// against that of the SQL, and checks the calls against the tools of the record.
// A deadline of ctx bounds the time for all of it.
//
// A question without a record gives an *Error. Other errors are that of ctx, a
// *tools.LimitError where a result of a call is larger than the options allow,
// and failures of a call, which are a defect of this module.
func (c *Converter) Convert(ctx context.Context, q *bird.Question) (*Record, error) {
	r, _, err := c.ConvertBare(ctx, q)
	if err != nil {
		return nil, err
	}
	r.Tools = Specs(c.opts.Toolset.Definitions(nil)) // of one question, Auto would tell what it needs
	if err := c.validator.Validate(r.Tools, r.Output); err != nil {
		return nil, err
	}
	return r, nil
}

// ConvertBare does what Convert does but for the tools: the record has none, and
// the calls are not checked against them. It also returns the rows of the calls'
// answer.
func (c *Converter) ConvertBare(ctx context.Context, q *bird.Question) (*Record, [][]value.Value, error) {
	r, rows, err := c.convert(ctx, q)
	if err != nil && ctx.Err() != nil {
		err = ctx.Err() // whatever the database or a call makes of it
	}
	return r, rows, err
}

func (c *Converter) convert(ctx context.Context, q *bird.Question) (*Record, [][]value.Value, error) {
	if c.db == nil || q == nil {
		return nil, nil, errors.New("slot: no database or no question is given")
	}
	if set := c.opts.Toolset; !set.isKnown() {
		return nil, nil, fmt.Errorf("slot: there is no toolset %q; use %s", set, strings.Join(Toolsets(), ", "))
	}
	if err := dialect.CheckSize(q.SQL); err != nil {
		return nil, nil, &Error{Reason: ErrSQL, Err: err}
	}
	sql, _ := dialect.FixClock(q.SQL, c.opts.AsOf)
	gold, err := c.db.Query(ctx, sql)
	if err != nil {
		return nil, nil, &Error{Reason: ErrSQL, Err: err}
	}
	run := &ties.Run{Session: c.NewSession()}
	if run.Plan, err = c.plan(q.SQL); err != nil {
		return nil, nil, &Error{Reason: ErrUnsupported, Construct: cmp.Or(construct(err), "unknown"), Err: err}
	}
	if run.Sequence, err = emit.Emit(run.Plan, c.db.schema, c.opts.Toolset == Paper); err != nil {
		if name := construct(err); name != "" {
			err = &Error{Reason: ErrUnsupported, Construct: name, Err: err}
		}
		return nil, nil, err
	}
	if run.Answer, err = run.Sequence.Run(ctx, run.Session); err != nil {
		return nil, nil, err
	}
	verdict, err := run.Verify(ctx, sql, gold, c.db.Query)
	switch {
	case err != nil:
		return nil, nil, err
	case verdict.Right:
	case verdict.Open:
		return nil, nil, &Error{Reason: ErrOpen, Err: errors.New(verdict.Reason)}
	default:
		return nil, nil, &Error{Reason: ErrMismatch, Err: errors.New(verdict.Reason)}
	}
	c.mu.Lock()
	c.needs.Add(run.Sequence.Calls)
	c.mu.Unlock()
	r, err := c.record(ctx, q, run, verdict)
	return r, run.Answer, err
}

// plan reads a statement and plans it.
func (c *Converter) plan(sql string) (*plan.Plan, error) {
	q, err := sqltree.Read(sql, c.db.schema)
	if err != nil {
		return nil, err
	}
	p, err := plan.Build(q, c.db.schema, plan.Options{AsOf: c.opts.AsOf})
	if err == nil {
		rewrite.Apply(p, c.db.schema)
	}
	return p, err
}

// record writes what was verified.
func (c *Converter) record(ctx context.Context, q *bird.Question, run *ties.Run, verdict ties.Verdict) (*Record, error) {
	statement, err := c.db.db.Prepare(ctx, q.SQL) // for the columns' names, which may tell of the clock
	if err != nil {
		return nil, err
	}
	seq := run.Sequence
	for i := range seq.Starts {
		seq.Starts[i].Database = c.db.info.ID + ".sqlite"
	}
	r := &Record{
		Query: q.SQL, Input: q.Text, DatasetName: c.db.info.ID, SampleID: q.ID,
		GoldAnswer: spec.Answer(verdict.Answer), Output: seq.Calls, Keys: c.db.keys(seq.Starts),
		Initialization: seq.Starts[0], Further: seq.Starts[1:], StartingTables: c.db.startingTables(seq.Starts),
		Facts: record.New(q, statement.Columns(), verdict.Answer),
	}
	r.TieDependent = verdict.Open
	r.Gold.SetTies(verdict.Ties)
	if _, isTime := dialect.FixClock(q.SQL, c.opts.AsOf); isTime {
		r.TimeDependent, r.AsOf = true, c.opts.AsOf.UTC().Format(time.RFC3339)
	}
	return r, nil
}

// Tools returns the specifications that go with a record. They are the same for
// all records of a database. Those of Auto have what the questions converted so
// far need, so they are complete after the last Convert.
func (c *Converter) Tools(*Record) []spec.Tool { return c.AllTools() }

// AllTools returns the specifications of the database's tools, which Tools
// returns for each record.
func (c *Converter) AllTools(...*Record) []spec.Tool { return Specs(c.Definitions()) }

// Definitions returns the tools that Tools specifies.
func (c *Converter) Definitions() []tools.Definition {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.opts.Toolset.Definitions(&c.needs)
}

// Needs returns what the questions converted so far need of the tools.
func (c *Converter) Needs() *Needs {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := &Needs{}
	out.Merge(&c.needs)
	return out
}

// AddNeeds counts questions as converted that another converter of the database
// has converted, by what they need.
func (c *Converter) AddNeeds(needs *Needs) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.needs.Merge(needs)
}

// NewSession returns a session in which calls run as they did when they were
// verified.
func (c *Converter) NewSession() *tools.Session {
	return tools.NewSession(c.db.store, tools.Options{Now: c.opts.AsOf, MaxRows: c.opts.MaxRows, MaxBytes: c.opts.MaxBytes})
}

// SessionOf returns a session for Record.Run.
func (c *Converter) SessionOf(*Record) Session { return c.NewSession() }

// construct names the construct that planning stopped at; "" is none.
func construct(err error) string {
	var u *plan.Unsupported
	if errors.As(err, &u) {
		return u.Construct
	}
	return dialect.Construct(err)
}
