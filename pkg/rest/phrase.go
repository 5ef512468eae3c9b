package rest

import (
	"slices"
	"strings"

	"github.com/sqlc-dev/meyer/ast"

	"github.com/birdcall/birdcall/internal/sqlite"
	"github.com/birdcall/birdcall/pkg/bird"
)

// phrases puts expressions into words, from what the dataset calls its columns.
type phrases struct {
	db   *bird.Database
	from *sqlite.Table // of the statement at hand: what COUNT(*) counts
}

// maxWords bounds the words for one column.
const maxWords = 7

// table returns the noun for one row of a table.
func (p phrases) table(t *sqlite.Table) []string {
	if t == nil {
		return []string{"row"}
	}
	list := words(t.Name)
	if described := p.db.Table(t.Name); described != nil && len(words(described.Readable)) > 0 {
		list = words(described.Readable)
	}
	if len(list) == 0 {
		return []string{"row"}
	}
	out := slices.Clone(list)
	out[len(out)-1] = singular(out[len(out)-1])
	return out
}

// column returns the words for a column. A word that many tables use, such as
// name, comes with the table's.
func (p phrases) column(c *column) []string {
	c = c.base()
	if c.expr != nil {
		if list := words(c.name); isTelling(list) {
			return list
		}
		return p.expr(c.expr, c.scope)
	}
	if c.from == nil || c.from.table == nil {
		return orValue(words(c.name))
	}
	table := c.from.table
	list := p.readable(table.Name, c.name)
	noun := p.table(table)
	if len(list) == 0 || isGeneric(list) && !slices.Contains(list, noun[len(noun)-1]) {
		list = append(slices.Clone(noun), list...)
	}
	return list
}

// readable returns the dataset's name of a column in words. What the dataset
// explains and not only repeats goes before the column's own name.
func (p phrases) readable(table, column string) []string {
	own := words(column)
	if len(own) == 1 && own[0] == "id" {
		return own
	}
	d := p.db.Describe(table, column)
	list := withoutArticle(words(d.Readable))
	if len(list) == 0 || strings.Join(list, "") == strings.Join(own, "") {
		list = own
		if explained := withoutArticle(words(d.Description)); !isTelling(own) && len(explained) > 0 && len(explained) <= maxWords {
			list = explained
		}
	}
	if len(list) > maxWords {
		list = list[:maxWords]
	}
	for len(list) > 1 && isStop(list[len(list)-1]) {
		list = list[:len(list)-1]
	}
	return list
}

func withoutArticle(list []string) []string {
	for len(list) > 1 && (list[0] == "the" || list[0] == "a" || list[0] == "an") {
		list = list[1:]
	}
	return list
}

// isTelling reports whether a name says something to a reader: it has a word
// of three letters.
func isTelling(list []string) bool {
	return slices.ContainsFunc(list, func(w string) bool {
		return len(strings.Trim(w, "0123456789")) >= 3
	})
}

// isGeneric reports whether a name could be a column of anything.
func isGeneric(list []string) bool {
	if len(list) != 1 {
		return false
	}
	switch list[0] {
	case "id", "name", "code", "type", "title", "date", "time", "status", "description", "text", "label",
		"number", "value", "count", "amount", "url", "year", "month", "day", "state", "class", "notes", "note",
		"category", "format", "language", "score", "position", "level", "method", "location", "address",
		"phone", "email", "kind", "group", "points", "rank", "grade", "size", "comment", "remark":
		return true
	}
	return len(list[0]) < 3
}

func orValue(list []string) []string {
	if len(list) == 0 {
		return []string{"value"}
	}
	return list
}

// expr returns the words for an expression.
func (p phrases) expr(e ast.Expr, s *scope) []string {
	switch e := unwrap(e).(type) {
	case *ast.Ident, *ast.QualifiedRef:
		if c := s.reference(e); c != nil {
			return p.column(c)
		}
		if id, ok := e.(*ast.Ident); ok {
			return orValue(words(id.Name))
		}
	case *ast.FuncCall:
		return p.function(e, s)
	case *ast.CastExpr:
		return p.expr(e.X, s)
	case *ast.CollateExpr:
		return p.expr(e.X, s)
	case *ast.UnaryExpr:
		return p.expr(e.X, s)
	case *ast.BinaryExpr:
		return p.binary(e, s)
	case *ast.CaseExpr:
		return p.choice(e, s)
	case *ast.SubqueryExpr:
		return p.query(e.Select, s)
	case *ast.ExistsExpr:
		return append(p.query(e.Select, s), "exists")
	case *ast.InExpr:
		return p.expr(e.X, s)
	case *ast.IsExpr:
		return p.expr(e.X, s)
	case *ast.LikeExpr:
		return p.expr(e.X, s)
	case *ast.BetweenExpr:
		return p.expr(e.X, s)
	case *ast.NullCheckExpr:
		return p.expr(e.X, s)
	}
	return []string{"value"}
}

// query returns the words for the first column of a subquery.
func (p phrases) query(q *ast.SelectStmt, outer *scope) []string {
	core, ok := q.Cores[0].(*ast.SelectQuery)
	if !ok || len(core.Columns) == 0 {
		return []string{"value"}
	}
	s := outer.inner[core]
	if s == nil {
		return []string{"value"}
	}
	p.from = s.mainTable()
	return p.expr(core.Columns[0].Expr, s)
}

func (p phrases) function(f *ast.FuncCall, s *scope) []string {
	name := fold(f.Name.Name)
	var arg []string
	if len(f.Args) > 0 {
		arg = p.expr(f.Args[0], s)
	}
	join := func(before string, list []string) []string { return dedupe(append(words(before), list...)) }
	if f.Over != nil {
		switch name {
		case "row_number", "rank", "dense_rank", "percent_rank", "ntile":
			return words(name)
		case "lag":
			return join("previous", arg)
		case "lead":
			return join("next", arg)
		case "sum":
			return join("running total", arg)
		}
	}
	switch name {
	case "count":
		return p.count(f, s)
	case "sum", "total":
		if len(f.Args) > 0 && isTest(f.Args[0]) {
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
		if len(f.Args) > 1 {
			return append(p.expr(f.Args[1], s), datePart(f.Args[0])...)
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
		if len(f.Args) > 1 {
			return p.result(f.Args[0], f.Args[1], s)
		}
	}
	if len(arg) == 0 {
		return orValue(words(name))
	}
	return arg
}

func pick(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

func isDateName(list []string) bool {
	return len(list) > 0 && (slices.Contains(list, "date") || slices.Contains(list, "birthday") || slices.Contains(list, "time"))
}

// count names what COUNT counts: rows of a table if it is given a key or *.
func (p phrases) count(f *ast.FuncCall, s *scope) []string {
	list := p.table(p.from)
	if len(f.Args) == 1 && !isTest(f.Args[0]) {
		if c := s.reference(f.Args[0]); c != nil {
			base := c.base()
			switch list = p.column(c); {
			case base.info != nil && base.info.PrimaryKey > 0:
				list = p.table(base.from.table)
			case len(list) > 1 && list[len(list)-1] == "id":
				list = list[:len(list)-1] // of what it refers to
			}
		}
	}
	list = append(slices.Clone(list), "count")
	if f.Distinct {
		list = append([]string{"distinct"}, list...)
	}
	return list
}

// isTest reports whether an expression counts where a condition holds.
func isTest(e ast.Expr) bool {
	switch e := unwrap(e).(type) {
	case *ast.BinaryExpr:
		return comparison(e.Op) != "" || e.Op == ast.OpAnd || e.Op == ast.OpOr
	case *ast.CaseExpr:
		return len(e.Whens) > 0 && !hasName(e.Whens[0].Then)
	case *ast.FuncCall:
		return fold(e.Name.Name) == "iif" && len(e.Args) > 1 && !hasName(e.Args[1])
	case *ast.LikeExpr, *ast.IsExpr, *ast.InExpr, *ast.BetweenExpr, *ast.NullCheckExpr:
		return true
	}
	return false
}

func hasName(e ast.Expr) bool {
	switch e := unwrap(e).(type) {
	case *ast.Literal:
		return false
	case *ast.UnaryExpr:
		return hasName(e.X)
	}
	return true
}

func (p phrases) choice(e *ast.CaseExpr, s *scope) []string {
	test := e.Operand
	if test == nil {
		test = e.Whens[0].When
	}
	return p.result(test, e.Whens[0].Then, s)
}

// result names what a CASE or IIF gives: the column that it picks, or a label
// for what it tests.
func (p phrases) result(test, then ast.Expr, s *scope) []string {
	if hasName(then) {
		return p.expr(then, s)
	}
	return append(slices.Clone(p.expr(test, s)), "label")
}

func (p phrases) binary(e *ast.BinaryExpr, s *scope) []string {
	x, y := unwrap(e.X), unwrap(e.Y)
	switch {
	case !hasName(y):
		if e.Op == ast.OpMul && isHundred(y) && isRatio(x) {
			return append([]string{"percentage", "of"}, pluralize(p.table(p.from))...)
		}
		return p.expr(x, s)
	case !hasName(x):
		return p.expr(y, s)
	}
	a, b := p.expr(x, s), p.expr(y, s)
	switch e.Op {
	case ast.OpDiv:
		switch {
		case hasHundred(x):
			return append([]string{"percentage", "of"}, pluralize(p.table(p.from))...)
		case slices.Equal(a, b):
			return append(slices.Clone(a), "ratio")
		}
		return slices.Concat(a, []string{"per"}, b)
	case ast.OpSub:
		if isClock(x) {
			return append([]string{"time", "since"}, b...)
		}
		if slices.Equal(a, b) {
			return append(slices.Clone(a), "difference")
		}
		return slices.Concat(a, []string{"minus"}, b)
	case ast.OpAdd:
		return slices.Concat(a, []string{"plus"}, b)
	case ast.OpMul:
		return slices.Concat(a, []string{"times"}, b)
	case ast.OpConcat:
		if slices.Contains(a, "first") && slices.Contains(b, "last") {
			return []string{"full", "name"}
		}
		return slices.Concat(a, []string{"and"}, b)
	}
	return a
}

// isClock reports whether an expression reads the clock and nothing else.
func isClock(e ast.Expr) bool {
	switch e := unwrap(e).(type) {
	case *ast.Literal:
		return e.Kind == ast.LitCurrentDate || e.Kind == ast.LitCurrentTime || e.Kind == ast.LitCurrentTimestamp ||
			e.Kind == ast.LitString && fold(e.Value) == "now"
	case *ast.CastExpr:
		return isClock(e.X)
	case *ast.FuncCall:
		return slices.ContainsFunc(e.Args, isClock)
	}
	return false
}

func isHundred(e ast.Expr) bool {
	l, ok := unwrap(e).(*ast.Literal)
	return ok && (l.Raw == "100" || l.Raw == "100.0")
}

// hasHundred reports whether an expression is multiplied by 100.
func hasHundred(e ast.Expr) bool {
	switch e := unwrap(e).(type) {
	case *ast.BinaryExpr:
		return e.Op == ast.OpMul && (isHundred(e.X) || isHundred(e.Y)) || hasHundred(e.X)
	case *ast.CastExpr:
		return hasHundred(e.X)
	}
	return false
}

func isRatio(e ast.Expr) bool {
	switch e := unwrap(e).(type) {
	case *ast.BinaryExpr:
		return e.Op == ast.OpDiv
	case *ast.CastExpr:
		return isRatio(e.X)
	}
	return false
}

// datePart says what a format of strftime gives
// (https://www.sqlite.org/lang_datefunc.html).
func datePart(format ast.Expr) []string {
	l, ok := format.(*ast.Literal)
	if !ok {
		return nil
	}
	switch l.Value {
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
