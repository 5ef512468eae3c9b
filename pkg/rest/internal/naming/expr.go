package naming

import (
	"slices"
	"strings"

	"github.com/birdcall/birdcall/pkg/rest/internal/template"
)

// expr returns the words for an expression.
func (p phrases) expr(e *template.Expr) []string {
	list := p.operand(e)
	return slices.Clip(list[:min(len(list), maxPhrase)])
}

func (p phrases) operand(e *template.Expr) []string {
	switch e.Kind {
	case template.Name, template.Quoted:
		if e.Column != nil {
			return p.column(e.Column)
		}
		return orValue(words(e.Op))
	case template.Call:
		return p.call(e)
	case template.Cast, template.Collate, template.Unary, template.In, template.Is, template.Like, template.Between:
		return p.expr(e.Args[0])
	case template.Binary:
		return p.binary(e)
	case template.Case:
		test := e.Operand
		if test == nil {
			test = e.Args[0]
		}
		return p.choice(test, e.Args[1])
	case template.Subquery:
		return p.query(e.Query)
	case template.Exists:
		return append(p.query(e.Query), "exists")
	}
	return []string{"value"}
}

// query returns the words for the first column of a subquery.
func (p phrases) query(q *template.Query) []string {
	first := q.Selects[0]
	if first == nil || len(first.Columns) == 0 {
		return []string{"value"}
	}
	p.from = first.MainTable()
	return p.expr(first.Columns[0].Expr)
}

func (p phrases) call(e *template.Expr) []string {
	var arg []string
	if len(e.Args) > 0 {
		arg = p.expr(e.Args[0])
	}
	join := func(before string, list []string) []string { return dedupe(append(words(before), list...)) }
	if e.Window {
		switch e.Op {
		case "row_number", "rank", "dense_rank", "percent_rank", "ntile":
			return words(e.Op)
		case "lag":
			return join("previous", arg)
		case "lead":
			return join("next", arg)
		case "sum":
			return join("running total", arg)
		}
	}
	switch e.Op {
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
		return orValue(words(e.Op))
	}
	return arg
}

// count names what COUNT counts: rows of a table if it is given a key or *.
func (p phrases) count(e *template.Expr) []string {
	list := p.table(p.from)
	if len(e.Args) == 1 && e.Args[0].Column != nil {
		base := e.Args[0].Column.Base()
		switch list = p.column(base); {
		case base.Info != nil && base.Info.PrimaryKey > 0:
			list = p.table(base.Table())
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

// isTest reports whether an expression counts where a condition holds.
func isTest(e *template.Expr) bool {
	switch e.Kind {
	case template.Binary:
		return e.IsComparison() || e.Op == "AND" || e.Op == "OR"
	case template.Case:
		return !hasWords(e.Args[1])
	case template.Call:
		return e.Op == "iif" && len(e.Args) > 1 && !hasWords(e.Args[1])
	case template.Like, template.Is, template.In, template.Between:
		return true
	}
	return false
}

// hasWords reports whether an expression is more than a literal.
func hasWords(e *template.Expr) bool {
	if e.Kind == template.Unary {
		return hasWords(e.Args[0])
	}
	return !e.IsLiteral()
}

// choice names what a CASE or IIF gives: the column that it picks, or a label
// for what it tests.
func (p phrases) choice(test, then *template.Expr) []string {
	if hasWords(then) {
		return p.expr(then)
	}
	return append(slices.Clone(p.expr(test)), "label")
}

func (p phrases) binary(e *template.Expr) []string {
	x, y := e.Args[0], e.Args[1]
	switch {
	case !hasWords(y):
		if e.Op == "*" && isHundred(y) && isRatio(x) {
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
func isClock(e *template.Expr) bool {
	switch e.Kind {
	case template.Clock:
		return true
	case template.String:
		return strings.EqualFold(e.Value.Raw(), "now")
	case template.Cast, template.Call:
		return slices.ContainsFunc(e.Args, isClock)
	}
	return false
}

func isHundred(e *template.Expr) bool {
	return e.Kind == template.Number && (e.Op == "100" || e.Op == "100.0")
}

// hasHundred reports whether an expression is multiplied by 100.
func hasHundred(e *template.Expr) bool {
	switch e.Kind {
	case template.Binary:
		return e.Op == "*" && slices.ContainsFunc(e.Args, isHundred) || hasHundred(e.Args[0])
	case template.Cast:
		return hasHundred(e.Args[0])
	}
	return false
}

func isRatio(e *template.Expr) bool {
	if e.Kind == template.Cast {
		return isRatio(e.Args[0])
	}
	return e.Kind == template.Binary && e.Op == "/"
}

// datePart says what a format of strftime gives
// (https://www.sqlite.org/lang_datefunc.html).
func datePart(format *template.Expr) []string {
	if format.Kind != template.String {
		return nil
	}
	switch format.Value.Raw() {
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
