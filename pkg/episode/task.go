package episode

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/birdcall/birdcall/internal/artifact/folder"
	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/internal/db/recent"
	"github.com/birdcall/birdcall/internal/evaluation/toolnames"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/rest"
	"github.com/birdcall/birdcall/pkg/sel"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
)

// Task is what an episode is about. It does not change, and episodes share it.
type Task struct {
	Variant  string
	DB       string
	ID       bird.ID // of the question; the zero ID without one
	Question string  // "" for a task without one
	Evidence string  // the dataset's hint; may be ""
	Now      string  // the instant that stands for the clock, as RFC 3339 writes it; "" where nothing reads it
	// System says to an agent what the tools do not: the starting tables and their
	// keys. "" for REST.
	System string
	Tools  []spec.Tool
	// Search is the format in which tools are written that a call of spec.SearchTool
	// finds, which is listed instead; "" where all are listed. See Searched.
	Search spec.Format

	sample *evaluate.Sample
	gold   bool
	search func() *toolnames.Search // nil for a task of another package's
}

// Searched returns the task with tools that are not listed, but found by calls of
// spec.SearchTool, whose results have the format. All tools can be called, found or
// not.
func (t *Task) Searched(f spec.Format) *Task {
	out := *t
	out.Search = f
	return &out
}

// Listed writes the tools that an agent is shown in a format, ready to marshal.
func (t *Task) Listed(f spec.Format) ([]any, error) {
	if t.Search != "" {
		return f.Searched(t.Tools)
	}
	return f.List(t.Tools)
}

// Gold returns the sample with the gold calls, the SQL and the answer, which no
// agent may see; nil for a task without a question.
func (t *Task) Gold() *evaluate.Sample {
	if !t.gold {
		return nil
	}
	return t.sample
}

// StartingTables returns the tables that calls may start with; none for REST.
func (t *Task) StartingTables() []record.StartingTable {
	if t.sample.Start == nil {
		return nil
	}
	return t.sample.Start.StartingTables
}

func taskOf(s *evaluate.Sample, gold bool) *Task {
	return &Task{
		Variant: s.Variant, DB: s.DB, ID: s.ID, Question: s.Question, Evidence: s.Evidence, Now: s.Now, System: s.System, Tools: s.Tools,
		sample: s, gold: gold, search: sync.OnceValue(func() *toolnames.Search { return toolnames.NewSearch(s.DB, s.Tools) }),
	}
}

// Variants returns the variants that there are tasks of. Databases that are no
// files have endpoints only.
func (e *Environment) Variants() []string {
	var out []string
	for _, v := range variant.List {
		if e.files && v.Calls == variant.Tables || e.opts.Endpoints != nil && v.Calls == variant.Endpoints {
			out = append(out, v.Name)
		}
	}
	return out
}

// Task returns the task of a question, which is converted now if no folder has its
// sample. Errors are a *NoTaskError where there is no such task, the context's, a
// *FailedError, and those of reading the files.
func (e *Environment) Task(ctx context.Context, name, db, id string) (*Task, error) {
	if err := e.known(name, db); err != nil {
		return nil, err
	}
	q := e.tasks.question(db, id)
	if q == nil {
		return nil, &NoTaskError{Reason: fmt.Sprintf("the database %s has no question with the id %q", db, id)}
	}
	if folder := e.tasks.folders[name]; folder != nil {
		return e.tasks.read(folder, q)
	}
	return e.tasks.converted(ctx, name, q)
}

// Tables returns a task without a question: its calls start with the named tables
// of a database, or with all of them if none is named. For REST it has the
// database's endpoints, and no tables can be named. Errors are those of Task.
func (e *Environment) Tables(ctx context.Context, name, db string, tables ...string) (*Task, error) {
	if err := e.known(name, db); err != nil {
		return nil, err
	}
	if variant.Of(name).Calls == variant.Endpoints {
		if len(tables) > 0 {
			return nil, &NoTaskError{Reason: "endpoints start from no tables; name none"}
		}
		return e.tasks.endpointsOf(ctx, db)
	}
	open, err := e.databases.use(ctx, db)
	if err != nil {
		return nil, err
	}
	defer e.databases.release(open, e.now())
	key := name + "\x00" + strings.Join(tables, "\x00")
	if t, ok := open.tasks.Get(key); ok {
		return t, nil
	}
	r, err := open.Start(tables...)
	if unknown := (*slot.UnknownTableError)(nil); errors.As(err, &unknown) {
		return nil, &NoTaskError{Reason: err.Error(), Err: err}
	}
	if err != nil {
		return nil, err
	}
	s := evaluate.WithoutGold(name, r)
	s.System += open.References(r)
	return open.tasks.Put(key, taskOf(s, false)), nil
}

// TablesOf returns the names of a database's tables, which Tables takes.
func (e *Environment) TablesOf(ctx context.Context, db string) ([]string, error) {
	open, err := e.databases.use(ctx, db)
	if err != nil {
		return nil, err
	}
	defer e.databases.release(open, e.now())
	return open.Tables(), nil
}

// known fails for a variant or a database that there is not.
func (e *Environment) known(name, db string) error {
	if variant.Of(name).Calls == variant.Tables && !e.files {
		return &NoTaskError{Reason: fmt.Sprintf("the variant %s works on tables of database files, and these databases are on a server; use %s, whose endpoints they have", name, record.REST)}
	}
	if !slices.Contains(e.Variants(), name) {
		return &NoTaskError{Reason: fmt.Sprintf("there is no variant %q; use one of %s", name, strings.Join(e.Variants(), ", "))}
	}
	return e.KnownDatabase(db)
}

// KnownDatabase returns a *NoTaskError for a database that the dataset does not have.
func (e *Environment) KnownDatabase(db string) error {
	if e.opts.Dataset.IsMissing(db) {
		return &NoTaskError{Reason: fmt.Sprintf("the database %s could not be opened when the service was started; its log says why", db)}
	}
	if e.opts.Dataset.Database(db) == nil {
		var ids []string
		for _, d := range e.opts.Dataset.Databases {
			ids = append(ids, d.ID)
		}
		hint := ""
		if nearest, ok := spelling.Nearest(db, ids); ok {
			hint = "; did you mean " + nearest + "?"
		}
		slices.SortStableFunc(ids, func(a, b string) int { return spelling.Distance(a, db) - spelling.Distance(b, db) })
		const maxNames = 12
		return &NoTaskError{Reason: fmt.Sprintf("there is no database %q; there are %s%s", db, strings.Join(ids[:min(maxNames, len(ids))], ", "), hint)}
	}
	return nil
}

// tasks finds the tasks of questions.
type tasks struct {
	env       *Environment
	folders   map[string]*folder.Folder // by variant
	questions map[string]*bird.Question // by database and id
	endpoints *rest.Converter           // of questions in the variant REST, or nil

	converting chan struct{}            // holds an element while a question is converted
	listing    map[string]chan struct{} // by database; likewise, of its endpoints
	loading    sync.Mutex               // one folder's database at a time
	made       recent.Cache[string, *Task]
	loaded     recent.Cache[string, map[string]*Task] // by variant and database; the tasks by id
}

// How many tasks are kept of those that were converted, and how many databases of
// those that were read from folders.
const (
	keptTasks     = 256
	keptDatabases = 8
)

func newTasks(e *Environment, o Options) (*tasks, error) {
	t := &tasks{
		env: e, folders: map[string]*folder.Folder{}, questions: map[string]*bird.Question{},
		converting: make(chan struct{}, 1), listing: map[string]chan struct{}{},
		made: recent.New[string, *Task](keptTasks), loaded: recent.New[string, map[string]*Task](keptDatabases),
	}
	for _, d := range o.Dataset.Databases {
		t.listing[d.ID] = make(chan struct{}, 1)
	}
	for _, path := range o.Samples {
		f, err := folder.Open(path)
		if err != nil {
			return nil, err
		}
		v := variant.Of(f.Variant)
		if !e.files && v.Calls != variant.Endpoints {
			return nil, fmt.Errorf("%s has samples of the variant %s, which works on database files, and these databases are on a server; leave the folder out", path, f.Variant)
		}
		if v.Pairs {
			return nil, fmt.Errorf("%s has samples of the variant %s, whose calls are on two databases, and a session is on one; leave the folder out", path, f.Variant)
		}
		if v.Calls == variant.Queries {
			return nil, fmt.Errorf("%s has samples of the variant %s, whose calls need no session; leave the folder out", path, f.Variant)
		}
		if !slices.Contains(e.Variants(), f.Variant) || t.folders[f.Variant] != nil {
			return nil, fmt.Errorf("%s has samples of the variant %q, of which one folder can be used; leave the others out", path, f.Variant)
		}
		t.folders[f.Variant] = f
	}
	for i := range o.Dataset.Questions {
		q := &o.Dataset.Questions[i]
		t.questions[q.DB+"/"+q.ID.String()] = q
	}
	if o.Endpoints != nil {
		t.endpoints = o.Endpoints.Converter(rest.ConverterOptions{AsOf: o.AsOf})
	}
	return t, nil
}

func (t *tasks) question(db, id string) *bird.Question { return t.questions[db+"/"+id] }

func (t *tasks) close() error {
	if t.endpoints == nil {
		return nil
	}
	return t.endpoints.Close()
}

// endpointsOf returns the task of a database's endpoints. What it says of values
// changes with the data. Who asks for it at the same time waits for the first.
func (t *tasks) endpointsOf(ctx context.Context, db string) (*Task, error) {
	what, limit := "the list of the endpoints of "+db, t.env.limits.Time
	done, err := t.env.enter(ctx, t.listing[db], what)
	if err != nil {
		return nil, err
	}
	defer done()
	bound, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	task, err := t.listEndpoints(bound, db)
	if none := (*NoTaskError)(nil); err == nil || errors.As(err, &none) {
		return task, err
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if failed := failure(ctx, bound, what, fmt.Sprintf("takes longer than %v; try again", limit), err); failed != nil {
		return nil, failed
	}
	return nil, err
}

func (t *tasks) listEndpoints(ctx context.Context, db string) (*Task, error) {
	version, err := t.env.opts.Endpoints.Version(ctx, db)
	if err != nil {
		return nil, err
	}
	key := record.REST + "/" + db + " " + version
	if task, ok := t.made.Get(key); ok {
		return task, nil
	}
	list, err := t.env.opts.Endpoints.Database(db).Tools(ctx)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, &NoTaskError{Reason: fmt.Sprintf("the database %s has no endpoints, which questions with SQL make; use another variant", db)}
	}
	return t.made.Put(key, taskOf(&evaluate.Sample{Variant: record.REST, DB: db, Tools: list}, false)), nil
}

// read returns the task of a question whose sample is in a folder.
func (t *tasks) read(f *folder.Folder, q *bird.Question) (*Task, error) {
	t.loading.Lock()
	defer t.loading.Unlock()
	key := f.Variant + "/" + q.DB
	byID, ok := t.loaded.Get(key)
	if !ok {
		byID = map[string]*Task{}
		d, err := evaluate.LoadDatabase(f.Path, q.DB)
		if err != nil {
			return nil, err
		}
		for _, s := range d.Samples {
			byID[s.ID.String()] = taskOf(s, true)
		}
		t.loaded.Put(key, byID)
	}
	if task := byID[q.ID.String()]; task != nil {
		return task, nil
	}
	return nil, &NoTaskError{Reason: fmt.Sprintf("the samples of variant %s have no question %s of the database %s", f.Variant, q.ID, q.DB)}
}

// converted returns the task of a question that no folder has.
func (t *tasks) converted(ctx context.Context, name string, q *bird.Question) (*Task, error) {
	key := name + "/" + q.DB + "/" + q.ID.String()
	if task, ok := t.made.Get(key); ok {
		return task, nil
	}
	what, limit := fmt.Sprintf("making the tools of question %s of %s", q.ID, q.DB), t.env.limits.Time
	first, err := t.env.enter(ctx, t.converting, what)
	if err != nil {
		return nil, err
	}
	defer first()
	if task, ok := t.made.Get(key); ok {
		return task, nil
	}
	turn, err := t.env.turn(ctx, what)
	if err != nil {
		return nil, err
	}
	defer turn()
	bound, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	made, err := t.convert(bound, name, q)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		failed := failure(ctx, bound, what, fmt.Sprintf("takes longer than %v; try again, or have convert do it beforehand", limit), err)
		if failed != nil && failed.Failure != Broken {
			return nil, failed
		}
		return nil, &NoTaskError{Reason: fmt.Sprintf("question %s of %s has no sample of variant %s", q.ID, q.DB, name), Err: err}
	}
	s, err := evaluate.NewSample(name, made)
	if err != nil {
		return nil, err
	}
	return t.made.Put(key, taskOf(s, true)), nil
}

// convert makes the record of a question.
func (t *tasks) convert(ctx context.Context, name string, q *bird.Question) (any, error) {
	v := variant.Of(name)
	if v.Calls == variant.Endpoints {
		r, err := t.endpoints.Convert(ctx, q)
		return r, errors.Join(err, t.endpoints.Release(q.DB))
	}
	db, err := t.env.databases.use(ctx, q.DB)
	if err != nil {
		return nil, err
	}
	defer func() {
		t.env.databases.release(db, t.env.now())
		t.env.bound()
	}()
	opts := slot.Options{AsOf: t.env.opts.AsOf, MaxRows: t.env.limits.Rows, MaxBytes: t.env.limits.Bytes}
	if v.Bound {
		return sel.NewConverter(db.Database, opts).Convert(ctx, q)
	}
	return slot.NewConverter(db.Database, opts).Convert(ctx, q)
}
