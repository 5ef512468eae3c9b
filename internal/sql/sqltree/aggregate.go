package sqltree

// findAggregates lists the aggregate calls that belong to an arm.
func (s *Select) findAggregates() {
	visit := func(e Expr) bool {
		c, ok := e.(*Call)
		if ok && c.Aggregate {
			c.arm = s
			s.Aggregates = append(s.Aggregates, c)
			return false
		}
		return true
	}
	for _, it := range s.Items {
		if it != nil && !it.Star {
			Walk(it.Expr, visit)
		}
	}
	Walk(s.Having, visit)
	if len(s.Query.Arms) == 1 {
		for _, o := range s.Query.OrderBy {
			Walk(o.Expr, visit)
		}
	}
}

// AggregatesIn returns the aggregate calls in an expression, the outermost only.
func AggregatesIn(e Expr) []*Call {
	var out []*Call
	Walk(e, func(e Expr) bool {
		if c, ok := e.(*Call); ok && c.Aggregate {
			out = append(out, c)
			return false
		}
		return true
	})
	return out
}

// OfOuter reports whether an aggregate call belongs to a query around the one
// that it is in: it reads columns of that query alone.
func (c *Call) OfOuter() bool {
	own, other := false, false
	for _, a := range c.Args {
		Walk(a, func(e Expr) bool {
			if column, ok := e.(*Column); ok && column.State == Bound && column.Alias == nil {
				if column.Source.Select == c.arm {
					own = true
				} else {
					other = true
				}
			}
			return true
		})
	}
	return other && !own
}
