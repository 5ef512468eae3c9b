package randsql

import (
	"fmt"
	"strings"
)

// literals are constants by kind.
var literals = [kinds][]string{
	number:   {"1", "0", "TRUE", "0x10", "2", "-1", "7", "2.5", "0.5", "'7'", "NULL", "1e3", "9007199254740993"},
	text:     {"'a'", "'b'", "''", "'007'", "'NA'", "' 1'", "'Abc'", "'1e3'", "NULL", "'it''s'"},
	date:     {"'2020-01-31'", "'2020-01-31 10:20:30'", "'2019-12-31'", "'nonsense'", "NULL"},
	anything: {"1", "'a'", "x'61'", "2.5", "NULL", "''"},
}

func (g *gen) literal(k kind) string { return pick(g, literals[k]...) }

// expr draws an expression of a kind, at most so deep.
func (g *gen) expr(e *env, k kind, depth int) string {
	return part(g.draws, "expr", func() string { return g.someExpr(e, k, depth) })
}

func (g *gen) someExpr(e *env, k kind, depth int) string {
	if depth <= 0 || !g.chance(60) {
		return g.leaf(e, k)
	}
	if e.window && g.chance(15) {
		return g.windowCall(e, k, depth-1)
	}
	if g.chance(15) {
		return g.choice(e, k, depth-1)
	}
	if g.chance(3) {
		return g.expr(e, k, depth-1) + pick(g, " COLLATE NOCASE", " COLLATE BINARY", " COLLATE RTRIM")
	}
	switch k {
	case number:
		return g.numeric(e, depth-1)
	case text:
		return g.textual(e, depth-1)
	case date:
		return g.dated(e, depth-1)
	}
	return g.expr(e, kind(g.n(int(kinds)-1)), depth-1)
}

func (g *gen) leaf(e *env, k kind) string {
	if e.rows != nil && g.chance(70) {
		return g.aggregate(e.rows, k)
	}
	if g.chance(25) {
		return g.literal(k)
	}
	if c, ok := g.of(e, k); ok {
		if g.leaves++; g.leaves == g.strange {
			return "strange(" + c.sql + ")"
		}
		return c.sql
	}
	return g.literal(k)
}

// choice draws what chooses between values, for any kind.
func (g *gen) choice(e *env, k kind, depth int) string {
	x := func() string { return g.expr(e, k, depth) }
	cond := func() string { return g.condition(e, depth) }
	switch g.n(9) {
	case 0:
		return fmt.Sprintf("coalesce(%s, %s)", x(), x())
	case 1:
		return fmt.Sprintf("nullif(%s, %s)", x(), x())
	case 2:
		return fmt.Sprintf("iif(%s, %s, %s)", cond(), x(), x())
	case 3:
		return fmt.Sprintf("CASE WHEN %s THEN %s ELSE %s END", cond(), x(), x())
	case 4:
		return fmt.Sprintf("CASE WHEN %s THEN %s WHEN %s THEN %s END", cond(), x(), cond(), x())
	case 5:
		return fmt.Sprintf("CASE %s WHEN %s THEN %s ELSE %s END", x(), x(), x(), x())
	case 6:
		return fmt.Sprintf("%s(%s, %s)", pick(g, "max", "min"), x(), x())
	case 7:
		return fmt.Sprintf("ifnull(%s, %s)", x(), x())
	}
	if q, ok := g.scalarQuery(e, k); ok {
		return q
	}
	return x()
}

func (g *gen) numeric(e *env, depth int) string {
	x := func() string { return g.expr(e, number, depth) }
	s := func() string { return g.expr(e, text, depth) }
	switch g.n(15) {
	case 12, 13:
		return "(" + g.chain(e, number) + ")"
	case 14:
		return g.ofJSON(e, number, depth)
	case 0, 1, 2:
		return fmt.Sprintf("(%s %s %s)", x(), pick(g, "+", "-", "*", "/", "%"), x())
	case 3:
		return fmt.Sprintf("length(%s)", g.expr(e, anything, depth))
	case 4:
		return fmt.Sprintf("instr(%s, %s)", s(), s())
	case 5:
		return fmt.Sprintf("round(%s%s)", x(), pick(g, "", ", 1", ", 0"))
	case 6:
		return fmt.Sprintf("abs(%s)", x())
	case 7:
		return fmt.Sprintf("CAST(%s AS %s)", g.expr(e, anything, depth), pick(g, "INTEGER", "REAL", "NUMERIC", "DECIMAL(10,2)"))
	case 8:
		return fmt.Sprintf("(%s%s)", pick(g, "- ", "+ ", "~ "), x())
	case 9:
		return fmt.Sprintf("(%s %s %s)", x(), pick(g, "&", "|", "<<", ">>"), x())
	case 10:
		return fmt.Sprintf("%s(%s)", pick(g, "julianday", "unixepoch"), g.dateArgs(e, depth))
	}
	return "(" + g.condition(e, depth) + ")"
}

// chain draws operators without parentheses: which binds tighter is up to
// SQLite (lang_expr.html, section 2).
func (g *gen) chain(e *env, k kind) string {
	sql := g.leaf(e.columns(), k)
	for range 1 + g.n(3) {
		op := pick(g, "+", "-", "*", "||", "<", "=", "AND", "OR", "&", "<>", "/", ">=", "|", "<<", "%", "==", "IS", "IS NOT", "LIKE")
		sql += " " + op + " " + pick(g, "", "", "- ", "", "~ ", "NOT ") + g.leaf(e.columns(), k)
	}
	return sql
}

func (g *gen) textual(e *env, depth int) string {
	x := func() string { return g.expr(e, text, depth) }
	switch g.n(14) {
	case 12:
		return g.json(e, depth)
	case 13:
		return g.ofJSON(e, text, depth)
	case 10:
		return fmt.Sprintf("printf(%s, %s, %s)", pick(g, "'%s-%s'", "'%d|%5.2f'", "'%08.3f %x'", "'%-5s|%5s|'"), g.expr(e, anything, depth), g.expr(e, anything, depth))
	case 11:
		return fmt.Sprintf("%s(%s)", pick(g, "hex", "quote"), g.expr(e, anything, depth))
	case 0, 1:
		return fmt.Sprintf("(%s || %s)", x(), g.expr(e, anything, depth))
	case 2:
		return fmt.Sprintf("%s(%s)", pick(g, "upper", "lower", "trim", "ltrim", "rtrim"), x())
	case 3:
		return fmt.Sprintf("substr(%s, %s)", x(), pick(g, "1, 2", "2", "-1", "0, 2", "2, -1", "-3, 2", g.expr(e, number, depth)))
	case 4:
		return fmt.Sprintf("replace(%s, %s, %s)", x(), x(), x())
	case 5:
		return fmt.Sprintf("CAST(%s AS %s)", g.expr(e, anything, depth), pick(g, "TEXT", "BLOB", "VARCHAR(3)"))
	case 6:
		return fmt.Sprintf("typeof(%s)", g.expr(e, anything, depth))
	case 7:
		return fmt.Sprintf("%s(%s, %s)", pick(g, "trim", "ltrim", "rtrim"), x(), pick(g, "'a'", "' 0'", "''", x()))
	case 8:
		return g.expr(e, date, depth)
	}
	return fmt.Sprintf("strftime(%s, %s)", pick(g, "'%Y'", "'%m'", "'%Y-%m'", "'%j %H:%M:%S'", "'%w %%'", "'%d'"), g.dateArgs(e, depth))
}

func (g *gen) dated(e *env, depth int) string {
	return fmt.Sprintf("%s(%s)", pick(g, "date", "datetime", "time"), g.dateArgs(e, depth))
}

// dateArgs draws a time and its modifiers (lang_datefunc.html).
func (g *gen) dateArgs(e *env, depth int) string {
	args := g.expr(e, date, depth)
	if g.chance(5) {
		args = pick(g, "'now'", "CURRENT_TIMESTAMP", "CURRENT_DATE")
	}
	for range g.n(3) {
		args += ", " + pick(g, "'+1 day'", "'start of month'", "'-1 month'", "'+1 year'", "'weekday 0'", "'start of year'", "'+90 minutes'", "'nonsense'")
	}
	return args
}

// condition draws an expression where a truth value is wanted.
func (g *gen) condition(e *env, depth int) string {
	return part(g.draws, "condition", func() string { return g.someCondition(e, depth) })
}

func (g *gen) someCondition(e *env, depth int) string {
	k := kind(g.n(int(kinds)))
	if depth > 0 && g.chance(45) {
		x := func() string { return g.condition(e, depth-1) }
		switch g.n(5) {
		case 0, 1:
			return fmt.Sprintf("(%s AND %s)", x(), x())
		case 2, 3:
			return fmt.Sprintf("(%s OR %s)", x(), x())
		}
		return fmt.Sprintf("NOT (%s)", x())
	}
	x := func() string { return g.expr(e, k, min(depth, 2)-1) }
	switch g.n(19) {
	case 17:
		return g.rowValue(e, k, x)
	case 18:
		if g.queries > 0 && e.rows == nil && g.chance(50) {
			g.queries--
			return fmt.Sprintf("(SELECT %s WHERE %s)", pick(g, "count(*)", "max(1)", "1", "'a'"), x())
		}
		return fmt.Sprintf("%s %sIN (VALUES (%s), (%s))", x(), pick(g, "", "NOT "), g.literal(k), g.literal(k))
	case 16:
		return g.chain(e, k)
	case 0, 1, 2, 3:
		return fmt.Sprintf("%s %s %s", x(), pick(g, "=", "<>", "<", "<=", ">", ">=", "!=", "=="), x())
	case 4:
		return fmt.Sprintf("%s %s", x(), pick(g, "IS NULL", "IS NOT NULL", "ISNULL", "NOTNULL", "NOT NULL"))
	case 5:
		return fmt.Sprintf("%s %sBETWEEN %s AND %s", x(), pick(g, "", "NOT "), x(), x())
	case 6:
		list := []string{g.literal(k), g.literal(k)}
		for range g.n(3) {
			list = append(list, x())
		}
		return fmt.Sprintf("%s %sIN (%s)", x(), pick(g, "", "NOT "), strings.Join(list, ", "))
	case 7:
		return fmt.Sprintf("%s %sLIKE %s", x(), pick(g, "", "NOT "), pick(g, "'%a%'", "'a'", "'_'", "'%'", "'%0_'", "'a!%' ESCAPE '!'", "''", x()))
	case 8:
		return fmt.Sprintf("%s %sGLOB %s", x(), pick(g, "", "NOT "), pick(g, "'*a*'", "'?'", "'[a-c]*'", "'*'", x()))
	case 9:
		return fmt.Sprintf("%s %s %s", x(), pick(g, "IS", "IS NOT", "IS DISTINCT FROM", "IS NOT DISTINCT FROM"), x())
	case 10:
		return fmt.Sprintf("%s IS %s", x(), pick(g, "TRUE", "FALSE", "NOT TRUE", "NOT FALSE"))
	case 11:
		return x()
	case 12:
		collate := pick(g, "", " COLLATE NOCASE", " COLLATE BINARY", " COLLATE RTRIM")
		return fmt.Sprintf(pick(g, "%s%s = %s", "%s%s < %s", "%s%s IN (%s)", "%[1]s = %[3]s%[2]s"), x(), collate, x())
	case 13, 14:
		if g.chance(50) {
			if q, ok := g.amongKeys(e); ok {
				return q
			}
		}
		if q, ok := g.listQuery(e, k); ok {
			return fmt.Sprintf("%s %sIN %s", x(), pick(g, "", "NOT "), q)
		}
	}
	if q, ok := g.rowsQuery(e); ok {
		return fmt.Sprintf("%sEXISTS %s", pick(g, "", "NOT "), q)
	}
	return fmt.Sprintf("%s = %s", x(), x())
}

// rowValue draws a comparison of row values (https://www.sqlite.org/rowvalue.html).
func (g *gen) rowValue(e *env, k kind, x func() string) string {
	switch not := pick(g, "", "NOT "); g.n(4) {
	case 0:
		return fmt.Sprintf("(%s, %s) %sIN (VALUES (%s, %s), (%s, %s))", x(), x(), not, g.literal(k), g.literal(k), g.literal(k), g.literal(k))
	case 1:
		if q, ok := g.subquery(e, queryOptions{depth: 1, kinds: []kind{k, k}}); ok {
			return fmt.Sprintf("(%s, %s) %sIN %s", x(), x(), not, q)
		}
	case 2:
		return fmt.Sprintf("(%s, %s) %sBETWEEN (%s, %s) AND (%s, %s)", x(), x(), not, x(), x(), x(), x())
	}
	return fmt.Sprintf("(%s, %s) %s (%s, %s)", x(), x(), pick(g, "=", "<>", "<", "<=", ">", ">=", "IS", "IS NOT"), x(), x())
}
