package convert

import (
	"slices"

	"github.com/birdcall/birdcall/internal/db/sqlfunc"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/value"
)

// aggregated writes a statement whose one row has values of all rows.
func (t *translator) aggregated(q *sqltree.Query, arm *sqltree.Select) error {
	for _, item := range arm.Items {
		a, err := t.aggregate(item.Expr, len(arm.Items) == 1)
		if err != nil {
			return err
		}
		t.value(a)
	}
	// One row has no order, and every limit but none lets it through.
	if q.Limit != nil {
		if limit, ok := count(q.Limit); !ok || limit == 0 || q.Offset != nil {
			return refuse("LIMIT", "there is one result of the aggregations")
		}
	}
	return nil
}

// value adds an aggregation, once, as a column of the answer.
func (t *translator) value(a query.Aggregation) {
	at := slices.Index(t.query.Aggregations, a)
	if at < 0 {
		at = len(t.query.Aggregations)
		t.query.Aggregations = append(t.query.Aggregations, a)
	}
	t.parts = append(t.parts, query.Part{Of: query.PartValues, Place: at})
}

// grouped writes a statement with GROUP BY.
func (t *translator) grouped(q *sqltree.Query, arm *sqltree.Select) error {
	for _, e := range arm.GroupBy {
		p, ok := t.property(groupExpr(arm, e))
		if !ok {
			return refuse("GROUP BY expression", "objects are grouped by properties")
		}
		if !slices.Contains(t.query.GroupBy, p.Name) {
			t.query.GroupBy = append(t.query.GroupBy, p.Name)
		}
	}
	for _, item := range arm.Items {
		if p, ok := t.property(item.Expr); ok {
			if !slices.Contains(t.query.GroupBy, p.Name) {
				return refuse("bare column", "groups have the properties that they are grouped by, and %s is another", p.Name)
			}
			t.parts = append(t.parts, query.Part{Of: query.PartGroups, Property: p.Name})
			continue
		}
		a, err := t.aggregate(item.Expr, false)
		if err != nil {
			return err
		}
		t.value(a)
	}
	switch {
	case arm.Distinct && !t.hasAllKeys():
		return refuse("DISTINCT", "groups are distinct by all that they are grouped by")
	case t.set == query.Paper && len(t.query.GroupBy) > 1:
		return refuse("GROUP BY", "the paper's tool groups by one property")
	case t.set == query.Paper:
		return t.ends(q, "the paper's tool has none")
	}
	for _, o := range q.OrderBy {
		e := orderExpr(arm, o)
		if p, ok := t.property(e); ok {
			if err := t.order(o, query.Order{Property: p.Name}); err != nil {
				return err
			}
			continue
		}
		a, err := t.aggregate(e, false)
		if err != nil {
			return err
		}
		if !slices.Contains(t.query.Aggregations, a) {
			t.query.Aggregations = append(t.query.Aggregations, a)
		}
		if err := t.order(o, query.Order{Aggregation: &a}); err != nil {
			return err
		}
	}
	if err := t.limit(q); err != nil {
		return err
	}
	t.distinct()
	return nil
}

// distinct writes groups of which only the keys are asked for as distinct objects.
func (t *translator) distinct() {
	if len(t.query.Aggregations) > 0 {
		return
	}
	t.query.Properties, t.query.GroupBy, t.query.Distinct = t.query.GroupBy, nil, true
	for i := range t.parts {
		t.parts[i].Of = query.PartObjects
	}
}

// hasAllKeys reports whether the answer has all that groups are grouped by.
func (t *translator) hasAllKeys() bool {
	for _, key := range t.query.GroupBy {
		if !slices.Contains(t.parts, query.Part{Of: query.PartGroups, Property: key}) {
			return false
		}
	}
	return true
}

// groupExpr is what a term of GROUP BY means: its number names a result column.
func groupExpr(arm *sqltree.Select, e sqltree.Expr) sqltree.Expr {
	if sqltree.IsNumber(e) {
		if n, ok := count(e); ok && n >= 1 && n <= len(arm.Items) {
			return arm.Items[n-1].Expr
		}
	}
	return e
}

// metrics are the aggregate functions as queries have them.
var metrics = map[string]query.Metric{
	"count": query.Count, "sum": query.Sum, "avg": query.Mean, "min": query.Min, "max": query.Max,
}

// aggregate writes an aggregate function. If it is alone, what its CASE counts may
// become a filter.
func (t *translator) aggregate(e sqltree.Expr, alone bool) (query.Aggregation, error) {
	var none query.Aggregation
	if c, ok := e.(*sqltree.Column); ok && c.Alias != nil {
		return t.aggregate(c.Alias.Expr, alone)
	}
	call, ok := e.(*sqltree.Call)
	if !ok || !call.Aggregate {
		if _, is := t.property(e); is {
			return none, refuse("bare column", "a column stands beside an aggregate without a group")
		}
		return none, refuse(computed(e), "a query computes aggregates of properties")
	}
	metric, ok := metrics[call.Name]
	switch {
	case !ok || call.Over != nil || call.Filter != nil || len(call.OrderBy) > 0:
		return none, refuse("function "+call.Name, "a query has no such metric")
	case len(call.Args) == 0:
		return t.countObjects()
	case len(call.Args) > 1:
		return none, refuse("function "+call.Name, "a query has no such metric")
	}
	p, ok := t.property(call.Args[0])
	if !ok {
		if alone && !call.Distinct {
			return t.conditional(metric, call.Args[0])
		}
		return none, refuse(computed(call.Args[0]), "a query computes aggregates of properties")
	}
	a := query.Aggregation{Property: p.Name, Metric: metric, Distinct: call.Distinct && metric != query.Min && metric != query.Max}
	return a, t.fitsMetric(p, a)
}

// fitsMetric refuses a metric that the type of a property has not.
func (t *translator) fitsMetric(p *query.Property, a query.Aggregation) error {
	switch {
	case a.Distinct && t.set == query.Paper:
		return refuse("DISTINCT", "the paper's metrics look at all values")
	case slices.Contains(query.Metrics(t.set, p.Type), a.Metric):
		return nil
	}
	return refuse("aggregate of a "+string(p.Type), "%s is a %s property, which has no %s", p.Name, p.Type, a.Metric)
}

// countObjects writes COUNT(*). The paper's tool counts values, so that it takes a
// property that all objects have: one without NULL, or one that a filter compares.
func (t *translator) countObjects() (query.Aggregation, error) {
	if t.set == query.Full {
		return query.Aggregation{Metric: query.Count}, nil
	}
	for _, p := range t.collection.Properties {
		if p.Required {
			return query.Aggregation{Property: p.Name, Metric: query.Count}, nil
		}
	}
	for _, f := range t.query.Filters {
		if f.Property != "" && f.Operator != query.IsNull { // NULL passes no other filter
			return query.Aggregation{Property: f.Property, Metric: query.Count}, nil
		}
	}
	return query.Aggregation{}, refuse("COUNT(*)", "the paper's tool counts values, and %s has no property without NULL", t.collection.Name)
}

// conditional writes the count or the sum of a CASE with one condition, whose other
// rows count nothing, as a filter and a count or sum.
func (t *translator) conditional(metric query.Metric, e sqltree.Expr) (query.Aggregation, error) {
	var none query.Aggregation
	cond, then, other, ok := choice(e)
	if !ok {
		if b, isBinary := e.(*sqltree.Binary); isBinary && metric == query.Sum && opposites[b.Op] != "" {
			return t.counted(b)
		}
		return none, refuse(computed(e), "a query computes aggregates of properties")
	}
	p, isProperty := t.property(then)
	switch {
	case metric == query.Count && isNull(other) && isProperty:
		if err := t.filter(cond); err != nil {
			return none, err
		}
		return query.Aggregation{Property: p.Name, Metric: query.Count}, nil
	case metric == query.Count && isNull(other) && isConstant(then), metric == query.Sum && isZero(other) && isOne(then):
		return t.counted(cond)
	case metric == query.Sum && (isZero(other) || isNull(other)) && isProperty:
		if err := t.filter(cond); err != nil {
			return none, err
		}
		t.assumes = "objects that the condition holds for"
		a := query.Aggregation{Property: p.Name, Metric: query.Sum}
		return a, t.fitsMetric(p, a)
	}
	return none, refuse("CASE", "a query computes aggregates of properties")
}

// counted counts the objects that a condition holds for.
func (t *translator) counted(cond sqltree.Expr) (query.Aggregation, error) {
	if err := t.filter(cond); err != nil {
		return query.Aggregation{}, err
	}
	t.assumes = "objects to count" // of none, sum() is NULL
	return t.countObjects()
}

// filter adds a condition to the filters.
func (t *translator) filter(cond sqltree.Expr) error {
	f, err := t.condition(cond, false)
	if err != nil {
		return err
	}
	t.query.Filters = append(t.query.Filters, flat(f)...)
	if t.set == query.Paper {
		return t.fitsPaper(t.query.Filters)
	}
	return nil
}

// choice returns the parts of CASE WHEN cond THEN then ELSE other END, or of iif().
func choice(e sqltree.Expr) (cond, then, other sqltree.Expr, ok bool) {
	switch e := e.(type) {
	case *sqltree.Case:
		if e.Operand == nil && len(e.Whens) == 1 {
			return e.Whens[0].Cond, e.Whens[0].Then, e.Else, true
		}
	case *sqltree.Call:
		if sqlfunc.Canonical(e.Name) == "iif" && len(e.Args) == 3 {
			return e.Args[0], e.Args[1], e.Args[2], true
		}
	}
	return nil, nil, nil, false
}

func isConstant(e sqltree.Expr) bool {
	l, ok := e.(*sqltree.Literal)
	return ok && !l.Value.IsNull()
}

func isNull(e sqltree.Expr) bool {
	l, ok := e.(*sqltree.Literal)
	return e == nil || ok && l.Value.IsNull()
}

func isInt(e sqltree.Expr, n int64) bool {
	l, ok := e.(*sqltree.Literal)
	return ok && l.Value.Kind() == value.Integer && l.Value.Int64() == n
}

func isZero(e sqltree.Expr) bool { return isInt(e, 0) }
func isOne(e sqltree.Expr) bool  { return isInt(e, 1) }
