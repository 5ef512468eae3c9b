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
	"github.com/birdcall/birdcall/internal/sql/sqltree"
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
	// everything is what a question lists by itself: of its own needs, Auto would tell.
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
	return &Converter{db: db, opts: opts, everything: sync.OnceValue(func() []spec.Tool { return Specs(opts.Toolset.Definitions(nil)) })}
}

// Convert writes the SQL of a question as calls, runs them, holds their answer
// against that of the SQL, and checks the calls against the tools of the record.
// A deadline of ctx bounds the time for all of it.
//
// A question without a record gives an *Error. Other errors are that of ctx, a
// *tools.LimitError where a result of a call is larger than the options allow,
// and failures of a call, which are a defect of this module.
func (c *Converter) Convert(ctx context.Context, q *bird.Question) (*record.Slot, error) {
	return c.ConvertWatched(ctx, q, nil)
}

// Watch returns a session that passes on to another what it is asked for, and so sees
// each call and its result.
type Watch func(Session) Session

// ConvertWatched does what Convert does, and runs the calls in the session that watch
// returns. A nil watch leaves them to the converter's own.
func (c *Converter) ConvertWatched(ctx context.Context, q *bird.Question, watch Watch) (*record.Slot, error) {
	var bind Bind
	if watch != nil {
		bind = func(_ []record.Key, calls []tools.Call, in *tools.Session) ([]tools.Call, Session, error) {
			return calls, watch(in), nil
		}
	}
	r, _, err := c.ConvertBound(ctx, q, bind)
	if err != nil {
		return nil, err
	}
	r.Tools = c.everything()
	if err := c.validator.Validate(r.Tools, r.Calls); err != nil {
		return nil, err
	}
	return r, nil
}

// ConvertBare does what Convert does but for the tools: the record has none, and
// the calls are not checked against them. It also returns the rows of the calls'
// answer.
func (c *Converter) ConvertBare(ctx context.Context, q *bird.Question) (*record.Slot, [][]value.Value, error) {
	return c.inTime(ctx, q, how{})
}

// ConvertKnown does what ConvertBare does for a question whose SQL is known to give
// these rows, in this order. It is not run again.
func (c *Converter) ConvertKnown(ctx context.Context, q *bird.Question, rows [][]value.Value) (*record.Slot, [][]value.Value, error) {
	return c.inTime(ctx, q, how{gold: rows, known: true})
}

// how says how a question is converted.
type how struct {
	bind  Bind            // nil leaves the calls as they are
	gold  [][]value.Value // what the SQL gives, if it is known
	known bool
}

// Bind gives the calls of a sequence other names: it returns them as they are
// called otherwise, and a session that runs them by the tools of in. keys are those
// of the starting tables.
type Bind func(keys []record.Key, calls []tools.Call, in *tools.Session) ([]tools.Call, Session, error)

// ConvertBound does what ConvertBare does, under other names: the calls that bind
// returns are the record's, and what is run and verified. A nil bind leaves the calls
// as they are. An error of bind is returned as it is.
func (c *Converter) ConvertBound(ctx context.Context, q *bird.Question, bind Bind) (*record.Slot, [][]value.Value, error) {
	return c.inTime(ctx, q, how{bind: bind})
}

// inTime converts a question, and tells of nothing but ctx if that has ended.
func (c *Converter) inTime(ctx context.Context, q *bird.Question, as how) (*record.Slot, [][]value.Value, error) {
	r, rows, err := c.convert(ctx, q, as)
	if err != nil && ctx.Err() != nil {
		err = ctx.Err() // whatever the database or a call makes of it
	}
	return r, rows, err
}

func (c *Converter) convert(ctx context.Context, q *bird.Question, as how) (*record.Slot, [][]value.Value, error) {
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
	gold := as.gold
	var columns []string
	if !as.known {
		result, err := c.db.db.Query(ctx, sql)
		if err != nil {
			return nil, nil, &Error{Reason: ErrSQL, Err: err}
		}
		gold, columns = result.Rows, result.Columns
	}
	if columns == nil || sql != q.SQL { // names of columns may tell of the clock
		statement, err := c.db.db.Prepare(ctx, q.SQL)
		if err != nil {
			return nil, nil, &Error{Reason: ErrSQL, Err: err}
		}
		columns = statement.Columns()
	}
	run := &ties.Run{Session: c.session(budget.Of(ctx))}
	tree, form, err := c.plan(q.SQL, run)
	if err != nil {
		return nil, nil, &Error{Reason: ErrUnsupported, Construct: cmp.Or(construct(err), "unknown"), Err: err}
	}
	if run.Sequence, err = emit.Emit(run.Plan, c.db.schema, c.opts.Toolset == Paper); err != nil {
		if name := construct(err); name != "" {
			err = &Error{Reason: ErrUnsupported, Construct: name, Err: err}
		}
		return nil, nil, err
	}
	var calls []tools.Call
	c.db.load(ctx, tree)
	if run.Answer, calls, err = c.run(ctx, run, as.bind); err != nil {
		return nil, nil, err
	}
	verdict, err := run.Verify(ctx, sql, gold, c.db.forAWhile)
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
	c.specs = nil
	c.mu.Unlock()
	of := facts.Of(q, form, columns, spec.Cells(verdict.Answer))
	return c.record(q, run, calls, verdict, of), run.Answer, nil
}

// run runs the sequence, under the names that bind gives its calls, and returns the
// answer and the calls that were run. The results are in the run's session.
func (c *Converter) run(ctx context.Context, run *ties.Run, bind Bind) ([][]value.Value, []tools.Call, error) {
	if bind == nil {
		rows, err := run.Sequence.Run(ctx, run.Session)
		return rows, run.Sequence.Calls, err
	}
	calls, session, err := bind(c.db.keys(run.Sequence.Starts), run.Sequence.Calls, run.Session)
	if err != nil {
		return nil, nil, err
	}
	bound := *run.Sequence
	bound.Calls = calls
	rows, err := bound.Run(ctx, session)
	return rows, calls, err
}

// plan reads a statement and plans it, and tells of its form.
func (c *Converter) plan(sql string, run *ties.Run) (*sqltree.Query, facts.Form, error) {
	q, err := sqltree.Parse(sql)
	if err != nil {
		return nil, facts.Form{}, err
	}
	form := facts.Form{Constructs: q.Constructs(), Ordered: len(q.OrderBy) > 0}
	if err := sqltree.Bind(q, c.db.schema); err != nil {
		return nil, form, err
	}
	run.Plan, err = plan.Build(q, c.db.schema, plan.Options{AsOf: c.opts.AsOf})
	if err == nil {
		rewrite.Apply(run.Plan, c.db.schema)
	}
	return q, form, err
}

// record writes what was verified.
func (c *Converter) record(q *bird.Question, run *ties.Run, calls []tools.Call, verdict ties.Verdict, of record.Facts) *record.Slot {
	seq := run.Sequence
	for i := range seq.Starts {
		seq.Starts[i].Database = c.db.info.ID + ".sqlite"
	}
	r := &record.Slot{
		SQL: q.SQL, Question: q.Text, DB: c.db.info.ID, ID: q.ID,
		GoldAnswer: spec.Answer(verdict.Answer), Calls: calls, Keys: c.db.keys(seq.Starts),
		Initialization: seq.Starts[0], Further: seq.Starts[1:], StartingTables: c.db.startingTables(seq.Starts),
		Facts: of,
	}
	r.TieDependent = verdict.Open
	facts.SetTies(&r.Gold, verdict.Ties)
	if _, isTime := dialect.FixClock(q.SQL, c.opts.AsOf); isTime {
		r.TimeDependent, r.AsOf = true, c.opts.AsOf.UTC().Format(time.RFC3339)
	}
	return r
}

// Tools returns the specifications that go with a record. They are the same for
// all records of a database, which share their schemas: do not change these. Those
// of Auto have what the questions converted so far need, so they are complete after
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
	c.specs = nil
}

// NewSession returns a session in which calls run as they did when they were
// verified.
func (c *Converter) NewSession() *tools.Session { return c.session(nil) }

// session is NewSession for calls whose results a budget pays for.
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
