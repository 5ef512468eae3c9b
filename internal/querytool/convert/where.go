package convert

import (
	"slices"

	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/value"
)

// where writes a condition as filters that all hold.
func (t *translator) where(e sqltree.Expr) ([]query.Filter, error) {
	if e == nil {
		return nil, nil
	}
	whole, err := t.condition(e, false)
	if err != nil {
		return nil, err
	}
	filters := flat(whole)
	if t.set == query.Paper {
		return filters, t.fitsPaper(filters)
	}
	return filters, nil
}

// fitsPaper refuses what the paper's filters cannot say, by its own name.
func (t *translator) fitsPaper(filters []query.Filter) error {
	seen := map[query.Type]bool{}
	for _, f := range filters {
		if f.AnyOf != nil {
			return refuse("OR", "the paper's filters all hold")
		}
		if f.Part != "" {
			return refuse("function strftime", "the paper's filters compare whole values")
		}
		kind := query.AsPaper(t.collection.Property(f.Property).Type)
		if seen[kind] {
			return refuse("two filters of one type", "the paper's tool has one filter of each type")
		}
		seen[kind] = true
		if !slices.Contains(query.Operators(query.Paper, kind), f.Operator) {
			return refuse(string(f.Operator), "the paper's tool does not compare a %s property so", kind)
		}
	}
	return nil
}

// flat returns the conditions of an AND.
func flat(f query.Filter) []query.Filter {
	if f.AllOf != nil {
		return f.AllOf
	}
	return []query.Filter{f}
}

// condition writes a condition, or its opposite. An opposite is TRUE where the
// condition is FALSE, so that NOT of NULL keeps no row either.
func (t *translator) condition(e sqltree.Expr, not bool) (query.Filter, error) {
	switch e := e.(type) {
	case *sqltree.Unary:
		if e.Op == sqltree.Not {
			return t.condition(e.X, !not)
		}
	case *sqltree.Binary:
		if e.Op == sqltree.And || e.Op == sqltree.Or {
			return t.connective(e, not)
		}
		if _, ok := opposites[e.Op]; ok {
			return t.comparison(e.Op, e.X, e.Y, not)
		}
	case *sqltree.Pattern:
		return t.pattern(e, not)
	case *sqltree.Between:
		low := &sqltree.Binary{Op: sqltree.GreaterEq, X: e.X, Y: e.Low}
		high := &sqltree.Binary{Op: sqltree.LessEq, X: e.X, Y: e.High}
		return t.connective(&sqltree.Binary{Op: sqltree.And, X: low, Y: high}, not != e.Not)
	case *sqltree.In:
		return t.in(e, not != e.Not)
	case *sqltree.Column:
		return t.truth(e, not)
	}
	return query.Filter{}, refuse(computed(e), "a filter compares a property with a value")
}

// connective writes AND and OR; of AND within OR there is one level.
func (t *translator) connective(e *sqltree.Binary, not bool) (query.Filter, error) {
	x, err := t.condition(e.X, not)
	if err != nil {
		return query.Filter{}, err
	}
	y, err := t.condition(e.Y, not)
	if err != nil {
		return query.Filter{}, err
	}
	if (e.Op == sqltree.And) != not {
		return query.Filter{AllOf: append(flat(x)[:len(flat(x)):len(flat(x))], flat(y)...)}, nil
	}
	var list []query.Filter
	for _, f := range []query.Filter{x, y} {
		switch {
		case f.AnyOf != nil:
			list = append(list, f.AnyOf...)
		case hasOr(f.AllOf):
			return query.Filter{}, refuse("OR in AND in OR", "filters are nested less deeply")
		default:
			list = append(list, f)
		}
	}
	return query.Filter{AnyOf: list}, nil
}

func hasOr(list []query.Filter) bool {
	for _, f := range list {
		if f.AnyOf != nil {
			return true
		}
	}
	return false
}

// opposites are the operators that are TRUE where others are FALSE.
var opposites = map[sqltree.Op]sqltree.Op{
	sqltree.Equal: sqltree.NotEqual, sqltree.NotEqual: sqltree.Equal,
	sqltree.Less: sqltree.GreaterEq, sqltree.GreaterEq: sqltree.Less,
	sqltree.Greater: sqltree.LessEq, sqltree.LessEq: sqltree.Greater,
	sqltree.Is: sqltree.IsNot, sqltree.IsNot: sqltree.Is,
}

// turned are the operators with the operands in the other order.
var turned = map[sqltree.Op]sqltree.Op{
	sqltree.Less: sqltree.Greater, sqltree.Greater: sqltree.Less,
	sqltree.LessEq: sqltree.GreaterEq, sqltree.GreaterEq: sqltree.LessEq,
}

// written are the operators as queries have them.
var written = map[sqltree.Op]query.Operator{
	sqltree.Equal: query.Equal, sqltree.NotEqual: query.NotEqual, sqltree.Less: query.Less,
	sqltree.Greater: query.Greater, sqltree.LessEq: query.LessOrEqual, sqltree.GreaterEq: query.GreaterOrEqual,
}

func (t *translator) comparison(op sqltree.Op, x, y sqltree.Expr, not bool) (query.Filter, error) {
	if _, ok := x.(*sqltree.Literal); ok {
		x, y = y, x
		if other, ok := turned[op]; ok {
			op = other
		}
	}
	if not {
		op = opposites[op]
	}
	l, ok := y.(*sqltree.Literal)
	if !ok {
		if _, is := t.property(y); is {
			return query.Filter{}, refuse("comparison of columns", "a filter compares a property with a value")
		}
		return query.Filter{}, refuse(computed(y), "a filter compares a property with a value")
	}
	p, ok := t.property(x)
	if !ok {
		return t.ofPart(op, x, l)
	}
	if op == sqltree.Is || op == sqltree.IsNot {
		return t.is(p, op == sqltree.Is, l)
	}
	v, err := t.literal(p, x, l)
	return query.Filter{Property: p.Name, Operator: written[op], Value: v}, err
}

// is writes IS and IS NOT, which NULL answers too.
func (t *translator) is(p *query.Property, equal bool, l *sqltree.Literal) (query.Filter, error) {
	if l.Value.IsNull() {
		if equal {
			return query.Filter{Property: p.Name, Operator: query.IsNull}, nil
		}
		return query.Filter{Property: p.Name, Operator: query.IsNotNull}, nil
	}
	return query.Filter{}, refuse("IS", "a filter compares with = and !=")
}

// literal returns a literal as a property is compared with it: by the affinity that
// the comparison gives it (datatype3.html, section 4.2).
func (t *translator) literal(p *query.Property, column sqltree.Expr, l *sqltree.Literal) (any, error) {
	affinity := sqltree.Affinity(column)
	_, v := value.Coerce(value.NullValue(), l.Value, affinity, value.AffinityNone)
	switch p.Type {
	case query.Number:
		if v.Kind() == value.Integer || v.Kind() == value.Real {
			return v.Any(), nil
		}
	case query.Boolean:
		if v.Kind() == value.Integer && (v.Int64() == 0 || v.Int64() == 1) {
			return v.Int64() == 1, nil
		}
	default:
		if v.Kind() == value.Text {
			return v.Raw(), nil
		}
	}
	return nil, refuse("comparison of types", "%s is a %s property, and is compared with %s", p.Name, p.Type, l.Value)
}

// truth writes a column that is a condition by itself.
func (t *translator) truth(e *sqltree.Column, not bool) (query.Filter, error) {
	p, ok := t.property(e)
	switch {
	case !ok:
	case p.Type == query.Boolean:
		return query.Filter{Property: p.Name, Operator: query.Equal, Value: !not}, nil
	case p.Type == query.Number && !not:
		return query.Filter{Property: p.Name, Operator: query.NotEqual, Value: int64(0)}, nil
	case p.Type == query.Number:
		return query.Filter{Property: p.Name, Operator: query.Equal, Value: int64(0)}, nil
	}
	return query.Filter{}, refuse("column as a condition", "a filter compares a property with a value")
}

func (t *translator) pattern(e *sqltree.Pattern, not bool) (query.Filter, error) {
	p, ok := t.property(e.X)
	l, isText := e.Y.(*sqltree.Literal)
	switch {
	case e.Op != sqltree.Like:
		return query.Filter{}, refuse(string(e.Op), "a filter has no such operator")
	case e.Escape != nil:
		return query.Filter{}, refuse("ESCAPE", "a pattern has no escape character")
	case !ok || !isText || l.Value.Kind() != value.Text:
		return query.Filter{}, refuse("LIKE", "a filter compares a property with a text")
	case p.Type == query.Number || p.Type == query.Boolean:
		return query.Filter{}, refuse("LIKE", "%s is a %s property", p.Name, p.Type)
	}
	f := query.Filter{Property: p.Name, Operator: query.Like, Value: l.Value.Raw()}
	if not != e.Not {
		f.Operator = query.NotLike
	}
	return f, nil
}

func (t *translator) in(e *sqltree.In, not bool) (query.Filter, error) {
	p, ok := t.property(e.X)
	switch {
	case e.Query != nil:
		return query.Filter{}, refuse("subquery", "a list has values")
	case !ok:
		return query.Filter{}, refuse(computed(e.X), "a filter compares a property with a value")
	case len(e.List) == 0:
		return query.Filter{}, refuse("IN", "the list is empty")
	}
	var list []any
	for _, item := range e.List {
		l, ok := item.(*sqltree.Literal)
		if !ok {
			return query.Filter{}, refuse(computed(item), "a list has values")
		}
		v, err := t.literal(p, e.X, l)
		if err != nil {
			return query.Filter{}, err
		}
		list = append(list, v)
	}
	if p.Type == query.Boolean {
		return query.Filter{}, refuse("IN", "%s is a boolean property", p.Name)
	}
	f := query.Filter{Property: p.Name, Operator: query.In, Value: list}
	switch {
	case len(list) == 1 && not:
		f.Operator, f.Value = query.NotEqual, list[0]
	case len(list) == 1:
		f.Operator, f.Value = query.Equal, list[0]
	case not:
		f.Operator = query.NotIn
	}
	return f, nil
}
