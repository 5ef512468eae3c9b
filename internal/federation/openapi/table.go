package openapi

import (
	"cmp"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/federation/apis"
)

// source is where a table's rows or a function's values come from.
type source struct {
	service *service
	columns []columnSource // of a table
	list    *call          // of a table, or nil
	get     *call          // of one row of a table, or nil
	compute *call          // of a function
}

// table asks for the rows of a table.
type table struct {
	*apis.Table
	source *source
}

// tableBuilder makes a table of its form.
type tableBuilder struct {
	*callBuilder
	form   tableForm
	table  *apis.Table
	source *source
	row    shape
	exact  bool // the document says that the values are exact
}

// buildTable returns the table of a form, or nil if it is not right.
func (l *loader) buildTable(n named[tableForm]) *apis.Table {
	n.form.at = cmp.Or(n.form.at, n.name.at)
	b := &tableBuilder{
		callBuilder: &callBuilder{reader: l.reader, what: "table " + n.name.s},
		form:        n.form,
		table:       &apis.Table{Name: n.name.s, RowID: -1, Rows: n.form.estimate.n},
	}
	if b.service = l.service(n.name, n.form.api); b.service == nil {
		return nil
	}
	b.source = &source{service: b.service}
	b.table.API, b.table.TableSource = b.service.name, &table{b.table, b.source}
	b.table.Keep = l.keep(n.form.cache, b.service.keep)
	b.operations()
	if b.failed {
		return nil
	}
	b.columns(&b.row)
	if b.failed {
		return nil
	}
	b.exact = slices.ContainsFunc(b.source.columns, func(c columnSource) bool { return c.convert == exact })
	b.keys()
	b.constants(n.form.with, b.source.list, b.source.get)
	if b.source.list != nil {
		b.paging()
	}
	b.filters()
	b.requirements()
	if b.failed {
		return nil
	}
	b.decoders()
	return b.table
}

// operations finds the operations and the schema of the rows.
func (b *tableBuilder) operations() {
	s := b.source
	if !b.form.list.given() && !b.form.get.operation.given() {
		b.fail(b.form.at, "a table needs an operation that lists it (list: operationId), or one that gets a row by its key (get: operationId); %s", nearest(b.table.Name, b.doc().names))
		return
	}
	if b.form.list.given() {
		if s.list = b.call(b.form.list.text, b.form.safe); s.list == nil {
			return
		}
		answer := s.list.op.response()
		if b.form.rows.given() {
			s.list.rows = b.pointer(b.form.rows.text)
		} else {
			path, err := b.doc().findRows(answer)
			if err != nil {
				b.fail(b.form.list.at, "%s: %w", s.list.op.id, err)
				return
			}
			s.list.rows = path
		}
		b.row = b.rowAt(answer, s.list, cmp.Or(b.form.rows.at, b.form.list.at))
	}
	if b.form.get.operation.given() && !b.failed {
		b.getOperation()
	}
	op := cmp.Or(s.list, s.get)
	if op != nil {
		b.table.Description = cmp.Or(strings.TrimSpace(op.op.op.Summary), strings.TrimSpace(op.op.op.Description))
	}
}

// rowAt returns the schema of a call's rows.
func (b *tableBuilder) rowAt(answer shape, c *call, at place) shape {
	row, err := b.doc().rowOf(answer, c.rows)
	if err != nil {
		b.fail(at, "%s: %w", c.op.id, err)
	}
	return row
}

// getOperation finds the operation that gets one row, and where it is in the
// answer: the answer itself, or its only member that looks like a row.
func (b *tableBuilder) getOperation() {
	s, form := b.source, b.form.get
	if s.get = b.call(form.operation.text, b.form.safe); s.get == nil {
		return
	}
	s.get.single = true
	answer := s.get.op.response()
	switch {
	case form.rows.given():
		s.get.rows = b.pointer(form.rows.text)
	case s.list != nil && !looksLike(answer, b.row):
		for _, p := range answer.properties {
			member := b.doc().shapeOf(p.schema)
			if len(member.items) > 0 {
				member = b.doc().shapeOf(member.items[0])
			}
			if looksLike(member, b.row) {
				if s.get.rows != nil {
					b.fail(form.operation.at, "%s: the answer has several objects like a row; say which one, as in get: {operation: %s, rows: /data}", s.get.op.id, s.get.op.id)
					return
				}
				s.get.rows = []string{p.name}
			}
		}
		if s.get.rows == nil && len(answer.properties) > 0 {
			b.fail(form.operation.at, "%s: the answer has no object like a row; say where it is, as in get: {operation: %s, rows: /data}", s.get.op.id, s.get.op.id)
			return
		}
	}
	if s.list == nil {
		b.row = b.rowAt(answer, s.get, form.operation.at)
	} else {
		b.rowAt(answer, s.get, form.operation.at)
	}
}

// looksLike reports whether an object has most properties of a row.
func looksLike(s, row shape) bool {
	same := 0
	for _, p := range row.properties {
		if s.property(p.name) != nil {
			same++
		}
	}
	return same > 0 && 2*same >= len(row.properties)
}

// keys fills in the key and the rowid.
func (b *tableBuilder) keys() {
	byName := func(names []text) []int {
		var all []int
		for _, name := range names {
			if i, ok := b.column(name); ok && !slices.Contains(all, i) {
				all = append(all, i)
			}
		}
		return all
	}
	switch said, ok := b.row.extensions[extensionPrimaryKey].([]any); {
	case b.form.key.at.line > 0:
		b.table.Key = byName(texts(b.form.key))
	case ok:
		for _, name := range said {
			i := slices.IndexFunc(b.table.Columns, func(c apis.Column) bool { return any(c.Name) == name })
			if i < 0 {
				b.table.Key = nil // a column of it is left out
				break
			}
			b.table.Key = append(b.table.Key, i)
		}
	}
	if b.form.rowid.given() {
		if i, ok := b.column(b.form.rowid.text); ok {
			b.table.RowID = i
		}
	} else if name, ok := b.row.extensions[extensionRowID].(string); ok {
		b.table.RowID = slices.IndexFunc(b.table.Columns, func(c apis.Column) bool { return c.Name == name })
	}
}

func texts(l list[plain, *plain]) []text {
	all := make([]text, len(l.all))
	for i, p := range l.all {
		all[i] = p.text
	}
	return all
}

// filters finds the parameters that filter by columns.
func (b *tableBuilder) filters() {
	declared := map[int]bool{}
	for _, n := range b.form.filters.all {
		i, ok := b.column(n.name)
		if !ok {
			continue
		}
		if declared[i] {
			b.fail(n.name.at, "the column %s has a filter already", n.name.s)
			continue
		}
		declared[i] = true
		b.declareFilter(i, n)
	}
	for i := range b.table.Columns {
		b.findFilter(i)
	}
	b.keyFilter()
	for i := range b.table.Columns {
		many := 0
		for _, c := range []*call{b.source.list, b.source.get} {
			if c != nil && c.filters[i] != nil {
				many = max(many, c.filters[i].many)
			}
		}
		if many > 0 {
			b.table.Filters = append(b.table.Filters, apis.Filter{Column: i, Many: many})
		}
	}
}

// declareFilter adds a filter of the declaration to the operations that have its
// parameter.
func (b *tableBuilder) declareFilter(column int, n named[filterForm]) {
	name, at := n.form.in.s, n.form.in.at
	if !n.form.in.given() {
		name, at = n.name.s, n.name.at
	}
	var names []string
	ok := false
	for _, c := range []*call{b.source.list, b.source.get} {
		if c == nil {
			continue
		}
		p := find(c.params, name)
		if p == nil && strings.HasPrefix(name, "/") {
			var err error
			if p, err = c.op.bodyParameter(name); err != nil {
				b.fail(at, "%w", err)
				return
			}
		}
		if p == nil {
			for _, q := range c.params {
				names = append(names, q.name)
			}
			continue
		}
		ok = true
		many, err := b.limit(p, n.form.many)
		switch {
		case err != nil:
			b.fail(n.form.many.at, "%w", err)
		case !p.scalar():
			b.fail(at, "the parameter %s of %s takes no plain values", name, c.op.id)
		case c.uses(p):
			b.fail(at, "the parameter %s of %s has another use already, under with or page", name, c.op.id)
		default:
			c.filters[column] = &filter{parameter: p, many: many}
		}
	}
	if !ok {
		b.fail(at, "no operation of the table has a parameter %q; %s", name, nearest(name, names))
	}
}

// most returns how many values of a parameter one call can have: what its filter
// declares, or else the table for all that take several.
func (b *tableBuilder) limit(p *parameter, declared whole) (int, error) {
	if !declared.given() && p.list {
		declared = b.form.many
	}
	return p.limit(declared)
}

// findFilter adds the parameters of a column's own name, where they compare as the
// column does, to the operations for which no other one is declared.
func (b *tableBuilder) findFilter(column int) {
	source := b.source.columns[column]
	if len(source.path) != 1 || source.shape.types.only(isNested) || b.table.Columns[column].Collation != "BINARY" && source.convert != exact {
		return
	}
	for _, c := range []*call{b.source.list, b.source.get} {
		if c == nil || c.filters[column] != nil {
			continue
		}
		var p *parameter
		if b.exact {
			p = find(c.params, "col:"+source.path[0])
		}
		if p == nil {
			p = find(c.params, source.path[0])
		}
		if p == nil || !p.scalar() || p.in == inHeader || c.uses(p) || b.exact && p.name == "is_null" {
			continue
		}
		many, err := b.limit(p, whole{})
		if err != nil {
			b.fail(b.form.many.at, "%w", err)
		}
		c.filters[column] = &filter{parameter: p, many: many}
	}
}

// keyFilter lets the key be what the operation by key needs, if it has one column
// and one parameter is left.
func (b *tableBuilder) keyFilter() {
	get := b.source.get
	if get == nil || len(b.table.Key) != 1 || get.filters[b.table.Key[0]] != nil {
		return
	}
	var left []*parameter
	for _, p := range get.params {
		if p.required && !get.uses(p) && get.filterOf(p) < 0 {
			left = append(left, p)
		}
	}
	if len(left) == 1 && left[0].scalar() {
		many, _ := b.limit(left[0], whole{})
		get.filters[b.table.Key[0]] = &filter{parameter: left[0], many: many}
	}
}

// requirements finds the columns without whose values there are no rows, and
// looks for parameters that nothing gives a value.
func (b *tableBuilder) requirements() {
	s := b.source
	for _, c := range []*call{s.list, s.get} {
		if c == nil {
			continue
		}
		for _, p := range c.params {
			if !p.required && (c == s.list || c.filterOf(p) < 0) || c.uses(p) || b.service.secret(p) {
				continue
			}
			column := c.filterOf(p)
			if column < 0 {
				b.fail(b.form.at, "%s of %s is required, and nothing gives it a value; say which column it compares (filters: {COLUMN: %s}), or what it always is (with: {%s: …})", p.name, c.op.id, p.name, p.name)
				continue
			}
			if !slices.Contains(c.required, column) {
				c.required = append(c.required, column)
			}
		}
	}
	if s.list != nil {
		for _, name := range b.form.required.all {
			i, ok := b.column(name.text)
			if !ok {
				continue
			}
			if s.list.filters[i] == nil {
				b.fail(name.at, "%s cannot be required: there is no filter for it", name.s)
			} else if !slices.Contains(s.list.required, i) {
				s.list.required = append(s.list.required, i)
			}
		}
		b.table.Required = slices.Sorted(slices.Values(s.list.required))
		b.table.Lists = len(s.list.required) == 0
		if s.get != nil && !b.table.Lists {
			b.table.Instead = slices.Sorted(slices.Values(s.get.required))
		}
	} else {
		b.table.Required = slices.Sorted(slices.Values(s.get.required))
	}
}

// decoders makes what reads the rows.
func (b *tableBuilder) decoders() {
	s := b.source
	for _, c := range []*call{s.list, s.get} {
		if c == nil {
			continue
		}
		b.checks(c)
		row := &node{}
		for i, column := range s.columns {
			row.at(column.path).slots = append(row.at(column.path).slots, slot{i, column.convert})
		}
		c.decoder = newDecoder(c, row, len(s.columns))
	}
}
