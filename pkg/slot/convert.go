package slot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/birdcall/birdcall/internal/artifact/facts"
	"github.com/birdcall/birdcall/internal/db/budget"
	"github.com/birdcall/birdcall/internal/planner/emit"
	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/internal/planner/rewrite"
	"github.com/birdcall/birdcall/internal/planner/ties"
	"github.com/birdcall/birdcall/internal/sql/dialect"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Options adjust a Converter. The zero value is right for most callers.
type Options struct {
	Toolset  Toolset   // of the calls; default Full
	AsOf     time.Time // replaces 'now'; default bird.DefaultAsOf
	MaxRows  int       // of the result of a call; default tools.DefaultMaxRows
	MaxBytes int       // of the text that a call makes; default tools.DefaultMaxBytes

	WithoutTools bool // leaves the tools out of the records; calls are still checked
	Unchecked    bool // also leaves out the check
	// Map gives the calls other names; nil keeps the tools' own names.
	Map CallMapper
}

// CallMapper gives the calls of a sequence other names. The record has these names, and
// the calls are run and verified under them. keys are the keys of the starting tables,
// and in runs calls under the names of the tools. Convert returns an error of the
// CallMapper unchanged.
type CallMapper func(keys []record.Key, calls []tools.Call, in *tools.Session) (MappedCalls, error)

// MappedCalls are calls under other names, the session that runs them, and the tools
// with these names.
type MappedCalls struct {
	Calls   []tools.Call
	Session Session
	Tools   func() []spec.Tool
}

// ConvertOption adjusts the conversion of one question.
type ConvertOption func(*convertOptions)

type convertOptions struct {
	watch   func(Session) Session
	gold    [][]value.Value // what the SQL gives, if isKnown
	isKnown bool
}

// WithWatch runs the calls in the session that watch returns. That session must pass
// each call on to the session that watch was given, and so sees each call and its
// result.
func WithWatch(watch func(Session) Session) ConvertOption {
	return func(o *convertOptions) { o.watch = watch }
}

// WithGold says that the SQL of the question gives these rows, in this order. Convert
// then does not run the SQL.
func WithGold(rows [][]value.Value) ConvertOption {
	return func(o *convertOptions) { o.gold, o.isKnown = rows, true }
}

// Converter makes verified records of questions about one database. Several
// goroutines may use it at once.
type Converter struct {
	db        *Database
	opts      Options
	validator spec.Validator
	// everything returns the tools for a question on its own. If Auto listed only what
	// this question needs, the list would reveal it.
	everything func() []spec.Tool

	mu    sync.Mutex
	needs Needs       // of all sequences that were verified
	specs []spec.Tool // what AllTools returns until the needs change, or nil
}

// NewConverter returns a converter of questions about a database.
func NewConverter(db *Database, opts Options) *Converter {
	if opts.AsOf.IsZero() {
		opts.AsOf = bird.DefaultAsOf
	}
	c := &Converter{db: db, opts: opts, everything: sync.OnceValue(func() []spec.Tool { return Specs(opts.Toolset.Definitions(nil)) })}
	if opts.Map == nil {
		c.opts.Map = func(_ []record.Key, calls []tools.Call, in *tools.Session) (MappedCalls, error) {
			return MappedCalls{calls, in, c.everything}, nil
		}
	}
	return c
}

// Convert writes the SQL of a question as calls, runs them, compares their answer with
// that of the SQL, and checks the calls against the tools of the record. A deadline of
// ctx bounds the whole conversion.
//
// If the question has no record, the error is an *Error. Other errors are that of ctx,
// and a *tools.LimitError if the result of a call is larger than the options allow. Any
// other failure of a call is a defect of this module.
func (c *Converter) Convert(ctx context.Context, q *bird.Question, opts ...ConvertOption) (*record.Slot, error) {
	var o convertOptions
	for _, set := range opts {
		set(&o)
	}
	r, err := c.convert(ctx, q, o)
	if err != nil && ctx.Err() != nil {
		err = ctx.Err() // whatever error the database or a call returns instead
	}
	return r, err
}

func (c *Converter) convert(ctx context.Context, q *bird.Question, o convertOptions) (*record.Slot, error) {
	if c.db == nil || q == nil {
		return nil, errors.New("slot: no database or no question is given")
	}
	if set := c.opts.Toolset; !set.isKnown() {
		return nil, fmt.Errorf("slot: there is no toolset %q; use %s", set, strings.Join(Toolsets(), ", "))
	}
	if err := dialect.CheckSize(q.SQL); err != nil {
		return nil, &Error{Reason: ErrSQL, Err: err}
	}
	sql, readsClock := dialect.FixClock(q.SQL, c.opts.AsOf)
	gold, columns, err := c.gold(ctx, q, sql, o)
	if err != nil {
		return nil, &Error{Reason: ErrSQL, Err: err}
	}
	run := &ties.Run{Session: c.session(budget.Of(ctx))}
	s := c.db.statement(q.SQL)
	if run.Plan, err = c.plan(s); err != nil {
		return nil, &Error{Reason: ErrUnsupported, Construct: cmp.Or(construct(err), "unknown"), Err: err}
	}
	if run.Sequence, err = emit.Emit(run.Plan, c.db.schema, c.opts.Toolset == Paper); err != nil {
		if name := construct(err); name != "" {
			err = &Error{Reason: ErrUnsupported, Construct: name, Err: err}
		}
		return nil, err
	}
	c.db.load(ctx, s.tree)
	mapped, err := c.run(ctx, run, o)
	if err != nil {
		return nil, err
	}
	verdict, err := c.verify(ctx, run, sql, gold)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.needs.Add(run.Sequence.Calls)
	c.specs = nil
	c.mu.Unlock()
	r := c.record(q, run, mapped.Calls, verdict)
	r.Facts = facts.Of(q, s.form, columns, spec.Cells(verdict.Answer))
	r.TieDependent = verdict.Open
	facts.SetTies(&r.Gold, verdict.Ties)
	if readsClock {
		r.TimeDependent, r.AsOf = true, c.opts.AsOf.UTC().Format(time.RFC3339)
	}
	if err := c.check(r, mapped); err != nil {
		return nil, err
	}
	return r, nil
}

// gold returns the rows and column names of a question's SQL. sql is that SQL with a
// fixed clock.
func (c *Converter) gold(ctx context.Context, q *bird.Question, sql string, o convertOptions) (rows [][]value.Value, columns []string, err error) {
	rows = o.gold
	if !o.isKnown {
		result, err := c.db.db.Query(ctx, sql)
		if err != nil {
			return nil, nil, err
		}
		rows, columns = result.Rows, result.Columns
	}
	if columns == nil || sql != q.SQL { // names of columns may contain the clock
		statement, err := c.db.db.Prepare(ctx, q.SQL)
		if err != nil {
			return nil, nil, err
		}
		columns = statement.Columns()
	}
	return rows, columns, nil
}

// plan plans a parsed statement.
func (c *Converter) plan(s *statement) (*plan.Plan, error) {
	if s.err != nil {
		return nil, s.err
	}
	p, err := plan.Build(s.tree, c.db.schema, plan.Options{AsOf: c.opts.AsOf})
	if err == nil {
		rewrite.Apply(p, c.db.schema)
	}
	return p, err
}

// run runs the sequence under the mapped names of its calls. It leaves the answer and
// the results in run.
func (c *Converter) run(ctx context.Context, run *ties.Run, o convertOptions) (MappedCalls, error) {
	mapped, err := c.opts.Map(c.db.keys(run.Sequence.Starts), run.Sequence.Calls, run.Session)
	if err != nil {
		return mapped, err
	}
	session := mapped.Session
	if o.watch != nil {
		session = o.watch(session)
	}
	sequence := *run.Sequence
	sequence.Calls = mapped.Calls
	run.Answer, err = sequence.Run(ctx, session)
	return mapped, err
}

// verify compares the answer of the calls with that of the SQL.
func (c *Converter) verify(ctx context.Context, run *ties.Run, sql string, gold [][]value.Value) (ties.Verdict, error) {
	verdict, err := run.Verify(ctx, sql, gold, c.db.forAWhile)
	switch {
	case err != nil || verdict.Right:
		return verdict, err
	case verdict.Open:
		return verdict, &Error{Reason: ErrOpen, Err: errors.New(verdict.Reason)}
	}
	return verdict, &Error{Reason: ErrMismatch, Err: errors.New(verdict.Reason)}
}

// record returns the record of a verified sequence.
func (c *Converter) record(q *bird.Question, run *ties.Run, calls []tools.Call, verdict ties.Verdict) *record.Slot {
	seq := run.Sequence
	for i := range seq.Starts {
		seq.Starts[i].Database = c.db.info.ID + ".sqlite"
	}
	return &record.Slot{
		SQL: q.SQL, Question: q.Text, DB: c.db.info.ID, ID: q.ID,
		GoldAnswer: spec.Answer(verdict.Answer), Calls: calls, Keys: c.db.keys(seq.Starts),
		Initialization: seq.Starts[0], Further: seq.Starts[1:], StartingTables: c.db.startingTables(seq.Starts),
	}
}

// check checks the calls of a record against their tools, and lists the tools in it.
func (c *Converter) check(r *record.Slot, mapped MappedCalls) error {
	if c.opts.Unchecked {
		return nil
	}
	list := mapped.Tools()
	if !c.opts.WithoutTools {
		r.Tools = list
	}
	return c.validator.Validate(list, r.Calls)
}

// Tools returns the specifications that go with a record. They are the same for all
// records of a database, which share the schemas: do not modify these. The toolset Auto
// lists what the questions converted so far need, so its list is complete only after
// the last Convert.
func (c *Converter) Tools(*record.Slot) []spec.Tool { return c.AllTools() }

// AllTools returns the specifications of the database's tools, which Tools
// returns for each record.
func (c *Converter) AllTools(...*record.Slot) []spec.Tool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.specs == nil {
		c.specs = Specs(c.opts.Toolset.Definitions(&c.needs))
	}
	return slices.Clone(c.specs)
}

// Definitions returns the tools that Tools specifies.
func (c *Converter) Definitions() []tools.Definition {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.opts.Toolset.Definitions(&c.needs)
}

// Needs returns the parts of the tools that the questions converted so far need.
func (c *Converter) Needs() *Needs {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := &Needs{}
	out.Merge(&c.needs)
	return out
}

// AddNeeds adds the needs of questions that another converter of the database has
// converted.
func (c *Converter) AddNeeds(needs *Needs) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.needs.Merge(needs)
	c.specs = nil
}

// NewSession returns a session in which calls run as they did when they were
// verified.
func (c *Converter) NewSession() *tools.Session { return c.session(nil) }

// session is NewSession with a budget that the results of calls count against.
func (c *Converter) session(paid *budget.Budget) *tools.Session {
	opts := tools.Options{Now: c.opts.AsOf, MaxRows: c.opts.MaxRows, MaxBytes: c.opts.MaxBytes}
	if paid != nil {
		opts.Spend = paid.Spend
	}
	return tools.NewSession(c.db.store, opts)
}

// SessionOf returns a session for Record.Run.
func (c *Converter) SessionOf(*record.Slot) Session { return c.NewSession() }

// construct names the construct that planning stopped at; "" is none.
func construct(err error) string {
	var u *plan.Unsupported
	if errors.As(err, &u) {
		return u.Construct
	}
	return dialect.Construct(err)
}
