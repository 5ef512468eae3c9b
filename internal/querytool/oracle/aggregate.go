package oracle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/querytool/query"
)

// aggregates returns the SELECT of all aggregations but TopOccurrences: a row for
// each group, its key first, or one row.
func (b *builder) aggregates() (string, error) {
	q := b.query
	b.begin(false)
	list := slices.DeleteFunc(slices.Clone(q.Aggregations), func(a query.Aggregation) bool { return a.Metric == query.TopOccurrences })
	var columns []string
	if len(q.GroupBy) == 0 && !slices.ContainsFunc(list, func(a query.Aggregation) bool { return a.Metric != query.TypeOf }) {
		for _, a := range list {
			columns = append(columns, b.metric(a))
		}
		b.with = nil // the type of a property is not that of objects
		return "SELECT " + strings.Join(columns, ", "), nil
	}
	source, err := b.source(append(slices.Clone(list), b.ordering()...))
	if err != nil {
		return "", err
	}
	columns = b.columns(q.GroupBy)
	for _, a := range list {
		columns = append(columns, b.metric(a))
	}
	var order []string
	if len(q.GroupBy) > 0 {
		order = b.groupOrder()
	}
	return b.selected(fmt.Sprintf("SELECT %s FROM %s%s%s%s", strings.Join(columns, ", "), source,
		clause("GROUP BY", b.columns(q.GroupBy)), clause("ORDER BY", order), b.limit())), nil
}

// ordering returns the aggregations that groups are sorted by.
func (b *builder) ordering() []query.Aggregation {
	var out []query.Aggregation
	for _, o := range b.query.OrderBy {
		if o.Aggregation != nil {
			out = append(out, *o.Aggregation)
		}
	}
	return out
}

// groupOrder returns what groups are sorted by; their keys come last.
func (b *builder) groupOrder() []string {
	var out []string
	for _, o := range b.query.OrderBy {
		by := b.column(o.Property)
		if o.Aggregation != nil {
			by = b.metric(*o.Aggregation)
		}
		out = append(out, by+descending(o))
	}
	return append(out, b.columns(b.query.GroupBy)...)
}

// window names the columns of a property that say where its values are.
type window struct {
	place string // among the values of the group, from 1
	many  string // how many these are
	often string // how many are equal to this one
	most  string // the greatest of these numbers in the group
}

// source returns what follows FROM, with the WHERE clause, for some aggregations.
// MEDIAN and MODE need columns that another SELECT computes before.
func (b *builder) source(list []query.Aggregation) (string, error) {
	where, err := b.where()
	if err != nil {
		return "", err
	}
	b.windows = map[string]window{}
	properties := slices.Clone(b.query.GroupBy)
	var measures, ranks []string
	by := ""
	keys := "" // in what the windows are computed of
	for _, key := range b.query.GroupBy {
		by += b.column(key) + ", "
		keys += name(key) + ", "
	}
	for _, a := range list {
		if a.Property != "" && !slices.Contains(properties, a.Property) {
			properties = append(properties, a.Property)
		}
		if a.Metric != query.Median && a.Metric != query.Mode {
			continue
		}
		w, ok := b.windows[a.Property]
		if !ok && len(b.windows) > 0 {
			w = b.named(fmt.Sprintf("_%d", len(b.windows)+1))
		} else if !ok {
			w = b.named("")
		}
		b.windows[a.Property] = w
		p := b.column(a.Property)
		if a.Metric == query.Median {
			measures = append(measures,
				fmt.Sprintf("ROW_NUMBER() OVER (PARTITION BY %s%s IS NULL ORDER BY %s) AS %s", by, p, p, w.place),
				fmt.Sprintf("COUNT(%s) OVER (%s) AS %s", p, over(by), w.many))
			continue
		}
		measures = append(measures, fmt.Sprintf("COUNT(%s) OVER (PARTITION BY %s%s) AS %s", p, by, p, w.often))
		ranks = append(ranks, fmt.Sprintf("MAX(%s) OVER (%s) AS %s", w.often, over(keys), w.most))
	}
	source := b.from + where
	if len(measures) == 0 {
		return source, nil
	}
	slices.Sort(measures)
	measures = slices.Compact(measures)
	measured := b.fresh("measured")
	b.with = append(b.with, fmt.Sprintf("%s AS (\n  SELECT %s\n  FROM %s\n)", measured, strings.Join(append([]string{strings.Join(b.columns(properties), ", ")}, measures...), ",\n    "), source))
	b.prefix = ""
	if len(ranks) > 0 {
		slices.Sort(ranks)
		ranked := b.fresh("ranked")
		b.with = append(b.with, fmt.Sprintf("%s AS (SELECT *, %s FROM %s)", ranked, strings.Join(slices.Compact(ranks), ", "), measured))
		measured = ranked
	}
	return measured, nil
}

// over returns what a window is partitioned by.
func over(by string) string {
	if by == "" {
		return ""
	}
	return "PARTITION BY " + strings.TrimSuffix(by, ", ")
}

func (b *builder) named(suffix string) window {
	return window{b.fresh("place" + suffix), b.fresh("many" + suffix), b.fresh("often" + suffix), b.fresh("most" + suffix)}
}

// metric returns an aggregation as an expression.
func (b *builder) metric(a query.Aggregation) string {
	p := b.column(a.Property)
	distinct := ""
	if a.Distinct {
		distinct = "DISTINCT "
	}
	w := b.windows[a.Property]
	switch a.Metric {
	case query.Count:
		if a.Property == "" {
			return "COUNT(*)"
		}
		return "COUNT(" + distinct + p + ")"
	case query.TypeOf:
		return text(string(b.about.Property(a.Property).Type))
	case query.Min:
		return "MIN(" + p + ")"
	case query.Max:
		return "MAX(" + p + ")"
	case query.Mean:
		return "AVG(" + distinct + p + ")"
	case query.Sum:
		return "SUM(" + distinct + p + ")"
	case query.Median:
		return fmt.Sprintf("IIF(MAX(%[3]s) %% 2 = 1, MIN(%[1]s) FILTER (WHERE %[2]s = (%[3]s + 1) / 2), AVG(%[1]s) FILTER (WHERE %[2]s IN (%[3]s / 2, %[3]s / 2 + 1)))",
			p, w.place, w.many)
	case query.Mode:
		return fmt.Sprintf("MIN(%s) FILTER (WHERE %s = %s)", p, w.often, w.most)
	case query.TotalTrue:
		return "COUNT(*) FILTER (WHERE " + p + ")"
	case query.TotalFalse:
		return "COUNT(*) FILTER (WHERE NOT " + p + ")"
	case query.PercentageTrue:
		return fmt.Sprintf("100.0 * COUNT(*) FILTER (WHERE %s) / COUNT(%[1]s)", p)
	case query.PercentageFalse:
		return fmt.Sprintf("100.0 * COUNT(*) FILTER (WHERE NOT %s) / COUNT(%[1]s)", p)
	}
	return "NULL"
}

// choosesGroups reports whether the query sorts groups or leaves some out.
func (b *builder) choosesGroups() bool {
	q := b.query
	return len(q.GroupBy) > 0 && (len(q.OrderBy) > 0 || q.Limit > 0 || q.Offset > 0)
}

// groups returns how the groups that the query chooses are joined to the rows of
// b, and what their order is; where it takes all of them by their keys, nothing and
// the keys.
func (b *builder) groups(chosen bool) (join string, order []string, err error) {
	keys := b.columns(b.query.GroupBy)
	if !chosen {
		return "", keys, nil
	}
	prefix := b.prefix
	source, err := b.source(b.ordering())
	if err != nil {
		return "", nil, err
	}
	groups, place := b.fresh("chosen"), b.fresh("place")
	inner := b.columns(b.query.GroupBy)
	b.with = append(b.with, fmt.Sprintf("%s AS (\n  SELECT %s, ROW_NUMBER() OVER (ORDER BY %s) AS %s\n  FROM %s%s\n  ORDER BY %[4]s%[7]s\n)",
		groups, strings.Join(inner, ", "), strings.Join(b.groupOrder(), ", "), place, source, clause("GROUP BY", inner), b.limit()))
	b.prefix = prefix
	on := make([]string, len(keys))
	for i, k := range b.query.GroupBy {
		on[i] = fmt.Sprintf("%s IS %s.%s", keys[i], groups, name(k))
	}
	return fmt.Sprintf(" JOIN %s ON %s", groups, strings.Join(on, " AND ")), []string{groups + "." + place}, nil
}

// occurrences returns the SELECT of the most frequent values of a property, each
// with its number, and of those of each group.
func (b *builder) occurrences(a query.Aggregation) (string, error) {
	limit := cmp.Or(a.Limit, query.DefaultOccurrences)
	if len(b.query.GroupBy) == 0 {
		b.begin(false)
		p := b.column(a.Property)
		where, err := b.where(p + " IS NOT NULL")
		if err != nil {
			return "", err
		}
		return b.selected(fmt.Sprintf("SELECT %s, COUNT(*) FROM %s%s\nGROUP BY %[1]s\nORDER BY COUNT(*) DESC, %[1]s\nLIMIT %[4]d", p, b.from, where, limit)), nil
	}
	chosen := b.choosesGroups()
	b.begin(chosen)
	join, _, err := b.groups(chosen)
	if err != nil {
		return "", err
	}
	where, err := b.where()
	if err != nil {
		return "", err
	}
	p, keys := b.column(a.Property), b.columns(b.query.GroupBy)
	counted, entry, occurrences, place := b.fresh("counted"), b.fresh("entry"), b.fresh("occurrences"), b.fresh("place")
	groupPlace := ""
	var names []string
	for _, k := range b.query.GroupBy {
		names = append(names, name(k))
	}
	order := names
	if chosen {
		groupPlace = fmt.Sprintf("%s.%s AS %s, ", b.fresh("chosen"), place, b.fresh("group_place"))
		order = []string{b.fresh("group_place")}
	}
	grouping := strings.Join(keys, ", ")
	b.with = append(b.with, fmt.Sprintf(
		"%s AS (\n  SELECT %s, %s%s AS %s, COUNT(%[4]s) AS %[6]s,\n    ROW_NUMBER() OVER (PARTITION BY %[2]s ORDER BY COUNT(%[4]s) DESC, %[4]s) AS %[7]s\n  FROM %[8]s%[9]s%[10]s\n  GROUP BY %[2]s, %[4]s\n)",
		counted, grouping, groupPlace, p, entry, occurrences, place, b.from, join, where))
	// A group without a value has one row, which says so.
	return b.selected(fmt.Sprintf("SELECT %s, %s, %s FROM %s\nWHERE %[5]s <= %[6]d AND (%[3]s > 0 OR %[5]s = 1)%[7]s",
		strings.Join(names, ", "), entry, occurrences, counted, place, limit, clause("ORDER BY", append(order, place)))), nil
}
