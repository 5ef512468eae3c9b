package query

import (
	"context"
	"fmt"

	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// conditions are the operators as the tools name them.
var conditions = map[Operator]tools.Condition{
	Equal: tools.Equal, NotEqual: tools.NotEqual,
	Less: tools.Less, Greater: tools.Greater, LessOrEqual: tools.LessOrEqual, GreaterOrEqual: tools.GreaterOrEqual,
	Like: tools.Like, NotLike: tools.NotLike, In: tools.In, NotIn: tools.NotIn,
	IsNull: tools.IsNull, IsNotNull: tools.IsNotNull,
}

// filter keeps the objects that all filters let through.
func (r *run) filter(ctx context.Context, t *tools.Table) (*tools.Table, error) {
	for _, f := range r.q.Filters {
		if f.AnyOf != nil {
			whole, key, err := r.all(ctx, t, []Filter{f})
			if err != nil {
				return nil, err
			}
			if t, err = tools.FilterData(ctx, whole, tools.FilterArgs{Key: key, Condition: tools.IsTrue}); err != nil {
				return nil, err
			}
			continue
		}
		compared, key, err := r.compared(ctx, t, f)
		if err != nil {
			return nil, err
		}
		if t, err = tools.FilterData(ctx, compared, tools.FilterArgs{Key: key, Condition: conditions[f.Operator], Value: operand(f.Value)}); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// all adds a column that is true where all of the filters are, and any one that is
// true where one of them is, both in SQL's logic of three values.
func (r *run) all(ctx context.Context, t *tools.Table, list []Filter) (*tools.Table, string, error) {
	return r.join(ctx, t, tools.OpAnd, list)
}

func (r *run) any(ctx context.Context, t *tools.Table, list []Filter) (*tools.Table, string, error) {
	return r.join(ctx, t, tools.OpOr, list)
}

func (r *run) join(ctx context.Context, t *tools.Table, how tools.Operation, list []Filter) (*tools.Table, string, error) {
	whole := ""
	for _, f := range list {
		var one string
		var err error
		if t, one, err = r.truth(ctx, t, f); err != nil {
			return nil, "", err
		}
		if whole == "" {
			whole = one
			continue
		}
		t, whole, err = add(ctx, t, tools.TransformArgs{Key: whole, Operation: how, Args: map[string]tools.Operand{toolname.ArgValue: tools.Col(one)}})
		if err != nil {
			return nil, "", err
		}
	}
	return t, whole, nil
}

// truth adds a column that says where a filter holds.
func (r *run) truth(ctx context.Context, t *tools.Table, f Filter) (*tools.Table, string, error) {
	switch {
	case f.AnyOf != nil:
		return r.any(ctx, t, f.AnyOf)
	case f.AllOf != nil:
		return r.all(ctx, t, f.AllOf)
	}
	t, key, err := r.compared(ctx, t, f)
	if err != nil {
		return nil, "", err
	}
	a := tools.TransformArgs{Key: key, Operation: tools.Operation(conditions[f.Operator])}
	if f.Value != nil {
		a.Args = map[string]tools.Operand{toolname.ArgValue: operand(f.Value)}
	}
	return add(ctx, t, a)
}

// compared returns the column that a filter compares: that of the property, or one
// of a part of its dates, which is added.
func (r *run) compared(ctx context.Context, t *tools.Table, f Filter) (*tools.Table, string, error) {
	_, field := r.property(f.Property)
	if f.Part == "" {
		return t, field.Key, nil
	}
	a := tools.TransformArgs{Key: field.Key, Operation: tools.OpDate, Now: r.options.Now}
	if f.Part == Day {
		return add(ctx, t, a)
	}
	format := map[DatePart]string{Year: "%Y", Month: "%m", DayOfMonth: "%d"}[f.Part]
	a.Operation, a.Args = tools.OpStrftime, map[string]tools.Operand{toolname.ArgFormat: tools.Literal(format)}
	t, key, err := add(ctx, t, a)
	if err != nil {
		return nil, "", err
	}
	return add(ctx, t, tools.TransformArgs{Key: key, Operation: tools.OpCast, Args: map[string]tools.Operand{toolname.ArgType: tools.Literal(tools.CastInteger)}})
}

// add adds a computed column under a key that no property has.
func add(ctx context.Context, t *tools.Table, a tools.TransformArgs) (*tools.Table, string, error) {
	a.OutputKey = free(t)
	t, err := tools.TransformData(ctx, t, a)
	return t, a.OutputKey, err
}

// free returns a key that no column has.
func free(t *tools.Table) string {
	keys := t.Keys()
	unique := tools.UniqueKeys(append(keys[:len(keys):len(keys)], fmt.Sprintf("computed %d", len(keys))))
	return unique[len(keys)]
}

// operand is the value of a filter as the tools take it.
func operand(v any) tools.Operand {
	switch v := v.(type) {
	case nil:
		return tools.Operand{}
	case []any:
		return tools.List(v...)
	}
	return tools.Literal(v)
}

// isTrue and isFalse say whether the value of a boolean property is what the
// filters = true and = false find.
func isTrue(v value.Value) bool {
	return !v.IsNull() && value.Compare(v, value.Int(1), value.Binary) == 0
}

func isFalse(v value.Value) bool {
	return !v.IsNull() && value.Compare(v, value.Int(0), value.Binary) == 0
}
