package randsql

import (
	"fmt"
	"slices"
	"strings"
)

// gen draws one database or one statement. Everywhere the first choice is the
// simplest one, which is what shrinking goes for.
type gen struct {
	*draws
	db      *database
	ctes    []*relation     // common table expressions in scope
	bare    map[string]bool // tables that are in the statement without an alias
	names   int             // aliases given
	queries int             // subqueries that may still be drawn
	loose   bool            // a set operator takes 1 and 1.0 for one value
	leaves  int             // columns drawn in expressions
	strange int             // which of them is the argument of a function, strange
}

// chance is true in so many of a hundred draws.
func (g *gen) chance(percent int) bool { return g.n(100) >= 100-percent }

func pick[T any](g *gen, of ...T) T { return of[g.n(len(of))] }

// name makes a name that nothing else in the statement has.
func (g *gen) name(word string) string {
	g.names++
	return fmt.Sprintf("%s%d", word, g.names)
}

// quoted writes a name in one of SQLite's ways (lang_keywords.html).
func (g *gen) quoted(name string) string {
	plain := !strings.ContainsAny(name, " .-") && !keywords[strings.ToLower(name)]
	switch g.n(8) {
	case 7:
		return "[" + name + "]"
	case 6:
		return "`" + name + "`"
	case 5:
		return quote(name)
	case 4:
		if plain {
			return strings.ToUpper(name)
		}
	}
	if plain {
		return name
	}
	return quote(name)
}

var keywords = map[string]bool{"order": true, "group": true, "select": true}

// ref is something with a value in each row, as it is written in SQL.
type ref struct {
	sql  string
	full string // sql with its table, if it is a column
	name string // the column's name, "" for an expression
	kind kind
	tame bool // its numbers add up exactly in any order
}

// relation is a table, a subquery or a common table expression in FROM.
type relation struct {
	alias string
	cols  []ref
	key   string // the column that identifies its rows, or ""
}

// env is where an expression is.
type env struct {
	cols   []ref
	rows   *env     // what aggregates are computed over; nil where none may be
	keys   []string // columns that identify the rows, if any
	window bool     // window functions may be here
}

// plain is where no window function may be.
func (e *env) plain() *env { return &env{cols: e.cols, rows: e.rows} }

// columns is where only columns and constants may be.
func (e *env) columns() *env { return &env{cols: e.cols} }

// correlates reports whether a subquery may read the columns.
func (e *env) correlates() bool {
	return len(e.cols) > 0 && e.rows == nil && !slices.ContainsFunc(e.cols, func(c ref) bool { return c.full == "" })
}

// of draws a column of a kind, or any column if there is none.
func (g *gen) of(e *env, k kind) (ref, bool) {
	var fit []ref
	for _, c := range e.cols {
		if c.kind == k || k == anything {
			fit = append(fit, c)
		}
	}
	if len(fit) == 0 || g.chance(10) {
		fit = e.cols
	}
	if len(fit) == 0 {
		return ref{}, false
	}
	return pick(g, fit...), true
}
