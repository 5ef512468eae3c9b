package query_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/pkg/value"
)

// values of each kind that a random table has.
var (
	words  = []string{"Oak", "oak", "OAK", "ash", "Ash tree", "", "42", "4_2", "50%", "ünïx", "naïve\nline", "🙂", `qu"o'te`}
	dates  = []string{"2010-07-19", "2010-07-19 19:39:08", "2011-01-02", "2011-12-31", "2024-02-29 00:00:00"}
	likes  = []string{"o%", "%a%", "_ak", "%", "4\\_2", "50%", "", "%🙂"}
	counts = []int64{-3, 0, 1, 2, 2, 2, 7, 1 << 40}
	reals  = []float64{-2.5, 0, 0.1, 0.2, 1, 1e20, 2}
)

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// literal is SQL of a random value for a column.
func literal(r *rand.Rand, column string) string {
	if r.IntN(6) == 0 {
		return "NULL"
	}
	text := func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
	switch column {
	case "paid":
		return fmt.Sprint(r.IntN(2))
	case "day":
		return text(pick(r, dates))
	case "price":
		return fmt.Sprint(pick(r, reals))
	case "count":
		if r.IntN(12) == 0 {
			return text(pick(r, words)) // SQLite keeps a text in a column of numbers
		}
		return fmt.Sprint(pick(r, counts))
	case "loose":
		switch r.IntN(5) {
		case 0:
			return fmt.Sprint(pick(r, counts))
		case 1:
			return "1.0"
		case 2:
			return "x'00ff'"
		}
	}
	return text(pick(r, words))
}

var randomColumns = []string{"name", "nick", `quo"te'd`, "loose", "price", "count", "paid", "day"}

// randomTable is statements for a table called order.
func randomTable(r *rand.Rand) []string {
	out := []string{`CREATE TABLE "order" (name TEXT, nick TEXT COLLATE NOCASE, "quo""te'd" VARCHAR(20), loose, price REAL, count INTEGER, paid BOOLEAN, day DATE)`}
	for range r.IntN(40) {
		cells := make([]string, len(randomColumns))
		for i, c := range randomColumns {
			cells[i] = literal(r, c)
		}
		out = append(out, `INSERT INTO "order" VALUES (`+strings.Join(cells, ", ")+")")
	}
	return out
}

// randomQuery draws a query, which need not be valid.
func randomQuery(r *rand.Rand, c query.Collection) query.Query {
	q := query.Query{Collection: c.Name}
	property := func() query.Property { return pick(r, c.Properties) }
	scalar := func(t query.Type) any {
		switch t {
		case query.Number:
			if r.IntN(2) == 0 {
				return pick(r, reals)
			}
			return pick(r, counts)
		case query.Boolean:
			return r.IntN(2) == 0
		case query.Date:
			return pick(r, dates)[:4+r.IntN(7)]
		}
		return pick(r, words)
	}
	comparison := func() query.Filter {
		p := property()
		f := query.Filter{Property: p.Name, Operator: pick(r, []query.Operator{query.Equal, query.NotEqual, query.Less, query.Greater, query.LessOrEqual, query.GreaterOrEqual, query.Like, query.NotLike, query.In, query.NotIn, query.IsNull, query.IsNotNull})}
		t := p.Type
		if t == query.Date && r.IntN(2) == 0 {
			f.Part = pick(r, []query.DatePart{query.Year, query.Month, query.DayOfMonth, query.Day})
		}
		one := func() any {
			switch f.Part {
			case query.Year:
				return int64(2009 + r.IntN(4))
			case query.Month, query.DayOfMonth:
				return int64(r.IntN(20))
			}
			return scalar(t)
		}
		switch f.Operator {
		case query.IsNull, query.IsNotNull:
		case query.In, query.NotIn:
			list := []any{}
			for range 1 + r.IntN(3) {
				list = append(list, one())
			}
			f.Value = list
		case query.Like, query.NotLike:
			f.Value = pick(r, likes)
		default:
			f.Value = one()
		}
		return f
	}
	for range r.IntN(3) {
		if r.IntN(3) > 0 {
			q.Filters = append(q.Filters, comparison())
			continue
		}
		var any query.Filter
		for range 1 + r.IntN(3) {
			if r.IntN(3) == 0 {
				any.AnyOf = append(any.AnyOf, query.Filter{AllOf: []query.Filter{comparison(), comparison()}})
			} else {
				any.AnyOf = append(any.AnyOf, comparison())
			}
		}
		q.Filters = append(q.Filters, any)
	}
	aggregation := func(list []query.Metric) query.Aggregation {
		a := query.Aggregation{Property: property().Name, Metric: pick(r, list), Distinct: r.IntN(5) == 0}
		if a.Metric == query.Count && r.IntN(2) == 0 {
			return query.Aggregation{Metric: query.Count}
		}
		if a.Metric == query.TopOccurrences {
			a.Limit = r.IntN(4)
		}
		return a
	}
	if r.IntN(2) == 0 {
		for range 1 + r.IntN(2) {
			q.Aggregations = append(q.Aggregations, aggregation([]query.Metric{
				query.Count, query.TypeOf, query.Min, query.Max, query.Mean, query.Median, query.Mode, query.Sum,
				query.TopOccurrences, query.TotalTrue, query.TotalFalse, query.PercentageTrue, query.PercentageFalse}))
		}
	}
	if r.IntN(2) == 0 {
		for range 1 + r.IntN(2) {
			q.GroupBy = append(q.GroupBy, property().Name)
		}
	}
	if len(q.Aggregations) == 0 && r.IntN(2) == 0 {
		for range 1 + r.IntN(3) {
			q.Properties = append(q.Properties, property().Name)
		}
		q.Distinct = r.IntN(2) == 0
	}
	if len(q.Aggregations) > 0 && len(q.GroupBy) == 0 {
		return q
	}
	for range r.IntN(3) {
		o := query.Order{Descending: r.IntN(2) == 0}
		switch {
		case len(q.GroupBy) > 0 && r.IntN(2) == 0:
			a := aggregation([]query.Metric{query.Count, query.Sum, query.Min, query.Max, query.Mean})
			a.Distinct = false
			o.Aggregation = &a
		case len(q.GroupBy) > 0:
			o.Property = pick(r, q.GroupBy)
		default:
			o.Property = property().Name
		}
		q.OrderBy = append(q.OrderBy, o)
	}
	q.Limit, q.Offset = r.IntN(5), r.IntN(3)
	return q
}

// sameResult compares results, cell by cell.
func sameResult(t *testing.T, q query.Query, got, want *query.Result) {
	t.Helper()
	if d := cmp.Diff(printed(want), printed(got)); d != "" {
		t.Fatalf("%+v\n%s", q, d)
	}
}

// printed is every cell of a result with its storage class.
func printed(r *query.Result) string {
	var b strings.Builder
	cell := func(v value.Value) string { return fmt.Sprintf("%s:%q ", v.Kind(), v.String()) }
	row := func(values []value.Value) {
		for _, v := range values {
			b.WriteString(cell(v))
		}
		b.WriteByte('\n')
	}
	values := func(list []query.Value) {
		for _, v := range list {
			b.WriteString(cell(v.Value))
			for _, o := range v.Occurrences {
				fmt.Fprintf(&b, "%sx%d ", cell(o.Value), o.Count)
			}
			b.WriteByte('\n')
		}
	}
	fmt.Fprintln(&b, r.Columns, r.Types, r.Keys, r.KeyTypes, r.Aggregations)
	for _, o := range r.Objects {
		row(o)
	}
	values(r.Values)
	for _, g := range r.Groups {
		b.WriteString("group ")
		row(g.Key)
		for _, o := range g.Objects {
			row(o)
		}
		values(g.Values)
	}
	return b.String()
}

// TestRunIsSQL holds random queries against SQL in SQLite.
func TestRunIsSQL(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 3))
	ran := map[string]int{}
	for range 40 {
		db, raw := opened(t, query.Options{}, randomTable(r)...)
		c := db.Collections()[0]
		for range 400 {
			q := randomQuery(r, c)
			if q.Validate(query.Full, db.Collections()) != nil {
				ran["invalid"]++
				continue
			}
			got, err := db.Run(t.Context(), q)
			if err != nil {
				t.Fatalf("%+v: %v", q, err)
			}
			sameResult(t, q, got, oracle{t, raw}.answer(q, c))
			for _, a := range q.Aggregations {
				ran[string(a.Metric)]++
			}
			switch {
			case len(q.GroupBy) > 0:
				ran["groups"]++
			case len(q.Aggregations) > 0:
				ran["aggregations"]++
			default:
				ran["objects"]++
			}
		}
	}
	t.Log(ran)
}
