package rest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/engines"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/federation/vtab"
	"github.com/birdcall/birdcall/pkg/bird"
)

// Database is one database with its endpoints.
type Database struct {
	ID        string
	Segment   string // the ID as it is in paths
	Endpoints []*Endpoint
	// Tables are the endpoints of the tables and views that can be read, in the
	// order of their creation; nil unless Options.Tables asks for them.
	Tables []*Endpoint

	path       string // before the names of endpoints
	tablesPath string // of the list of tables
	tablesName string // of the list of tables in documents

	info *bird.Database
	db   engine.Database
	// shared says that the database is on a server, which has other clients.
	shared bool

	schema *engine.Schema

	profiling chan struct{}      // holds an element while profiled is looked at or read
	profiled  map[Column]profile // nil until it is first needed
	version   string             // of the data that profiled describes
	patience  time.Duration      // for reading profiled; 0 for any time
	serving   context.Context    // done when profiled is to be read no longer
	warn      func(string)
}

// API holds the endpoints of a dataset. Make it with Open.
type API struct {
	Databases []*Database

	calls        map[*bird.Question]called
	tables       bool          // whether they have endpoints
	tablesPrefix string        // of their paths
	source       engine.Source // of the databases, or nil if they are files

	serving context.Context // done when Stop was called
	stop    context.CancelFunc
}

// called is the call of a question, or why there is none.
type called struct {
	call Call
	err  error
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
	// Source is the URL of a Postgres server that has the databases, in the place
	// of their files: postgres://user@host/database has a schema for each id,
	// postgres://user@host/{db} a database. A password comes from PGPASSWORD or
	// from the file that PGPASSFILE names.
	Source string
	// AllowWriter accepts a role of that server that may write.
	AllowWriter bool
	// Tables makes an endpoint for each table and view too.
	Tables bool
	// Prefix is what the paths of endpoints begin with, before /{database}/{name};
	// default "/v1/bird". TablesPrefix is that of tables; default "/v1/tables".
	Prefix       string
	TablesPrefix string
	// Warn is called, if not nil, with a sentence for what is not safe about Source,
	// for data that could not be looked through in time, and with Tables for each table
	// that cannot be read and has no endpoint.
	Warn func(string)

	snapshot bool // all queries read the state of Open
	maxValue int  // bytes of one value that the SQL of a question may read or make; default 256 MiB
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
// whose SQL cannot be served has no call; Call says why. The other errors
// are those of ctx, and an *OpenError. Close must be called when done.
func Open(ctx context.Context, dataset *bird.Dataset, opts Options) (*API, error) {
	if dataset == nil {
		return nil, errors.New("rest: no dataset; give one that bird.Load read, or that has databases and questions")
	}
	prefix, tablesPrefix, err := opts.prefixes()
	if err != nil {
		return nil, err
	}
	a := &API{Databases: make([]*Database, len(dataset.Databases)), calls: map[*bird.Question]called{}, tables: opts.Tables, tablesPrefix: tablesPrefix}
	a.serving, a.stop = context.WithCancel(context.WithoutCancel(ctx))
	if opts.Source != "" {
		if a.source, err = opts.open(); err != nil {
			return nil, err
		}
	}
	makers := make([]maker, len(dataset.Databases))
	errs := make([]error, len(dataset.Databases))
	var wait sync.WaitGroup
	turns := make(chan struct{}, opts.turns(len(dataset.Databases)))
	for i, info := range dataset.Databases {
		wait.Go(func() {
			turns <- struct{}{}
			defer func() { <-turns }()
			makers[i] = maker{byKey: map[string]*Endpoint{}, calls: map[*bird.Question]called{}}
			a.Databases[i], errs[i] = a.open(ctx, info, opts)
			if errs[i] == nil {
				errs[i] = makers[i].all(ctx, a.Databases[i], dataset.Questions)
			}
		})
	}
	wait.Wait()
	if err := newOpenError(dataset, errs); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	taken := map[string]bool{}
	for i, d := range a.Databases {
		maps.Copy(a.calls, makers[i].calls)
		d.Segment = a.segment(d.ID)
		d.path, d.tablesPath = prefix+"/"+d.Segment, tablesPrefix+"/"+d.Segment
		for j, e := range d.Endpoints {
			e.name(makers[i].names[j], d.path, taken)
		}
	}
	if opts.Tables {
		for _, d := range a.Databases {
			d.nameTables(taken)
			if err := d.addTables(ctx, taken, opts.Warn); err != nil {
				return nil, errors.Join(err, a.Close())
			}
		}
	}
	return a, nil
}

// OpenError lists the databases that could not be opened.
type OpenError struct{ Failed []bird.MissingDatabase }

// newOpenError returns an *OpenError of the errors of a dataset's databases, nil if
// there are none.
func newOpenError(dataset *bird.Dataset, errs []error) error {
	out := &OpenError{}
	for i, err := range errs {
		if err != nil {
			out.Failed = append(out.Failed, bird.MissingDatabase{ID: dataset.Databases[i].ID, Err: err})
		}
	}
	if len(out.Failed) == 0 {
		return nil
	}
	return out
}

// Error returns a line for each database.
func (e *OpenError) Error() string { return errors.Join(e.Unwrap()...).Error() }

// Unwrap returns the error of each database.
func (e *OpenError) Unwrap() []error {
	out := make([]error, len(e.Failed))
	for i, f := range e.Failed {
		out[i] = f.Err
	}
	return out
}

// turns returns how many of that many databases are worked on at a time: those of a
// server share its connections, and none is to wait without success for one.
func (o Options) turns(databases int) int {
	if o.Source == "" {
		return databases
	}
	return cmp.Or(o.Connections, 4)
}

// open returns what connects to the databases of a server.
func (o Options) open() (engine.Source, error) {
	return engines.Open(o.Source, engine.Options{
		Connections: o.Connections, Wait: o.Wait, Time: o.Timeout, Value: cmp.Or(o.Value, DefaultMaxValue),
		AllowWriter: o.AllowWriter, Snapshot: o.snapshot, Warn: o.Warn,
	})
}

// open opens a database, of the server if there is one.
func (a *API) open(ctx context.Context, info *bird.Database, opts Options) (*Database, error) {
	d := &Database{ID: info.ID, info: info, profiling: make(chan struct{}, 1), serving: a.serving, warn: opts.Warn}
	if !opts.snapshot {
		d.patience = cmp.Or(opts.Timeout, DefaultTimeout)
	}
	if a.source != nil {
		db, err := a.source.Database(ctx, info.ID)
		if err != nil {
			return nil, err
		}
		d.db, d.shared = db, true
		return d, nil
	}
	db, err := vtab.Open(ctx, info, sqlite.Options{
		Limits: sqlite.Limits{Value: min(DefaultMaxValue, cmp.Or(opts.maxValue, DefaultMaxValue)), Compound: 8}, Mode: opts.mode(), Busy: cmp.Or(opts.Wait, time.Second),
	}, opts.snapshot)
	if err != nil {
		return nil, err
	}
	d.db = db.Pooled(sqlite.PoolOptions{Connections: opts.Connections, Wait: opts.Wait, Time: opts.Timeout, Value: opts.Value, AnswerValue: opts.maxValue})
	return d, nil
}

// segment returns a database's id without what a path would have to escape, or
// a route would take for a wildcard, and unlike the segments given so far.
func (a *API) segment(id string) string {
	plain := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, id)
	isTaken := func(name string) bool {
		return slices.ContainsFunc(a.Databases, func(d *Database) bool { return d.Segment == name || d.ID == name && name != id })
	}
	name := plain
	for n := 2; isTaken(name); n++ {
		name = fmt.Sprintf("%s_%d", plain, n)
	}
	return name
}

// Call returns the call that answers a question of the dataset, which must be
// the dataset's own element, or why there is none.
func (a *API) Call(q *bird.Question) (Call, error) {
	c, ok := a.calls[q]
	if !ok {
		return Call{}, errors.New("the question is not one of the dataset; take the address of an element of its Questions")
	}
	return c.call, c.err
}

// Server is what a server of databases is, as far as answers depend on it besides its
// data.
type Server struct {
	Versions   []string `json:"versions"`   // of Postgres, such as 15.18
	Collations []string `json:"collations"` // by which texts are compared and sorted, such as en_US.UTF-8
}

// Server asks the server that has the databases, and returns nil where these are
// files. As a rule there is one version and one collation.
func (a *API) Server(ctx context.Context) (*Server, error) {
	if a.source == nil {
		return nil, nil
	}
	out := &Server{}
	for _, d := range a.Databases {
		describer, ok := d.db.(engine.Describer)
		if !ok {
			continue
		}
		about, err := describer.About(ctx)
		if err != nil {
			return nil, err
		}
		out.Versions, out.Collations = append(out.Versions, about.Version), append(out.Collations, about.Collation)
	}
	for _, list := range []*[]string{&out.Versions, &out.Collations} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return out, nil
}

// Unchanged fails if the database's file is not what it was when it was opened.
// Where each query reads the newest state, it never fails.
func (d *Database) Unchanged() error { return d.db.Unchanged() }

// Version returns a text that changes whenever the data do of the databases of
// those ids, or of all if there are none. It holds for this API only.
func (a *API) Version(ctx context.Context, ids ...string) (string, error) {
	var all []string
	for _, d := range a.Databases {
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

// Stop ends the reading of data for documents and lists of tools, which then say less
// of the data. A service that is about to end calls it.
func (a *API) Stop() { a.stop() }

// Close closes the databases. No request may be running.
func (a *API) Close() error {
	a.stop()
	var errs []error
	for _, d := range a.Databases {
		if d != nil {
			errs = append(errs, d.db.Close())
		}
	}
	if a.source != nil {
		a.source.Close()
	}
	return errors.Join(errs...)
}

// Database returns the database of that id, or nil.
func (a *API) Database(id string) *Database {
	for _, d := range a.Databases {
		if d.ID == id {
			return d
		}
	}
	return nil
}
