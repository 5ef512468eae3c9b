package rest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/pkg/value"
)

// given are texts in requests, with the number and the BLOB that they are in SQL
// where nothing says which is meant.
var given = []struct{ text, number, blob string }{
	{"5", "5", ""}, {"5.0", "5.0", ""}, {" 5 ", "5", ""}, {"007", "7", ""}, {"7", "7", ""}, {"-0", "0", ""}, {"0", "0", ""}, {"0.1", "0.1", ""},
	{"1e3", "1000", ""}, {"1000", "1000", ""}, {"9007199254740993", "9007199254740993", ""}, {"9007199254740992.0", "9007199254740992.0", ""},
	{"9223372036854775808", "9223372036854775808.0", ""}, {"-1e999", "-9e999", ""}, {"0x10", "", ""}, {"", "", ""}, {"abc", "", ""}, {"ABC", "", ""}, {"abc ", "", ""},
	{"é", "", ""}, {"É", "", ""}, {"NULL", "", ""}, {"5a", "", ""}, {"x'35'", "", "x'35'"}, {"X'35'", "", ""}, {"x'3'", "", ""}, {"Inf", "", ""}, {"1_000", "", ""}, {".5", "0.5", ""}, {"5.", "5", ""},
}

// kindsOfColumns are declarations, and whether a value stands for a number too.
var kindsOfColumns = []struct {
	declared string
	wide     bool
}{{"INTEGER", false}, {"REAL", false}, {"NUMERIC", false}, {"TEXT", false}, {"BLOB", true}, {"", true}, {"TEXT COLLATE NOCASE", false}, {"INT COLLATE RTRIM", false}, {"BLOB COLLATE NOCASE", true}}

// TestTablesRandomly asks for random values of random columns, and holds the rows
// against those that SQLite finds with literals for them.
func TestTablesRandomly(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	stored := []string{"NULL", "x'35'", "x''", "'5'", "5", "5.0", "'0x10'", "16", "CAST(x'ff' AS TEXT)"}
	for _, g := range given {
		stored = append(stored, quoteText(g.text), g.number, g.blob)
	}
	stored = slices.DeleteFunc(stored, func(s string) bool { return s == "" })
	columns := make([]string, len(kindsOfColumns))
	for i, k := range kindsOfColumns {
		columns[i] = fmt.Sprintf("c%d %s", i, k.declared)
	}
	list := strings.Join(columns, ", ")
	statements := []string{
		"CREATE TABLE plain (id INTEGER PRIMARY KEY, " + list + ")", "CREATE INDEX by3 ON plain (c3, c0)", "CREATE INDEX by4 ON plain (c4)", "CREATE INDEX by6 ON plain (c6)",
		"CREATE TABLE keyed (" + list + ", id INTEGER, PRIMARY KEY (id)) WITHOUT ROWID",
		"CREATE VIEW seen AS SELECT * FROM plain ORDER BY id",
	}
	for id := range 400 {
		row := []string{fmt.Sprint(id)}
		for range kindsOfColumns {
			row = append(row, stored[r.IntN(len(stored))])
		}
		statements = append(statements, "INSERT INTO plain VALUES ("+strings.Join(row, ", ")+")")
	}
	statements = append(statements, "INSERT INTO keyed SELECT c0, c1, c2, c3, c4, c5, c6, c7, c8, id FROM plain")
	api := openTables(t, statements...)
	h := NewService(api, ServiceOptions{}).Handler()
	db := api.Databases[0].db.(*sqlite.Pooled)
	found := 0
	for range 1500 {
		table := []string{"plain", "keyed", "seen"}[r.IntN(3)]
		query, where := url.Values{}, []string{"1"}
		for range 1 + r.IntN(3) {
			i := r.IntN(len(kindsOfColumns))
			name := fmt.Sprintf("c%d", i)
			if query.Has(name) {
				continue
			}
			either := []string{"0"}
			for range 1 + r.IntN(6) {
				g := given[r.IntN(len(given))]
				query.Add(name, g.text)
				either = append(either, name+" = "+quoteText(g.text))
				wide := kindsOfColumns[i].wide
				if wide && g.number != "" {
					either = append(either, name+" = "+g.number)
				}
				if (wide || table == "seen") && g.blob != "" {
					either = append(either, name+" = "+g.blob)
				}
			}
			if r.IntN(4) == 0 {
				query.Add(isNull, name)
				either = append(either, name+" IS NULL")
			}
			where = append(where, "("+strings.Join(either, " OR ")+")")
		}
		from := strings.Replace(table, "seen", "plain", 1)
		want, err := db.Query(context.Background(), "SELECT id FROM "+from+" WHERE "+strings.Join(where, " AND ")+" ORDER BY id")
		if err != nil {
			t.Fatal(err)
		}
		w := ask(h, "/v1/tables/odd/"+table+"?"+query.Encode())
		if w.Code != http.StatusOK {
			t.Fatalf("%s?%s: %d %s", table, query.Encode(), w.Code, w.Body)
		}
		got, err := decodeAnswer(w.Body.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		at := 0
		if table == "keyed" {
			at = len(kindsOfColumns)
		}
		ids := func(rows [][]value.Value, at int) (out []int64) {
			for _, row := range rows {
				out = append(out, row[at].Int64())
			}
			return out
		}
		if a, b := ids(got, at), ids(want.Rows, 0); !slices.Equal(a, b) {
			t.Fatalf("%s?%s: %v, want %v", table, query.Encode(), a, b)
		}
		found += len(got)
	}
	if found < 5000 {
		t.Errorf("only %d rows were found in all", found)
	}
}

// quoteText writes a text as a literal of SQL.
func quoteText(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
