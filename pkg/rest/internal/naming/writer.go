package naming

import (
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/db/sqlfunc"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/rest/internal/template"
	"github.com/birdcall/birdcall/pkg/value"
)

// writer puts a statement into words. What it returns are noun phrases without
// an article, clauses, or sentences without a capital letter and a full stop.
type writer struct {
	t       *template.Template
	voc     *Vocabulary
	params  []Param // nil while they are named
	views   map[*sqltree.Select]*view
	left    int                     // of what may be written
	columns []described             // that were named, each once
	said    map[*sqltree.Query]bool // subqueries in FROM, which are described once
	names   bool
	top     bool // whether nothing is written yet of the whole statement
	one     bool // whether the query that comes next gives one value
}

// maxPhrases bounds how many expressions are put into words for one statement.
// Each subquery of many may use a column of the one below it twice.
const maxPhrases = 3000

// described is a column by its table and its own name.
type described struct{ table, column string }

func (w *writer) note(table, column string) {
	if d := (described{table, column}); !slices.Contains(w.columns, d) {
		w.columns = append(w.columns, d)
	}
}

// view returns the view of a SELECT from what its result columns are about.
func (w *writer) view(s *sqltree.Select) *view {
	if v := w.views[s]; v != nil {
		return v
	}
	v := w.newView(s, nil)
	w.views[s] = v
	return v
}

// seen returns the view of a SELECT from one of its sources.
func (w *writer) seen(v *view, head *sqltree.Source) *view {
	if head == nil || head == v.head {
		return v
	}
	return w.newView(v.s, head)
}

// phrase returns the noun phrase for an expression.
func (w *writer) phrase(v *view, e sqltree.Expr) string {
	if w.left--; w.left < 0 {
		return "value"
	}
	if i := w.t.ParamAt(e); i >= 0 && w.t.Params[i].Role != template.Instant {
		return w.given(i)
	}
	switch e := e.(type) {
	case *sqltree.Column:
		return w.column(v, e)
	case *sqltree.Literal:
		return literal(e)
	case *sqltree.Clock:
		return pick(e.Name == "current_date", "today's date", "current time")
	case *sqltree.Call:
		return w.call(v, e)
	case *sqltree.Cast:
		return w.phrase(v, e.X)
	case *sqltree.Collate:
		return w.phrase(v, e.X)
	case *sqltree.Unary:
		if e.Op == sqltree.Negate {
			return "negative " + w.phrase(v, e.X)
		}
		if e.Op == sqltree.Not {
			return "whether " + w.full(v, e)
		}
		return w.phrase(v, e.X)
	case *sqltree.Binary:
		return w.binary(v, e)
	case *sqltree.Case:
		return w.choice(v, e)
	case *sqltree.Subquery:
		w.one = true
		return w.query(e.Query)
	case *sqltree.Row:
		var list []string
		for _, x := range e.Items {
			list = append(list, w.phrase(v, x))
		}
		return Enumerate(list)
	case *sqltree.Other:
		for _, x := range e.Args { // the columns in it are explained
			w.phrase(v, x)
		}
		return quoted(e.Text)
	}
	return "whether " + w.full(v, e) // a condition as a value
}

// given returns what the value of a parameter is called in a sentence.
func (w *writer) given(i int) string {
	if i < len(w.params) {
		return "the given " + w.params[i].nth + givenNoun(w.t.Params[i])
	}
	return "the given value"
}

// givenNoun returns what a value is, where it is said before what it is compared
// with.
func givenNoun(p *template.Param) string {
	switch {
	case isPattern(p.Operator):
		return "pattern"
	case p.Role != template.Condition:
		return "number"
	case p.Type == template.Text && IsDate(p.Values):
		return "date"
	case p.Type == template.Text:
		return "one"
	}
	return "value"
}

func literal(e *sqltree.Literal) string {
	switch {
	case e.Value.IsNull():
		return "nothing"
	case e.Word:
		return pick(e.Value == value.Bool(true), "true", "false")
	case e.Value.Kind() == value.Text && e.Value.Raw() == "":
		return "an empty text"
	case e.Value.Kind() == value.Text:
		return quoted(e.Value.Raw())
	case e.Value.Kind() == value.Blob:
		return "a BLOB"
	}
	return value.AsText(e.Value)
}

// quoted puts a text in quotation marks, and cuts a long one.
func quoted(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if list := []rune(text); len(list) > 60 {
		text = string(list[:60]) + "…"
	}
	return "“" + text + "”"
}

// isPattern reports whether an operator of a parameter matches a pattern.
func isPattern(op string) bool {
	switch op {
	case "like", "glob", "match", "regexp", "ilike", "similar to", "~", "~*":
		return true
	}
	return false
}

// column returns the phrase for a column, with the noun of its source unless
// that is what the phrase is about.
func (w *writer) column(v *view, c *sqltree.Column) string {
	if c.Alias != nil {
		return w.phrase(v, c.Alias.Expr)
	}
	if c.State != sqltree.Bound || c.Source == nil {
		return spelledOr(c.Name, "value")
	}
	base, isOwn := w.base(c)
	if c.Source.Select != v.s {
		v = w.view(c.Source.Select)
		if c.Source == v.head && isOwn && !hasWords(base, lastWord(w.sourceNoun(c.Source))) {
			return w.sourceNoun(c.Source) + " " + base
		}
	}
	if c.Source == v.head || !isOwn {
		return base
	}
	r := v.roles[c.Source]
	if r == nil {
		return base
	}
	return joined(r, base)
}

// joined puts the noun of a source before the name of its column, unless it is
// in there.
func joined(r *role, base string) string {
	switch {
	case hasWords(r.noun, base):
		return r.noun
	case r.noun != r.plain && strings.HasPrefix(base, r.plain+" "):
		return r.noun + strings.TrimPrefix(base, r.plain)
	case r.noun == r.plain && hasWords(base, lastWord(r.noun)):
		return base
	}
	return r.noun + " " + base
}

// base returns the phrase for a column alone, and whether it is a table's own.
func (w *writer) base(c *sqltree.Column) (string, bool) {
	src := c.Source
	switch {
	case src.Query != nil && !src.Recursive && c.Index >= 0 && c.Index < len(src.Query.Columns) && !src.Query.Arms[0].Values:
		s := src.Query.Arms[0]
		if it := src.Query.Columns[c.Index].Item; it != nil {
			return w.phrase(w.view(s), it.Expr), false
		}
	case src.Table != nil && c.Index >= 0 && c.Index < len(src.Columns):
		w.note(src.Table.Name, src.Columns[c.Index].Name)
		return w.voc.column(src.Table.Name, src.Columns[c.Index].Name), true
	case src.Table != nil:
		return "row number", true
	}
	return spelledOr(c.Name, "value"), true
}

func pick(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// isClock reports whether an expression reads the clock and nothing else.
func isClock(e sqltree.Expr) bool {
	switch e := e.(type) {
	case *sqltree.Clock:
		return true
	case *sqltree.Literal:
		now, _ := sqlfunc.MeansNow(e.Value.Raw())
		return now && template.IsText(e)
	case *sqltree.Cast:
		return isClock(e.X)
	case *sqltree.Call:
		return e.Name != "age" && slices.ContainsFunc(e.Args, isClock)
	}
	return false
}
