package oracle

import (
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/internal/querytool/query"
)

// where returns the filters as a WHERE clause behind a line break, "" if there are
// none. more are further conditions.
func (b *builder) where(more ...string) (string, error) {
	conditions, err := b.conditions(b.query.Filters)
	if err != nil {
		return "", err
	}
	conditions = append(conditions, more...)
	if len(conditions) == 0 {
		return "", nil
	}
	return "\nWHERE " + strings.Join(conditions, " AND "), nil
}

func (b *builder) conditions(filters []query.Filter) ([]string, error) {
	out := make([]string, len(filters))
	for i, f := range filters {
		var err error
		if out[i], err = b.condition(f); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (b *builder) condition(f query.Filter) (string, error) {
	for _, nested := range []struct {
		filters []query.Filter
		word    string
	}{{f.AnyOf, " OR "}, {f.AllOf, " AND "}} {
		if nested.filters == nil {
			continue
		}
		list, err := b.conditions(nested.filters)
		if err != nil {
			return "", err
		}
		return "(" + strings.Join(list, nested.word) + ")", nil
	}
	left := b.part(f)
	switch f.Operator {
	case query.IsNull, query.IsNotNull:
		return left + " " + string(f.Operator), nil
	case query.In, query.NotIn:
		values, _ := f.Value.([]any)
		list := make([]string, len(values))
		for i, v := range values {
			var err error
			if list[i], err = literal(v); err != nil {
				return "", err
			}
		}
		return fmt.Sprintf("%s %s (%s)", left, f.Operator, strings.Join(list, ", ")), nil
	}
	right, err := literal(f.Value)
	return fmt.Sprintf("%s %s %s", left, f.Operator, right), err
}

// part returns what a condition compares: a property or a part of a date.
func (b *builder) part(f query.Filter) string {
	column := b.column(f.Property)
	switch f.Part {
	case query.Day:
		return "date(" + column + ")"
	case query.Year, query.Month, query.DayOfMonth:
		format := map[query.DatePart]string{query.Year: "%Y", query.Month: "%m", query.DayOfMonth: "%d"}[f.Part]
		return fmt.Sprintf("CAST(strftime('%s', %s) AS INTEGER)", format, column)
	}
	return column
}
