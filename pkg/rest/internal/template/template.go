package template

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/birdcall/birdcall/internal/dialect"
	"github.com/birdcall/birdcall/internal/sqlite"
)

// Template is a SELECT with parameters.
type Template struct {
	SQL      string    // with ?1, ?2, ... in the place of the parameters
	Key      string    // the same for statements that differ in the values of parameters only
	Params   []*Param  // in the order of the text
	Bindings []Binding // what ?1, ?2, ... stand for
	Query    *Query    // the statement as it was given
	Columns  []*Column // of its result; none if it is not known what * stands for

	literals []*Param // all literals that are parameters; equal ones are one parameter
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

// New makes the template of a SELECT on the tables of a schema. Errors say why
// there is none.
func New(sql string, schema *sqlite.Schema) (*Template, error) {
	if err := dialect.CheckSize(sql); err != nil {
		return nil, err
	}
	sql = strings.TrimRight(sql, "; \t\r\n")
	r := &reader{sql: sql, schema: schema, names: names{map[int]*Expr{}, map[int]bool{}}}
	query, columns, err := r.read()
	if err != nil {
		return nil, err
	}
	f := &finder{query: query}
	visitor{f.expr, f.limit}.query(query)
	if f.random {
		return nil, errors.New("the SQL asks for random values, so that no answer is the right one; leave random() and randomblob() out")
	}
	slices.SortStableFunc(f.params, func(a, b *Param) int { return a.at.start - b.at.start })
	t := &Template{Query: query, Columns: columns, literals: f.params}
	t.replace(newKeys(sql, r.names))
	return t, nil
}

// FixClock returns a statement that reads the given instant instead of the
// clock, and whether it read the clock. The error is that of a statement that is
// too large.
func FixClock(sql string, asOf time.Time) (fixed string, changed bool, err error) {
	if err := dialect.CheckSize(sql); err != nil {
		return "", false, err
	}
	fixed, changed = dialect.FixClock(sql, asOf)
	return fixed, changed, nil
}

// replace writes the statement with placeholders, and its key.
func (t *Template) replace(k *keys) {
	var text strings.Builder
	type mark struct {
		text string
		end  int
	}
	marks := map[int]mark{} // what the key has at an offset
	params := map[string]int{}
	numbers := map[Binding]int{}
	operands := operands{keys: k, byText: map[string]int{}, bySpan: map[span]int{}}
	from := 0
	for _, p := range t.literals {
		p.Type = typeOf(p)
		id := operands.identity(p)
		n, again := params[id]
		if !again {
			n = len(t.Params)
			params[id] = n
			t.Params = append(t.Params, p)
		}
		m := mark{fmt.Sprintf("?%d:%s", n, p.Type), p.at.end}
		if places := p.Places(); places > listSize {
			// The endpoint takes no more values than there are places.
			m.text += fmt.Sprintf("*%d", places)
		}
		marks[p.at.start] = m
		text.WriteString(k.sql[from:p.at.start] + p.before)
		for i := range p.Places() {
			if i > 0 {
				text.WriteString(", ")
			}
			text.WriteString("?" + strconv.Itoa(t.bind(Binding{n, i, p.part}, numbers)))
		}
		from = p.at.end
	}
	text.WriteString(k.sql[from:])
	t.SQL = text.String()
	t.Key = k.write(span{0, len(k.sql)}, true, func(at int) (string, int) { return marks[at].text, marks[at].end })
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
	bySpan map[span]int
}

// identity is the same for literals that are one parameter.
func (o operands) identity(p *Param) string {
	switch p.Role {
	case Instant:
		return "now"
	case Condition:
		return fmt.Sprintf("%s %d %v", p.Operator, o.number(p.Operand.outer), p.Values)
	}
	return strconv.Itoa(p.at.start)
}

func (o operands) number(at span) int {
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
func (t *Template) HasParam(e *Expr) bool {
	return slices.ContainsFunc(t.literals, func(p *Param) bool { return e.at.contains(p.at) })
}

// IsOrdered reports whether the statement fixes the order of its rows.
func (t *Template) IsOrdered() bool {
	last := t.Query.Last()
	return last != nil && len(last.OrderBy) > 0
}

// IsSingle reports whether the result has one row at most by its form: an
// aggregate of everything, no FROM, or LIMIT 1.
func (t *Template) IsSingle() bool {
	s := t.Query.Last()
	switch {
	case s == nil:
		return false
	case s.Limit != nil && s.Limit.Count.Kind == Number && s.Limit.Count.Op == "1":
		return true
	case len(t.Query.Selects) > 1 || len(s.GroupBy) > 0:
		return false
	}
	return len(s.From) == 0 || slices.ContainsFunc(s.Columns, func(c ResultColumn) bool { return aggregates(c.Expr) })
}

// aggregates reports whether an expression has an aggregate function of its own
// SELECT.
func aggregates(e *Expr) bool {
	return e.IsAggregate() && !e.Window || slices.ContainsFunc(e.below(), aggregates)
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
			out[i] = t.Columns[i].ownName(name)
		case !strings.ContainsAny(name, "()'\"?*/+-<>=|,%&~"):
			// What * stands for is not known here. A text of SQL is told from a
			// name by its operators.
			out[i] = name
		}
	}
	return out
}

// ownName returns the name of a result column that SQLite calls given.
func (c *Column) ownName(given string) string {
	// SQLite numbers a subquery's columns of one name: id, id:1, id:2.
	if number, ok := strings.CutPrefix(given, c.Name+":"); ok && c.inner != nil && strings.Trim(number, "0123456789") == "" {
		given = c.Name
	}
	for c.Expr != nil && !c.IsAlias && c.Name == c.plain {
		if c.Expr.Kind != Name && c.Expr.Kind != Quoted {
			return ""
		}
		if c.Expr.Column == nil {
			if given != c.Name {
				return "" // a text in the quotation marks of a name
			}
			break
		}
		c = c.Expr.Column
	}
	return given
}
