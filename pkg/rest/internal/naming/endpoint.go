package naming

import (
	"fmt"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/sqltree"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/rest/internal/template"
)

// maxName is how long the name of an endpoint may be in bytes; longer ones
// are refused by what calls functions by name.
const maxName = 64

// Namer names what belongs to one statement.
type Namer struct {
	t     *template.Template
	words phrases
}

// New returns a namer for a statement on a database.
func New(t *template.Template, db *bird.Database) *Namer {
	n := &Namer{t, phrases{db: db, known: map[about][]string{}}}
	n.words.from = template.MainTable(t.Query.Arms[0])
	return n
}

// Endpoint is what an endpoint is called by.
type Endpoint struct {
	Summary     string // a short text without a full stop
	Description string // in sentences

	fixed   []string   // conditions without parameters
	subject []string   // what comes out
	order   []string   // the extreme that is asked for
	groups  []string   // per what
	by      [][]string // what the parameters are compared with
	exact   [][]string // names of the parameters
	tables  []string   // to tell equal names apart
}

// Endpoint names an endpoint with these parameters and columns.
func (n *Namer) Endpoint(params []Param, columns []Column) *Endpoint {
	e := &Endpoint{subject: []string{"values"}}
	if first := n.t.Query.Arms[0]; !first.Values {
		n.about(e, first, params)
	}
	what := ""
	for _, part := range [][]string{e.fixed, e.order, e.groups} {
		if len(part) > 0 {
			what += " " + strings.Join(part, " ")
		}
	}
	e.Summary = sentence(strings.Join(dedupe(e.subject), " ")) + what
	e.Description = n.describe(what, params, columns)
	return e
}

// about says what a statement gives and asks for, by its first SELECT.
func (n *Namer) about(e *Endpoint, s *sqltree.Select, params []Param) {
	e.subject = n.subject(s)
	e.fixed = n.fixed(s)
	if e.order = n.order(); e.order == nil {
		e.order = n.words.extreme(s.Where)
	}
	for _, g := range s.GroupBy {
		if list := n.words.expr(g); len(e.groups) == 0 && !contains(e.subject, list) {
			e.groups = append([]string{"per"}, list...)
		}
	}
	for _, p := range params {
		if p.operand == nil {
			continue
		}
		e.exact = append(e.exact, strings.Split(p.Name, "_"))
		if !slices.ContainsFunc(e.by, func(other []string) bool { return slices.Equal(other, p.operand) }) {
			e.by = append(e.by, p.operand)
		}
	}
	for _, src := range s.Sources {
		if src.Table != nil {
			e.tables = append(e.tables, n.words.table(src.Table)...)
		}
	}
	if arms := n.t.Query.Arms; len(arms) > 1 {
		op, _, _ := strings.Cut(strings.ToLower(string(arms[1].Op)), " ")
		e.tables = append(e.tables, op)
	}
}

// subject puts the result columns into words.
func (n *Namer) subject(s *sqltree.Select) []string {
	noun := n.words.table(n.words.from)
	items := written(s)
	if len(items) == 1 && items[0] == nil {
		return pluralize(noun)
	}
	var parts [][]string
	for _, it := range items {
		list := pluralize(noun)
		if it != nil {
			list = n.words.resultColumn(it)
		}
		if !slices.ContainsFunc(parts, func(other []string) bool { return slices.Equal(other, list) }) {
			parts = append(parts, list)
		}
	}
	if len(parts) > 3 {
		return append(noun, "details")
	}
	if len(parts) == 1 && !n.t.IsSingle() {
		parts[0] = pluralize(parts[0])
	}
	var list []string
	for i, part := range parts {
		if i > 0 {
			list = append(list, "and")
		}
		list = append(list, part...)
	}
	if len(list) < 3 && !slices.Contains(list, noun[len(noun)-1]) && !slices.Contains(list, plural(noun[len(noun)-1])) {
		list = append(slices.Clone(noun), list...)
	}
	return list
}

// written returns the result columns as they are written, with nil for a star.
func written(s *sqltree.Select) []*sqltree.Item {
	var out []*sqltree.Item
	at := 0
	for _, star := range s.Stars {
		out = append(append(out, s.Items[at:star.At]...), nil)
		at = star.At + star.Count
	}
	return append(out, s.Items[at:]...)
}

// resultColumn puts one result column into words: what its author called it, or
// what it is.
func (p phrases) resultColumn(it *sqltree.Item) []string {
	if list := words(it.Alias); isTelling(list) && !isGeneric(list) {
		return list
	}
	return p.expr(it.Expr)
}

// describe says in sentences what comes out and what goes in.
func (n *Namer) describe(what string, params []Param, columns []Column) string {
	var gives, given []string
	for _, c := range columns {
		gives = append(gives, c.Label)
	}
	for _, p := range params {
		if p.operand != nil {
			given = append(given, strings.ReplaceAll(p.Name, "_", " "))
		}
	}
	text := "Gives " + Enumerate(gives) + what
	if len(given) > 0 {
		text += ", for a given " + Enumerate(given)
	}
	text += "."
	if n.t.IsSingle() {
		text += " The answer has one row at most."
	}
	if n.t.ReadsClock() {
		text += " It depends on the current time."
	}
	return text
}

func contains(list, part []string) bool {
	for i := range list {
		if i+len(part) <= len(list) && slices.Equal(list[i:i+len(part)], part) {
			return true
		}
	}
	return false
}

// Names yields names for the endpoint, better ones first. All are valid, and
// there is no end of them: the last ones only differ in a number.
func (e *Endpoint) Names(yield func(string) bool) {
	by := func(list [][]string, count int) []string {
		var out []string
		for i, name := range list[:min(count, len(list))] {
			out = append(append(out, pick(i == 0, "by", "and")), name...)
		}
		return out
	}
	for _, list := range [][]string{
		slices.Concat(e.subject, e.fixed, e.order, e.groups, by(e.by, 2)),
		slices.Concat(e.subject, e.fixed, e.order, e.groups, by(e.by, 3)),
		slices.Concat(e.subject, e.order, e.groups, by(e.exact, 3)),
		slices.Concat(e.subject, e.groups, e.order, by(e.by, 1)),
		slices.Concat(e.subject, by(e.by, 2), e.fixed, e.order, e.groups),
		slices.Concat(e.subject, by(e.exact, 3), e.order, e.groups, e.fixed),
		slices.Concat(e.subject, []string{"of"}, e.tables, e.order, by(e.by, 2)),
		slices.Concat(e.subject, []string{"of"}, e.tables, by(e.exact, 3), e.order, e.groups),
	} {
		if !yield(endpointName(list, maxName)) {
			return
		}
	}
	for i := 2; ; i++ {
		suffix := fmt.Sprintf("_%d", i)
		if !yield(endpointName(slices.Concat(e.subject, e.order, e.groups, by(e.by, 2)), maxName-len(suffix)) + suffix) {
			return
		}
	}
}

func endpointName(list []string, size int) string {
	name := snake(dedupe(list), size)
	if name == "" || name[0] < 'a' || name[0] > 'z' {
		name = snake(append([]string{"values"}, list...), size)
	}
	return name
}
