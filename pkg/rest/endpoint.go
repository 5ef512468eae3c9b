package rest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sqlc-dev/meyer/ast"

	"github.com/birdcall/birdcall/internal/sqlite"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/value"
)

// Endpoint answers all questions of a database whose SQL differs in parameter
// values only.
type Endpoint struct {
	DB          string
	Name        string // unique over all databases
	Path        string // /v1/bird/<segment of db>/<name>
	Summary     string
	Description string
	Params      []*Param
	Columns     []ResultColumn
	Questions   []bird.ID // in the dataset's order

	template  *template
	statement *sqlite.Statement
	calls     [][][]value.Value // the questions' own arguments, as in Call
	single    bool              // one row at most
	rows      int               // the parameter that the statement's LIMIT takes, or -1
	skip      int               // the same of OFFSET
	inner     bool              // whether that LIMIT is a subquery's, so that it does not count the answer's rows
	clock     bool              // whether the statement reads it
}

// ResultColumn is a column of an endpoint's answer.
type ResultColumn struct {
	Name  string // as the query has it, unique in the answer
	Types []Type // what its values can be beside NULL; nil for anything
	// NotNull says that there is always a value.
	NotNull bool
	// Column is the table's column that is given as it is, or nil.
	Column *Column

	label string // what it is, in words
}

// Call is a question's own call of its endpoint.
type Call struct {
	Endpoint  *Endpoint
	Arguments [][]value.Value // by parameter; nil for one that is left out
}

// Database is one database with its endpoints.
type Database struct {
	ID        string
	Segment   string // the ID as it stands in paths
	Endpoints []*Endpoint

	info *bird.Database
	db   *sqlite.DB
	pool *sqlite.Pool

	profiling sync.Mutex
	known     map[Column]profile // nil until it is asked for
	version   string             // of the data that known tells of
}

// Catalog holds the endpoints of a dataset.
type Catalog struct {
	Databases []*Database
	calls     map[*bird.Question]Call
	failures  map[*bird.Question]error
	dataset   *bird.Dataset
}

// Options adjust Open. A zero field means its default.
type Options struct {
	Connections int           // per database; default 4
	Wait        time.Duration // for a free connection, and for other programs' locks; default 1 s
	Timeout     time.Duration // for one query; default 5 s
	Value       int           // bytes of one value or stored row; default DefaultMaxValue
	// Immutable says that nobody writes to the databases while they are open.
	// Without it, each query reads the newest committed state, and lets other
	// programs write between queries.
	Immutable bool

	snapshot bool // all queries read the state of Open
}

func (o Options) mode() sqlite.Mode {
	switch {
	case o.snapshot:
		return sqlite.Snapshot
	case o.Immutable:
		return sqlite.Immutable
	}
	return sqlite.Live
}

// Open opens the dataset's databases and makes their endpoints. A question
// whose SQL cannot be served has no call; Call tells why. The other errors
// are those of files and of ctx. Close must be called when done.
func Open(ctx context.Context, dataset *bird.Dataset, opts Options) (*Catalog, error) {
	c := &Catalog{
		Databases: make([]*Database, len(dataset.Databases)),
		calls:     map[*bird.Question]Call{}, failures: map[*bird.Question]error{}, dataset: dataset,
	}
	var mu sync.Mutex // guards c's maps
	errs := make([]error, len(dataset.Databases))
	named := make([]map[*Endpoint]naming, len(dataset.Databases))
	var wait sync.WaitGroup
	for i, info := range dataset.Databases {
		wait.Go(func() {
			c.Databases[i], named[i], errs[i] = c.open(ctx, info, opts, &mu)
		})
	}
	wait.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	taken := map[string]bool{}
	for i, d := range c.Databases {
		d.Segment = c.segment(d.ID)
		for _, e := range d.Endpoints {
			e.name(named[i][e], d.Segment, taken)
		}
	}
	return c, nil
}

// open opens one database and makes its endpoints, still without names.
func (c *Catalog) open(ctx context.Context, info *bird.Database, opts Options, mu *sync.Mutex) (*Database, map[*Endpoint]naming, error) {
	limits := sqlite.Limits{Value: DefaultMaxValue, Compound: 8}
	db, err := sqlite.Open(ctx, sqlite.Location{Path: info.Path, FS: info.FS, Name: info.Name}, sqlite.Options{
		Limits: limits, Mode: opts.mode(), Busy: cmp.Or(opts.Wait, time.Second),
	})
	if err != nil {
		return nil, nil, err
	}
	d := &Database{ID: info.ID, info: info, db: db}
	d.pool = db.NewPool(sqlite.PoolOptions{Connections: opts.Connections, Wait: opts.Wait, Time: opts.Timeout, Value: opts.Value})
	schema, err := db.Schema(ctx)
	if err != nil {
		return d, nil, err
	}
	named := map[*Endpoint]naming{}
	byKey := map[string]*Endpoint{}
	for i := range c.dataset.Questions {
		q := &c.dataset.Questions[i]
		if q.DB != info.ID {
			continue
		}
		call, err := d.endpoint(ctx, q, schema, byKey, named)
		if ctx.Err() != nil {
			return d, nil, ctx.Err()
		}
		mu.Lock()
		if err != nil {
			c.failures[q] = err
		} else {
			c.calls[q] = call
			call.Endpoint.Questions = append(call.Endpoint.Questions, q.ID)
			call.Endpoint.calls = append(call.Endpoint.calls, call.Arguments)
		}
		mu.Unlock()
	}
	return d, named, nil
}

// endpoint finds or makes the endpoint for a question. A panic is a defect of
// ours or of the parser's, which is not to cost the other questions theirs.
func (d *Database) endpoint(
	ctx context.Context, q *bird.Question, schema *sqlite.Schema, byKey map[string]*Endpoint, named map[*Endpoint]naming,
) (call Call, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("making an endpoint failed: %v; please report the SQL", p)
		}
	}()
	t, err := newTemplate(q.SQL, schema)
	if err != nil {
		return call, err
	}
	e := byKey[t.key]
	if e == nil {
		if e, err = d.newEndpoint(ctx, t); err != nil {
			return call, err
		}
		named[e] = newNaming(t, e.Params, phrases{db: d.info})
		byKey[t.key] = e
		d.Endpoints = append(d.Endpoints, e)
	}
	call = Call{Endpoint: e, Arguments: make([][]value.Value, len(t.params))}
	for i, f := range t.params {
		call.Arguments[i] = f.values
	}
	t.forget()
	return call, nil
}

func (d *Database) newEndpoint(ctx context.Context, t *template) (*Endpoint, error) {
	statement, err := d.pool.Prepare(ctx, t.sql)
	if err != nil {
		return nil, err
	}
	core, isQuery := t.query.Cores[0].(*ast.SelectQuery)
	p := phrases{db: d.info}
	if isQuery {
		p.from = t.walker.scopes[core].mainTable()
	}
	e := &Endpoint{DB: d.ID, template: t, statement: statement, single: t.isSingle(), Params: newParams(t, p)}
	e.rows, e.skip = t.outerLimit()
	e.inner = !t.isOwnLimit(e.rows)
	for _, q := range e.Params {
		e.clock = e.clock || q.role == instant
	}
	e.Columns = newColumns(t, statement.Columns(), p)
	return e, nil
}

// segment returns a database's id without what a path would have to escape, or
// a route would take for a wildcard, and unlike the segments given so far.
func (c *Catalog) segment(id string) string {
	plain := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, id)
	isTaken := func(name string) bool {
		return slices.ContainsFunc(c.Databases, func(d *Database) bool { return d.Segment == name || d.ID == name && name != id })
	}
	name := plain
	for n := 2; isTaken(name); n++ {
		name = fmt.Sprintf("%s_%d", plain, n)
	}
	return name
}

// name takes the first of the naming's candidates that is free and writes the
// texts that tell what the endpoint does.
func (e *Endpoint) name(n naming, segment string, taken map[string]bool) {
	for name := range n.candidates {
		if !taken[name] {
			taken[name] = true
			e.Name = name
			break
		}
	}
	e.Path = "/v1/bird/" + segment + "/" + e.Name
	e.Summary = sentence(strings.Join(dedupe(n.subject), " "))
	for _, part := range [][]string{n.fixed, n.order, n.groups} {
		if len(part) > 0 {
			e.Summary += " " + strings.Join(part, " ")
		}
	}
	e.Description = e.describe(n)
}

// describe says in sentences what comes out and what goes in.
func (e *Endpoint) describe(n naming) string {
	var names, conditions []string
	for _, c := range e.Columns {
		names = append(names, c.label)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Gives %s", enumerate(names))
	for _, part := range [][]string{n.fixed, n.order, n.groups} {
		if len(part) > 0 {
			b.WriteString(" " + strings.Join(part, " "))
		}
	}
	for _, q := range e.Params {
		if q.role == condition {
			conditions = append(conditions, strings.ReplaceAll(q.Name, "_", " "))
		}
	}
	if len(conditions) > 0 {
		fmt.Fprintf(&b, ", for a given %s", enumerate(conditions))
	}
	b.WriteString(".")
	if e.single {
		b.WriteString(" The answer has one row at most.")
	}
	if e.clock {
		b.WriteString(" It depends on the current time.")
	}
	return b.String()
}

// enumerate joins with commas and a last "and".
func enumerate(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

// Call returns the call that answers a question of the dataset, which must be
// the dataset's own element, or why there is none.
func (c *Catalog) Call(q *bird.Question) (Call, error) {
	if err := c.failures[q]; err != nil {
		return Call{}, err
	}
	return c.calls[q], nil
}

// Unchanged fails if the database's file is not what it was when it was opened.
// Where each query reads the newest state, it never fails.
func (d *Database) Unchanged() error { return d.db.Unchanged() }

// Version returns a text that changes whenever the data do of the databases of
// those ids, or of all if there are none. It holds for this Catalog only.
func (c *Catalog) Version(ctx context.Context, ids ...string) (string, error) {
	var all []string
	for _, d := range c.Databases {
		if len(ids) > 0 && !slices.Contains(ids, d.ID) {
			continue
		}
		v, err := d.db.Version(ctx)
		if err != nil {
			return "", err
		}
		all = append(all, v)
	}
	return strings.Join(all, " "), nil
}

// Close closes the databases. No request may be running.
func (c *Catalog) Close() error {
	var errs []error
	for _, d := range c.Databases {
		if d != nil {
			d.pool.Close()
			errs = append(errs, d.db.Close())
		}
	}
	return errors.Join(errs...)
}
