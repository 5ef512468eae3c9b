package plan

import (
	"slices"

	"github.com/birdcall/birdcall/internal/planner/vocabulary"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// env is where an expression is planned: a relation whose rows it reads.
type env struct {
	b     *builder
	at    around
	rel   *relation // nil over results alone
	group *grouping // set while planning an aggregate query
	first Operand   // without FROM: the result whose one row is rel
	given []Col     // the columns of the outer values, by which windows are parted
}

// scalar plans an expression. Constants are folded; everything else becomes
// derive steps on the relation or on the result of a subquery.
func (e *env) scalar(x sqltree.Expr) (Operand, error) {
	if err := e.b.spend(); err != nil {
		return Operand{}, err
	}
	if e.group != nil {
		if op, ok := e.group.known(x); ok {
			if op.Kind == ColumnOf && slices.Contains(e.group.keys, op.Col) {
				e.group.read(e, op.Col)
			}
			return op, nil
		}
	}
	switch x := x.(type) {
	case *sqltree.Column:
		return e.column(x)
	case *sqltree.Literal:
		return constant(x.Value), nil
	case *sqltree.Clock:
		return e.clock(x.Name), nil
	case *sqltree.Unary:
		if x.Op == sqltree.Not {
			return e.truth(x)
		}
		return e.unary(x)
	case *sqltree.Binary:
		if op, ok := vocabulary.OfOperator(x.Op); ok {
			return e.binary(op, x)
		}
		if x.Op == sqltree.Arrow || x.Op == sqltree.LongArrow {
			return e.call(string(x.Op), []sqltree.Expr{x.X, x.Y})
		}
		return e.truth(x)
	case *sqltree.Call:
		return e.function(x)
	case *sqltree.Cast:
		return e.cast(x)
	case *sqltree.Case:
		return e.caseExpr(x)
	case *sqltree.Collate:
		return e.scalar(x.X) // what compares it asks the tree for the collation
	case *sqltree.Subquery:
		return e.subquery(x)
	case *sqltree.Pattern, *sqltree.Between, *sqltree.In, *sqltree.Exists:
		return e.truth(x)
	case *sqltree.Row:
		return Operand{}, unsupported("row value", "(a, b, ...) as a value is not planned")
	}
	return Operand{}, unsupported("expression", "a %T is not planned", x)
}

func constant(v value.Value) Operand { return Operand{Kind: Constant, Value: v} }

func text(s string) Operand { return constant(value.Str(s)) }

// column plans a column reference.
func (e *env) column(x *sqltree.Column) (Operand, error) {
	name := x.Name
	if x.Table != "" {
		name = x.Table + "." + x.Name
	}
	switch {
	case x.State == sqltree.Ambiguous:
		return Operand{}, unsupported("ambiguous column", "%s is a column of several tables", x.Name)
	case x.State == sqltree.Unknown:
		if x.Name == "" {
			name += `""`
		}
		return Operand{}, unsupported("unknown column", "there is no column %s", name)
	case x.Alias != nil:
		return e.scalar(x.Alias.Expr)
	case x.Coalesced != nil:
		return e.coalesced(x)
	case x.Index == sqltree.RowID:
		return Operand{}, unsupported("unknown column", "the rowid of %s is none of its columns", x.Source.Name)
	case x.Source.Columns[x.Index].Hidden && x.Source.Function:
		return Operand{}, unsupported(tableFunction, "%s is a hidden column of %s, which is not planned", x.Name, x.Source.TableName)
	case x.Source.Columns[x.Index].Hidden:
		return Operand{}, unsupported(fullText, "%s is a hidden column of a virtual table, which is not planned", x.Name)
	}
	if c, found := e.rel.find(x); found {
		if e.group != nil {
			e.group.read(e, c)
		}
		return Operand{Kind: ColumnOf, Col: c}, nil
	}
	return Operand{}, refuse("it reads %s of the query around it", x.Name)
}

// coalesced plans a name that USING or NATURAL gives to several columns.
func (e *env) coalesced(x *sqltree.Column) (Operand, error) {
	ops := make([]Operand, len(x.Coalesced))
	for i, c := range x.Coalesced {
		op, err := e.column(c)
		if err != nil {
			return Operand{}, err
		}
		ops[i] = op
	}
	return e.derive(tools.OpCoalesce, ops[0], Arg{Name: toolname.ArgValues, Values: ops[1:], List: true})
}

func (e *env) unary(x *sqltree.Unary) (Operand, error) {
	op, err := e.scalar(x.X)
	if err != nil {
		return Operand{}, err
	}
	switch x.Op {
	case sqltree.Negate:
		if op.Kind == Constant {
			return constant(value.Negate(op.Value)), nil
		}
		return e.derive(tools.OpNegate, op)
	case sqltree.Plus:
		if op.Kind == Constant {
			return op, nil
		}
		// Unary plus changes nothing but the affinity, which it removes.
		none := constant(value.NullValue())
		return e.derive(tools.OpCoalesce, op, Arg{Name: toolname.ArgValues, Values: []Operand{none}, List: true})
	case sqltree.BitNot:
		if op.Kind == Constant {
			return constant(value.BitNot(op.Value)), nil
		}
		return e.derive(tools.OpBitNot, op)
	}
	return Operand{}, unsupported("operator", "unary %s is not planned", x.Op)
}

// binary plans an operator of two values, which is an operation.
func (e *env) binary(o vocabulary.Operation, x *sqltree.Binary) (Operand, error) {
	l, err := e.scalar(x.X)
	if err != nil {
		return Operand{}, err
	}
	r, err := e.scalar(x.Y)
	if err != nil {
		return Operand{}, err
	}
	if l.Kind == Constant && r.Kind == Constant {
		return constant(o.Compute(l.Value, r.Value)), nil
	}
	if carries(l, r) {
		return e.derive(o.Op, l, Arg{Name: toolname.ArgValue, Values: []Operand{r}})
	}
	args := []Arg{{Name: toolname.ArgValue, Values: []Operand{l}}}
	if !o.Commutes {
		args = append(args, Arg{Name: toolname.ArgSwap, Values: []Operand{constant(value.Int(1))}})
	}
	return e.derive(o.Op, r, args...)
}

// carries reports whether the left operand can be the one that is derived
// from: a column before a result, a result before a constant.
func carries(l, r Operand) bool {
	rank := func(o Operand) int {
		switch {
		case o.Kind == ColumnOf:
			return 2
		case o.Kind == Result:
			return 1
		}
		return 0
	}
	return rank(l) >= rank(r)
}

// derive applies an operation to from. What it is applied to must be a column
// or a result; if an argument reads a column, from becomes one too.
func (e *env) derive(op tools.Operation, from Operand, args ...Arg) (Operand, error) {
	reads := from.Kind == ColumnOf
	for _, a := range args {
		for _, v := range a.Values {
			reads = reads || v.Kind == ColumnOf
		}
	}
	if !reads && from.Kind == Result {
		return e.deriveResult(op, from, args), nil
	}
	if e.rel == nil {
		return e.deriveResult(op, e.carrier(from, args), args), nil
	}
	col := e.columnOf(from)
	return Operand{Kind: ColumnOf, Col: e.rel.add(e.b, op, col, e.hint(from, op), args)}, nil
}

// carrier makes a result of a constant, on the rows of the first result among args.
func (e *env) carrier(from Operand, args []Arg) Operand {
	for _, a := range args {
		for _, v := range a.Values {
			if v.Kind == Result {
				return e.deriveResult(tools.OpConstant, v, []Arg{{Name: toolname.ArgValue, Values: []Operand{from}}})
			}
		}
	}
	return from
}

// add derives a column on the chain, or finds it there.
func (r *relation) add(b *builder, op tools.Operation, from Col, hint string, args []Arg) Col {
	s := &Derive{In: r.step, From: from, Op: op, Args: args}
	key := derivation(s)
	if c, ok := r.derived[key]; ok {
		return c
	}
	r.step = b.making(s, func() {
		s.Out = b.column(hint)
		if op == tools.OpCast || op == tools.OpCopy {
			b.compares[s.Out] = b.compares[from]
		}
	})
	c := b.steps[r.step].(*Derive).Out
	r.derived[key] = c
	return c
}

// deriveResult derives from the one value of a result.
func (e *env) deriveResult(op tools.Operation, from Operand, args []Arg) Operand {
	from = e.single(from)
	s := &Derive{In: from.Step, From: from.Col, Op: op, Args: args}
	id := e.b.making(s, func() { s.Out = e.b.column(e.b.nameOf(from.Col)) })
	return Operand{Kind: Result, Step: id, Col: e.b.steps[id].(*Derive).Out, OneRow: true}
}

// single makes sure that a result has exactly one row: the first one's value,
// or NULL (lang_expr.html, section 11).
func (e *env) single(o Operand) Operand {
	if o.OneRow {
		return o
	}
	s := &Aggregate{In: o.Step, From: o.Col, Func: tools.Max, Limit: 1}
	id := e.b.making(s, func() { s.Out = e.b.column(e.b.nameOf(o.Col)) })
	return Operand{Kind: Result, Step: id, Col: e.b.steps[id].(*Aggregate).Out, OneRow: true}
}

// columnOf makes a column of any operand.
func (e *env) columnOf(o Operand) Col {
	if o.Kind == ColumnOf {
		return o.Col
	}
	if o.Kind == Result && e.first.Kind == Result && o.Step == e.first.Step {
		return o.Col // it is the relation's own column
	}
	return e.rel.add(e.b, tools.OpConstant, None, "value", []Arg{{Name: toolname.ArgValue, Values: []Operand{o}}})
}

// subquery plans a scalar subquery: the first column of its first row.
func (e *env) subquery(x *sqltree.Subquery) (Operand, error) {
	if e.isCorrelated(x.Query) {
		c, err := e.correlate(x.Query, nil, false)
		if err != nil {
			return Operand{}, err
		}
		return c.value()
	}
	o, err := e.list(x.Query)
	if err != nil {
		return Operand{}, err
	}
	if len(o.cols) != 1 {
		return Operand{}, unsupported("row value", "a subquery of %d columns as a value", len(o.cols))
	}
	if !o.oneRow {
		e.b.leaveOpen(Choice{Kind: First, Step: o.step})
	}
	return Operand{Kind: Result, Step: o.step, Col: o.cols[0], OneRow: o.oneRow}, nil
}

// list plans a subquery as a relation.
func (e *env) list(q *sqltree.Query) (output, error) {
	out, err := e.b.statement(q, around{outer: e})
	if err != nil {
		return output{}, err
	}
	return e.b.projected(out), nil
}
