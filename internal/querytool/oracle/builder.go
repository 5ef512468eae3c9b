package oracle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/querytool/query"
)

// statement is one SELECT.
type statement struct {
	sql string
	// searches says that it has one parameter: a JSON array of the rows that the
	// search found, the best first. What is shown has none.
	searches bool
	// placed says that the last column is the place that the search gave a row,
	// counted from 0. What is shown has none.
	placed bool
	// top is which of the query's aggregations the rows are of, where they are of
	// one TopOccurrences; else it is -1.
	top int
}

// builder writes the statements of a query.
type builder struct {
	query  query.Query
	about  *query.Collection
	table  *sqlite.Table
	schema *sqlite.Schema
	shown  bool // rather than run

	with   []string // common table expressions
	from   string   // the table, joined to what a search found
	prefix string   // of columns: "", or the table's name and a point
	order  string   // where a row is
	// windows are the names of columns that MEDIAN and MODE of a property need.
	windows map[string]window
}

// statements returns the SELECTs of a query: the first of its objects, groups or
// aggregations, and one for each TopOccurrences next to others.
func (b *builder) statements() ([]statement, error) {
	q := b.query
	if len(q.Aggregations) == 0 {
		s, err := b.objects()
		return []statement{{sql: s, searches: q.Search != "", placed: b.placed(), top: -1}}, err
	}
	var out []statement
	if slices.ContainsFunc(q.Aggregations, func(a query.Aggregation) bool { return a.Metric != query.TopOccurrences }) {
		s, err := b.aggregates()
		if err != nil {
			return nil, err
		}
		out = append(out, statement{sql: s, searches: q.Search != "" && len(b.with) > 0, top: -1})
	}
	for i, a := range q.Aggregations {
		if a.Metric == query.TopOccurrences {
			s, err := b.occurrences(a)
			if err != nil {
				return nil, err
			}
			out = append(out, statement{sql: s, searches: q.Search != "", top: i})
		}
	}
	return out, nil
}

// placed reports whether objects have the place that the search gave them among
// them, by which those that are equally good are ordered.
func (b *builder) placed() bool {
	q := b.query
	return q.Search != "" && len(q.Aggregations) == 0 && !q.Distinct && len(q.OrderBy) == 0 && !b.shown
}

// begin says where rows come from. If isJoined, they are joined to another table
// yet, so that columns have the table's name before them.
func (b *builder) begin(isJoined bool) {
	b.with, b.prefix = nil, ""
	source := b.table.Name
	row := b.rowID()
	if row == "" {
		source = b.fresh("numbered")
		place := b.fresh("place")
		// All columns are read, so that no index can give them in another order.
		b.with = append(b.with, fmt.Sprintf("%s AS (\n  SELECT *, ROW_NUMBER() OVER () - 1 AS %s FROM %s\n)", source, place, name(b.table.Name)))
		row = place
	}
	b.from = name(source)
	if isJoined || b.query.Search != "" {
		b.prefix = name(source) + "."
	}
	b.order = b.prefix + row
	if b.query.Search == "" {
		return
	}
	found := b.fresh("found")
	if b.shown {
		words := name(b.table.Name + "_search")
		b.with = append(b.with, fmt.Sprintf("%s AS (\n  SELECT rowid AS id, ROW_NUMBER() OVER (ORDER BY rank, rowid) AS place\n  FROM %s WHERE %s MATCH %s\n)",
			found, words, words, text(matched(b.query.Search))))
	} else {
		b.with = append(b.with, found+"(id, place) AS (SELECT value, key FROM json_each(?1))")
	}
	b.from += fmt.Sprintf(" JOIN %s ON %s.id = %s", found, found, b.order)
	b.order = found + ".place"
}

// matched returns a search as FTS5 takes it: its words, each in quotation marks, so
// that none has a meaning of its own.
func matched(search string) string {
	words := tokens(search)
	for i, w := range words {
		words[i] = `"` + w + `"`
	}
	return strings.Join(words, " ")
}

// rowID returns a name of the rowid that no column has, "" if there is none.
func (b *builder) rowID() string {
	if !b.table.RowID {
		return ""
	}
	for _, s := range []string{"rowid", "_rowid_", "oid"} {
		if b.table.Column(s) == nil {
			return s
		}
	}
	return ""
}

// fresh returns a name that no table of the database and no column of the table has.
func (b *builder) fresh(s string) string {
	for b.schema.Table(s) != nil || b.table.Column(s) != nil {
		s += "_"
	}
	return s
}

// column returns a property as SQL.
func (b *builder) column(property string) string { return b.prefix + name(property) }

func (b *builder) columns(properties []string) []string {
	out := make([]string, len(properties))
	for i, p := range properties {
		out[i] = b.column(p)
	}
	return out
}

// clause returns a keyword and a list behind a line break, "" without a list.
func clause(keyword string, list []string) string {
	if len(list) == 0 {
		return ""
	}
	return "\n" + keyword + " " + strings.Join(list, ", ")
}

// limit returns the LIMIT clause behind a line break, "" if there is none.
func (b *builder) limit() string {
	switch q := b.query; {
	case q.Offset > 0 && q.Limit > 0:
		return fmt.Sprintf("\nLIMIT %d OFFSET %d", q.Limit, q.Offset)
	case q.Offset > 0:
		return fmt.Sprintf("\nLIMIT -1 OFFSET %d", q.Offset)
	case q.Limit > 0:
		return fmt.Sprintf("\nLIMIT %d", q.Limit)
	}
	return ""
}

// selected puts the common table expressions before a SELECT.
func (b *builder) selected(s string) string {
	if len(b.with) == 0 {
		return s
	}
	return "WITH " + strings.Join(b.with, ", ") + "\n" + s
}

func descending(o query.Order) string {
	if o.Descending {
		return " DESC"
	}
	return ""
}
