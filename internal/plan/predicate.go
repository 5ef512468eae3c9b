package plan

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/xwb1989/sqlparser"

	"github.com/birdcall/birdcall/internal/dialect"
	"github.com/birdcall/birdcall/pkg/value"
)

// predicate is a condition whose columns are all planned: a tree of AND and OR
// over leaves, NOT pushed down. A leaf has no kids.
type predicate struct {
	or   bool // with kids: any of them, else all of them
	kids []*predicate

	col       Col
	condition string
	args      []Operand
	escape    string
	collation string
}

// where filters the relation by conjuncts, one after the other.
func (e *env) where(conj []sqlparser.Expr) error {
	for _, c := range conj {
		if done, err := e.whereExists(c, false); done || err != nil {
			if err != nil {
				return err
			}
			continue
		}
		p, err := e.predicate(c, false)
		if err != nil {
			return err
		}
		e.rel.step = e.b.filter(e.rel.step, p)
	}
	return nil
}

// whereExists keeps the rows for which a correlated EXISTS, or IN, holds. It
// does nothing for other conditions.
func (e *env) whereExists(x sqlparser.Expr, not bool) (done bool, err error) {
	switch x := dialect.Bare(x).(type) {
	case *sqlparser.NotExpr:
		return e.whereExists(x.Expr, !not)
	case *sqlparser.ExistsExpr:
		if c, err := e.correlatedExists(x); c != nil || err != nil {
			if err == nil {
				c.filter(not)
			}
			return true, err
		}
	case *sqlparser.ComparisonExpr:
		if x.Operator == sqlparser.InStr && !not {
			if c, err := e.correlatedIn(x); c != nil || err != nil {
				if err == nil {
					c.filter(false)
				}
				return true, err
			}
		}
	}
	return false, nil
}

// correlatedExists plans an EXISTS that reads the row around it; nil if it
// reads none.
func (e *env) correlatedExists(x *sqlparser.ExistsExpr) (*correlation, error) {
	if _, err := e.list(x.Subquery, false); !isCorrelated(err) || e.rel == nil {
		return nil, nil
	}
	stmt, _ := e.q.stmt.SubqueryOf(x.Subquery)
	return e.correlate(stmt, nil, true)
}

// correlatedIn plans left IN (subquery) where the subquery reads the row
// around it; nil if it reads none. It holds where the IN is TRUE.
func (e *env) correlatedIn(x *sqlparser.ComparisonExpr) (*correlation, error) {
	q, ok := x.Right.(*sqlparser.Subquery)
	if !ok || x.Operator != sqlparser.InStr || e.rel == nil {
		return nil, nil
	}
	if _, err := e.list(q, true); !isCorrelated(err) {
		return nil, nil
	}
	left, err := e.scalar(x.Left)
	if err != nil {
		return nil, err
	}
	col := e.columnOf(plain(left))
	stmt, _ := e.q.stmt.SubqueryOf(q)
	if c := stmt.Cores[0].Select.SelectExprs; len(c) != 1 {
		return nil, refuse("IN with a subquery of several columns")
	}
	return e.correlate(stmt, &col, true)
}

// filter appends the steps that keep the rows for which p is TRUE.
func (b *builder) filter(in StepID, p *predicate) StepID {
	switch {
	case len(p.kids) == 0:
		return b.add(&Filter{In: in, Col: p.col, Condition: p.condition, Args: p.args, Escape: p.escape, Collation: p.collation})
	case p.or:
		out := b.filter(in, p.kids[0])
		for _, k := range p.kids[1:] {
			if other := b.filter(in, k); other != out {
				out = b.add(&Either{A: out, B: other})
			}
		}
		return out
	}
	for _, k := range p.kids {
		in = b.filter(in, k)
	}
	return in
}

// predicate plans a condition; not asks for where it is FALSE.
func (e *env) predicate(x sqlparser.Expr, not bool) (*predicate, error) {
	switch x := dialect.Bare(x).(type) {
	case *sqlparser.AndExpr:
		return e.connect(not, not, x.Left, x.Right)
	case *sqlparser.OrExpr:
		return e.connect(!not, not, x.Left, x.Right)
	case *sqlparser.NotExpr:
		return e.predicate(x.Expr, !not)
	case *sqlparser.ComparisonExpr:
		if x.Operator == sqlparser.InStr && !not {
			if c, err := e.correlatedIn(x); c != nil || err != nil {
				return c.test(err, false)
			}
		}
		p, err := e.comparison(x)
		return negated(p, not), err
	case *sqlparser.ExistsExpr:
		if c, err := e.correlatedExists(x); c != nil || err != nil {
			return c.test(err, not)
		}
	case *sqlparser.RangeCond:
		p, err := e.between(x)
		return negated(p, not), err
	case *sqlparser.IsExpr:
		return e.is(x, not)
	}
	op, err := e.scalar(x)
	if err != nil {
		return nil, err
	}
	return negated(e.leaf("is_true", op), not), nil
}

func negated(p *predicate, not bool) *predicate {
	if not && p != nil {
		p.condition = opposite[p.condition]
	}
	return p
}

func (e *env) connect(or, not bool, parts ...sqlparser.Expr) (*predicate, error) {
	out := &predicate{or: or}
	for _, x := range parts {
		p, err := e.predicate(x, not)
		if err != nil {
			return nil, err
		}
		if len(p.kids) > 0 && p.or == or {
			out.kids = append(out.kids, p.kids...)
		} else {
			out.kids = append(out.kids, p)
		}
	}
	if or {
		out.kids = mergeEqualities(out.kids)
		if len(out.kids) == 1 {
			return out.kids[0], nil
		}
	}
	return out, nil
}

// mergeEqualities turns x = 1 OR x = 2 into x IN (1, 2), which compares alike
// (lang_expr.html, section 7).
func mergeEqualities(kids []*predicate) []*predicate {
	var out []*predicate
	for _, k := range kids {
		merged := false
		if k.isConstantEquality() {
			for i, o := range out {
				if o.col == k.col && o.collation == k.collation && (o.isConstantEquality() || o.condition == "in" && constants(o.args)) {
					out[i] = &predicate{col: o.col, condition: "in", args: append(slices.Clone(o.args), k.args...), collation: o.collation}
					merged = true
					break
				}
			}
		}
		if !merged {
			out = append(out, k)
		}
	}
	return out
}

func (p *predicate) isConstantEquality() bool {
	return len(p.kids) == 0 && p.condition == "equal_to" && constants(p.args)
}

func constants(ops []Operand) bool {
	for _, o := range ops {
		if o.Kind != Constant {
			return false
		}
	}
	return true
}

// leaf tests one operand, which becomes a column if it is not one.
func (e *env) leaf(condition string, left Operand, args ...Operand) *predicate {
	p := &predicate{condition: condition, collation: left.Collation}
	for i := range args {
		if p.collation == "" {
			p.collation = args[i].Collation
		}
		args[i] = plain(args[i])
	}
	p.col, p.args = e.columnOf(left), args
	return p
}

func (e *env) comparison(x *sqlparser.ComparisonExpr) (*predicate, error) {
	condition, ok := comparisons[x.Operator]
	if !ok {
		return nil, unsupported("operator", "%s is not planned", x.Operator)
	}
	if err := checkReach(x.Left, x.Right); err != nil {
		return nil, err
	}
	left, err := e.scalar(x.Left)
	if err != nil {
		return nil, err
	}
	if condition == "in" || condition == "not_in" {
		return e.in(condition, left, x.Right)
	}
	right, err := e.scalar(x.Right)
	if err != nil {
		return nil, err
	}
	if left.Kind != ColumnOf && right.Kind == ColumnOf && mirrored[condition] != "" {
		if left.Collation != "" {
			right.Collation = left.Collation // the left side's COLLATE counts first
		}
		condition, left, right = mirrored[condition], right, plain(left)
	}
	p := e.leaf(condition, left, right)
	if x.Escape != nil {
		esc, err := e.scalar(x.Escape)
		if err != nil {
			return nil, err
		}
		if p.escape = value.AsText(esc.Value); esc.Kind != Constant || utf8.RuneCountInString(p.escape) != 1 {
			return nil, unsupported("ESCAPE", "the escape character must be a constant of one character")
		}
	}
	return p, nil
}

func (e *env) in(condition string, left Operand, right sqlparser.Expr) (*predicate, error) {
	if q, ok := right.(*sqlparser.Subquery); ok {
		o, err := e.list(q, true)
		if err != nil {
			return nil, err
		}
		if len(o.cols) != 1 {
			return nil, unsupported("row value", "IN with a subquery of %d columns", len(o.cols))
		}
		return e.leaf(condition, left, Operand{Kind: Result, Step: o.step, Col: o.cols[0]}), nil
	}
	var args []Operand
	for _, x := range right.(sqlparser.ValTuple) {
		op, err := e.scalar(x)
		if err != nil {
			return nil, err
		}
		args = append(args, plain(op))
	}
	if len(args) == 1 && args[0].Kind == Constant {
		condition = map[string]string{"in": "equal_to", "not_in": "not_equal_to"}[condition]
	}
	return e.leaf(condition, left, args...), nil
}

func (e *env) between(x *sqlparser.RangeCond) (*predicate, error) {
	if err := checkReach(x.Left, x.From, x.To); err != nil {
		return nil, err
	}
	var ops [3]Operand
	for i, part := range []sqlparser.Expr{x.Left, x.From, x.To} {
		op, err := e.scalar(part)
		if err != nil {
			return nil, err
		}
		ops[i] = op
	}
	condition := "between"
	if strings.HasPrefix(x.Operator, "not") {
		condition = "not_between"
	}
	return e.leaf(condition, ops[0], ops[1], ops[2]), nil
}

// is plans IS [NOT] NULL and IS [NOT] TRUE or FALSE.
func (e *env) is(x *sqlparser.IsExpr, not bool) (*predicate, error) {
	var condition string
	switch x.Operator {
	case sqlparser.IsNullStr:
		condition = "is_null"
	case sqlparser.IsNotNullStr:
		condition = "is_not_null"
	case sqlparser.IsTrueStr:
		return e.isTruth(x.Expr, "is_true", not)
	case sqlparser.IsFalseStr:
		return e.isTruth(x.Expr, "is_false", not)
	case sqlparser.IsNotTrueStr:
		return e.isTruth(x.Expr, "is_true", !not)
	case sqlparser.IsNotFalseStr:
		return e.isTruth(x.Expr, "is_false", !not)
	}
	op, err := e.scalar(x.Expr)
	if err != nil {
		return nil, err
	}
	return negated(e.leaf(condition, op), not), nil
}

// isTruth plans x IS TRUE and its like, which are never NULL: their opposite
// is the other truth value or NULL.
func (e *env) isTruth(x sqlparser.Expr, condition string, not bool) (*predicate, error) {
	op, err := e.scalar(x)
	if err != nil {
		return nil, err
	}
	if !not {
		return e.leaf(condition, op), nil
	}
	return &predicate{or: true, kids: []*predicate{e.leaf(opposite[condition], op), e.leaf("is_null", op)}}, nil
}

// truth plans a condition as a value: 1, 0 or NULL.
func (e *env) truth(x sqlparser.Expr) (Operand, error) {
	switch x := dialect.Bare(x).(type) {
	case *sqlparser.AndExpr:
		return e.truthOf("and", x.Left, x.Right)
	case *sqlparser.OrExpr:
		return e.truthOf("or", x.Left, x.Right)
	case *sqlparser.NotExpr:
		op, err := e.scalar(x.Expr)
		if err != nil {
			return Operand{}, err
		}
		if op.Kind == Constant {
			return constant(value.TruthOf(op.Value).Not().Value()), nil
		}
		return e.derive("not", plain(op))
	case *sqlparser.ExistsExpr:
		return e.exists(x)
	case *sqlparser.ComparisonExpr:
		if c, err := e.correlatedIn(x); c != nil || err != nil {
			// A match or none does not tell FALSE from NULL.
			return Operand{}, cmp.Or(err, refuse("IN as a value reads the query around it"))
		}
	case *sqlparser.IsExpr:
		if x.Operator == sqlparser.IsNotTrueStr || x.Operator == sqlparser.IsNotFalseStr {
			return e.caseOf(x, constant(value.Int(1)), constant(value.Int(0)))
		}
		if x.Operator == sqlparser.IsTrueStr || x.Operator == sqlparser.IsFalseStr {
			return e.caseOf(x, constant(value.Int(1)), constant(value.Int(0)))
		}
	}
	if e.rel == nil {
		return Operand{}, unsupported("condition without FROM", "a comparison of subqueries as a value is not planned")
	}
	p, err := e.predicate(x, false)
	if err != nil {
		return Operand{}, err
	}
	return e.derive(p.condition, Operand{Kind: ColumnOf, Col: p.col}, p.testArgs()...)
}

// testArgs are the arguments of a leaf that is derived as a value.
func (p *predicate) testArgs() []Arg {
	var args []Arg
	switch {
	case p.condition == "in" || p.condition == "not_in":
		isList := !(len(p.args) == 1 && p.args[0].Kind == Result)
		args = append(args, Arg{Name: "value", Values: p.args, List: isList})
	case len(p.args) > 1:
		args = append(args, Arg{Name: "value", Values: p.args, List: true})
	case len(p.args) == 1:
		args = append(args, Arg{Name: "value", Values: p.args})
	}
	if p.escape != "" {
		args = append(args, Arg{Name: "escape", Values: []Operand{text(p.escape)}})
	}
	if p.collation != "" {
		args = append(args, Arg{Name: "collation", Values: []Operand{text(p.collation)}})
	}
	return args
}

func (e *env) truthOf(op string, left, right sqlparser.Expr) (Operand, error) {
	l, err := e.scalar(left)
	if err != nil {
		return Operand{}, err
	}
	r, err := e.scalar(right)
	if err != nil {
		return Operand{}, err
	}
	if l.Kind == Constant && r.Kind == Constant {
		if op == "and" {
			return constant(value.TruthOf(l.Value).And(value.TruthOf(r.Value)).Value()), nil
		}
		return constant(value.TruthOf(l.Value).Or(value.TruthOf(r.Value)).Value()), nil
	}
	if !carries(l, r) {
		l, r = r, l
	}
	return e.derive(op, plain(l), Arg{Name: "value", Values: []Operand{plain(r)}})
}

// exists plans EXISTS as 1 or 0: whether the subquery has a row.
func (e *env) exists(x *sqlparser.ExistsExpr) (Operand, error) {
	o, err := e.list(x.Subquery, false)
	if isCorrelated(err) && e.rel != nil {
		return e.caseOf(x, constant(value.Int(1)), constant(value.Int(0)))
	}
	if err != nil {
		return Operand{}, err
	}
	n := e.countRows(o.step)
	return e.deriveResult("greater_than", n, []Arg{{Name: "value", Values: []Operand{constant(value.Int(0))}}}), nil
}
