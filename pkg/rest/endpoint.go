package rest

import (
	"context"
	"errors"
	"fmt"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/rest/internal/naming"
	"github.com/birdcall/birdcall/pkg/rest/internal/template"
	"github.com/birdcall/birdcall/pkg/rest/internal/told"
	"github.com/birdcall/birdcall/pkg/value"
)

// Endpoint answers all questions of a database whose SQL differs in parameter values
// only. The endpoint of a table answers with the table's rows.
type Endpoint struct {
	DB          string
	Name        string // unique over all databases
	Path        string // Options.Prefix/<segment of db>/<name>, or Options.TablesPrefix/<segment of db>/<table>
	Summary     string
	Description string
	SQL         string // with ?1, ?2, ... instead of the parameters
	Params      []*Param
	Columns     []ResultColumn
	Questions   []bird.ID // in the dataset's order
	// Defects say what the description does not say: a part of the query, or what
	// it has before another of the database.
	Defects []string

	withoutData string // the description without the dataset's own words on values
	statement   engine.Statement
	bindings    []template.Binding // of its placeholders
	order       []int              // the parameters' indexes in the order of the statement's key
	ordered     bool               // whether the statement fixes the order of its rows
	calls       [][][]value.Value  // the questions' own arguments, as in Call
	single      bool               // one row at most
	rows        int                // the parameter that the statement's LIMIT takes, or -1
	skip        int                // the same of OFFSET
	inner       bool               // whether that LIMIT is a subquery's, so that it does not count the answer's rows
	clock       bool               // whether the statement reads it
	// exact says that LIMIT is bound as the client asks for it, without the row
	// that would say whether there are more: which of several tied rows Postgres
	// gives depends on their number.
	exact bool
	table *table // of the endpoint of a table, or nil
}

// ResultColumn is a column of an endpoint's answer.
type ResultColumn struct {
	Name  string // as the query has it, unique in the answer
	Types []Type // what its values can be besides NULL; nil for anything
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

// maker makes the endpoints of a database, still without names.
type maker struct {
	db    *Database
	byKey map[string]*Endpoint
	names []*naming.Endpoint // of db.Endpoints
	calls map[*bird.Question]called
	voc   *naming.Vocabulary
}

// all makes the endpoints for all questions on the database.
func (m *maker) all(ctx context.Context, d *Database, questions []bird.Question) (err error) {
	m.db = d
	if d.schema, err = d.db.Schema(ctx); err != nil {
		return err
	}
	d.info = withComments(d.info, d.schema)
	m.voc = naming.NewVocabulary(d.info, d.db.Dialect())
	for i := range questions {
		q := &questions[i]
		if q.DB != d.ID {
			continue
		}
		call, err := m.call(ctx, q)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, engine.ErrUnavailable), errors.Is(err, engine.ErrBusy):
			return err // of which nothing follows for the question
		}
		m.calls[q] = called{call, err}
		if e := call.Endpoint; e != nil {
			e.Questions, e.calls = append(e.Questions, q.ID), append(e.calls, call.Arguments)
		}
	}
	naming.TellApart(m.names)
	for _, group := range naming.EqualWords(m.names) {
		for _, i := range group {
			e := m.db.Endpoints[i]
			e.Defects = append(e.Defects, fmt.Sprintf("%d descriptions have the same words", len(group)))
		}
	}
	return nil
}

// call finds or makes the endpoint for a question. A panic, which is a defect
// here or in the parser, becomes an error, so that the other questions keep their
// endpoints.
func (m *maker) call(ctx context.Context, q *bird.Question) (call Call, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("making an endpoint failed: %v; please report the SQL", p)
		}
	}()
	t, err := template.New(m.db.db.Dialect(), q.SQL, m.db.schema)
	if err != nil {
		return call, err
	}
	e := m.byKey[t.Key]
	if e == nil {
		if e, err = m.endpoint(ctx, t); err != nil {
			return call, err
		}
		m.byKey[t.Key] = e
		m.db.Endpoints = append(m.db.Endpoints, e)
	}
	call = Call{Endpoint: e, Arguments: make([][]value.Value, len(t.Params))}
	for i, n := range e.order {
		call.Arguments[n] = t.Params[t.Order[i]].Values
	}
	return call, nil
}

func (m *maker) endpoint(ctx context.Context, t *template.Template) (*Endpoint, error) {
	statement, err := m.db.db.Prepare(ctx, t.SQL)
	if err != nil {
		return nil, err
	}
	e := &Endpoint{
		DB: m.db.ID, SQL: t.SQL, order: t.Order, statement: statement, bindings: t.Bindings, ordered: t.IsOrdered(), single: t.IsSingle(), clock: t.ReadsClock(),
	}
	e.rows, e.skip = t.Limits()
	e.exact = e.rows >= 0 && t.Params[e.rows].Whole && m.db.db.Dialect().TypedLiterals
	e.inner = e.rows >= 0 && !t.Params[e.rows].Whole
	namer := naming.New(t, m.voc)
	results := statement.Columns()
	params, columns := namer.Params(), namer.Columns(resultNames(results))
	for i, p := range t.Params {
		param := newParam(p, params[i])
		param.exact = m.db.db.Dialect().TypedLiterals
		e.Params = append(e.Params, param)
	}
	for i, c := range columns {
		e.Columns = append(e.Columns, newColumn(t, i, len(columns), c, results[i].Type))
	}
	named := namer.Endpoint(params, columns)
	m.names = append(m.names, named)
	text := named.Description
	for _, p := range e.Params {
		text += " " + p.Description
	}
	for _, what := range told.Missing(t, m.db.info, text) {
		e.Defects = append(e.Defects, "the description does not mention "+what)
	}
	return e, nil
}

func resultNames(results []engine.Result) []string {
	names := make([]string, len(results))
	for i, r := range results {
		names[i] = r.Name
	}
	return names
}

// newColumn returns a column of the answer, which is one of so many. known is what
// the engine says of its values.
func newColumn(t *template.Template, i, of int, name, known string) ResultColumn {
	out := ResultColumn{Name: name}
	if known != "" {
		out.Types = []Type{Type(known)}
	}
	if of != len(t.Columns) {
		return out // what * stands for is not known
	}
	c := t.Columns[i]
	for _, one := range t.Types(c) {
		out.Types = append(out.Types, Type(one))
	}
	out.NotNull = t.NeverNull(c)
	if len(t.Query.Arms) == 1 {
		out.Column = tableColumn(c.Expr)
	}
	return out
}

// name gives the endpoint the first of its names that is free.
func (e *Endpoint) name(n *naming.Endpoint, path string, taken map[string]bool) {
	for name := range n.Names {
		if !taken[name] {
			taken[name] = true
			e.Name = name
			break
		}
	}
	e.Path = path + "/" + e.Name
	e.Summary, e.Description, e.withoutData = n.Summary, n.Description, n.Bare
}
