package openapi

import (
	"fmt"
	"strconv"

	"github.com/goccy/go-yaml/ast"
)

// The forms are the declaration as it is written: docs/apis.md describes them.

type fileForm struct {
	apis      entries[apiForm, *apiForm]
	tables    entries[tableForm, *tableForm]
	functions entries[functionForm, *functionForm]
	databases entries[databaseForm, *databaseForm]
	limits    limitsForm
}

func (f *fileForm) read(r *reader, n ast.Node) {
	r.object(n, "the file",
		field{"apis", &f.apis}, field{"tables", &f.tables}, field{"functions", &f.functions},
		field{"databases", &f.databases}, field{"limits", &f.limits})
}

type databaseForm struct {
	tables    entries[tableForm, *tableForm]
	functions entries[functionForm, *functionForm]
}

func (f *databaseForm) read(r *reader, n ast.Node) {
	r.object(n, "a database", field{"tables", &f.tables}, field{"functions", &f.functions})
}

type limitsForm struct{ calls, rows, bytes whole }

func (f *limitsForm) read(r *reader, n ast.Node) {
	r.object(n, "limits", field{"calls", &f.calls}, field{"rows", &f.rows}, field{"bytes", &f.bytes})
}

type apiForm struct {
	at         place
	openapi    text
	server     text
	auth       list[authForm, *authForm]
	concurrent whole
	perSecond  decimal
	timeout    duration
	retries    whole
	maxBody    whole
	cache      plain
}

func (f *apiForm) read(r *reader, n ast.Node) {
	f.at = r.object(n, "an API",
		field{"openapi", &f.openapi}, field{"server", &f.server}, field{"auth", &f.auth},
		field{"concurrent", &f.concurrent}, field{"per_second", &f.perSecond}, field{"timeout", &f.timeout},
		field{"retries", &f.retries}, field{"max_body", &f.maxBody}, field{"cache", &f.cache})
}

type authForm struct {
	at            place
	header, query text
	value         text
}

func (f *authForm) read(r *reader, n ast.Node) {
	f.at = r.object(n, "auth", field{"header", &f.header}, field{"query", &f.query}, field{"value", &f.value})
}

type tableForm struct {
	at       place
	api      plain
	list     plain
	get      getForm
	rows     plain
	columns  entries[columnForm, *columnForm]
	only     list[plain, *plain]
	filters  entries[filterForm, *filterForm]
	required list[plain, *plain]
	many     whole // of filters that do not say it themselves
	with     entries[constant, *constant]
	safe     flag
	key      list[plain, *plain]
	rowid    plain
	estimate whole
	page     pageForm
	cache    plain
}

func (f *tableForm) read(r *reader, n ast.Node) {
	f.at = r.object(n, "a table",
		field{"api", &f.api}, field{"list", &f.list}, field{"get", &f.get}, field{"rows", &f.rows},
		field{"columns", &f.columns}, field{"only", &f.only}, field{"filters", &f.filters}, field{"many", &f.many}, field{"required", &f.required},
		field{"with", &f.with}, field{"safe", &f.safe}, field{"key", &f.key}, field{"rowid", &f.rowid},
		field{"estimate", &f.estimate}, field{"page", &f.page}, field{"cache", &f.cache})
}

// getForm is the operation that gets one row, with where it is in the answer.
type getForm struct {
	operation, rows plain
}

func (f *getForm) read(r *reader, n ast.Node) {
	r.shortOr(n, &f.operation, "get", field{"operation", &f.operation}, field{"rows", &f.rows})
}

type columnForm struct {
	at                   place
	path, typ, collation plain
}

func (f *columnForm) read(r *reader, n ast.Node) {
	f.at = r.shortOr(n, &f.path, "a column", field{"path", &f.path}, field{"type", &f.typ}, field{"collation", &f.collation})
}

// filterForm is the parameter that filters by a column, and how many values it has
// at most.
type filterForm struct {
	in   plain
	many whole
}

func (f *filterForm) read(r *reader, n ast.Node) {
	r.shortOr(n, &f.in, "a filter", field{"in", &f.in}, field{"many", &f.many})
}

type pageForm struct {
	at       place
	kind     plain
	position plain
	limit    plain
	size     whole
	first    whole
	next     plain
	total    plain
	more     plain
	last     plain
	count    plain
}

func (f *pageForm) read(r *reader, n ast.Node) {
	f.at = r.shortOr(n, &f.kind, "page",
		field{"kind", &f.kind}, field{"position", &f.position}, field{"limit", &f.limit}, field{"size", &f.size},
		field{"first", &f.first}, field{"next", &f.next}, field{"total", &f.total}, field{"more", &f.more}, field{"last", &f.last}, field{"count", &f.count})
}

type functionForm struct {
	at        place
	api       plain
	operation plain
	args      list[argForm, *argForm]
	with      entries[constant, *constant]
	safe      flag
	result    plain
	typ       plain
	many      manyForm
	cache     plain
}

func (f *functionForm) read(r *reader, n ast.Node) {
	f.at = r.object(n, "a function",
		field{"api", &f.api}, field{"operation", &f.operation}, field{"args", &f.args}, field{"with", &f.with},
		field{"safe", &f.safe}, field{"result", &f.result}, field{"type", &f.typ}, field{"many", &f.many}, field{"cache", &f.cache})
}

// argForm is an argument of a function: the parameter's name, or another one.
type argForm struct{ name, in plain }

func (f *argForm) read(r *reader, n ast.Node) {
	r.shortOr(n, &f.name, "an argument", field{"name", &f.name}, field{"in", &f.in})
}

// manyForm is how one call computes a function several times.
type manyForm struct {
	at   place
	max  whole
	rows plain
	key  list[plain, *plain]
}

func (f *manyForm) read(r *reader, n ast.Node) {
	f.at = r.object(n, "many", field{"max", &f.max}, field{"rows", &f.rows}, field{"key", &f.key})
}

// constant is what a parameter always has: a value or several ones.
type constant struct {
	values []sent
	at     place
}

func (c *constant) read(r *reader, n ast.Node) {
	c.at = start(n)
	nodes := []ast.Node{n}
	if sequence, ok := n.(*ast.SequenceNode); ok {
		nodes = sequence.Values
	}
	for _, node := range nodes {
		switch node := node.(type) {
		case *ast.IntegerNode:
			c.values = append(c.values, sent{text: fmt.Sprint(node.Value)})
		case *ast.FloatNode:
			c.values = append(c.values, sent{text: strconv.FormatFloat(node.Value, 'g', -1, 64)})
		case *ast.BoolNode:
			c.values = append(c.values, sent{text: strconv.FormatBool(node.Value)})
		default:
			var t plain
			r.into(node, &t)
			c.values = append(c.values, sent{text: t.s, quoted: true})
		}
	}
}
