package oracle

import (
	"fmt"
	"strings"
)

// objects returns the SELECT of the objects, or of the objects of each group,
// before which its key is.
func (b *builder) objects() (string, error) {
	q := b.query
	if len(q.GroupBy) > 0 {
		return b.grouped()
	}
	b.begin(false)
	where, err := b.where()
	if err != nil {
		return "", err
	}
	var order []string
	for _, o := range q.OrderBy {
		order = append(order, b.column(o.Property)+descending(o))
	}
	if !q.Distinct {
		return b.selected(fmt.Sprintf("SELECT %s FROM %s%s%s%s", b.returned(), b.from, where, clause("ORDER BY", append(order, b.order)), b.limit())), nil
	}
	properties := b.columns(b.properties())
	// Equal objects have the place of the first of them.
	order = append(order, "MIN("+b.order+")")
	return b.selected(fmt.Sprintf("SELECT %s FROM %s%s%s%s%s", strings.Join(properties, ", "), b.from, where,
		clause("GROUP BY", properties), clause("ORDER BY", order), b.limit())), nil
}

// properties returns those that objects are returned with.
func (b *builder) properties() []string {
	if len(b.query.Properties) > 0 {
		return b.query.Properties
	}
	out := make([]string, len(b.about.Properties))
	for i, p := range b.about.Properties {
		out[i] = p.Name
	}
	return out
}

// returned lists the columns of objects.
func (b *builder) returned() string {
	out := b.columns(b.properties())
	if len(b.query.Properties) == 0 && b.rowID() != "" && len(b.table.Columns) == len(b.about.Properties) {
		out = []string{b.prefix + "*"}
	}
	if b.placed() {
		out = append(out, b.order)
	}
	return strings.Join(out, ", ")
}

// grouped returns the SELECT of the objects of each group.
func (b *builder) grouped() (string, error) {
	chosen := b.choosesGroups()
	b.begin(chosen)
	join, order, err := b.groups(chosen)
	if err != nil {
		return "", err
	}
	where, err := b.where()
	if err != nil {
		return "", err
	}
	keys := b.columns(b.query.GroupBy)
	return b.selected(fmt.Sprintf("SELECT %s, %s FROM %s%s%s%s", strings.Join(keys, ", "), b.returned(), b.from, join, where,
		clause("ORDER BY", append(order, b.order)))), nil
}
