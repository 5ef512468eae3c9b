package query_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/internal/testkit/ctxtest"
	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/tools"
)

// awkward is a database with names and values that need care.
var awkward = []string{
	`CREATE TABLE "order" (id INTEGER PRIMARY KEY, note TEXT, "total ""price""" REAL, paid BOOLEAN, placed DATE, raw BLOB)`,
	`INSERT INTO "order" VALUES
		(5, 'late gift; SELECT 1', 2.5, 1, '2010-07-19', NULL),
		(2, 'The gifts were running late', 1e308, 0, '2010-07-19 19:39:08', x'00ff'),
		(9, NULL, NULL, NULL, NULL, 'text'),
		(7, 'nul ' || char(0) || ' 🙂', -0.0, 1, '2011-01-01', 3)`,
	`CREATE TABLE keyed (k TEXT PRIMARY KEY, n INTEGER) WITHOUT ROWID`,
	`INSERT INTO keyed VALUES ('b', 1), ('a', 9223372036854775807), ('c', 9223372036854775807)`,
	`CREATE VIEW priced AS SELECT note, "total ""price""" * 2 AS twice, paid FROM "order" WHERE paid IS NOT NULL`,
	`CREATE TABLE empty (a TEXT, b INTEGER, c BOOLEAN)`,
	`CREATE TABLE numbers (n INTEGER)`,
	`INSERT INTO numbers VALUES (3), ('x'), (1), (2), (NULL), (2.5), (1), (2)`,
	`CREATE TABLE latin (t TEXT)`,
	`INSERT INTO latin VALUES (CAST(x'ff41' AS TEXT)), ('B'), ('$LABEL$')`,
	`CREATE TABLE "computed 7" ("computed 7" TEXT, "computed 2" INTEGER)`,
	`INSERT INTO "computed 7" VALUES ('one', 1), ('two one', 2), ('two', 2)`,
}

// TestRun shows what queries give, as JSON.
func TestRun(t *testing.T) {
	db, _ := opened(t, query.Options{}, awkward...)
	var out strings.Builder
	for _, args := range []string{
		`{"collection_name":"order"}`,
		`{"collection_name":"ORDER","properties":["PAID","Id"]}`,
		`{"collection_name":"order","search_query":"gift"}`,
		`{"collection_name":"order","search_query":"GIFTS late","properties":["id"]}`,
		`{"collection_name":"order","search_query":"run","filters":[{"property_name":"paid","operator":"=","value":false}],"properties":["id"]}`,
		`{"collection_name":"order","search_query":"gift","order_by":[{"property_name":"id","direction":"descending"}],"properties":["id"]}`,
		`{"collection_name":"order","search_query":"gift","groupby_properties":["paid"],"properties":["id"]}`,
		`{"collection_name":"order","search_query":"gift","aggregations":[{"metrics":"COUNT"}]}`,
		`{"collection_name":"order","search_query":"NEAR(gift late, 2) OR note:late"}`,
		`{"collection_name":"order","filters":[{"property_name":"total \"price\"","operator":"=","value":2.5}],"properties":["id"]}`,
		`{"collection_name":"order","filters":[{"property_name":"note","operator":"=","value":"late gift; SELECT 1"}],"properties":["id"]}`,
		`{"collection_name":"order","filters":[{"property_name":"note","operator":"!=","value":"' OR 1=1 --"}],"properties":["id"]}`,
		`{"collection_name":"order","filters":[{"property_name":"placed","date_part":"date","operator":"=","value":"2010-07-19"}],"properties":["id","placed"]}`,
		`{"collection_name":"order","filters":[{"property_name":"placed","date_part":"year","operator":"IN","value":[2011,2012]}],"properties":["id"]}`,
		`{"collection_name":"order","filters":[{"any_of":[{"property_name":"paid","operator":"IS NULL"},{"all_of":[{"property_name":"id","operator":"<","value":7},{"property_name":"note","operator":"LIKE","value":"%LATE%"}]}]}],"properties":["id"]}`,
		`{"collection_name":"order","aggregations":[{"property_name":"note","metrics":"TYPE"},{"property_name":"total \"price\"","metrics":"MAX"},{"property_name":"paid","metrics":"PERCENTAGE_TRUE"},{"property_name":"note","metrics":"TOP_OCCURRENCES","top_occurrences_limit":2}]}`,
		`{"collection_name":"order","aggregations":[{"metrics":"COUNT"},{"property_name":"id","metrics":"MEDIAN"}],"groupby_properties":["paid"],"order_by":[{"metrics":"COUNT","direction":"descending"}]}`,
		`{"collection_name":"keyed"}`,
		`{"collection_name":"keyed","aggregations":[{"property_name":"n","metrics":"SUM"}]}`,
		`{"collection_name":"keyed","aggregations":[{"property_name":"n","metrics":"MEDIAN"},{"property_name":"n","metrics":"MODE"}]}`,
		`{"collection_name":"keyed","search_query":"a"}`,
		`{"collection_name":"priced","search_query":"gift","order_by":[{"property_name":"twice","direction":"ascending"}]}`,
		`{"collection_name":"empty"}`,
		`{"collection_name":"empty","search_query":"a"}`,
		`{"collection_name":"empty","groupby_properties":["a"]}`,
		`{"collection_name":"empty","aggregations":[{"metrics":"COUNT"},{"property_name":"b","metrics":"COUNT"},{"property_name":"b","metrics":"SUM"},{"property_name":"b","metrics":"MEDIAN"},{"property_name":"b","metrics":"MODE"},{"property_name":"a","metrics":"TOP_OCCURRENCES"},{"property_name":"c","metrics":"TOTAL_TRUE"},{"property_name":"c","metrics":"PERCENTAGE_TRUE"},{"property_name":"c","metrics":"TYPE"}]}`,
		`{"collection_name":"numbers","aggregations":[{"property_name":"n","metrics":"MIN"},{"property_name":"n","metrics":"MAX"},{"property_name":"n","metrics":"MEAN"},{"property_name":"n","metrics":"SUM"},{"property_name":"n","metrics":"MEDIAN"},{"property_name":"n","metrics":"MODE"},{"property_name":"n","metrics":"COUNT","distinct":true}]}`,
		`{"collection_name":"numbers","groupby_properties":["n"],"limit":3}`,
		`{"collection_name":"numbers","search_query":"x"}`,
		`{"collection_name":"latin"}`,
		`{"collection_name":"computed 7","search_query":"one","filters":[{"any_of":[{"property_name":"computed 2","operator":">","value":1}]}]}`,
		`{"collection_name":"order","search_query":"\u0000 \" * 🤖"}`,
		`{"collection_name":"order","search_query":"* ^ ()"}`,
		`{"collection_name":"orders"}`,
		`{"collection_name":"order","properties":["nots"]}`,
	} {
		fmt.Fprintln(&out, args)
		fmt.Fprintln(&out, "  ", answered(t, db, args, query.Bounds{}))
	}
	golden.Equal(t, "testdata/run.txt", out.String())
}

// answered is the result of a call as JSON, or its mistake.
func answered(t *testing.T, db *query.Database, args string, b query.Bounds) string {
	t.Helper()
	q, err := query.Parse(arguments(t, args), query.Full, db.Collections())
	if err != nil {
		return err.Error()
	}
	result, err := db.Run(t.Context(), q)
	if err == nil {
		ctxtest.Everywhere(t, func(ctx context.Context) error {
			_, err := db.Run(ctx, q)
			return err
		})
	}
	if mistake := (*tools.ToolError)(nil); err != nil && !errors.As(err, &mistake) {
		t.Errorf("%s: %v", args, err)
	}
	if err != nil {
		return err.Error()
	}
	text := result.JSON(b)
	if !json.Valid(text) {
		t.Errorf("%s: no JSON: %s", args, text)
	}
	return string(text)
}

// TestJSONForModels shows where a result is cut.
func TestJSONForModels(t *testing.T) {
	db, _ := opened(t, query.Options{},
		`CREATE TABLE many (n INTEGER, t TEXT, half BOOLEAN)`,
		`WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i LIMIT 120) INSERT INTO many SELECT n, 'text ' || n, n % 2 FROM i`,
		`CREATE TABLE long (t TEXT, b BLOB)`,
		`INSERT INTO long VALUES (replace(hex(zeroblob(2000)), '0', 'ä'), zeroblob(5000)), ('short', NULL)`)
	var out strings.Builder
	for _, args := range []string{
		`{"collection_name":"many","properties":["n"]}`,
		`{"collection_name":"many"}`,
		`{"collection_name":"many","groupby_properties":["n"],"properties":["t"]}`,
		`{"collection_name":"many","groupby_properties":["half"],"properties":["n"]}`,
		`{"collection_name":"many","groupby_properties":["n"],"aggregations":[{"metrics":"COUNT"}]}`,
		`{"collection_name":"many","aggregations":[{"property_name":"t","metrics":"TOP_OCCURRENCES","top_occurrences_limit":60}]}`,
		`{"collection_name":"long"}`,
		`{"collection_name":"long","aggregations":[{"property_name":"t","metrics":"MAX"},{"metrics":"COUNT"}]}`,
	} {
		fmt.Fprintln(&out, args)
		fmt.Fprintln(&out, "  ", answered(t, db, args, query.ForModels))
	}
	golden.Equal(t, "testdata/models.txt", out.String())
}

// TestBounds checks that a result is never larger than the options allow.
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		options query.Options
		args    string
		what    string // is counted, "" if the result is within the bounds
	}{
		{query.Options{MaxRows: 3}, `{"collection_name":"order"}`, "rows"},
		{query.Options{MaxRows: 4}, `{"collection_name":"order"}`, ""},
		{query.Options{MaxRows: 3}, `{"collection_name":"order","limit":3}`, ""},
		{query.Options{MaxRows: 3}, `{"collection_name":"order","groupby_properties":["paid"]}`, "rows"},
		{query.Options{MaxRows: 3}, `{"collection_name":"order","groupby_properties":["paid"],"limit":2}`, ""},
		{query.Options{MaxRows: 2}, `{"collection_name":"order","groupby_properties":["paid"],"aggregations":[{"metrics":"COUNT"}]}`, "rows"},
		{query.Options{MaxRows: 2}, `{"collection_name":"order","aggregations":[{"property_name":"note","metrics":"TOP_OCCURRENCES"}]}`, "rows"},
		{query.Options{MaxBytes: 30}, `{"collection_name":"order"}`, "bytes"},
		{query.Options{MaxBytes: 30}, `{"collection_name":"order","properties":["id"]}`, ""},
		{query.Options{MaxBytes: 20}, `{"collection_name":"order","groupby_properties":["note"],"aggregations":[{"metrics":"COUNT"}]}`, "bytes"},
		{query.Options{MaxBytes: 5}, `{"collection_name":"order","aggregations":[{"property_name":"note","metrics":"MIN"}]}`, "bytes"},
	} {
		db, _ := opened(t, c.options, awkward...)
		q, err := query.Parse(arguments(t, c.args), query.Full, db.Collections())
		if err != nil {
			t.Fatal(err)
		}
		_, err = db.Run(t.Context(), q)
		var limit *tools.LimitError
		if errors.As(err, &limit) != (c.what != "") || limit != nil && limit.What != c.what || limit == nil && err != nil {
			t.Errorf("%+v, %s: %v, want %q", c.options, c.args, err, c.what)
		}
	}
	db, _ := opened(t, query.Options{MaxSearch: 1},
		`CREATE TABLE large (t TEXT)`,
		`WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i LIMIT 60000) INSERT INTO large SELECT 'word' || n || ' and ' || n * 7 FROM i`)
	_, err := db.Run(t.Context(), query.Query{Collection: "large", Search: "and"})
	if wrong := (*tools.ToolError)(nil); !errors.As(err, &wrong) || wrong.Hint != "use filters instead" {
		t.Errorf("%v", err)
	}
}

// TestRunStops checks that the end of a context ends queries of each form, and costs
// nothing that comes later.
func TestRunStops(t *testing.T) {
	db, _ := opened(t, query.Options{}, awkward...)
	done, cancel := context.WithCancel(t.Context())
	cancel()
	for _, q := range []query.Query{
		{Collection: "order"},
		{Collection: "order", Search: "gift"},
		{Collection: "order", GroupBy: []string{"paid"}},
		{Collection: "order", Aggregations: []query.Aggregation{{Property: "note", Metric: query.Count}}},
	} {
		for range 2 {
			if _, err := db.Run(done, q); !errors.Is(err, context.Canceled) {
				t.Errorf("%+v: %v, want %v", q, err, context.Canceled)
			}
		}
		if _, err := db.Run(t.Context(), q); err != nil {
			t.Errorf("%+v: %v", q, err)
		}
	}
}

// TestRunFirst checks that what is left out is counted.
func TestRunFirst(t *testing.T) {
	db, _ := opened(t, query.Options{MaxRows: 2}, awkward...)
	for _, c := range []struct {
		args, want string
	}{
		{`{"collection_name":"order","properties":["id"]}`, `{"objects":[{"id":2}],"count":4,"truncated":true}`},
		{`{"collection_name":"order","properties":["id"],"limit":1}`, `{"objects":[{"id":2}],"count":1,"truncated":false}`},
		{`{"collection_name":"order","properties":["id"],"groupby_properties":["paid"],"offset":2}`, `{"groups":[{"group":{"paid":true},"objects":[{"id":5}],"count":2}],"count":1,"truncated":true}`},
		{`{"collection_name":"order","aggregations":[{"metrics":"COUNT"}],"groupby_properties":["paid"]}`, `{"groups":[{"group":{"paid":null},"values":[{"metrics":"COUNT","value":1}]}],"count":3,"truncated":true}`},
	} {
		q, err := query.Parse(arguments(t, c.args), query.Full, db.Collections())
		if err != nil {
			t.Fatal(err)
		}
		result, err := db.RunFirst(t.Context(), q, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(result.JSON(query.Bounds{})); got != c.want {
			t.Errorf("%s: %s, want %s", c.args, got, c.want)
		}
	}
}

// TestForget checks that a query gives the same after everything that was kept is
// forgotten.
func TestForget(t *testing.T) {
	db, _ := opened(t, query.Options{Immutable: true}, awkward...)
	for range 2 {
		result, err := db.Run(t.Context(), query.Query{Collection: "order", Search: "gift", Properties: []string{"id"}})
		if err != nil || len(result.Objects) != 2 || db.Bytes() == 0 {
			t.Errorf("%+v %v, %d bytes", result, err, db.Bytes())
		}
		if err := db.Forget(); err != nil || db.Bytes() != 0 {
			t.Errorf("%v, %d bytes", err, db.Bytes())
		}
	}
}

// TestRunAtOnce runs one query in several goroutines.
func TestRunAtOnce(t *testing.T) {
	db, _ := opened(t, query.Options{}, awkward...)
	q := query.Query{Collection: "ORDER", Search: "gift", GroupBy: []string{"PAID"}, Aggregations: []query.Aggregation{{Property: "ID", Metric: query.Sum}}}
	want := `{"groups":[{"group":{"paid":false},"values":[{"property_name":"id","metrics":"SUM","value":2}]},{"group":{"paid":true},"values":[{"property_name":"id","metrics":"SUM","value":5}]}],"count":2,"truncated":false}`
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 20 {
				result, err := db.Run(context.Background(), q)
				if err != nil || string(result.JSON(query.ForModels)) != want {
					t.Errorf("%v", err)
				}
			}
		})
	}
	group.Wait()
}

// vectors is a Searcher that finds what it is given.
type vectors []int

func (v vectors) Search(context.Context, string, string) ([]int, error) { return v, nil }

// TestSearcher runs queries with a search of one's own.
func TestSearcher(t *testing.T) {
	for _, c := range []struct {
		rows vectors
		want string // the ids of the objects, "" for an error
	}{
		{nil, "[]"},
		{vectors{3, 0}, `[{"id":9},{"id":2}]`},
		{vectors{0, 0}, ""},
		{vectors{4}, ""},
		{vectors{-1}, ""},
	} {
		db, _ := opened(t, query.Options{Searcher: c.rows}, awkward...)
		result, err := db.Run(t.Context(), query.Query{Collection: "order", Search: "* anything", Properties: []string{"id"}})
		if (err != nil) != (c.want == "") || err == nil && !strings.Contains(string(result.JSON(query.Bounds{})), c.want) {
			t.Errorf("%v: %v, want %s", c.rows, err, c.want)
		}
	}
}

// TestRunOfSample runs a query for each collection of the embedded sample.
func TestRunOfSample(t *testing.T) {
	set, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range set.Databases {
		db, err := query.Open(t.Context(), info)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range db.Collections() {
			result, err := db.Run(t.Context(), query.Query{Collection: c.Name})
			if err != nil {
				t.Fatal(err)
			}
			rows, err := db.Query(t.Context(), "SELECT * FROM "+quote(c.Name))
			if err != nil {
				t.Fatal(err)
			}
			want := *result
			want.Objects = rows
			sameResult(t, query.Query{Collection: c.Name}, result, &want)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

// FuzzRun checks that a call of the tool gives what SQL gives, or a mistake.
func FuzzRun(f *testing.F) {
	for set, texts := range valid {
		for _, text := range texts {
			f.Add(text, set == query.Paper)
		}
	}
	f.Add(`{"collection_name":"order","search_query":"NEAR(\"a b\" *)"}`, false)
	f.Add(`{"collection_name":"keyed","aggregations":[{"property_name":"n","metrics":"SUM","distinct":true}]}`, false)
	db, raw := opened(f, query.Options{}, awkward...)
	f.Fuzz(func(t *testing.T, text string, paper bool) {
		var args tools.Arguments
		if json.Unmarshal([]byte(text), &args) != nil {
			return
		}
		set := query.Full
		if paper {
			set = query.Paper
		}
		q, err := query.Parse(args, set, db.Collections())
		var mistake *tools.ToolError
		if err != nil {
			if !errors.As(err, &mistake) {
				t.Errorf("%s: %v", text, err)
			}
			return
		}
		result, err := db.Run(t.Context(), q)
		if err != nil {
			if !errors.As(err, &mistake) {
				t.Errorf("%s: %v", text, err)
			}
			return
		}
		if !json.Valid(result.JSON(query.Bounds{})) || !json.Valid(result.JSON(query.ForModels)) {
			t.Errorf("%s: the result is no JSON", text)
		}
		if c := query.Find(db.Collections(), q.Collection); q.Search == "" && c.Name != "priced" && c.Name != "keyed" { // which have no rowid
			sameResult(t, q, result, oracle{t, raw}.answer(q, *c))
		}
	})
}
