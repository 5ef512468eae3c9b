package tools

import (
	"context"
	"errors"
	"math"

	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/value"
)

// ExpandArgs are the arguments of ExpandJSON.
type ExpandArgs struct {
	// Value is the JSON: a column, or one text for all rows.
	Value Operand
	// Path leads to the array or object whose elements are listed; the zero
	// Operand is the whole.
	Path Operand
	// Recursive also lists the elements of elements, and what Path leads to.
	Recursive bool
	// MaxRows bounds the result; 0 is DefaultMaxRows.
	MaxRows int
	// MaxBytes bounds the text that is made; 0 is DefaultMaxBytes.
	MaxBytes int
}

// elementFields are the columns that ExpandJSON adds.
var elementFields = []struct {
	key string
	of  func(e *value.JSONElement) value.Value
}{
	{"json_key", func(e *value.JSONElement) value.Value { return e.Key }},
	{"json_value", func(e *value.JSONElement) value.Value { return e.Value }},
	{"json_type", func(e *value.JSONElement) value.Value { return value.Str(e.Type) }},
	{"json_atom", func(e *value.JSONElement) value.Value { return e.Atom }},
	{"json_id", func(e *value.JSONElement) value.Value { return e.ID }},
	{"json_parent", func(e *value.JSONElement) value.Value { return e.Parent }},
	{"json_fullkey", func(e *value.JSONElement) value.Value { return e.FullKey }},
	{"json_path", func(e *value.JSONElement) value.Value { return e.Path }},
}

// ElementKeys returns the keys that ExpandJSON adds to a table with these keys:
// those of the element's label or index, value, type, value if it is neither
// array nor object, number, number of what holds it, path, and path of what
// holds it.
func ElementKeys(keys []string) []string {
	all := append([]string(nil), keys...)
	for _, f := range elementFields {
		all = append(all, f.key)
	}
	return UniqueKeys(all)[len(keys):]
}

// ExpandJSON makes one row for each element of a JSON array or object, and
// keeps the columns of the row that it is of, as a join with SQLite's json_each
// or json_tree does (https://www.sqlite.org/json1.html, section 4.24). Rows
// whose JSON or path is NULL, or without an element there, are gone. Without a
// table (nil) the JSON is one text and its elements are all there is. Errors
// are *ToolError, *LimitError, and those of the database and the context.
func ExpandJSON(ctx context.Context, t *Table, a ExpandArgs) (*Table, error) {
	if t == nil {
		t = &Table{rows: 1, root: new(lineage)}
		if err := ready(ctx, toolname.Expand); err != nil {
			return nil, err
		}
	} else if err := ready(ctx, toolname.Expand, t); err != nil {
		return nil, err
	}
	doc, err := a.Value.bind(ctx, toolname.Expand, toolname.ArgValue, t)
	if err != nil {
		return nil, err
	}
	path := bound{constant: true, value: value.Str("$")}
	if !a.Path.IsZero() {
		if path, err = a.Path.bind(ctx, toolname.Expand, toolname.ArgPath, t); err != nil {
			return nil, err
		}
	}
	x := &expansion{ctx: ctx, each: value.JSONEach, builders: make([]ColumnBuilder, len(elementFields)), meter: meter{tool: toolname.Expand, limit: a.MaxBytes}}
	if a.Recursive {
		x.each = value.JSONTree
	}
	if x.limit = a.MaxRows; x.limit <= 0 {
		x.limit = DefaultMaxRows
	}
	x.limit = min(x.limit, math.MaxInt32)
	for row := range t.rows {
		if err := x.row(row, doc.at(row), path.at(row)); err != nil {
			return nil, err
		}
	}
	return x.table(t), nil
}

// expansion is one call of ExpandJSON.
type expansion struct {
	ctx      context.Context
	each     func(doc, path value.Value) ([]value.JSONElement, error)
	limit    int
	meter    meter
	rows     []int32 // of the table, for each element
	builders []ColumnBuilder
}

// row lists the elements of one row.
func (x *expansion) row(row int, doc, path value.Value) error {
	elements, err := x.each(doc, path)
	if failure := (*value.FunctionError)(nil); errors.As(err, &failure) {
		return &ToolError{Tool: toolname.Expand, Argument: toolname.ArgValue, Reason: failure.Error(), Hint: "filter out the rows that are no JSON, with json_valid"}
	}
	if len(x.rows)+len(elements) > x.limit {
		return &LimitError{Tool: toolname.Expand, What: "rows", Limit: x.limit}
	}
	for i := range elements {
		if err := stopped(x.ctx, len(x.rows)); err != nil {
			return err
		}
		x.rows = append(x.rows, int32(row))
		for j, f := range elementFields {
			v := f.of(&elements[i])
			x.builders[j].Append(v)
			if err := x.meter.add(v); err != nil {
				return err
			}
		}
	}
	return err
}

// table joins the elements to the rows that they are of.
func (x *expansion) table(t *Table) *Table {
	out := t.ungrouped().take(x.rows)
	out.root, out.positions = new(lineage), nil
	own := len(out.vectors)
	out.vectors = append(out.vectors, nil)
	out.fields = append([]field(nil), t.fields...)
	for i, key := range ElementKeys(t.Keys()) {
		f := Field{Key: key, Affinity: value.AffinityBlob}
		out.fields = append(out.fields, field{Field: f, source: &lazyColumn{column: x.builders[i].Column()}, vector: own})
	}
	out.reindex()
	return out
}
