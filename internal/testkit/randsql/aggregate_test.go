package randsql

import "fmt"

// aggregate draws an aggregate call over the rows e. What it gives does not
// depend on the order of the rows.
func (g *gen) aggregate(e *env, k kind) string {
	return part(g.draws, "expr", func() string { return g.someAggregate(e, k) })
}

func (g *gen) someAggregate(e *env, k kind) string {
	filter := ""
	if g.chance(12) {
		filter = fmt.Sprintf(" FILTER (WHERE %s)", g.condition(e, 1))
	}
	if k != number && g.chance(90) {
		return fmt.Sprintf("%s(%s)%s", pick(g, "min", "max"), g.expr(e, k, 1), filter)
	}
	switch g.n(9) {
	case 0:
		return "count(*)" + filter
	case 1:
		return fmt.Sprintf("count(%s)%s", g.expr(e, anything, 1), filter)
	case 2:
		return fmt.Sprintf("count(DISTINCT %s)%s", g.expr(e, anything, 1), filter)
	case 3:
		return fmt.Sprintf("%s(%s)%s", pick(g, "min", "max"), g.expr(e, number, 1), filter)
	case 8:
		return fmt.Sprintf("length(group_concat(DISTINCT %s))", g.expr(e, text, 1))
	case 4:
		return fmt.Sprintf("length(group_concat(%s%s)%s)", g.expr(e, text, 1), pick(g, "", ", '--'", ", ''"), filter)
	case 5:
		return fmt.Sprintf("%s(DISTINCT %s)%s", pick(g, "sum", "avg", "total"), g.summand(e), filter)
	}
	return fmt.Sprintf("%s(%s)%s", pick(g, "sum", "avg", "total"), g.summand(e), filter)
}

// summand draws numbers that add up to the same sum in any order.
func (g *gen) summand(e *env) string {
	tame := &env{}
	for _, c := range e.cols {
		if c.tame {
			tame.cols = append(tame.cols, c)
		}
	}
	leaf := func() string {
		if c, ok := g.of(tame, number); ok {
			return c.sql
		}
		return pick(g, "1", "2.5", "NULL")
	}
	switch g.n(5) {
	case 0, 1:
		return leaf()
	case 2:
		return fmt.Sprintf("%s %s %s", leaf(), pick(g, "+", "-", "*"), leaf())
	case 3:
		return g.condition(e, 1)
	}
	return fmt.Sprintf("CASE WHEN %s THEN %s ELSE %s END", g.condition(e, 1), leaf(), pick(g, "0", "NULL", "0.0"))
}
