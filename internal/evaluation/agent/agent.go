package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/birdcall/birdcall/internal/db/opened"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/federation/apis"
	"github.com/birdcall/birdcall/internal/federation/vtab"
	"github.com/birdcall/birdcall/internal/sql/dialect"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/observation"
	"github.com/birdcall/birdcall/pkg/rest"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Bounds on one SELECT. A model sees few rows of it.
var limits = sqlite.Limits{Rows: 100_000, Bytes: 64 << 20, Value: rest.DefaultMaxValue}

// Databases are those of a dataset, without their APIs. Several goroutines may use
// them at once.
type Databases struct {
	dataset *bird.Dataset
	timeout time.Duration
	open    *opened.Databases[*own]
}

// own is a database without its APIs.
type own struct {
	*sqlite.DB
	schema string
}

// New returns the databases of a dataset. Each is opened when it is first needed.
// timeout is the time for one call. Close must be called when done.
func New(dataset *bird.Dataset, timeout time.Duration) *Databases {
	d := &Databases{dataset: dataset, timeout: timeout}
	d.open = opened.New(d.database)
	return d
}

// Close closes what is open. No agent may be at work.
func (d *Databases) Close() error { return d.open.Close() }

func (d *Databases) database(ctx context.Context, id string) (*own, error) {
	info := d.dataset.Database(id)
	if info == nil {
		return nil, fmt.Errorf("the dataset has no database %q, which the samples are about; give the dataset that convert was given, with --databases", id)
	}
	db, err := vtab.OpenOwn(ctx, info, sqlite.Options{Limits: limits})
	if err != nil {
		return nil, err
	}
	schema, err := schemaOf(ctx, db, apis.Of(info))
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &own{db, schema}, nil
}

// schemaOf returns the statements that create the tables of a database, without
// those that an API has in their place.
func schemaOf(ctx context.Context, db *sqlite.DB, apis *apis.Database) (string, error) {
	usable, err := db.Schema(ctx)
	if err != nil {
		return "", err
	}
	hidden := map[string]bool{}
	if apis != nil {
		for _, t := range apis.Tables {
			hidden[spelling.Lower(t.Name)] = true
		}
	}
	shown := map[string]bool{}
	for _, t := range usable.Tables {
		shown[spelling.Lower(t.Name)] = !hidden[spelling.Lower(t.Name)]
	}
	result, err := db.Query(ctx, "SELECT name, sql FROM sqlite_schema WHERE type IN ('table', 'view') AND sql IS NOT NULL ORDER BY rowid")
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, row := range result.Rows {
		if shown[spelling.Lower(row[0].Raw())] {
			b.WriteString(strings.TrimSpace(row[1].Raw()) + ";\n\n")
		}
	}
	return b.String(), nil
}

// Agent is the tools of one episode. It is an evaluate.Episode.
type Agent struct {
	db      *own
	timeout time.Duration
	asOf    time.Time
	meter   *apis.Meter
	hasAPIs bool
	tools   []*tool
}

var _ evaluate.Episode = (*Agent)(nil)

// tool is a tool that an agent has.
type tool struct {
	spec.Tool
	run func(ctx context.Context, c tools.Call) (*answer, error)
}

// answer is what a call returned: rows that are shown.
type answer struct {
	columns []string
	rows    [][]value.Value
	next    int // where the rest starts; 0 if there is none
}

// Open begins the episode of a sample.
func (d *Databases) Open(ctx context.Context, s *evaluate.Sample) (*Agent, error) {
	db, err := d.open.Get(ctx, s.DB)
	if err != nil {
		return nil, err
	}
	a := &Agent{db: db, timeout: d.timeout, asOf: bird.DefaultAsOf, meter: apis.NewMeter(apis.Limits{})}
	if at, err := time.Parse(time.RFC3339, s.Now); err == nil {
		a.asOf = at
	}
	declared := apis.Of(d.dataset.Database(s.DB))
	if declared != nil {
		a.meter, a.hasAPIs = apis.NewMeter(declared.Limits), true
	}
	a.tools = a.list(declared)
	return a, nil
}

// Tools are what the model can call. The last one is Answer, which nothing runs.
func (a *Agent) Tools() []spec.Tool {
	out := make([]spec.Tool, 0, len(a.tools)+1)
	for _, t := range a.tools {
		out = append(out, t.Tool)
	}
	return append(out, answerTool())
}

// Schema is the statements that create the database's own tables.
func (a *Agent) Schema() string { return a.db.schema }

// HasAPIs reports whether the database uses any API.
func (a *Agent) HasAPIs() bool { return a.hasAPIs }

// Asked returns what the calls so far have asked of APIs.
func (a *Agent) Asked() evaluate.APIUsage {
	asked := vtab.Sum(a.meter.Calls())
	return evaluate.APIUsage{Calls: asked.Calls, Requests: asked.Requests, Bytes: asked.Bytes}
}

// Call implements evaluate.Episode. The result is only shown.
func (a *Agent) Call(ctx context.Context, c tools.Call) evaluate.Result {
	for _, t := range a.tools {
		if t.Name != c.Name {
			continue
		}
		got, err := a.call(ctx, t, c)
		if err != nil {
			return evaluate.Result{Err: fmt.Errorf("%s: %w", c.Name, err)}
		}
		return evaluate.Result{
			RowCount: len(got.rows), Columns: len(got.columns),
			Rows: func(context.Context) ([][]value.Value, error) { return got.rows, nil },
			Show: func(context.Context) (string, error) { return got.show() },
		}
	}
	return evaluate.Result{Err: fmt.Errorf("there is no tool %q", c.Name)}
}

// call runs a tool in its time, if it has the arguments that it takes.
func (a *Agent) call(ctx context.Context, t *tool, c tools.Call) (*answer, error) {
	if err := checkNames(t.Tool, c); err != nil {
		return nil, err
	}
	bound, cancel := context.WithTimeout(ctx, a.timeout)
	defer cancel()
	got, err := t.run(bound, c)
	if bound.Err() != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("it takes longer than %v", a.timeout)
	}
	return got, err
}

// query runs a SELECT over the database's own tables.
func (a *Agent) query(ctx context.Context, c tools.Call) (*answer, error) {
	v, _ := c.Arguments.Get(argSQL)
	sql, ok := v.(string)
	if !ok {
		return nil, fmt.Errorf("%s is a text with one SELECT", argSQL)
	}
	if err := dialect.CheckSize(sql); err != nil {
		return nil, err
	}
	fixed, _ := dialect.FixClock(sql, a.asOf)
	result, err := a.db.Query(ctx, fixed)
	if err != nil { // whose text names the file, which is nothing to a model
		return nil, errors.New(strings.ReplaceAll(err.Error(), a.db.Location().String(), "the statement"))
	}
	return &answer{columns: result.Columns, rows: result.Rows}, nil
}

// show writes an answer as models are shown those of endpoints.
func (a *answer) show() (string, error) {
	names := newNames()
	columns := make([]string, len(a.columns))
	for i, name := range a.columns {
		columns[i] = names.unique(name)
	}
	data := make([]tools.Arguments, min(len(a.rows), observation.MaxRows+1)) // of which not all are shown
	for i := range data {
		for j, v := range a.rows[i] {
			data[i] = append(data[i], tools.Argument{Name: columns[j], Value: tools.LiteralJSON(v)})
		}
	}
	text, err := jsontext.Marshal(map[string]any{"data": data, "truncated": a.next > 0, "next_offset": a.next}, "")
	if err != nil {
		return "", err
	}
	o, err := observation.OfAnswer(tools.Call{}, string(text))
	if err != nil {
		return "", err
	}
	o.RowCount = len(a.rows)
	return o.JSON()
}
