package template

import (
	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
)

// Origin is what a column stands for through any number of subqueries: a column
// of a table, or a result column that is an expression. Where neither is known,
// there is a name only.
type Origin struct {
	Name  string         // as the table or the subquery calls it
	Table *engine.Table  // of a table's column
	Info  *engine.Column // of a table's column; nil for the rowid
	Item  *sqltree.Item  // of a result column that is an expression
}

// OriginOf returns the origin of a column; what is no column has none.
func OriginOf(e sqltree.Expr) Origin {
	c, ok := e.(*sqltree.Column)
	if !ok {
		return Origin{}
	}
	for {
		o := beneath(c)
		if o.Item == nil {
			return o
		}
		next, ok := o.Item.Expr.(*sqltree.Column)
		if !ok || next.State != sqltree.Bound || next.Alias == nil && next.Source.Function {
			return o // the columns of json_each have names that say little
		}
		c = next
	}
}

// beneath returns what a column stands for in the query that it is read from.
func beneath(c *sqltree.Column) Origin {
	switch {
	case c.State != sqltree.Bound:
		return Origin{Name: c.Name}
	case c.Alias != nil:
		return Origin{Name: c.Alias.Name, Item: c.Alias}
	case c.Index == sqltree.RowID:
		return Origin{Name: c.Name, Table: c.Source.Table}
	}
	column := &c.Source.Columns[c.Index]
	o := Origin{Name: column.Name, Table: c.Source.Table, Info: column.Info}
	// Rows of VALUES, and a common table expression that reads itself, have
	// values that the first one says nothing about.
	if q := c.Source.Query; q != nil && !c.Source.Recursive && !q.Arms[0].Values {
		o.Item = q.Columns[c.Index].Item
	}
	return o
}

// expression returns what gives the values of an expression: itself, or what a
// column's origin is.
func expression(e sqltree.Expr) sqltree.Expr {
	if o := OriginOf(e); o.Item != nil {
		return o.Item.Expr
	}
	return e
}

// MainTable returns the table that an arm reads first, or nil. Through
// subqueries it is the one that they give columns of.
func MainTable(s *sqltree.Select) *engine.Table {
	if len(s.Sources) == 0 {
		return nil
	}
	for from := s.Sources[0]; ; {
		if from.Query == nil || from.Recursive {
			return from.Table
		}
		s = from.Query.Arms[0]
		switch {
		case len(s.Items) > 0 && s.Items[0].Star:
			from = s.Items[0].Expr.(*sqltree.Column).Source
		case len(s.Sources) > 0:
			from = s.Sources[0]
		default:
			return nil
		}
	}
}
