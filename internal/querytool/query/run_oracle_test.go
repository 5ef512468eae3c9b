package query_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/value"
)

// opened makes a database of statements and opens it, for queries and for SQL.
func opened(t testing.TB, o query.Options, statements ...string) (*query.Database, *sqlite.DB) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.sqlite")
	made, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range statements {
		if _, err := made.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	if err := made.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := query.OpenWith(t.Context(), &bird.Database{ID: "test", Path: path}, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	raw, err := sqlite.Open(t.Context(), sqlite.Location{Path: path}, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { raw.Close() })
	return db, raw
}

// oracle answers queries by SQL written for each operator and metric. It shares
// nothing with what is tested but the types.
type oracle struct {
	t  testing.TB
	db *sqlite.DB
}

func (o oracle) ask(sql string, args ...value.Value) [][]value.Value {
	o.t.Helper()
	result, err := o.db.Query(context.Background(), sql, args...)
	if err != nil {
		o.t.Fatalf("%s: %v", sql, err)
	}
	return result.Rows
}

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// quotedList is a list of columns.
func quotedList(names []string) string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = quote(name)
	}
	return strings.Join(out, ", ")
}

// condition is SQL with values to bind.
type condition struct {
	sql  string
	args []value.Value
}

func (c condition) and(sql string, args ...value.Value) condition {
	return condition{c.sql + " AND " + sql, slices.Concat(c.args, args)}
}

func where(q query.Query) condition {
	c := condition{sql: "TRUE"}
	for _, f := range q.Filters {
		one := filterSQL(f)
		c = c.and(one.sql, one.args...)
	}
	return c
}

func joinSQL(list []query.Filter, word string) condition {
	var c condition
	var parts []string
	for _, f := range list {
		one := filterSQL(f)
		parts, c.args = append(parts, one.sql), append(c.args, one.args...)
	}
	c.sql = "(" + strings.Join(parts, word) + ")"
	return c
}

func bound(v any) value.Value {
	out, err := value.Of(v)
	if err != nil {
		panic(err)
	}
	return out
}

func filterSQL(f query.Filter) condition {
	if f.AnyOf != nil {
		return joinSQL(f.AnyOf, " OR ")
	}
	if f.AllOf != nil {
		return joinSQL(f.AllOf, " AND ")
	}
	what := quote(f.Property)
	switch f.Part {
	case query.Year:
		what = "CAST(strftime('%Y', " + what + ") AS INTEGER)"
	case query.Month:
		what = "CAST(strftime('%m', " + what + ") AS INTEGER)"
	case query.DayOfMonth:
		what = "CAST(strftime('%d', " + what + ") AS INTEGER)"
	case query.Day:
		what = "date(" + what + ")"
	}
	switch f.Operator {
	case query.IsNull:
		return condition{sql: what + " IS NULL"}
	case query.IsNotNull:
		return condition{sql: what + " IS NOT NULL"}
	case query.In, query.NotIn:
		var args []value.Value
		for _, v := range f.Value.([]any) {
			args = append(args, bound(v))
		}
		not := ""
		if f.Operator == query.NotIn {
			not = "NOT "
		}
		return condition{what + " " + not + "IN (?" + strings.Repeat(", ?", len(args)-1) + ")", args}
	case query.Like:
		return condition{what + " LIKE ?", []value.Value{bound(f.Value)}}
	case query.NotLike:
		return condition{"NOT (" + what + " LIKE ?)", []value.Value{bound(f.Value)}}
	case query.NotEqual:
		return condition{what + " <> ?", []value.Value{bound(f.Value)}}
	}
	return condition{what + " " + string(f.Operator) + " ?", []value.Value{bound(f.Value)}}
}

// orderSQL is the order of objects, complete by the rowid.
func orderSQL(list []query.Order) string {
	var out strings.Builder
	for _, o := range list {
		out.WriteString(quote(o.Property))
		if o.Descending {
			out.WriteString(" DESC")
		}
		out.WriteString(", ")
	}
	return out.String() + "rowid"
}

func limitSQL(q query.Query) string {
	limit := -1
	if q.Limit > 0 {
		limit = q.Limit
	}
	return fmt.Sprintf(" LIMIT %d OFFSET %d", limit, q.Offset)
}

func (o oracle) objects(q query.Query, columns []string) [][]value.Value {
	o.t.Helper()
	c, table, list := where(q), quote(q.Collection), quotedList(columns)
	if q.Distinct {
		// A group shows the row of its min().
		return cutLast(o.ask(fmt.Sprintf("SELECT %s, min(n) FROM (SELECT %s, row_number() OVER (ORDER BY %s) AS n FROM %s WHERE %s) GROUP BY %s ORDER BY min(n)%s",
			list, list, orderSQL(q.OrderBy), table, c.sql, list, limitSQL(q)), c.args...))
	}
	return o.ask(fmt.Sprintf("SELECT %s FROM %s WHERE %s ORDER BY %s%s", list, table, c.sql, orderSQL(q.OrderBy), limitSQL(q)), c.args...)
}

// cutLast drops the last column.
func cutLast(rows [][]value.Value) [][]value.Value {
	for i, row := range rows {
		rows[i] = row[:len(row)-1]
	}
	return rows
}

// aggregate computes one aggregation of the objects that meet a condition.
func (o oracle) aggregate(q query.Query, a query.Aggregation, c condition, typeOf query.Type) query.Value {
	o.t.Helper()
	p, table := quote(a.Property), quote(q.Collection)
	distinct := ""
	if a.Distinct {
		distinct = "DISTINCT "
	}
	one := func(what string) query.Value {
		return query.Value{Value: o.ask(fmt.Sprintf("SELECT %s FROM %s WHERE %s", what, table, c.sql), c.args...)[0][0]}
	}
	present := c.and(p + " IS NOT NULL")
	frequent := fmt.Sprintf("SELECT %s, c FROM (SELECT %s, count(*) OVER (PARTITION BY %s) AS c, row_number() OVER (PARTITION BY %s ORDER BY rowid) AS n FROM %s WHERE %s) WHERE n = 1 ORDER BY c DESC, %s",
		p, p, p, p, table, present.sql, p)
	switch a.Metric {
	case query.Count:
		if a.Property == "" {
			return one("count(*)")
		}
		return one("count(" + distinct + p + ")")
	case query.TypeOf:
		return query.Value{Value: value.Str(string(typeOf))}
	case query.Min:
		return one("min(" + p + ")")
	case query.Max:
		return one("max(" + p + ")")
	case query.Mean:
		return one("avg(" + distinct + p + ")")
	case query.Sum:
		return one("sum(" + distinct + p + ")")
	case query.TotalTrue:
		return one("count(*) FILTER (WHERE " + p + " = 1)")
	case query.TotalFalse:
		return one("count(*) FILTER (WHERE " + p + " = 0)")
	case query.PercentageTrue:
		return one("100.0 * count(*) FILTER (WHERE " + p + " = 1) / nullif(count(" + p + "), 0)")
	case query.PercentageFalse:
		return one("100.0 * count(*) FILTER (WHERE " + p + " = 0) / nullif(count(" + p + "), 0)")
	case query.Median:
		sorted := fmt.Sprintf("SELECT %s FROM %s WHERE %s ORDER BY %s, rowid", p, table, present.sql, p)
		n := len(o.ask(sorted, present.args...))
		switch {
		case n == 0:
			return query.Value{}
		case n%2 == 1:
			return query.Value{Value: o.ask(fmt.Sprintf("%s LIMIT 1 OFFSET %d", sorted, n/2), present.args...)[0][0]}
		}
		return query.Value{Value: o.ask(fmt.Sprintf("SELECT avg(%s) FROM (%s LIMIT 2 OFFSET %d)", p, sorted, n/2-1), present.args...)[0][0]}
	case query.Mode:
		if rows := o.ask(frequent+" LIMIT 1", present.args...); len(rows) > 0 {
			return query.Value{Value: rows[0][0]}
		}
		return query.Value{}
	case query.TopOccurrences:
		limit := a.Limit
		if limit == 0 {
			limit = 5
		}
		out := query.Value{Occurrences: []query.Occurrence{}}
		for _, row := range o.ask(fmt.Sprintf("%s LIMIT %d", frequent, limit), present.args...) {
			out.Occurrences = append(out.Occurrences, query.Occurrence{Value: row[0], Count: row[1].Int64()})
		}
		return out
	}
	o.t.Fatalf("no metric %s", a.Metric)
	return query.Value{}
}

// groups computes groups by their keys, one after another.
func (o oracle) groups(q query.Query, columns []string, types map[string]query.Type) []query.Group {
	o.t.Helper()
	c, keys := where(q), quotedList(q.GroupBy)
	var order strings.Builder
	for _, one := range q.OrderBy {
		if a := one.Aggregation; a != nil {
			what := map[query.Metric]string{query.Count: "count", query.Sum: "sum", query.Min: "min", query.Max: "max", query.Mean: "avg"}[a.Metric]
			if a.Property == "" {
				what += "(*)"
			} else {
				what += "(" + quote(a.Property) + ")"
			}
			order.WriteString(what)
		} else {
			order.WriteString(quote(one.Property))
		}
		if one.Descending {
			order.WriteString(" DESC")
		}
		order.WriteString(", ")
	}
	// The innermost rows say which key each group shows: that of its first object.
	rows := o.ask(fmt.Sprintf("SELECT %s FROM (SELECT * FROM %s WHERE %s ORDER BY rowid) GROUP BY %s ORDER BY %s%s%s",
		keys, quote(q.Collection), c.sql, keys, order.String(), keys, limitSQL(q)), c.args...)
	var out []query.Group
	for _, row := range rows {
		of := c
		for i, key := range q.GroupBy {
			of = of.and(quote(key)+" IS ?", row[i])
		}
		g := query.Group{Key: o.ask(fmt.Sprintf("SELECT %s FROM %s WHERE %s ORDER BY rowid LIMIT 1", keys, quote(q.Collection), of.sql), of.args...)[0]}
		for _, a := range q.Aggregations {
			g.Values = append(g.Values, o.aggregate(q, a, of, types[a.Property]))
		}
		if len(q.Aggregations) == 0 {
			g.Objects = o.ask(fmt.Sprintf("SELECT %s FROM %s WHERE %s ORDER BY rowid", quotedList(columns), quote(q.Collection), of.sql), of.args...)
		}
		out = append(out, g)
	}
	return out
}

// answer computes the result of a query.
func (o oracle) answer(q query.Query, c query.Collection) *query.Result {
	o.t.Helper()
	types := map[string]query.Type{}
	var columns []string
	for _, p := range c.Properties {
		types[p.Name] = p.Type
		columns = append(columns, p.Name)
	}
	if len(q.Properties) > 0 {
		columns = q.Properties
	}
	out := &query.Result{Aggregations: q.Aggregations}
	if len(q.Aggregations) == 0 {
		out.Columns = columns
		for _, name := range columns {
			out.Types = append(out.Types, types[name])
		}
	}
	for _, name := range q.GroupBy {
		out.Keys, out.KeyTypes = append(out.Keys, name), append(out.KeyTypes, types[name])
	}
	switch {
	case len(q.GroupBy) > 0:
		out.Groups = o.groups(q, columns, types)
	case len(q.Aggregations) > 0:
		for _, a := range q.Aggregations {
			out.Values = append(out.Values, o.aggregate(q, a, where(q), types[a.Property]))
		}
	default:
		out.Objects = o.objects(q, columns)
	}
	return out
}
