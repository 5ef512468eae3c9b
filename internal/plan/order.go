package plan

import (
	"math"
	"strconv"
	"strings"

	"github.com/xwb1989/sqlparser"

	"github.com/birdcall/birdcall/internal/dialect"
	"github.com/birdcall/birdcall/pkg/value"
)

// limits reads LIMIT and OFFSET, which must be constants. -1 is no limit.
func limits(stmt *dialect.Statement) (limit, offset int, err error) {
	limit = -1
	if stmt.Limit != nil {
		if limit, err = constantInt(stmt.Limit, "LIMIT"); err != nil {
			return 0, 0, err
		}
		if limit < 0 || limit == maxWhole {
			limit = -1
		}
	}
	if stmt.Offset != nil {
		if offset, err = constantInt(stmt.Offset, "OFFSET"); err != nil {
			return 0, 0, err
		}
	}
	return limit, max(offset, 0), nil
}

func constantInt(e sqlparser.Expr, what string) (int, error) {
	if v, ok := dialect.Bare(e).(*sqlparser.SQLVal); ok && (v.Type == sqlparser.IntVal || v.Type == sqlparser.FloatVal) {
		if n, ok := whole(value.ToNumeric(value.Str(string(v.Val)))); ok {
			return n, nil
		}
	}
	return 0, unsupported(what, "%s must be a whole number", what)
}

// maxWhole is more than there can be rows. Numbers of rows beyond it mean the
// same.
const maxWhole = math.MaxInt32

// whole returns the number of rows that a number stands for: an integer, or a
// REAL that is one (lang_select.html, section 6).
func whole(v value.Value) (int, bool) {
	switch v.Kind() {
	case value.Integer:
		return int(max(min(v.Int64(), maxWhole), -maxWhole)), true
	case value.Real:
		f := v.Float64()
		return int(max(min(f, maxWhole), -maxWhole)), f == math.Trunc(f) && !math.IsInf(f, 0)
	}
	return 0, false
}

// cut applies LIMIT and OFFSET to an output.
func (c *core) cut(o output) (output, error) {
	if c.limit < 0 && c.offset == 0 || o.oneRow && c.limit != 0 && c.offset == 0 {
		return o, nil
	}
	o.step = c.b.add(&Project{In: o.step, Cols: o.cols, Limit: c.limit, Offset: c.offset})
	o.complete, o.oneRow = true, false
	return o, nil
}

// sortsBeyond reports whether ORDER BY reads more than the result columns.
func (c *core) sortsBeyond() bool {
	for _, o := range c.order {
		if c.resultColumn(o.Expr) == nil {
			return true
		}
	}
	return false
}

// distinctBefore makes rows distinct that are to be sorted by more than they
// show: each is sorted by the row that it was first found in.
func (c *core) distinctBefore(e *env, cols []Col) error {
	var beyond []Col
	for _, o := range c.order {
		op, err := c.orderTerm(e, o)
		if err != nil {
			return err
		}
		if op.Kind == ColumnOf && !containsCol(cols, op.Col) {
			beyond = append(beyond, op.Col)
		}
	}
	e.rel.step = e.b.add(&Group{In: e.rel.step, Keys: distinctCols(cols)})
	for _, col := range distinctCols(cols) {
		e.b.leaveOpen(Choice{Kind: Equal, Step: e.rel.step, Column: col})
	}
	for _, col := range beyond {
		e.b.leaveOpen(Choice{Kind: Bare, Step: e.rel.step, Column: col})
	}
	return nil
}

// resultColumn finds the result column that an ORDER BY or GROUP BY term
// means by its number, its alias, or its very expression
// (lang_select.html, section 4).
func (c *core) resultColumn(e sqlparser.Expr) *item {
	if _, ok := dialect.Bare(e).(*sqlparser.SQLVal); ok {
		return c.ordinal(e)
	}
	if x, ok := dialect.Bare(e).(*sqlparser.ColName); ok {
		n := dialect.NameOf(x)
		if n.Table == "" {
			for i := range c.items {
				if strings.EqualFold(c.items[i].alias, n.Column) || c.compound && strings.EqualFold(c.items[i].name, n.Column) {
					return &c.items[i]
				}
			}
		}
	}
	text := textOf(e)
	for i := range c.items {
		if c.items[i].expr != nil && c.items[i].text == text {
			return &c.items[i]
		}
	}
	return nil
}

// ordinal returns the result column of that number, or nil.
func (c *core) ordinal(e sqlparser.Expr) *item {
	x, ok := dialect.Bare(e).(*sqlparser.SQLVal)
	if !ok || x.Type != sqlparser.IntVal {
		return nil
	}
	if n, err := strconv.Atoi(string(x.Val)); err == nil && n >= 1 && n <= len(c.items) {
		return &c.items[n-1]
	}
	return nil
}

// textOf is an expression's text, for recognizing the same one: names in lower
// case, strings as they are.
func textOf(e sqlparser.Expr) string {
	s := []byte(sqlparser.String(dialect.Bare(e)))
	quoted := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\'':
			quoted = !quoted
		case c == '\\' && quoted:
			i++
		case !quoted && 'A' <= c && c <= 'Z':
			s[i] += 'a' - 'A'
		}
	}
	return string(s)
}

func (c *core) orderTerm(e *env, o dialect.Order) (Operand, error) {
	if v, ok := dialect.Bare(o.Expr).(*sqlparser.SQLVal); ok && v.Type == sqlparser.IntVal && c.resultColumn(o.Expr) == nil {
		return Operand{}, unsupported("ORDER BY", "there is no result column %s", v.Val)
	}
	expr, collation := o.Expr, ""
	if x, ok := dialect.Bare(expr).(*sqlparser.CollateExpr); ok {
		expr, collation = x.Expr, strings.ToLower(x.Charset)
	}
	if err := checkReach(expr); err != nil {
		return Operand{}, err
	}
	if it := c.resultColumn(expr); it != nil {
		op := it.operand
		if collation != "" {
			op.Collation = collation
		}
		return op, nil
	}
	if c.compound {
		return Operand{}, unsupported("ORDER BY in a compound", "a term must be one of the result columns")
	}
	op, err := e.scalar(expr)
	if collation != "" {
		op.Collation = collation
	}
	return op, err
}

// sort orders the relation and returns the sort keys.
func (c *core) sort(e *env) ([]Col, error) {
	type key struct {
		col       Col
		o         dialect.Order
		collation string
	}
	var keys []key
	for _, o := range c.order {
		op, err := c.orderTerm(e, o)
		if err != nil {
			return nil, err
		}
		if op.Kind == ColumnOf {
			keys = append(keys, key{op.Col, o, op.Collation})
		}
	}
	// Sorting keeps the order of equals, so the last keys are sorted by first;
	// neighbours that go the same way are sorted by together.
	for end := len(keys); end > 0; {
		last := keys[end-1]
		start := end - 1
		for start > 0 && keys[start-1].o.Desc == last.o.Desc && keys[start-1].o.NullsFirst == last.o.NullsFirst && keys[start-1].collation == last.collation {
			start--
		}
		s := &Sort{In: e.rel.step, Desc: last.o.Desc, NullsFirst: last.o.NullsFirst, Collation: last.collation}
		for _, k := range keys[start:end] {
			s.Keys = append(s.Keys, k.col)
		}
		e.rel.step = c.b.add(s)
		end = start
	}
	var cols []Col
	for _, k := range keys {
		cols = append(cols, k.col)
	}
	return cols, nil
}

// finish projects the result columns, distinct and cut as the query says.
func (c *core) finish(e *env, cols []Col, names []string, keys []Col, distinct bool) (output, error) {
	out := output{step: e.rel.step, cols: cols, names: names}
	if len(keys) > 0 {
		out.order = &Order{Sorted: e.rel.step, Keys: keys}
	}
	if !distinct && c.limit < 0 && c.offset == 0 {
		return out, nil
	}
	s := &Project{In: e.rel.step, Cols: cols, Distinct: distinct, Limit: c.limit, Offset: c.offset}
	out.step, out.complete = c.b.add(s), true
	if distinct {
		c.b.leaveOpen(Choice{Kind: Equal, Step: out.step, Column: None})
	}
	if c.limit >= 0 || c.offset > 0 {
		c.b.leaveOpen(Choice{Kind: Cut, Step: out.step, Keys: keys})
	}
	return out, nil
}
