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

	"github.com/birdcall/birdcall/internal/sqlite"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/rest/internal/naming"
	"github.com/birdcall/birdcall/pkg/rest/internal/template"
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
	SQL         string // with ?1, ?2, ... in the place of the parameters
	Params      []*Param
	Columns     []ResultColumn
	Questions   []bird.ID // in the dataset's order

	statement *sqlite.Statement
	bindings  []template.Binding // of its placeholders
	ordered   bool               // whether the statement fixes the order of its rows
	calls     [][][]value.Value  // the questions' own arguments, as in Call
	single    bool               // one row at most
	rows      int                // the parameter that the statement's LIMIT takes, or -1
	skip      int                // the same of OFFSET
	inner     bool               // whether that LIMIT is a subquery's, so that it does not count the answer's rows
	clock     bool               // whether the statement reads it
}

// ResultColumn is a column of an endpoint's answer.
type ResultColumn struct {
	Name  string // as the query has it, unique in the answer
	Types []Type // what its values can be beside NULL; nil for anything
	// NotNull says that there is always a value.
	NotNull bool
	// Column is the table's column that is given as it is, or nil.
	Column *Column
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
	named := make([]map[*Endpoint]*naming.Endpoint, len(dataset.Databases))
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
func (c *Catalog) open(ctx context.Context, info *bird.Database, opts Options, mu *sync.Mutex) (*Database, map[*Endpoint]*naming.Endpoint, error) {
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
	named := map[*Endpoint]*naming.Endpoint{}
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
	ctx context.Context, q *bird.Question, schema *sqlite.Schema, byKey map[string]*Endpoint, named map[*Endpoint]*naming.Endpoint,
) (call Call, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("making an endpoint failed: %v; please report the SQL", p)
		}
	}()
	t, err := template.New(q.SQL, schema)
	if err != nil {
		return call, err
	}
	e := byKey[t.Key]
	if e == nil {
		if e, err = d.newEndpoint(ctx, t, named); err != nil {
			return call, err
		}
		byKey[t.Key] = e
		d.Endpoints = append(d.Endpoints, e)
	}
	call = Call{Endpoint: e, Arguments: make([][]value.Value, len(t.Params))}
	for i, p := range t.Params {
		call.Arguments[i] = p.Values
	}
	return call, nil
}

func (d *Database) newEndpoint(ctx context.Context, t *template.Template, named map[*Endpoint]*naming.Endpoint) (*Endpoint, error) {
	statement, err := d.pool.Prepare(ctx, t.SQL)
	if err != nil {
		return nil, err
	}
	e := &Endpoint{
		DB: d.ID, SQL: t.SQL, statement: statement, bindings: t.Bindings, ordered: t.IsOrdered(), single: t.IsSingle(), clock: t.ReadsClock(),
	}
	e.rows, e.skip = t.Limits()
	e.inner = e.rows >= 0 && !t.Params[e.rows].Whole
	names := naming.New(t, d.info)
	params, columns := names.Params(), names.Columns(statement.Columns())
	for i, p := range t.Params {
		e.Params = append(e.Params, newParam(p, params[i]))
	}
	for i, c := range columns {
		e.Columns = append(e.Columns, newColumn(t, i, len(columns), c.Name))
	}
	named[e] = names.Endpoint(params, columns)
	return e, nil
}

// newColumn returns a column of the answer, which is one of so many.
func newColumn(t *template.Template, i, of int, name string) ResultColumn {
	out := ResultColumn{Name: name}
	if of != len(t.Columns) {
		return out // what * stands for is not known
	}
	c := t.Columns[i]
	for _, one := range t.Types(c) {
		out.Types = append(out.Types, Type(one))
	}
	out.NotNull = t.NeverNull(c)
	if len(t.Query.Selects) == 1 {
		out.Column = tableColumn(c)
	}
	return out
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

// name gives the endpoint the first of its names that is free.
func (e *Endpoint) name(n *naming.Endpoint, segment string, taken map[string]bool) {
	for name := range n.Names {
		if !taken[name] {
			taken[name] = true
			e.Name = name
			break
		}
	}
	e.Path = "/v1/bird/" + segment + "/" + e.Name
	e.Summary, e.Description = n.Summary, n.Description
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
