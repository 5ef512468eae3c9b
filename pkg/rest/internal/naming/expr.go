package naming

import (
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/db/sqlfunc"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/rest/internal/template"
	"github.com/birdcall/birdcall/pkg/value"
)

// call returns the phrase for a call of a function. What a function is by itself is in
// package sqlfunc; only what it is called in English is here.
func (w *writer) call(v *view, e *sqltree.Call) string {
	arg := func(i int) string {
		if i < len(e.Args) {
			return w.phrase(v, e.Args[i])
		}
		return "value"
	}
	if e.Over != nil {
		return w.window(v, e)
	}
	if e.Aggregate {
		return w.aggregate(v, e)
	}
	if !w.t.Query.Dialect.DynamicTypes {
		if text, ok := w.postgresCall(v, e); ok {
			return text
		}
	}
	switch sqlfunc.Canonical(e.Name) {
	case "iif":
		if len(e.Args) > 1 {
			c := &sqltree.Case{Whens: []sqltree.When{{Cond: e.Args[0], Then: e.Args[1]}}}
			if len(e.Args) > 2 {
				c.Else = e.Args[2]
			}
			return w.choice(v, c)
		}
	case "strftime":
		if len(e.Args) > 1 && isClock(e) {
			return "current " + datePart(e.Args[0])
		}
		return datePart(e.Args[0]) + " of " + the(arg(1))
	case "date", "datetime", "time", "julianday", "unixepoch":
		switch {
		case isClock(e) || len(e.Args) == 0:
			return "current " + pick(e.Name == "time", "time", "date")
		case e.Name == "julianday" || e.Name == "date" && hasWords(arg(0), "date"):
			return arg(0)
		}
		return pick(e.Name == "datetime", "date and time", pick(e.Name == "unixepoch", "second", e.Name)) + " of " + the(arg(0))
	case "substr":
		return w.part(v, e) + " of " + the(arg(0))
	case "instr":
		return "position of " + arg(1) + " in " + the(arg(0))
	case "length":
		return "length of " + the(arg(0))
	case "abs":
		return "absolute value of " + the(arg(0))
	case "round":
		if w.names || len(e.Args) < 2 {
			return arg(0)
		}
		return arg(0) + " (rounded to " + w.phrase(v, e.Args[1]) + " decimals)"
	case "coalesce":
		var list []string
		for i := range e.Args {
			list = append(list, arg(i))
		}
		return strings.Join(list, " or where that is missing ")
	case "nullif":
		return arg(0) + " unless it is " + arg(1)
	case "replace":
		return arg(0) + " with " + arg(2) + " in the place of " + arg(1)
	case "upper", "lower":
		return arg(0) + " in " + e.Name + " case"
	case "trim", "ltrim", "rtrim":
		return arg(0)
	case "printf":
		return arg(len(e.Args) - 1)
	case "min", "max":
		var list []string
		for i := range e.Args {
			list = append(list, arg(i))
		}
		return pick(e.Name == "min", "smaller", "larger") + " of " + Enumerate(list)
	}
	if len(e.Args) == 0 {
		return spelledOr(e.Name, "value")
	}
	return spelledOr(e.Name, "value") + " of " + the(arg(0))
}

// part says which characters substr takes; the first four of a day are its year.
func (w *writer) part(v *view, e *sqltree.Call) string {
	number := func(i int) (int64, bool) {
		if i < len(e.Args) {
			if l, ok := e.Args[i].(*sqltree.Literal); ok && l.Value.Kind() == value.Integer {
				return l.Value.Int64(), true
			}
		}
		return 0, false
	}
	from, okFrom := number(1)
	size, okSize := number(2)
	if okFrom && okSize && from >= 1 && size >= 1 && isDateName(w.phrase(v, e.Args[0])) {
		switch [2]int64{from, size} {
		case [2]int64{1, 4}:
			return "year"
		case [2]int64{6, 2}, [2]int64{5, 2}:
			return "month"
		case [2]int64{1, 7}:
			return "year and month"
		case [2]int64{1, 10}:
			return "day"
		}
	}
	switch {
	case okFrom && okSize && from == 1 && size >= 1:
		return "first " + value.AsText(value.Int(size)) + " characters"
	case okFrom && okSize && from >= 1 && size >= 1:
		return "characters " + value.AsText(value.Int(from)) + " to " + value.AsText(value.Int(from+size-1))
	case okFrom && from < 0 && len(e.Args) == 2:
		return "last " + value.AsText(value.Int(-from)) + " characters"
	}
	return "part"
}

// datePart says what a format of strftime gives
// (https://www.sqlite.org/lang_datefunc.html).
func datePart(format sqltree.Expr) string {
	if !template.IsText(format) {
		return "date"
	}
	switch format.(*sqltree.Literal).Value.Raw() {
	case "%Y":
		return "year"
	case "%m":
		return "month"
	case "%d":
		return "day of the month"
	case "%H":
		return "hour"
	case "%M":
		return "minute"
	case "%S":
		return "second"
	case "%Y-%m", "%Y%m":
		return "year and month"
	case "%m-%d", "%m/%d":
		return "month and day"
	case "%J":
		return "day number"
	case "%j":
		return "day of the year"
	case "%w":
		return "weekday"
	}
	return "date"
}

// binary returns the phrase for an operator's value.
func (w *writer) binary(v *view, e *sqltree.Binary) string {
	if r, ok := w.ratio(v, e); ok {
		return r
	}
	if text, ok := w.shifted(v, e); ok {
		return text
	}
	x, y := e.X, e.Y
	switch e.Op {
	case sqltree.Add, sqltree.Subtract, sqltree.Multiply, sqltree.Divide:
		if text, ok := w.parsed(v, e); ok {
			return text
		}
	}
	switch e.Op {
	case sqltree.Divide:
		return w.phrase(v, x) + " divided by " + the(w.phrase(v, unguarded(y)))
	case sqltree.Subtract:
		switch {
		case isClock(x) && !isClock(y):
			return since(w.phrase(v, y))
		case isBirth(w.phrase(v, y)) && isDateName(w.phrase(v, x)):
			return "age at the " + strings.TrimPrefix(w.phrase(v, x), "year of the ") + " (since the " + strings.TrimPrefix(w.phrase(v, y), "year of the ") + ")"
		case w.names:
			return w.phrase(v, x) + " minus " + w.phrase(v, y)
		}
		return "difference between " + the(w.phrase(v, x)) + " and " + the(w.phrase(v, y))
	case sqltree.Add:
		if w.names {
			return w.phrase(v, x) + " plus " + w.phrase(v, y)
		}
		return "sum of " + the(w.phrase(v, x)) + " and " + the(w.phrase(v, y))
	case sqltree.Multiply:
		if isOne(y) {
			return w.phrase(v, x) // makes a REAL of it
		}
		if isOne(x) {
			return w.phrase(v, y)
		}
		return w.phrase(v, x) + " times " + the(w.phrase(v, y))
	case sqltree.Modulo:
		return "remainder of " + the(w.phrase(v, x)) + " by " + w.phrase(v, y)
	case sqltree.Concat:
		return w.concatenation(v, e)
	case sqltree.BitAnd, sqltree.BitOr, sqltree.ShiftLeft, sqltree.ShiftRight, sqltree.Arrow, sqltree.LongArrow:
		return w.phrase(v, x) + " " + string(e.Op) + " " + w.phrase(v, y)
	}
	return "whether " + w.full(v, e)
}

// since says how long ago something is: years since the birthday.
func since(then string) string {
	if isBirth(then) {
		return "age (years since the " + strings.TrimPrefix(then, "year of the ") + ")"
	}
	for _, unit := range []string{"year", "month", "day"} {
		if rest, ok := strings.CutPrefix(then, unit+" of "); ok {
			return unit + "s since " + rest
		}
	}
	return "time since " + the(then)
}

// isBirth reports whether a phrase is that of the day on which somebody was born.
func isBirth(phrase string) bool {
	return slices.ContainsFunc(words(phrase), func(w string) bool { return w == "birth" || w == "birthday" || w == "birthdate" })
}

// parsed returns the phrase for a number that is read from texts by their parts,
// such as seconds from 1:23.456.
func (w *writer) parsed(v *view, e sqltree.Expr) (string, bool) {
	cuts, whole := false, true
	var list []string
	sqltree.Walk(e, func(x sqltree.Expr) bool {
		switch x := x.(type) {
		case *sqltree.Call:
			cuts = cuts || sqlfunc.Canonical(x.Name) == "substr"
			whole = whole && !x.Aggregate && x.Over == nil
		case *sqltree.Column:
			if text := w.phrase(v, x); !slices.Contains(list, text) {
				list = append(list, text)
			}
		}
		whole = whole && sqltree.SubqueryOf(x) == nil && w.t.ParamAt(x) < 0
		return true
	})
	if !cuts || !whole || len(list) == 0 {
		return "", false
	}
	return Enumerate(list) + " read as a number", true
}

// concatenation names texts that are put together, without what is between
// them.
func (w *writer) concatenation(v *view, e *sqltree.Binary) string {
	var list []string
	var walk func(e sqltree.Expr)
	walk = func(e sqltree.Expr) {
		switch x := e.(type) {
		case *sqltree.Binary:
			if x.Op == sqltree.Concat {
				walk(x.X)
				walk(x.Y)
				return
			}
		case *sqltree.Literal:
			if strings.TrimSpace(x.Value.Raw()) == "" {
				return
			}
		}
		list = append(list, w.phrase(v, e))
	}
	walk(e)
	text := Enumerate(list)
	if len(list) == 2 && hasWords(list[0], "first") && hasWords(list[1], "last") {
		if w.names {
			return "full name"
		}
		return "full name (" + text + ")"
	}
	if len(list) > 1 && !w.names {
		return text + " as one text"
	}
	return text
}

// choice returns the phrase for a CASE.
func (w *writer) choice(v *view, e *sqltree.Case) string {
	if w.names {
		for _, x := range append([]sqltree.Expr{e.Whens[0].Then}, e.Else) {
			if x != nil && len(sourcesIn(v.s, x)) > 0 {
				return w.phrase(v, x)
			}
		}
		if e.Operand != nil {
			return w.phrase(v, e.Operand) + " label"
		}
		return w.phraseOfTest(v, e.Whens[0].Cond) + " label"
	}
	if len(e.Whens) == 1 && e.Else != nil && isNull(e.Whens[0].Then) {
		if b, ok := e.Whens[0].Cond.(*sqltree.Binary); ok && b.Op == sqltree.Equal && sqltree.Key(b.X) == sqltree.Key(e.Else) {
			return w.phrase(v, e.Else) + " (unless that is " + w.phrase(v, b.Y) + ")"
		}
	}
	var list []string
	for _, when := range e.Whens {
		test := ""
		if e.Operand != nil {
			test = the(w.phrase(v, e.Operand)) + " is " + w.phrase(v, when.Cond)
		} else {
			test = w.full(v, when.Cond)
		}
		list = append(list, w.phrase(v, when.Then)+" where "+test)
	}
	if l, ok := e.Else.(*sqltree.Literal); e.Else != nil && (!ok || !l.Value.IsNull()) {
		list = append(list, "else "+w.phrase(v, e.Else))
	}
	return strings.Join(list, ", ")
}

// phraseOfTest names what a condition tests.
func (w *writer) phraseOfTest(v *view, e sqltree.Expr) string {
	for {
		children := sqltree.Children(e)
		if _, ok := e.(*sqltree.Column); ok || len(children) == 0 {
			return w.phrase(v, e)
		}
		if c, ok := e.(*sqltree.Call); ok {
			return w.phrase(v, c)
		}
		e = children[0]
	}
}

// window returns the phrase for a window function.
func (w *writer) window(v *view, e *sqltree.Call) string {
	text := ""
	arg := "row"
	if len(e.Args) > 0 {
		arg = w.phrase(v, e.Args[0])
	}
	switch e.Name {
	case "row_number", "rank", "dense_rank":
		text = "rank"
	case "lag":
		text = "previous " + arg
	case "lead":
		text = "next " + arg
	case "first_value", "last_value":
		text = strings.TrimSuffix(e.Name, "_value") + " " + arg
	case "sum":
		text = pick(len(e.Over.OrderBy) > 0, "running total of ", "total ") + arg
	case "count":
		text = numberOf + w.rowNoun(v)
	default:
		text = spelled(e.Name)
		if len(e.Args) > 0 {
			text = aggregateWord(e.Name, arg) + " " + arg
		}
	}
	if w.names {
		return text
	}
	if len(e.Over.OrderBy) > 0 {
		text += " by " + w.sorting(v, e.Over.OrderBy)
	}
	if len(e.Over.Partition) > 0 {
		var list []string
		for _, x := range e.Over.Partition {
			list = append(list, w.phrase(v, x))
		}
		text += " within each " + Enumerate(list)
	}
	return text
}

func isOne(e sqltree.Expr) bool {
	return template.IsNumber(e) && value.ToFloat64(e.(*sqltree.Literal).Value) == 1
}

func isHundred(e sqltree.Expr) bool {
	return template.IsNumber(e) && value.ToFloat64(e.(*sqltree.Literal).Value) == 100
}
