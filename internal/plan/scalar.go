package plan

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/xwb1989/sqlparser"

	"github.com/birdcall/birdcall/internal/dialect"
	"github.com/birdcall/birdcall/pkg/value"
)

// env is where an expression is planned: a relation whose rows it reads, and
// what its names may mean.
type env struct {
	b       *builder
	q       query
	rel     *relation // nil without FROM
	aliases []item    // result columns, which names may fall back to
	group   *grouping // set while planning an aggregate query
	first   Operand   // without FROM: the result whose one row is rel
}

// scalar plans an expression. Constants are folded; everything else becomes
// derive steps on the relation or on the result of a subquery.
func (e *env) scalar(x sqlparser.Expr) (Operand, error) {
	if err := e.b.spend(); err != nil {
		return Operand{}, err
	}
	x = dialect.Bare(x)
	if e.group != nil {
		if op, ok := e.group.known(x); ok {
			if op.Kind == ColumnOf && containsCol(e.group.keys, op.Col) {
				e.group.read(e, op.Col)
			}
			return op, nil
		}
	}
	switch x := x.(type) {
	case *sqlparser.ColName:
		return e.name(dialect.NameOf(x))
	case *sqlparser.SQLVal:
		return literal(x)
	case *sqlparser.NullVal:
		return constant(value.NullValue()), nil
	case sqlparser.BoolVal:
		return constant(value.Bool(bool(x))), nil
	case *sqlparser.UnaryExpr:
		return e.unary(x)
	case *sqlparser.BinaryExpr:
		return e.binary(x)
	case *sqlparser.FuncExpr:
		return e.function(x)
	case *sqlparser.CaseExpr:
		return e.caseExpr(x)
	case *sqlparser.CollateExpr:
		op, err := e.scalar(x.Expr)
		op.Collation = strings.ToLower(x.Charset)
		return op, err
	case *sqlparser.Subquery:
		return e.subquery(x)
	case *sqlparser.ComparisonExpr, *sqlparser.RangeCond, *sqlparser.IsExpr, *sqlparser.AndExpr,
		*sqlparser.OrExpr, *sqlparser.NotExpr, *sqlparser.ExistsExpr:
		return e.truth(x)
	case sqlparser.ValTuple:
		return Operand{}, unsupported("row value", "(a, b, ...) as a value is not planned")
	}
	return Operand{}, unsupported("expression", "a %T is not planned", x)
}

func constant(v value.Value) Operand { return Operand{Kind: Constant, Value: v} }

func text(s string) Operand { return constant(value.Str(s)) }

// literal reads a literal. An integer beyond 64 bits is a real, as in SQLite.
func literal(x *sqlparser.SQLVal) (Operand, error) {
	s := string(x.Val)
	switch x.Type {
	case sqlparser.StrVal:
		return text(s), nil
	case sqlparser.IntVal:
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return constant(value.Int(n)), nil
		}
		f, _ := strconv.ParseFloat(s, 64)
		return constant(value.Float(f)), nil
	case sqlparser.FloatVal:
		f, _ := strconv.ParseFloat(s, 64)
		return constant(value.Float(f)), nil
	case sqlparser.HexVal:
		blob, err := x.HexDecode()
		if err != nil {
			return Operand{}, unsupported("blob literal", "x'%s' is not hexadecimal", s)
		}
		return constant(value.Bytes(string(blob))), nil
	}
	return Operand{}, unsupported("literal", "%q is not planned", s)
}

// name resolves a column reference (lang_expr.html, section 3.1): a column of
// FROM, else a result column's alias, else what surrounds the statement, else,
// in double quotes, a text.
func (e *env) name(n dialect.Name) (Operand, error) {
	if e.rel != nil {
		switch c, found := e.rel.find(n); {
		case found == 1:
			if e.group != nil {
				e.group.read(e, c)
			}
			return Operand{Kind: ColumnOf, Col: c}, nil
		case found > 1:
			return Operand{}, unsupported("ambiguous column", "%s is a column of several tables", n.Column)
		}
	}
	if err := e.hiddenColumn(n); err != nil {
		return Operand{}, err
	}
	if n.Table == "" {
		for i := range e.aliases {
			if it := &e.aliases[i]; it.expr != nil && strings.EqualFold(it.alias, n.Column) {
				columns := *e
				columns.aliases = nil // an alias stands for no other one
				return columns.scalar(it.expr)
			}
		}
	}
	for o := e.q.outer; o != nil; o = o.q.outer {
		if o.rel == nil {
			continue
		}
		if _, found := o.rel.find(n); found > 0 {
			return Operand{}, refuse("it reads %s of the query around it", n.Column)
		}
	}
	if n.Quoted && !isRowID(n.Column) {
		return text(n.Column), nil
	}
	switch strings.ToLower(n.Column) {
	case "true", "false":
		if n.Table == "" {
			return constant(value.Bool(strings.EqualFold(n.Column, "true"))), nil
		}
	}
	return Operand{}, unsupported("unknown column", "there is no column %s", strings.TrimPrefix(n.Table+"."+n.Column, "."))
}

func (e *env) unary(x *sqlparser.UnaryExpr) (Operand, error) {
	op, err := e.scalar(x.Expr)
	if err != nil {
		return Operand{}, err
	}
	switch strings.TrimSpace(x.Operator) {
	case "-":
		if op.Kind == Constant {
			return constant(value.Negate(op.Value)), nil
		}
		return e.derive("negate", op)
	case "+":
		if op.Kind == Constant {
			return op, nil
		}
		// Unary plus changes nothing but the affinity, which it takes away.
		none := constant(value.NullValue())
		return e.derive("coalesce", op, Arg{Name: "values", Values: []Operand{none}, List: true})
	case "~":
		if op.Kind == Constant {
			return constant(value.BitNot(op.Value)), nil
		}
		return e.derive("bit_not", op)
	}
	return Operand{}, unsupported("operator", "unary %s is not planned", x.Operator)
}

func (e *env) binary(x *sqlparser.BinaryExpr) (Operand, error) {
	op, ok := binary[x.Operator]
	if !ok {
		return Operand{}, unsupported("operator", "%s is not planned", x.Operator)
	}
	l, err := e.scalar(x.Left)
	if err != nil {
		return Operand{}, err
	}
	r, err := e.scalar(x.Right)
	if err != nil {
		return Operand{}, err
	}
	if l.Kind == Constant && r.Kind == Constant {
		return constant(fold[op](l.Value, r.Value)), nil
	}
	l, r = plain(l), plain(r)
	if carries(l, r) {
		return e.derive(op, l, Arg{Name: "value", Values: []Operand{r}})
	}
	args := []Arg{{Name: "value", Values: []Operand{l}}}
	if op != "add" && op != "multiply" {
		args = append(args, Arg{Name: "swap", Values: []Operand{constant(value.Int(1))}})
	}
	return e.derive(op, r, args...)
}

// plain drops a COLLATE that an operator does not pass on.
func plain(o Operand) Operand {
	o.Collation = ""
	return o
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

var fold = map[string]func(a, b value.Value) value.Value{
	"add": value.Add, "subtract": value.Subtract, "multiply": value.Multiply, "divide": value.Divide,
	"modulo": value.Modulo, "bit_and": value.BitAnd, "bit_or": value.BitOr,
	"shift_left": value.ShiftLeft, "shift_right": value.ShiftRight, "concat": value.Concat,
}

// derive applies an operation to from. What it is applied to must be a column
// or a result; if an argument reads a column, from becomes one too.
func (e *env) derive(op string, from Operand, args ...Arg) (Operand, error) {
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

// carrier makes a result of a constant, beside the first result among args.
func (e *env) carrier(from Operand, args []Arg) Operand {
	for _, a := range args {
		for _, v := range a.Values {
			if v.Kind == Result {
				return e.deriveResult("constant", v, []Arg{{Name: "value", Values: []Operand{from}}})
			}
		}
	}
	return from
}

// add derives a column on the chain, or finds it there.
func (r *relation) add(b *builder, op string, from Col, hint string, args []Arg) Col {
	key := fmt.Sprintf("%s %d %+v", op, from, args)
	if c, ok := r.derived[key]; ok {
		return c
	}
	id := b.addMaking(fmt.Sprintf("Derive %d %s", r.step, key), func() Step {
		return &Derive{In: r.step, Out: b.column(hint), From: from, Op: op, Args: args}
	})
	c := b.steps[id].(*Derive).Out
	r.step, r.derived[key] = id, c
	return c
}

// deriveResult derives from the one value of a result.
func (e *env) deriveResult(op string, from Operand, args []Arg) Operand {
	from = e.single(from)
	id := e.b.addMaking(fmt.Sprintf("Derive %d %s %d %+v", from.Step, op, from.Col, args), func() Step {
		return &Derive{In: from.Step, Out: e.b.column(e.b.nameOf(from.Col)), From: from.Col, Op: op, Args: args}
	})
	return Operand{Kind: Result, Step: id, Col: e.b.steps[id].(*Derive).Out, OneRow: true}
}

// single makes sure that a result has exactly one row: the first one's value,
// or NULL (lang_expr.html, section 11).
func (e *env) single(o Operand) Operand {
	if o.OneRow {
		return o
	}
	b := e.b
	id := b.addMaking(fmt.Sprintf("First %d %d", o.Step, o.Col), func() Step {
		return &Aggregate{In: o.Step, Out: b.column(b.nameOf(o.Col)), From: o.Col, Func: "max", Limit: 1}
	})
	return Operand{Kind: Result, Step: id, Col: b.steps[id].(*Aggregate).Out, OneRow: true}
}

// columnOf makes a column of any operand.
func (e *env) columnOf(o Operand) Col { return e.columnNamed(o, "") }

func (e *env) columnNamed(o Operand, name string) Col {
	if o.Kind == ColumnOf {
		return o.Col
	}
	if o.Kind == Result && e.first.Kind == Result && o.Step == e.first.Step {
		return o.Col // it is the relation's own column
	}
	if name == "" {
		name = "value"
	}
	return e.rel.add(e.b, "constant", None, name, []Arg{{Name: "value", Values: []Operand{plain(o)}}})
}

// subquery plans a scalar subquery: the first column of its first row.
func (e *env) subquery(x *sqlparser.Subquery) (Operand, error) {
	o, err := e.list(x, false)
	if isCorrelated(err) && e.rel != nil {
		stmt, _ := e.q.stmt.SubqueryOf(x)
		c, err := e.correlate(stmt, nil, false)
		if err != nil {
			return Operand{}, err
		}
		return c.value()
	}
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

// list plans a subquery as a relation; in says that IN compares with its column.
func (e *env) list(x *sqlparser.Subquery, in bool) (output, error) {
	stmt, table := e.q.stmt.SubqueryOf(x)
	if stmt == nil {
		var err error
		if stmt, err = dialect.Parse("SELECT * FROM [" + table + "]"); err != nil {
			return output{}, err
		}
	}
	out, err := e.b.statement(stmt, query{ctes: e.q.ctes, outer: e, compared: in, inList: in})
	if err != nil {
		return output{}, err
	}
	return e.b.projected(out), nil
}
