package template

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/sql/language"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/value"
)

// Template is a SELECT with parameters.
type Template struct {
	SQL      string         // with ?1, ?2, ... instead of the parameters; in Postgres' SQL $1::int4, $2, ...
	Key      string         // the same for statements that ask for the same with any values of the parameters
	Params   []*Param       // in the order of the text
	Bindings []Binding      // what ?1, ?2, ... stand for
	Query    *sqltree.Query // the statement as it was given
	Schema   *engine.Schema
	Order    []int           // the parameters' indexes in the order of the key
	Columns  []*sqltree.Item // of its result, so far as it is known what * stands for

	literals []*Param // all literals that are parameters; equal ones are one parameter
	places   map[sqltree.Span]int
	marks    map[int]mark // what the key has at an offset
}

// mark is what the key has for a parameter.
type mark struct {
	text  string
	end   int
	param int
}

// Binding says what one placeholder stands for: an item of a parameter's values,
// or a part of an instant.
type Binding struct {
	Param, Item int
	Part        Part
}

// Part is what is taken of an instant.
type Part int

// The parts.
const (
	DateAndTime Part = iota
	DateOnly
	TimeOnly
)

// New makes the template of a SELECT in a dialect on the tables of a schema. Errors say
// why there is none.
//
// Where literals have types, a number keeps that of its literal, $1::int4, $1::int8 or
// $1::numeric: the server would give it that of what it is compared with, and 0.1 as a
// real is another number. A text stays without a type, as its literal is, so that the
// server reads it as what it is compared with.
func New(d *engine.Dialect, sql string, schema *engine.Schema) (*Template, error) {
	reader := language.Of(d)
	s, err := reader.Read(strings.TrimRight(sql, "; \t\r\n"), schema)
	if err != nil {
		return nil, fmt.Errorf("the SQL cannot be read: %w", err)
	}
	query := s.Query
	f := &finder{language: reader, whole: query, found: map[sqltree.Span]bool{}, known: map[sqltree.Expr]bool{}, names: newNames(query.Dialect)}
	f.query(query, 1)
	if f.random != "" {
		return nil, fmt.Errorf("the SQL asks for random values, so that no answer is the right one; leave %s out", f.random)
	}
	slices.SortStableFunc(f.params, func(a, b *Param) int { return a.at.Start - b.at.Start })
	t := &Template{Query: query, Schema: schema, Columns: query.Arms[0].Items, literals: f.params, places: map[sqltree.Span]int{}}
	t.replace(&keys{s, f.names})
	return t, nil
}

// replace writes the statement with placeholders, and its key.
func (t *Template) replace(k *keys) {
	var text strings.Builder
	t.marks = map[int]mark{}
	params := map[string]int{}
	numbers := map[Binding]int{}
	operands := operands{keys: k, byText: map[string]int{}, bySpan: map[sqltree.Span]int{}}
	from := 0
	for _, p := range t.literals {
		if t.Query.Dialect.TypedLiterals {
			p.Type, p.cast = literalParam(t.Query.Dialect, p)
		} else {
			p.Type = typeOf(p)
		}
		id := operands.identity(p)
		n, again := params[id]
		if !again {
			n = len(t.Params)
			params[id] = n
			t.Params = append(t.Params, p)
		}
		t.places[p.at] = n
		m := mark{fmt.Sprintf("?%d:%s", n, p.Type), p.at.End, n}
		if p.cast != "" {
			m.text += "::" + p.cast
		}
		if places := p.Places(); places > listSize {
			// The endpoint takes no more values than there are places.
			m.text += fmt.Sprintf("*%d", places)
		}
		t.marks[p.at.Start] = m
		text.WriteString(k.SQL[from:p.at.Start] + p.before)
		for i := range p.Places() {
			if i > 0 {
				text.WriteString(", ")
			}
			text.WriteString(t.Query.Dialect.Placeholder + strconv.Itoa(t.bind(Binding{n, i, p.part}, numbers)))
			if p.cast != "" {
				text.WriteString("::" + p.cast)
			}
		}
		text.WriteString(p.after)
		from = p.at.End
	}
	text.WriteString(k.SQL[from:])
	t.SQL = text.String()
	t.Key = k.write(sqltree.Span{End: len(k.SQL)}, true, func(at int) (string, int) { return t.marks[at].text, t.marks[at].end })
	for i := range t.Params {
		t.Order = append(t.Order, i)
	}
	if key, order, ok := t.alike(k); ok {
		t.Key, t.Order = key, order
	}
}

// bind returns the number of the placeholder for b; numbers has those given so
// far.
func (t *Template) bind(b Binding, numbers map[Binding]int) int {
	n, again := numbers[b]
	if !again {
		t.Bindings = append(t.Bindings, b)
		n = len(t.Bindings)
		numbers[b] = n
	}
	return n
}

// operands numbers what literals are compared with; equal ones have one number.
type operands struct {
	keys   *keys
	byText map[string]int
	bySpan map[sqltree.Span]int
}

// identity is the same for literals that are one parameter.
func (o operands) identity(p *Param) string {
	switch p.Role {
	case Instant:
		return "now"
	case Condition:
		return fmt.Sprintf("%s %d %v %s", p.Operator, o.number(p.Operand.Outer()), p.Values, p.cast)
	}
	return strconv.Itoa(p.at.Start)
}

func (o operands) number(at sqltree.Span) int {
	n, known := o.bySpan[at]
	if !known {
		text := o.keys.write(at, false, nil)
		if n, known = o.byText[text]; !known {
			n = len(o.byText)
			o.byText[text] = n
		}
		o.bySpan[at] = n
	}
	return n
}

// HasParam reports whether a part of an expression is a parameter.
func (t *Template) HasParam(e sqltree.Expr) bool {
	whole := e.Span()
	return slices.ContainsFunc(t.literals, func(p *Param) bool { return whole.Start <= p.at.Start && p.at.End <= whole.End })
}

// ParamAt returns the index of the parameter that stands for a literal, or for
// the list of literals that begins with it, or -1.
func (t *Template) ParamAt(list ...sqltree.Expr) int {
	if len(list) == 0 || list[0] == nil {
		return -1
	}
	at := sqltree.Span{Start: list[0].Span().Start, End: list[len(list)-1].Span().End}
	if n, ok := t.places[at]; ok {
		return n
	}
	return -1
}

// IsOrdered reports whether the statement fixes the order of its rows.
func (t *Template) IsOrdered() bool { return len(t.Query.OrderBy) > 0 }

// IsSingle reports whether the result has one row at most by its form: an
// aggregate of everything, no FROM, or LIMIT 1.
func (t *Template) IsSingle() bool {
	if l, ok := t.Query.Limit.(*sqltree.Literal); ok && l.Value == value.Int(1) {
		return true
	}
	s := t.Query.Arms[0]
	return len(t.Query.Arms) == 1 && len(s.GroupBy) == 0 && (s.From == nil || len(s.Aggregates) > 0)
}

// Limits returns the indexes of the parameters that the statement's LIMIT and
// OFFSET take, or -1. Where the statement has none, they are those of a subquery
// in FROM.
func (t *Template) Limits() (rows, skip int) {
	rows, skip = -1, -1
	for i, p := range t.Params {
		switch {
		case p.Role == RowLimit && p.Outer:
			rows = i
		case p.Role == RowOffset && p.Outer:
			skip = i
		}
	}
	return rows, skip
}

// ReadsClock reports whether the statement reads the clock.
func (t *Template) ReadsClock() bool {
	return slices.ContainsFunc(t.Params, func(p *Param) bool { return p.Role == Instant })
}

// ResultNames returns the names that the statement gives the columns of its
// result: an alias, or the name of the column that is given as it is. An
// expression has none, as SQLite only calls it by its text. given are SQLite's
// own names.
func (t *Template) ResultNames(given []string) []string {
	out := make([]string, len(given))
	for i, name := range given {
		switch {
		case len(given) == len(t.Columns):
			out[i] = ownName(t.Columns[i], name)
		case !strings.ContainsAny(name, "()'\"?*/+-<>=|,%&~"):
			// What * stands for is not known here. A text of SQL is distinguished from a
			// name by its operators.
			out[i] = name
		}
	}
	return out
}

// ownName returns the name of a result column that SQLite calls given.
func ownName(it *sqltree.Item, given string) string {
	// SQLite numbers a subquery's columns of one name: id, id:1, id:2.
	if number, ok := strings.CutPrefix(given, it.Name+":"); ok && it.Star && strings.Trim(number, "0123456789") == "" {
		given = it.Name
	}
	for it.Star || it.Alias == "" {
		c, ok := it.Expr.(*sqltree.Column)
		if !ok || c.State != sqltree.Bound {
			if isName(it.Expr) && it.Name == given {
				return given
			}
			return "" // also for a text in the quotation marks of a name
		}
		o := beneath(c)
		if o.Item == nil || o.Name != o.Item.Name {
			break
		}
		it = o.Item
	}
	return given
}

// isName reports whether an expression is written as a name.
func isName(e sqltree.Expr) bool {
	switch e := e.(type) {
	case *sqltree.Column:
		return true
	case *sqltree.Literal:
		return e.Quoted || e.Word
	}
	return false
}
