package tools

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type book struct {
	Title string `tools:"title"`
	Genre string `tools:"genre"`
	Pages *int   `tools:"pages"`
}

func books(t *testing.T) *Table {
	t.Helper()
	out, err := FromStructs([]book{{"Dune", "novel", new(412)}, {"Emma", "novel", new(474)}, {"Odes", "poems", nil}, {"Iliad", "poems", new(704)}, {"Maus", "comic", new(296)}})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestQuery shows what each step does.
func TestQuery(t *testing.T) {
	all := books(t)
	for _, test := range []struct {
		name  string
		query Query
		want  string
	}{
		{"filter", From(all).Filter("pages", Greater, 412).Select("title"), "title Emma Iliad"},
		{"filter by a text", From(all).Filter("title", Like, "%m%").Select("title"), "title Emma Maus"},
		{"filter by several", From(all).Filter("genre", In, "comic", "poems").Select("title"), "title Odes Iliad Maus"},
		{"filter by a slice", From(all).Filter("genre", In, []string{"comic"}).Select("title"), "title Maus"},
		{"filter by none", From(all).Filter("genre", In, []string{}).Select("title"), "title"},
		{"filter between", From(all).Filter("pages", Between, 400, 500).Select("title"), "title Dune Emma"},
		{"filter NULL", From(all).Filter("pages", IsNull).Select("title"), "title Odes"},
		{"filter by a column", From(all).Filter("genre", Less, Col("title")).Select("title"), "title"},
		{"filter by a table", From(all).Filter("title", In, mustTable(t, From(all).Select("title").Limit(1))).Select("title"), "title Dune"},
		{"sort", From(all).Sort(Ascending, "pages").Select("title"), "title Odes Maus Dune Emma Iliad"},
		{"sort twice", From(all).Sort(Descending, "pages").Sort(Ascending, "genre").Select("title"), "title Maus Emma Dune Iliad Odes"},
		{"groups", From(all).GroupBy("genre").Aggregate(Sum, "pages").Aggregate(Count, ""), "genre sum_pages count novel 886 2 poems 704 2 comic 296 1"},
		{"groups filtered and sorted", From(all).GroupBy("genre").Aggregate(Sum, "pages").Filter("sum_pages", Greater, 300).Sort(Ascending, "sum_pages"), "genre sum_pages poems 704 novel 886"},
		{"groups with their longest book", From(all).GroupBy("genre").Aggregate(ArgMax, "pages").Select("genre", "title"), "genre title novel Emma poems Iliad comic Maus"},
		{"groups limited", From(all).GroupBy("genre").Aggregate(Count, "").Limit(1), "genre count novel 2"},
		{"groups alone", From(all).GroupBy("genre"), "genre novel poems comic"},
		{"one group", From(all).GroupBy().Aggregate(Max, "pages"), "max_pages 704"},
		{"aggregate", From(all).Aggregate(Mean, "pages"), "mean_pages 471.5"},
		{"distinct", From(all).Select("genre").Distinct(), "genre novel poems comic"},
		{"limit", From(all).Select("title").Limit(2), "title Dune Emma"},
		{"limit 0", From(all).Select("title").Limit(0), "title"},
		{"limit -1", From(all).Select("genre").Distinct().Limit(-1), "genre novel poems comic"},
		{"transform", From(all).Transform(TransformArgs{Key: "title", Operation: OpUpper}).Select("title").Limit(1), "title DUNE"},
		{"window", From(all).Window(WindowArgs{Function: RowNumber, OrderBy: []string{"pages"}, Descending: []bool{true}, OutputKey: "n"}).Select("n").Limit(3), "n 3 2 5"},
		{"join", From(all).Select("genre", "pages").Limit(1).Join(all, JoinArgs{Keys: []string{"genre"}}).Select("title"), "title Dune Emma"},
		{"groups joined", From(all).GroupBy("genre").Aggregate(Count, "").Limit(1).Join(all, JoinArgs{Keys: []string{"genre"}}).Select("title", "count"), "title count Dune 2 Emma 2"},
		{"combine", From(all).Select("genre").Combine(Except, mustTable(t, From(all).Filter("pages", Greater, 300).Select("genre"))), "genre comic"},
	} {
		got, err := test.query.Table(context.Background())
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if d := cmp.Diff(test.want, strings.Join(strings.Fields(got.String()), " ")); d != "" {
			t.Errorf("%s: %s", test.name, d)
		}
	}
	if v, err := From(all).Aggregate(Max, "pages").Scalar(context.Background()); v.Any() != int64(704) || err != nil {
		t.Errorf("scalar is %s, %v", v, err)
	}
}

// TestQueryBranches checks that a query can be gone on with in two ways.
func TestQueryBranches(t *testing.T) {
	long := From(books(t)).Filter("pages", Greater, 300).Select("title").Distinct()
	first, second := long.Limit(1), long.Limit(2)
	if a, b := mustTable(t, first).Len(), mustTable(t, second).Len(); a != 1 || b != 2 {
		t.Errorf("branches have %d and %d rows", a, b)
	}
}

// TestQueryErrors shows that the first error is the one that is returned.
func TestQueryErrors(t *testing.T) {
	all := books(t)
	mine := errors.New("mine")
	for _, test := range []struct {
		query Query
		want  string
	}{
		{From(all).Filter("page", Greater, 1).Sort(Ascending, "nothing"), `filter_data: key_name: unknown key "page"`},
		{From(all).Filter("pages", "larger", 1), `unknown value "larger"`},
		{From(all).Filter("pages", Greater, make(chan int)), "no SQLite value for a chan int"},
		{From(all).Filter("pages", Greater), "value: is missing"},
		{From(all).Filter("pages", Between, 1), "not a list of two values"},
		{From(all).Aggregate("average", "pages"), `unknown value "average"`},
		{From(all).Join(nil, JoinArgs{}), "other_data_source: there is no table"},
		{From(all).Do(nil), "is nil"},
		{From(all).Do(func(context.Context, *Table) (*Table, error) { return nil, nil }).Limit(1), "there is no table"},
		{From(all).Do(func(context.Context, *Table) (*Table, error) { return nil, mine }).Limit(1), "mine"},
		{From(nil).Limit(1), "from: there is no table"},
		{Query{}, "there is no table"},
		{Query{}.Limit(1), "there is no table"},
		{Query{}.GroupBy("a"), "there is no table"},
		{FromCSV("testdata/none.csv").Limit(1), "no such file"},
	} {
		if _, err := test.query.Table(context.Background()); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want %q in it", err, test.want)
		}
	}
}

func mustTable(t *testing.T, q Query) *Table {
	t.Helper()
	out, err := q.Table(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return out
}
