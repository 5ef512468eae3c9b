package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/federation/apis"
	"github.com/birdcall/birdcall/pkg/observation"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// tableTool is the tool of a table of an API. Its arguments are the columns that the
// API can be asked by.
func (a *Agent) tableTool(name string, t *apis.Table) *tool {
	names := newNames(argLimit, argOffset)
	r := &reader{agent: a, table: t}
	properties := map[string]any{
		argLimit:  map[string]any{"type": "integer", "minimum": 1, "description": fmt.Sprintf("The most rows to return; default %d.", observation.MaxRows)},
		argOffset: map[string]any{"type": "integer", "minimum": 0, "description": "How many of the first rows to leave out; default 0."},
	}
	var required []string
	for _, f := range t.Filters {
		c := t.Columns[f.Column]
		name := names.plain(c.Name)
		r.args = append(r.args, name)
		one := schemaOfType(c.Type, "")
		if f.Many > 1 {
			one = map[string]any{"type": "array", "items": one, "maxItems": f.Many}
		}
		one["description"] = sentences(c.Description, equalText(c.Name, f.Many))
		properties[name] = one
		if slices.Contains(t.Required, f.Column) && t.Instead == nil {
			required = append(required, name)
		}
	}
	return &tool{
		spec.Tool{Name: name, Description: r.describe(), Parameters: object(properties, required...), Order: append(slices.Clone(r.args), argLimit, argOffset)},
		r.read,
	}
}

func equalText(column string, many int) string {
	if many > 1 {
		return fmt.Sprintf("Only rows whose %s is one of these values.", column)
	}
	return fmt.Sprintf("Only rows whose %s is this.", column)
}

// reader reads a table of an API.
type reader struct {
	agent *Agent
	table *apis.Table
	args  []string // by filter
}

// describe says what a table has.
func (r *reader) describe() string {
	t := r.table
	var columns []string
	for _, c := range t.Columns {
		columns = append(columns, strings.TrimSpace(c.Name+" "+c.Type))
	}
	needs := ""
	if t.Instead != nil {
		needs = fmt.Sprintf("Give values of %s, or of %s.", columnNames(t, t.Required), columnNames(t, t.Instead))
	}
	return sentences(t.Description, fmt.Sprintf("Rows of the table %s of the API %s, with the columns %s.", t.Name, t.API, strings.Join(columns, ", ")), needs)
}

func columnNames(t *apis.Table, columns []int) string {
	var out []string
	for _, c := range columns {
		out = append(out, t.Columns[c].Name)
	}
	return strings.Join(out, " and ")
}

// errEnough ends a reading when the rows that are wanted are there.
var errEnough = errors.New("enough rows")

// read returns rows that have the values of the arguments.
func (r *reader) read(ctx context.Context, c tools.Call) (*answer, error) {
	limit, err := number(c, argLimit, observation.MaxRows, 1)
	if err != nil {
		return nil, err
	}
	offset, err := number(c, argOffset, 0, 0)
	if err != nil {
		return nil, err
	}
	conditions, err := r.conditions(c)
	if err != nil {
		return nil, err
	}
	got := &answer{}
	for _, column := range r.table.Columns {
		got.columns = append(got.columns, column.Name)
	}
	most := 0 // an API may give rows that do not meet the conditions
	if len(conditions) == 0 {
		most = offset + limit
	}
	found := 0
	whole, err := r.table.Select(ctx, r.agent.meter, conditions, most, func(row []value.Value) error {
		if !r.meets(row, conditions) {
			return nil
		}
		if found == offset+limit {
			return errEnough
		}
		if found++; found > offset {
			got.rows = append(got.rows, row)
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	if !whole && found == offset+limit {
		got.next = found
	}
	return got, nil
}

// number reads an argument that is a whole number.
func number(c tools.Call, name string, otherwise, least int) (int, error) {
	v, ok := c.Arguments.Get(name)
	if !ok || v == nil {
		return otherwise, nil
	}
	const limit = 1 << 30
	if n, ok := v.(json.Number); ok {
		if i, err := n.Int64(); err == nil && i >= int64(least) && i <= limit {
			return int(i), nil
		}
	}
	return 0, fmt.Errorf("%s: give a whole number of %d or more", name, least)
}

// conditions are the arguments as conditions of the table.
func (r *reader) conditions(c tools.Call) ([]apis.Condition, error) {
	var out []apis.Condition
	for i, f := range r.table.Filters {
		v, ok := c.Arguments.Get(r.args[i])
		if !ok || v == nil {
			continue
		}
		list, isList := v.([]any)
		if !isList {
			list = []any{v}
		}
		if len(list) == 0 || len(list) > f.Many {
			return nil, fmt.Errorf("%s: give 1 to %d values", r.args[i], f.Many)
		}
		column := r.table.Columns[f.Column]
		one := apis.Condition{Column: f.Column}
		for _, item := range list {
			v, err := valueOf(r.args[i], item, column.Type)
			if err != nil {
				return nil, err
			}
			if !r.table.Accepts(f.Column, v) {
				return nil, fmt.Errorf("%s: the API cannot be asked for %s", r.args[i], v)
			}
			one.Values = append(one.Values, v)
		}
		out = append(out, one)
	}
	return out, nil
}

// meets reports whether a row has one of the values of each condition.
func (r *reader) meets(row []value.Value, conditions []apis.Condition) bool {
	for _, c := range conditions {
		collation, _ := value.CollationNamed(r.table.Columns[c.Column].Collation)
		if !slices.ContainsFunc(c.Values, func(v value.Value) bool {
			return !row[c.Column].IsNull() && value.Compare(row[c.Column], v, collation) == 0
		}) {
			return false
		}
	}
	return true
}
