package naming

import (
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/sqltree"
	"github.com/birdcall/birdcall/pkg/rest/internal/template"
	"github.com/birdcall/birdcall/pkg/value"
)

// expr returns the words for an expression.
func (p phrases) expr(e sqltree.Expr) []string {
	list := p.operand(e)
	return slices.Clip(list[:min(len(list), maxPhrase)])
}

func (p phrases) operand(e sqltree.Expr) []string {
	switch e := e.(type) {
	case *sqltree.Column:
		return p.column(template.OriginOf(e))
	case *sqltree.Literal:
		switch {
		case e.Quoted:
			return orValue(words(e.Value.Raw()))
		case e.Word:
			return []string{pick(e.Value == value.Bool(true), "true", "false")}
		}
	case *sqltree.Call:
		return p.call(e)
	case *sqltree.Cast, *sqltree.Collate, *sqltree.Unary, *sqltree.In, *sqltree.Pattern, *sqltree.Between:
		return p.expr(sqltree.Children(e)[0])
	case *sqltree.Binary:
		if e.Op == sqltree.Is || e.Op == sqltree.IsNot {
			return p.expr(e.X)
		}
		return p.binary(e)
	case *sqltree.Case:
		test := e.Operand
		if test == nil {
			test = e.Whens[0].Cond
		}
		return p.choice(test, e.Whens[0].Then)
	case *sqltree.Subquery:
		return p.query(e.Query)
	case *sqltree.Exists:
		return append(p.query(e.Query), "exists")
	}
	return []string{"value"}
}

// query returns the words for the first column of a subquery.
func (p phrases) query(q *sqltree.Query) []string {
	first := q.Arms[0]
	if first.Values || len(first.Items) == 0 || first.Items[0].Star {
		return []string{"value"}
	}
	p.from = template.MainTable(first)
	return p.expr(first.Items[0].Expr)
}

func (p phrases) call(e *sqltree.Call) []string {
	var arg []string
	if len(e.Args) > 0 {
		arg = p.expr(e.Args[0])
	}
	join := func(before string, list []string) []string { return dedupe(append(words(before), list...)) }
	if e.Over != nil {
		switch e.Name {
		case "row_number", "rank", "dense_rank", "percent_rank", "ntile":
			return words(e.Name)
		case "lag":
			return join("previous", arg)
		case "lead":
			return join("next", arg)
		case "sum":
			return join("running total", arg)
		}
	}
	switch e.Name {
	case "count":
		return p.count(e)
	case "sum", "total":
		if len(e.Args) > 0 && isTest(e.Args[0]) {
			return append(p.table(p.from), "count")
		}
		return join("total", arg)
	case "avg":
		return join("average", arg)
	case "min":
		return join(pick(isDateName(arg), "earliest", "lowest"), arg)
	case "max":
		return join(pick(isDateName(arg), "latest", "highest"), arg)
	case "strftime":
		if len(e.Args) > 1 {
			return append(p.expr(e.Args[1]), datePart(e.Args[0])...)
		}
	case "length":
		return append(arg, "length")
	case "instr":
		return append(arg, "position")
	case "substr", "substring":
		return append(arg, "part")
	case "group_concat", "string_agg":
		return pluralize(arg)
	case "iif", "if":
		if len(e.Args) > 1 {
			return p.choice(e.Args[0], e.Args[1])
		}
	}
	if len(arg) == 0 {
		return orValue(words(e.Name))
	}
	return arg
}

// count names what COUNT counts: rows of a table if it is given a key or *.
func (p phrases) count(e *sqltree.Call) []string {
	list := p.table(p.from)
	if len(e.Args) == 1 && isBound(e.Args[0]) {
		origin := template.OriginOf(e.Args[0])
		switch list = p.column(origin); {
		case origin.Info != nil && origin.Info.PrimaryKey > 0:
			list = p.table(origin.Table)
		case len(list) > 1 && list[len(list)-1] == "id":
			list = list[:len(list)-1] // of what it refers to
		}
	}
	list = append(slices.Clone(list), "count")
	if e.Distinct {
		list = append([]string{"distinct"}, list...)
	}
	return list
}

func isBound(e sqltree.Expr) bool {
	c, ok := e.(*sqltree.Column)
	return ok && c.State == sqltree.Bound
}

// isTest reports whether an expression counts where a condition holds.
func isTest(e sqltree.Expr) bool {
	switch e := e.(type) {
	case *sqltree.Binary:
		switch e.Op {
		case sqltree.Equal, sqltree.NotEqual, sqltree.Less, sqltree.LessEq, sqltree.Greater, sqltree.GreaterEq,
			sqltree.Is, sqltree.IsNot, sqltree.And, sqltree.Or:
			return true
		}
	case *sqltree.Case:
		return !hasWords(e.Whens[0].Then)
	case *sqltree.Call:
		return e.Name == "iif" && len(e.Args) > 1 && !hasWords(e.Args[1])
	case *sqltree.Pattern, *sqltree.In, *sqltree.Between:
		return true
	}
	return false
}

// hasWords reports whether an expression is more than a literal.
func hasWords(e sqltree.Expr) bool {
	switch e := e.(type) {
	case *sqltree.Unary:
		return hasWords(e.X)
	case *sqltree.Literal:
		return e.Quoted || e.Word
	case *sqltree.Clock:
		return false
	}
	return true
}

// choice names what a CASE or IIF gives: the column that it picks, or a label
// for what it tests.
func (p phrases) choice(test, then sqltree.Expr) []string {
	if hasWords(then) {
		return p.expr(then)
	}
	return append(slices.Clone(p.expr(test)), "label")
}

func (p phrases) binary(e *sqltree.Binary) []string {
	x, y := e.X, e.Y
	switch {
	case !hasWords(y):
		if e.Op == sqltree.Multiply && isHundred(y) && isRatio(x) {
			return append([]string{"percentage", "of"}, pluralize(p.table(p.from))...)
		}
		return p.expr(x)
	case !hasWords(x):
		return p.expr(y)
	}
	a, b := p.expr(x), p.expr(y)
	switch e.Op {
	case "/":
		switch {
		case hasHundred(x):
			return append([]string{"percentage", "of"}, pluralize(p.table(p.from))...)
		case slices.Equal(a, b):
			return append(slices.Clone(a), "ratio")
		}
		return slices.Concat(a, []string{"per"}, b)
	case "-":
		if isClock(x) {
			return append([]string{"time", "since"}, b...)
		}
		if slices.Equal(a, b) {
			return append(slices.Clone(a), "difference")
		}
		return slices.Concat(a, []string{"minus"}, b)
	case "+":
		return slices.Concat(a, []string{"plus"}, b)
	case "*":
		return slices.Concat(a, []string{"times"}, b)
	case "||":
		if slices.Contains(a, "first") && slices.Contains(b, "last") {
			return []string{"full", "name"}
		}
		return slices.Concat(a, []string{"and"}, b)
	}
	return a
}

// isClock reports whether an expression reads the clock and nothing else.
func isClock(e sqltree.Expr) bool {
	switch e := e.(type) {
	case *sqltree.Clock:
		return true
	case *sqltree.Literal:
		return template.IsText(e) && strings.EqualFold(e.Value.Raw(), "now")
	case *sqltree.Cast:
		return isClock(e.X)
	case *sqltree.Call:
		return slices.ContainsFunc(e.Args, isClock)
	}
	return false
}

func isHundred(e sqltree.Expr) bool {
	return template.IsNumber(e) && value.ToFloat64(e.(*sqltree.Literal).Value) == 100
}

// hasHundred reports whether an expression is multiplied by 100.
func hasHundred(e sqltree.Expr) bool {
	switch e := e.(type) {
	case *sqltree.Binary:
		return e.Op == sqltree.Multiply && (isHundred(e.X) || isHundred(e.Y)) || hasHundred(e.X)
	case *sqltree.Cast:
		return hasHundred(e.X)
	}
	return false
}

func isRatio(e sqltree.Expr) bool {
	switch e := e.(type) {
	case *sqltree.Cast:
		return isRatio(e.X)
	case *sqltree.Binary:
		return e.Op == sqltree.Divide
	}
	return false
}

// datePart says what a format of strftime gives
// (https://www.sqlite.org/lang_datefunc.html).
func datePart(format sqltree.Expr) []string {
	if !template.IsText(format) {
		return nil
	}
	switch format.(*sqltree.Literal).Value.Raw() {
	case "%Y":
		return []string{"year"}
	case "%m":
		return []string{"month"}
	case "%d":
		return []string{"day"}
	case "%H":
		return []string{"hour"}
	case "%M":
		return []string{"minute"}
	case "%Y-%m":
		return []string{"month", "of", "year"}
	case "%J", "%j":
		return []string{"day", "number"}
	case "%w":
		return []string{"weekday"}
	}
	return nil
}

func isCall(e sqltree.Expr, name string) bool {
	call, ok := e.(*sqltree.Call)
	return ok && call.Name == name
}
