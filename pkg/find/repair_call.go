package find

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/tools"
)

// RepairCall does for a call what RepairSQL does for a statement: it replaces text
// arguments, and texts in lists of them, that columns do not store. columns says which
// argument is compared with which column, as Tool.Columns does of endpoints; of the calls
// that filter tables (filter_data of SLOT, select_data_equal_to and its like of SEL) that
// is found by their keys, and columns may be nil. The call is not changed; the one that is
// returned shares no argument that differs.
func (x *Index) RepairCall(ctx context.Context, db string, call tools.Call, columns map[string]Column) (tools.Call, []Change, error) {
	d, err := x.database(db)
	if err != nil {
		return call, nil, err
	}
	if c, ok := x.filtered(d, call); ok {
		columns = maps.Clone(columns)
		if columns == nil {
			columns = map[string]Column{}
		}
		columns[toolname.ArgValue] = c
	}
	var changes []Change
	mend := func(c Column, v any) any {
		text, ok := v.(string)
		if !ok || strings.HasPrefix(text, "$") && strings.HasSuffix(text, "$") { // the result of another call
			return v
		}
		change, ok := x.mend(ctx, d, c, text)
		if !ok {
			return v
		}
		changes = append(changes, change)
		return change.To
	}
	call.Arguments = slices.Clone(call.Arguments)
	for i, a := range call.Arguments {
		c, ok := columns[a.Name]
		if !ok {
			continue
		}
		if list, ok := a.Value.([]any); ok {
			list = slices.Clone(list)
			for k, v := range list {
				list[k] = mend(c, v)
			}
			call.Arguments[i].Value = list
			continue
		}
		call.Arguments[i].Value = mend(c, a.Value)
	}
	return call, changes, ctx.Err()
}

// filtered returns the column with which a call that filters a table compares its value
// for equality. A key that is not a column's own, or that two columns have, is of none.
func (x *Index) filtered(db int, call tools.Call) (Column, bool) {
	condition := ""
	if v, ok := call.Arguments.Get(toolname.ArgCondition); ok {
		condition, _ = v.(string)
	}
	isEqual := slices.ContainsFunc([]tools.Condition{tools.Equal, tools.NotEqual, tools.In, tools.NotIn, tools.Is, tools.IsNot}, func(c tools.Condition) bool {
		return call.Name == toolname.Filter && condition == string(c) || call.Name == "select_data_"+string(c)
	})
	v, _ := call.Arguments.Get(toolname.ArgKeyName)
	key, ok := v.(string)
	if !isEqual || !ok {
		return Column{}, false
	}
	var found []Column
	for _, t := range x.parts[db].schema.Tables {
		for _, c := range t.Columns {
			if tools.KeyName(t.Name, c.Name) == key {
				found = append(found, Column{t.Name, c.Name})
			}
		}
	}
	if len(found) != 1 {
		return Column{}, false
	}
	return found[0], true
}
