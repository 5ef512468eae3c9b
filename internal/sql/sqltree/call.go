package sqltree

import (
	"github.com/birdcall/birdcall/internal/db/sqlfunc"
	"github.com/birdcall/birdcall/internal/sql/dialect"
	"github.com/birdcall/birdcall/internal/text/spelling"
)

// function reads a call of a function. args are those of all its clauses.
func (b *treeBuilder) function(m *dialect.Call, args []Expr) Expr {
	c := &Call{node: at(m.Span), Name: spelling.Lower(m.Name), Written: m.Name, Star: m.Star, Distinct: m.Distinct}
	take := func(n int) []Expr {
		out := args[:n:n]
		args = args[n:]
		return out
	}
	orders := func(terms []dialect.Term) (out []*Order) {
		for i, x := range take(len(terms)) {
			out = append(out, &Order{Expr: x, Desc: terms[i].Desc, NullsFirst: terms[i].NullsFirst, Item: -1})
		}
		return out
	}
	c.Args = take(m.Args)
	c.OrderBy = orders(m.OrderBy)
	if m.Filter {
		c.Filter = take(1)[0]
	}
	if m.Over != nil {
		w := &Window{Partition: take(m.Over.Partition)}
		w.OrderBy = orders(m.Over.Order)
		if f := m.Over.Frame; f != nil {
			w.Frame = &Frame{Unit: f.Unit, Exclude: f.Exclude}
			ends := []*FrameEnd{&w.Frame.Start, &w.Frame.End}
			for i, bound := range []dialect.Bound{f.Start, f.End} {
				ends[i].Unbounded, ends[i].Following = bound.Unbounded, bound.Following
				if bound.Offset {
					ends[i].Offset = take(1)[0]
				}
			}
		}
		c.Over = w
	}
	c.Aggregate = c.Over == nil && sqlfunc.SQLite(c.Name).Aggregates(len(c.Args), c.Star)
	return c
}
