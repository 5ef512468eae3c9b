package randsql

import (
	"fmt"
	"strings"
)

// windowCall draws a window function over the rows that e selects
// (https://www.sqlite.org/windowfunctions.html). Functions that depend on the
// order of peers get an order without any.
func (g *gen) windowCall(e *env, k kind, depth int) string {
	rows := e.plain()
	var call, frame string
	total := false
	switch {
	case e.keys != nil && g.chance(50):
		total = true
		x := g.expr(rows, k, depth)
		call = pick(g,
			"row_number()", "ntile(2)", fmt.Sprintf("lag(%s)", x), fmt.Sprintf("lead(%s, 2)", x),
			fmt.Sprintf("lag(%s, 1, 0)", x), fmt.Sprintf("first_value(%s)", x), fmt.Sprintf("last_value(%s)", x),
			fmt.Sprintf("nth_value(%s, 2)", x), fmt.Sprintf("group_concat('<' || %s)", x))
		frame = g.frame()
	case k == number && g.chance(15):
		c, _ := g.of(rows, number)
		return fmt.Sprintf("%s OVER (ORDER BY %s%s%s RANGE BETWEEN %s%s)", pick(g, "count(*)", "total("+g.summandOver(e)+")")+g.filterOver(e),
			c.sql, pick(g, "", " DESC"), g.nullsPlace(), pick(g, "1 PRECEDING AND 1 FOLLOWING", "2 PRECEDING AND CURRENT ROW", "1 FOLLOWING AND 3 FOLLOWING",
				"0.5 PRECEDING AND 2.5 FOLLOWING", "1.5 FOLLOWING AND UNBOUNDED FOLLOWING"), g.exclusion())
	case k == number && e.keys != nil && g.chance(40):
		total, frame = true, g.frame()
		call = fmt.Sprintf("%s(%s)", pick(g, "total", "sum", "avg", "count"), g.summandOver(e)) + g.filterOver(e)
	case k == number:
		call = pick(g, "rank()", "dense_rank()", "percent_rank()", "cume_dist()", "count(*)"+g.filterOver(e),
			fmt.Sprintf("sum(%s)", g.summandOver(e))+g.filterOver(e), fmt.Sprintf("avg(%s)", g.summandOver(e))+g.filterOver(e), fmt.Sprintf("count(%s)", g.expr(rows, anything, 1)))
	default:
		call = fmt.Sprintf("%s(%s)", pick(g, "min", "max"), g.expr(rows, k, depth))
	}
	var parts, order []string
	if g.chance(50) {
		parts = append(parts, "PARTITION BY "+g.expr(rows, anything, 1))
	}
	for g.chance(70) && len(order) < 3 {
		order = append(order, g.expr(rows, anything, 1)+pick(g, "", " DESC", " ASC")+g.nullsPlace())
	}
	if total {
		order = append(order, e.keys...)
	}
	if len(order) > 0 {
		parts = append(parts, "ORDER BY "+strings.Join(order, ", "))
	}
	if frame != "" {
		parts = append(parts, frame+g.exclusion())
	}
	return fmt.Sprintf("%s OVER (%s)", call, strings.Join(parts, " "))
}

// summandOver is summand where the rows may be groups.
func (g *gen) summandOver(e *env) string {
	if e.rows != nil {
		return "count(*)"
	}
	return g.summand(e)
}

// filterOver draws the FILTER of an aggregate over a window, or none.
func (g *gen) filterOver(e *env) string {
	if !g.chance(25) {
		return ""
	}
	return fmt.Sprintf(" FILTER (WHERE %s)", g.condition(e.plain(), 1))
}

// nullsPlace draws where NULL goes in an ORDER BY.
func (g *gen) nullsPlace() string {
	if !g.chance(30) {
		return ""
	}
	return pick(g, " NULLS FIRST", " NULLS LAST")
}

func (g *gen) exclusion() string {
	if !g.chance(25) {
		return ""
	}
	return " EXCLUDE " + pick(g, "NO OTHERS", "CURRENT ROW", "GROUP", "TIES")
}

func (g *gen) frame() string {
	return pick(g, "", "", "ROWS BETWEEN 1 PRECEDING AND CURRENT ROW", "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING",
		"ROWS UNBOUNDED PRECEDING", "ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING", "ROWS BETWEEN 2 FOLLOWING AND 3 FOLLOWING",
		"ROWS BETWEEN 3 PRECEDING AND 2 PRECEDING", "ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING", "RANGE UNBOUNDED PRECEDING",
		"GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW", "RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING")
}
