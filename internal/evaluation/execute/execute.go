package execute

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/internal/db/opened"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/federation/apis"
	"github.com/birdcall/birdcall/internal/federation/vtab"
	"github.com/birdcall/birdcall/internal/sql/dialect"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/observation"
	"github.com/birdcall/birdcall/pkg/rest"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Bounds on what one SELECT of a model may answer. They are those of the service
// but for the rows, of which a right answer may have more.
const (
	maxRows  = 1_000_000
	maxBytes = 256 << 20
	maxValue = rest.DefaultMaxValue
)

var limits = sqlite.Limits{Rows: maxRows, Bytes: maxBytes, Value: maxValue}

// patience is how many times the time for one call all calls of an episode have
// together. A model may write a thousand calls.
const patience = 10

// Options adjust Open. A zero field means its default.
type Options struct {
	Timeout time.Duration // for one call, and for one SELECT; default 30 s
	Jobs    int           // calls at a time; default 4
}

// Databases runs calls on the databases of a dataset. Each is opened when it is
// first needed. It is an evaluate.Executor.
type Databases struct {
	dataset *bird.Dataset
	opts    Options

	open *opened.Databases[*database]

	mu        sync.Mutex
	endpoints *rest.Converter // made when they are first needed
}

var _ evaluate.Meter = (*Databases)(nil)

// database is one open database. The tools and the SQL of models have
// connections of their own, as they have other bounds.
type database struct {
	tools *slot.Database
	sql   *sqlite.DB
}

func (d *database) Close() error { return errors.Join(d.tools.Close(), d.sql.Close()) }

// Open prepares to run calls on a dataset: the one that the samples were made
// of. Close must be called when done.
func Open(dataset *bird.Dataset, opts Options) *Databases {
	opts.Timeout, opts.Jobs = cmp.Or(opts.Timeout, 30*time.Second), cmp.Or(opts.Jobs, 4)
	d := &Databases{dataset: dataset, opts: opts}
	d.open = opened.New(d.database)
	return d
}

// Close closes what is open. No call may be running.
func (d *Databases) Close() error {
	err := d.open.Close()
	if d.endpoints != nil {
		err = errors.Join(err, d.endpoints.Close())
	}
	return err
}

// Release frees what is kept of a database's data. A later call reads it again.
// No call on it may be running.
func (d *Databases) Release(db string) error { return d.open.Release(db) }

// database opens a database.
func (d *Databases) database(ctx context.Context, db string) (*database, error) {
	info, err := d.info(db)
	if err != nil {
		return nil, err
	}
	dataframes, err := slot.Open(ctx, info)
	if err != nil {
		return nil, err
	}
	sql, err := vtab.Open(ctx, info, sqlite.Options{Limits: limits}, true)
	if err != nil {
		return nil, errors.Join(err, dataframes.Close())
	}
	return &database{dataframes, sql}, nil
}

// info returns a database of the dataset.
func (d *Databases) info(db string) (*bird.Database, error) {
	info := d.dataset.Database(db)
	if info == nil {
		return nil, fmt.Errorf("the dataset has no database %q, which the samples are about; give the dataset that convert was given, with --databases", db)
	}
	return info, nil
}

// asOf returns the instant that stands for a sample's clock.
func asOf(s *evaluate.Sample) time.Time {
	if at, err := time.Parse(time.RFC3339, s.Now); err == nil {
		return at
	}
	return bird.DefaultAsOf
}

// Query runs one SELECT on a sample's database. What is no SELECT is refused, and
// so is an answer that is too large.
func (d *Databases) Query(ctx context.Context, s *evaluate.Sample, sql string) ([][]value.Value, error) {
	rows, _, err := d.Measure(ctx, s, sql)
	return rows, err
}

// Measure is Query with what the statement asked of APIs. It reads them anew, so that
// this does not depend on the statements before.
func (d *Databases) Measure(ctx context.Context, s *evaluate.Sample, sql string) ([][]value.Value, *evaluate.APIUsage, error) {
	info, err := d.info(s.DB)
	if err != nil {
		return nil, nil, err
	}
	if info.APIs == nil {
		db, err := d.open.Get(ctx, s.DB)
		if err != nil {
			return nil, nil, err
		}
		rows, err := d.run(ctx, db.sql, s, sql)
		return rows, nil, err
	}
	db, err := vtab.Open(ctx, info, sqlite.Options{Limits: limits}, false)
	if err != nil {
		return nil, nil, err
	}
	log := &vtab.Log{}
	rows, err := d.run(vtab.WithLog(ctx, log), db, s, sql)
	asked := log.Asked()
	return rows, &evaluate.APIUsage{Calls: asked.Calls, Requests: asked.Requests, Bytes: asked.Bytes}, errors.Join(err, db.Close())
}

// APIs returns the tables and functions of APIs that statements on a database can
// use, nil if there are none.
func (d *Databases) APIs(db string) *apis.Database {
	if info := d.dataset.Database(db); info != nil {
		return apis.Of(info)
	}
	return nil
}

// run runs one SELECT in its time.
func (d *Databases) run(ctx context.Context, db *sqlite.DB, s *evaluate.Sample, sql string) ([][]value.Value, error) {
	if err := dialect.CheckSize(sql); err != nil {
		return nil, &evaluate.StatementError{Err: err}
	}
	outer := ctx
	ctx, cancel := context.WithTimeout(ctx, d.opts.Timeout)
	defer cancel()
	fixed, _ := dialect.FixClock(sql, asOf(s))
	result, err := db.Query(ctx, fixed)
	switch {
	case outer.Err() != nil:
		return nil, outer.Err()
	case ctx.Err() != nil:
		return nil, &evaluate.StatementError{Err: fmt.Errorf("it takes longer than %v", d.opts.Timeout)}
	case err != nil:
		return nil, &evaluate.StatementError{Err: err}
	}
	return result.Rows, nil
}

// Episode begins a run of calls. The starting tables are there when it returns.
func (d *Databases) Episode(ctx context.Context, s *evaluate.Sample) (evaluate.Episode, error) {
	if s.Pair != nil {
		return d.pair(ctx, s)
	}
	if variant.Of(s.Variant).Calls == variant.Endpoints {
		x, err := d.service(ctx)
		return &requests{x, s.DB}, err
	}
	db, err := d.open.Get(ctx, s.DB)
	if err != nil {
		return nil, err
	}
	session := s.Session(slot.NewConverter(db.tools, slot.Options{AsOf: asOf(s)}).NewSession())
	for _, start := range s.Start.Starts() {
		if _, err := session.Init(ctx, start); err != nil {
			return nil, err
		}
	}
	return &calls{session, d.opts.Timeout, patience * d.opts.Timeout}, nil
}

// service returns the endpoints of all databases, which it makes the first time.
func (d *Databases) service(ctx context.Context) (*rest.Converter, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.endpoints != nil {
		return d.endpoints, nil
	}
	x, err := rest.NewConverter(ctx, d.dataset, rest.ConverterOptions{Timeout: d.opts.Timeout, Jobs: d.opts.Jobs})
	if err == nil {
		d.endpoints = x
	}
	return x, err
}

// requests is an episode of REST. No request depends on another.
type requests struct {
	endpoints *rest.Converter
	db        string
}

func (r *requests) Call(ctx context.Context, c tools.Call) evaluate.Result {
	rows, text, err := r.endpoints.Ask(ctx, r.db, c)
	if err != nil {
		return evaluate.Result{Err: err}
	}
	return resultOf(rows, func(context.Context) (*observation.Observation, error) { return observation.OfAnswer(c, text) })
}

// resultOf returns rows that are there.
func resultOf(rows [][]value.Value, shown func(context.Context) (*observation.Observation, error)) evaluate.Result {
	columns := 0
	if len(rows) > 0 {
		columns = len(rows[0])
	}
	return evaluate.Result{
		RowCount: len(rows), Columns: columns,
		Rows: func(context.Context) ([][]value.Value, error) { return rows, nil },
		Show: func(ctx context.Context) (string, error) {
			o, err := shown(ctx)
			if err != nil {
				return "", err
			}
			return o.JSON()
		},
	}
}

// calls is an episode of SLOT or SEL.
type calls struct {
	session slot.Session
	timeout time.Duration // for one call
	left    time.Duration // for all that are to come
}

func (e *calls) Call(ctx context.Context, c tools.Call) evaluate.Result {
	start, limit := time.Now(), min(e.timeout, e.left)
	bound, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	t, err := e.session.Run(bound, c)
	e.left -= time.Since(start)
	if bound.Err() != nil && ctx.Err() == nil {
		return evaluate.Result{Err: fmt.Errorf("%s: takes too long", c.Name)}
	}
	if err != nil {
		return evaluate.Result{Err: err}
	}
	return evaluate.Result{
		RowCount: t.Len(), Columns: len(t.Keys()),
		Rows: t.Rows,
		Show: func(ctx context.Context) (string, error) {
			o, err := observation.OfTable(ctx, c, t)
			if err != nil {
				return "", err
			}
			return o.JSON()
		},
	}
}
