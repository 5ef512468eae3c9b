package oracle

import (
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/tools"
)

// tables are what random rows are put into. Each has columns of every type, and
// something that SQL must mind: names, collations, no rowid, affinities.
var tables = []string{
	`CREATE TABLE "order" (name TEXT, "full text" TEXT, amount INTEGER, price REAL, "is ""paid""" BOOLEAN, day TEXT)`,
	`CREATE TABLE nocase (name TEXT COLLATE NOCASE, note TEXT COLLATE RTRIM, amount, price NUMERIC, paid BOOLEAN, day DATE)`,
	`CREATE TABLE keyed (name TEXT, note TEXT, amount INTEGER, price REAL, paid BOOLEAN, day TEXT, id INTEGER, PRIMARY KEY (id DESC, name)) WITHOUT ROWID`,
	`CREATE TABLE numbered (rowid TEXT, place TEXT, many INTEGER, often REAL, most BOOLEAN, day TEXT)`,
	`CREATE TABLE hidden (rowid TEXT, _rowid_ TEXT, oid INTEGER, found REAL, id BOOLEAN, day TEXT)`,
}

var vocabulary = strings.Fields("garlic smoky Garlic bread breads soup café CAFE wi-fi run running 42 naïve")

// cells are the values of a row, as SQL.
func cells(r *rand.Rand) []string {
	phrase := func(most int) string {
		var words []string
		for range r.IntN(most + 1) {
			words = append(words, vocabulary[r.IntN(len(vocabulary))])
		}
		return strings.Join(words, " ")
	}
	maybe := func(s string) string {
		if r.IntN(6) == 0 {
			return "NULL"
		}
		return s
	}
	space := []string{"", "", " "}[r.IntN(3)]
	return []string{
		maybe(text(phrase(1))), maybe(text(phrase(5) + space)), maybe(strconv.Itoa(r.IntN(8) - 2)),
		maybe(fmt.Sprintf("%d.%d", r.IntN(4), r.IntN(2)*5)), maybe(strconv.Itoa(r.IntN(2))),
		maybe(fmt.Sprintf("'20%02d-0%d-%02d%s'", 10+r.IntN(2), 1+r.IntN(3), 1+r.IntN(3), []string{"", " 10:30:00"}[r.IntN(2)])),
	}
}

// writeDatabase writes a database of random rows.
func writeDatabase(t *testing.T, r *rand.Rand) *bird.Database {
	t.Helper()
	path := filepath.Join(t.TempDir(), "random.sqlite")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	exec := func(statement string) {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	for i, create := range tables {
		exec(create)
		names := []string{`"order"`, "nocase", "keyed", "numbered", "hidden"}
		rows := r.IntN(25)
		if r.IntN(8) == 0 {
			rows = 0
		}
		for n := range rows {
			row := cells(r)
			if names[i] == "keyed" {
				row[0] = strings.Replace(row[0], "NULL", "''", 1)
				row = append(row, strconv.Itoa((n*7)%25))
			}
			exec("INSERT INTO " + names[i] + " VALUES (" + strings.Join(row, ", ") + ")")
		}
	}
	exec("CREATE VIEW dear AS SELECT name, \"full text\" AS note, amount, price, \"is \"\"paid\"\"\" AS paid, day FROM \"order\" WHERE price > 1")
	return &bird.Database{ID: "random", Path: path}
}

// drawn is a random query. It need not be valid.
type drawn struct {
	r *rand.Rand
	c query.Collection
}

func (d drawn) property() query.Property { return d.c.Properties[d.r.IntN(len(d.c.Properties))] }

func one[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

func (d drawn) value(t query.Type) any {
	switch t {
	case query.Number:
		return one[any](d.r, int64(d.r.IntN(6)-1), float64(d.r.IntN(6))/2, int64(2010+d.r.IntN(2)))
	case query.Boolean:
		return d.r.IntN(2) == 0
	case query.Date:
		return fmt.Sprintf("20%02d-0%d-01", 10+d.r.IntN(2), 1+d.r.IntN(3))
	}
	return one(d.r, vocabulary[d.r.IntN(len(vocabulary))], "%"+vocabulary[d.r.IntN(len(vocabulary))]+"%", "g%", "", "_oup%", "it's")
}

func (d drawn) filter(depth int) query.Filter {
	if depth < 2 && d.r.IntN(4) == 0 {
		var list []query.Filter
		for range 1 + d.r.IntN(3) {
			list = append(list, d.filter(depth+1))
		}
		if depth == 0 {
			return query.Filter{AnyOf: list}
		}
		return query.Filter{AllOf: list}
	}
	p := d.property()
	f := query.Filter{Property: p.Name}
	t := p.Type
	if t == query.Date && d.r.IntN(2) == 0 {
		if f.Part = one(d.r, query.Year, query.Month, query.DayOfMonth, query.Day); f.Part != query.Day {
			t = query.Number
		}
	}
	f.Operator = one(d.r, query.Equal, query.NotEqual, query.Less, query.Greater, query.LessOrEqual, query.GreaterOrEqual,
		query.Like, query.NotLike, query.In, query.NotIn, query.IsNull, query.IsNotNull)
	switch f.Operator {
	case query.IsNull, query.IsNotNull:
	case query.In, query.NotIn:
		f.Value = []any{d.value(t), d.value(t)}
	default:
		f.Value = d.value(t)
	}
	return f
}

func (d drawn) aggregation() query.Aggregation {
	if d.r.IntN(8) == 0 {
		return query.Aggregation{Metric: query.Count}
	}
	a := query.Aggregation{Property: d.property().Name, Metric: one(d.r, query.Count, query.TypeOf, query.Min, query.Max, query.Mean, query.Median, query.Mode, query.Sum,
		query.TopOccurrences, query.TopOccurrences, query.TotalTrue, query.TotalFalse, query.PercentageTrue, query.PercentageFalse)}
	a.Distinct = d.r.IntN(6) == 0
	if a.Metric == query.TopOccurrences {
		a.Limit = d.r.IntN(4)
	}
	return a
}

func (d drawn) query() query.Query {
	q := query.Query{Collection: d.c.Name}
	some := func(share int) bool { return d.r.IntN(share) == 0 }
	if some(3) {
		q.Search = vocabulary[d.r.IntN(len(vocabulary))]
		if some(3) {
			q.Search += " " + vocabulary[d.r.IntN(len(vocabulary))]
		}
	}
	for some(2) {
		q.Filters = append(q.Filters, d.filter(0))
	}
	for len(q.Aggregations) < 4 && some(2) {
		q.Aggregations = append(q.Aggregations, d.aggregation())
	}
	for some(2) {
		q.GroupBy = append(q.GroupBy, d.property().Name)
	}
	for some(3) {
		q.Properties = append(q.Properties, d.property().Name)
	}
	q.Distinct = some(4)
	for some(3) {
		o := query.Order{Property: d.property().Name, Descending: some(2)}
		if some(2) {
			a := d.aggregation()
			o = query.Order{Aggregation: &a, Descending: some(2)}
		}
		q.OrderBy = append(q.OrderBy, o)
	}
	if some(4) {
		q.Limit, q.Offset = d.r.IntN(4), d.r.IntN(3)
	}
	return q
}

// TestRandomQueries runs random queries on random tables and holds each result
// against its SQL. BIRDCALL_RANDOM is how many valid ones.
func TestRandomQueries(t *testing.T) {
	wanted := 3000
	if n, err := strconv.Atoi(os.Getenv("BIRDCALL_RANDOM")); err == nil {
		wanted = n
	}
	for round := 0; wanted > 0; round++ {
		r := rand.New(rand.NewPCG(15, uint64(round)))
		info := writeDatabase(t, r)
		db, err := query.Open(t.Context(), info)
		if err != nil {
			t.Fatal(err)
		}
		proof, err := Open(t.Context(), info, db.Collections(), 0)
		if err != nil {
			t.Fatal(err)
		}
		for n := 0; n < min(wanted, 300); {
			q := drawn{r, db.Collections()[r.IntN(len(db.Collections()))]}.query()
			if q.Validate(query.Full, db.Collections()) != nil {
				continue
			}
			n++
			result, err := db.Run(t.Context(), q)
			if e := (*tools.ToolError)(nil); errors.As(err, &e) && q.Search != "" {
				continue // a collection without texts
			}
			if err != nil {
				t.Fatalf("round %d, %+v: %v", round, q, err)
			}
			if err := proof.Verify(t.Context(), q, result); err != nil {
				sql, _ := proof.SQL(q)
				t.Errorf("round %d, %s: %v\n%s", round, q.Arguments(query.Full, db.Collections()), err, sql)
			}
		}
		wanted -= 300
		proof.Close()
		db.Close()
		if t.Failed() {
			return
		}
	}
}
