package rest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sqlc-dev/meyer/ast"
	"github.com/sqlc-dev/meyer/lexer"
	"github.com/sqlc-dev/meyer/parser"

	"github.com/birdcall/birdcall/internal/dialect"
	"github.com/birdcall/birdcall/internal/sqlite"
	"github.com/birdcall/birdcall/pkg/value"
)

// listSize is how many values an IN list takes at least. Fewer are filled up
// with the last one, which changes nothing.
const listSize = 10

// template is a SELECT with its literals in conditions replaced by ?1, ?2, ...
type template struct {
	sql      string // with placeholders
	key      string // the same for statements that differ in parameters only
	params   []*found
	bindings []binding // what ?1, ?2, ... stand for
	ordered  bool      // whether the SQL fixes the order of its rows
	// These are for naming, and nil after it.
	query   *ast.SelectStmt
	columns []*column // of the result
	walker  *walker
}

// forget drops what only naming needs: it is most of an endpoint's memory.
func (t *template) forget() { t.query, t.columns, t.walker, t.params = nil, nil, nil, nil }

// binding is the value of one placeholder: an item of a parameter's values, or
// a part of an instant.
type binding struct {
	param, item int
	part        part
}

// newTemplate finds the parameters of a SELECT by the rule in the package's
// documentation.
func newTemplate(sql string, schema *sqlite.Schema) (*template, error) {
	if err := dialect.CheckSize(sql); err != nil {
		return nil, err
	}
	sql = strings.TrimRight(sql, "; \t\r\n")
	stmt, err := parser.ParseStatement(sql)
	if err != nil {
		return nil, fmt.Errorf("the SQL cannot be read: %w", err)
	}
	query, ok := stmt.(*ast.SelectStmt)
	if !ok {
		return nil, fmt.Errorf("the SQL is no SELECT")
	}
	if err := checkNesting(query); err != nil {
		return nil, err
	}
	w := &walker{
		sql: sql, schema: schema, tokens: lexer.Lex(sql), names: map[int]named{},
		dropped: map[int]bool{}, scopes: map[*ast.SelectQuery]*scope{},
		operands: map[string]int{}, places: map[[2]int]int{},
	}
	t := &template{query: query, walker: w, columns: w.statement(query, nil)}
	if w.err != nil {
		return nil, w.err
	}
	if w.random {
		return nil, fmt.Errorf("the SQL asks for random values, so that no answer is the right one; leave random() and randomblob() out")
	}
	slices.SortStableFunc(w.found, func(a, b *found) int { return a.start - b.start })
	t.replace()
	last, ok := query.Cores[len(query.Cores)-1].(*ast.SelectQuery)
	t.ordered = ok && len(last.OrderBy) > 0
	return t, nil
}

// replace writes the statement with placeholders, and its key.
func (t *template) replace() {
	w := t.walker
	var text strings.Builder
	keys := map[int]string{} // what the key has at an offset
	ends := map[int]int{}
	params := map[string]int{}
	places := map[binding]int{}
	from := 0
	for _, f := range w.found {
		id := w.identity(f)
		p, again := params[id]
		if !again {
			p = len(t.params)
			params[id] = p
			t.params = append(t.params, f)
		}
		keys[f.start], ends[f.start] = fmt.Sprintf("?%d:%s", p, typeOf(f)), f.end
		if n := f.places(); n > listSize {
			// The endpoint takes no more values than there are places.
			keys[f.start] += fmt.Sprintf("*%d", n)
		}
		text.WriteString(w.sql[from:f.start] + f.before)
		for i := range f.places() {
			if i > 0 {
				text.WriteString(", ")
			}
			text.WriteString("?" + strconv.Itoa(t.bind(binding{p, i, f.part}, places)))
		}
		from = f.end
	}
	text.WriteString(w.sql[from:])
	t.sql = text.String()
	t.key = w.canonical(0, len(w.sql), true, func(at int) (string, int) { return keys[at], ends[at] })
}

// places returns how many placeholders a parameter has.
func (f *found) places() int {
	if f.list {
		return max(listSize, len(f.values))
	}
	return 1
}

// bind returns the number of the placeholder for b; places are those given so
// far.
func (t *template) bind(b binding, places map[binding]int) int {
	n, again := places[b]
	if !again {
		t.bindings = append(t.bindings, b)
		n = len(t.bindings)
		places[b] = n
	}
	return n
}

// identity is the same for literals that are one parameter.
func (w *walker) identity(f *found) string {
	switch f.role {
	case instant:
		return "now"
	case condition:
		return fmt.Sprintf("%s %d %v", f.operator, w.operand(f.operand), f.values)
	}
	return strconv.Itoa(f.start)
}

// operand numbers what literals are compared with; equal ones have one number.
func (w *walker) operand(e ast.Expr) int {
	place := [2]int{e.Pos(), e.End()}
	n, known := w.places[place]
	if !known {
		text := w.canonical(place[0], place[1], false, nil)
		if n, known = w.operands[text]; !known {
			n = len(w.operands)
			w.operands[text] = n
		}
		w.places[place] = n
	}
	return n
}

// isSingle reports whether the result has one row at most by its form: an
// aggregate of everything, no FROM, or LIMIT 1.
func (t *template) isSingle() bool {
	q, ok := t.query.Cores[len(t.query.Cores)-1].(*ast.SelectQuery)
	if !ok {
		return false
	}
	if q.Limit != nil {
		if l, ok := unwrap(q.Limit.Count).(*ast.Literal); ok && l.Raw == "1" {
			return true
		}
	}
	if len(t.query.Cores) > 1 || len(q.GroupBy) > 0 {
		return false
	}
	return len(q.From) == 0 || slices.ContainsFunc(q.Columns, func(r *ast.ResultColumn) bool { return aggregates(r.Expr) })
}

// aggregates reports whether an expression has an aggregate function
// (https://www.sqlite.org/lang_aggfunc.html) of its own SELECT.
func aggregates(e ast.Expr) bool {
	yes := false
	ast.Walk(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectStmt:
			return false
		case *ast.FuncCall:
			yes = yes || n.Over == nil && isAggregate(n)
		}
		return !yes
	})
	return yes
}

func isAggregate(f *ast.FuncCall) bool {
	switch fold(f.Name.Name) {
	case "count", "sum", "avg", "total", "group_concat", "string_agg":
		return true
	case "min", "max":
		return len(f.Args) == 1
	}
	return false
}

// outerLimit returns the parameters of the whole statement's LIMIT and OFFSET
// by their index, or -1.
func (t *template) outerLimit() (rows, skip int) {
	rows, skip = -1, -1
	for i, p := range t.params {
		switch {
		case p.role == limit && p.outer:
			rows = i
		case p.role == offset && p.outer:
			skip = i
		}
	}
	return rows, skip
}

// Type is the type of a parameter.
type Type string

// The types, as OpenAPI names them.
const (
	Integer Type = "integer"
	Number  Type = "number"
	String  Type = "string"
)

// typeOf returns the type of a parameter: that of its literal, but a whole
// number compared with something that may have a fraction is a number.
func typeOf(f *found) Type {
	if f.role == instant {
		return String
	}
	t := Integer
	for _, v := range f.values {
		switch v.Kind() {
		case value.Text:
			return String
		case value.Real:
			t = Number
		}
	}
	if t == Integer && f.role == condition && !isWhole(f.operand, f.scope) {
		t = Number
	}
	return t
}

// isWhole reports whether an expression gives integers by its form. A text
// column counts as one: its codes have no fraction.
func isWhole(e ast.Expr, s *scope) bool {
	switch e := unwrap(e).(type) {
	case *ast.Ident, *ast.QualifiedRef:
		c := s.reference(e)
		if c == nil {
			return false
		}
		if c = c.base(); c.expr != nil {
			return isWhole(c.expr, c.scope.withoutAliases())
		}
		if c.info == nil {
			return c.from != nil && c.from.table != nil // the rowid
		}
		switch c.info.Affinity {
		case value.AffinityInteger, value.AffinityText:
			return true
		case value.AffinityNumeric:
			return strings.Contains(strings.ToLower(c.info.Type), "bool")
		}
	case *ast.FuncCall:
		switch fold(e.Name.Name) {
		case "count", "length", "instr", "unicode", "sign", "rank", "dense_rank", "row_number", "ntile":
			return true
		case "sum", "min", "max", "abs", "lag", "lead", "first_value", "last_value":
			return len(e.Args) > 0 && isWhole(e.Args[0], s) && !isText(e.Args[0], s)
		}
	case *ast.CastExpr:
		return value.AffinityOf(e.Type.Name) == value.AffinityInteger
	case *ast.SubqueryExpr:
		return false
	}
	return false
}

func isText(e ast.Expr, s *scope) bool {
	c := s.reference(e)
	return c != nil && c.base().info != nil && c.base().info.Affinity == value.AffinityText
}
