package tools

import (
	"context"

	"github.com/birdcall/birdcall/internal/text/toolname"
)

// SortArgs are the arguments of SortData.
type SortArgs struct {
	// Keys name the columns, the most significant first.
	Keys []string
	// Descending is the direction for all keys.
	Descending bool
	// Nulls is where NULL goes; "" is SQLite's own rule: NULL is smaller than
	// anything else.
	Nulls NullsPlace
	// Collation overrides that of the columns, "" does not.
	Collation CollationName
}

var nullsPlaces = []Choice{
	{Name: string(NullsFirst), Description: "before all values"},
	{Name: string(NullsLast), Description: "after all values"},
}

// SortData orders the rows by one or more columns, as
// https://www.sqlite.org/datatype3.html, section 4.1, orders values. Rows that
// are equal keep their order. Of a grouped table it sorts groups. Errors are
// *ToolError, and those of the database and the context.
func SortData(ctx context.Context, t *Table, a SortArgs) (*Table, error) {
	const tool = toolname.Sort
	if err := ready(ctx, tool, t); err != nil {
		return nil, err
	}
	columns, err := t.findAll(tool, toolname.ArgKeyName, a.Keys)
	if err != nil {
		return nil, err
	}
	o := ordering{descending: a.Descending, nullsLast: a.Descending}
	switch a.Nulls {
	case "":
	case NullsFirst, NullsLast:
		o.nullsLast = a.Nulls == NullsLast
	default:
		return nil, unknown(tool, toolname.ArgNulls, "place", string(a.Nulls), choiceNames(nullsPlaces))
	}
	keys := make([][]uint64, len(columns))
	for i, c := range columns {
		if keys[i], err = t.ranks(ctx, tool, c, o, a.Collation); err != nil {
			return nil, err
		}
	}
	order, err := arrange(ctx, t.rows, keys)
	if err != nil {
		return nil, err
	}
	if order.rows == nil {
		return t, nil
	}
	return t.take(order.rows), nil
}

// ranks ranks the rows of t by one column, under the column's collation or the
// named one.
func (t *Table) ranks(ctx context.Context, tool string, column int, o ordering, collation CollationName) ([]uint64, error) {
	o.collation = t.fields[column].Collation
	if collation != "" {
		c, err := collationNamed(tool, collation)
		if err != nil {
			return nil, err
		}
		o.collation = c
	}
	v, err := t.Column(ctx, column)
	if err != nil {
		return nil, err
	}
	return ranks(ctx, v, o)
}
