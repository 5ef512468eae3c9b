package tools

import (
	"context"

	"github.com/birdcall/birdcall/internal/text/toolname"
)

// RetrieveArgs are the arguments of RetrieveData.
type RetrieveArgs struct {
	// Keys name the columns of the result; nil stands for all. A key named
	// again gets _1, _2, ... appended.
	Keys []string
	// Distinct drops rows that are equal to an earlier one.
	Distinct bool
	// Limit is the most rows to return. Zero and less return all, NoRows none.
	Limit int
	// Offset is the number of rows to skip first; negative skips none.
	Offset int
}

// RetrieveData returns some columns of a table, without duplicates if asked
// to, and then some of the rows (https://www.sqlite.org/lang_select.html,
// sections 2.6 and 5). NULLs are equal for Distinct. The result is a plain
// table. Errors are *ToolError, and those of the database and the context.
func RetrieveData(ctx context.Context, t *Table, a RetrieveArgs) (*Table, error) {
	if err := ready(ctx, toolname.Retrieve, t); err != nil {
		return nil, err
	}
	columns := t.all()
	if a.Keys != nil {
		var err error
		if columns, err = t.findAll(toolname.Retrieve, toolname.ArgKeyName, a.Keys); err != nil {
			return nil, err
		}
	}
	names := newNames()
	fields := make([]Field, len(columns))
	for i, c := range columns {
		fields[i] = t.fields[c].Field
		fields[i].Key = names.add(fields[i].Key)
	}
	out := t.ungrouped().project(columns, fields)
	if a.Distinct {
		var err error
		if out, err = SelectUniqueValues(ctx, out); err != nil {
			return nil, err
		}
	}
	from := min(max(a.Offset, 0), out.rows)
	to := from + limited(a.Limit, out.rows-from)
	if from == 0 && to == out.rows {
		return out, nil
	}
	return out.take(count(to)[from:]), nil
}

// SelectUniqueValues drops the rows that are equal to an earlier one; NULLs
// are equal. The result is a plain table. Errors are those of the database and
// the context.
func SelectUniqueValues(ctx context.Context, t *Table) (*Table, error) {
	if err := ready(ctx, toolname.Unique, t); err != nil {
		return nil, err
	}
	t = t.ungrouped()
	codes, size, err := t.rowCodes(ctx, t.all())
	if err != nil {
		return nil, err
	}
	first := make([]int32, 0, size)
	for row, code := range codes {
		if int(code) == len(first) {
			first = append(first, int32(row))
		}
	}
	return t.take(first), nil
}
