package rest

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/value"
)

// ofQueries returns the endpoints of queries on the sample's library.
func ofQueries(t *testing.T, queries ...string) (*API, []*Endpoint) {
	t.Helper()
	dataset, err := bird.Load(bird.Options{FS: sample.FS(), Databases: []string{"city_library"}})
	if err != nil {
		t.Fatal(err)
	}
	dataset.Questions = nil
	for i, sql := range queries {
		dataset.Questions = append(dataset.Questions, bird.Question{ID: bird.Number(i), DB: "city_library", SQL: sql})
	}
	api, err := Open(context.Background(), dataset, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = api.Close() })
	endpoints := make([]*Endpoint, len(queries))
	for i := range queries {
		call, err := api.Call(&dataset.Questions[i])
		if err != nil {
			t.Fatal(err)
		}
		endpoints[i] = call.Endpoint
	}
	return api, endpoints
}

// ask sends a GET with headers given as "Name: value".
func ask(h http.Handler, target string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, target, nil)
	for _, one := range headers {
		name, text, _ := strings.Cut(one, ": ")
		r.Header.Add(name, text)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// numbers gives 1 to 10, by a statement without LIMIT, with LIMIT, with LIMIT
// and OFFSET.
const numbers = "SELECT value AS i FROM json_each('[1,2,3,4,5,6,7,8,9,10]') ORDER BY value"

// An answer says whether there are more rows and where they start, whatever
// ended it. A query's own LIMIT and OFFSET are the request's to give.
func TestTruncated(t *testing.T) {
	api, endpoints := ofQueries(t, numbers, numbers+" LIMIT 4", numbers+" LIMIT 4 OFFSET 2",
		"SELECT i FROM ("+numbers+" LIMIT 4) ORDER BY i DESC")
	const (
		free = iota
		limited
		moved
		inner
	)
	for _, c := range []struct {
		endpoint int
		query    string
		rows     string
		cut      string // X-Truncated
		next     int    // offset
	}{
		{free, "", "1 2 3 4 5 6", "rows", 6},
		{free, "limit=6", "1 2 3 4 5 6", "limit", 6},
		{free, "limit=3", "1 2 3", "limit", 3},
		{free, "limit=3&offset=3", "4 5 6", "limit", 6},
		{free, "offset=4&limit=6", "5 6 7 8 9 10", "", 0},
		{free, "offset=3", "4 5 6 7 8 9", "rows", 9},
		{free, "offset=8", "9 10", "", 0},
		{free, "offset=10&limit=1", "", "", 0},
		{limited, "limit=4", "1 2 3 4", "limit", 4},
		{limited, "limit=1", "1", "limit", 1},
		{limited, "limit=6", "1 2 3 4 5 6", "limit", 6},
		{limited, "limit=5&offset=5", "6 7 8 9 10", "", 0},
		{limited, "limit=4&offset=5", "6 7 8 9", "limit", 9},
		{limited, "limit=4&offset=7", "8 9 10", "", 0},
		{moved, "limit=4&offset=2", "3 4 5 6", "limit", 6},
		{moved, "limit=2&offset=0", "1 2", "limit", 2},
		{moved, "limit=5&offset=5", "6 7 8 9 10", "", 0},
		{moved, "limit=4&offset=5", "6 7 8 9", "limit", 9},
		{inner, "limit=4", "4 3 2 1", "", 0},
		{inner, "limit=3", "3 2 1", "", 0},
		{inner, "limit=3&offset=1", "2 1", "", 0},
		{inner, "limit=6", "6 5 4 3 2 1", "", 0},
	} {
		handler := NewService(api, ServiceOptions{MaxRows: 6}).Handler()
		target := endpoints[c.endpoint].Path + "?" + c.query
		for _, accept := range mediaTypes {
			w := ask(handler, target, "Accept: "+accept)
			if cut := w.Header().Get("X-Truncated"); w.Code != http.StatusOK || cut != c.cut {
				t.Errorf("%s as %s: %d, cut by %q, want %q", target, accept, w.Code, cut, c.cut)
			}
		}
		var got struct {
			Data      []struct{ I int }
			Truncated bool
			Next      int `json:"next_offset"`
		}
		if err := json.Unmarshal(ask(handler, target).Body.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		var rows []string
		for _, row := range got.Data {
			rows = append(rows, fmt.Sprint(row.I))
		}
		if strings.Join(rows, " ") != c.rows || got.Truncated != (c.cut != "") || got.Next != c.next {
			t.Errorf("%s: %v, truncated %v, next offset %d; want %s and %d", target, rows, got.Truncated, got.Next, c.rows, c.next)
		}
	}
}

// What ended by bytes goes on at next_offset, with the query's own OFFSET too.
func TestTruncatedByBytes(t *testing.T) {
	api, endpoints := ofQueries(t, numbers, numbers+" LIMIT 4 OFFSET 2")
	handler := NewService(api, ServiceOptions{MaxBytes: 15}).Handler()
	for target, want := range map[string]string{
		endpoints[0].Path + "?offset=3":         `{"data":[{"i":4}],"count":1,"truncated":true,"next_offset":4}`,
		endpoints[1].Path + "?limit=4&offset=3": `{"data":[{"i":4}],"count":1,"truncated":true,"next_offset":4}`,
		endpoints[1].Path + "?limit=4&offset=2": `{"data":[{"i":3}],"count":1,"truncated":true,"next_offset":3}`,
	} {
		if w := ask(handler, target); strings.TrimSpace(w.Body.String()) != want || w.Header().Get("X-Truncated") != "bytes" {
			t.Errorf("%s: %s, want %s", target, w.Body, want)
		}
	}
}

// A failure beyond the rows that are asked for does not take them away.
func TestRowsBeforeAFailure(t *testing.T) {
	api, endpoints := ofQueries(t, "SELECT abs(i) AS i FROM (SELECT -1 AS i UNION ALL SELECT -2 UNION ALL SELECT -9223372036854775807 - 1) LIMIT 5")
	handler := NewService(api, ServiceOptions{}).Handler()
	for query, want := range map[string]int{"?limit=1": 200, "?limit=2": 200, "?limit=3": 422, "?limit=5": 422} {
		if w := ask(handler, endpoints[0].Path+query); w.Code != want || want == 200 && w.Header().Get("X-Truncated") != "limit" {
			t.Errorf("%s: %d %s, want %d", query, w.Code, w.Body, want)
		}
	}
}

// The first rows are those of the statement with that very LIMIT, ties included.
func TestLimitKeepsTheOrderOfTies(t *testing.T) {
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	api, err := Open(context.Background(), dataset, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer api.Close()
	handler := NewService(api, ServiceOptions{}).Handler()
	tried := 0
	for i := range dataset.Questions {
		call, err := api.Call(&dataset.Questions[i])
		if err != nil || call.Endpoint.rows < 0 {
			continue // without a LIMIT
		}
		e := call.Endpoint
		for n := int64(1); n <= 20; n++ {
			call.Arguments = slices.Clone(call.Arguments)
			call.Arguments[e.rows] = []value.Value{value.Int(n)}
			var r request
			r.reset(e)
			for p := range e.Params {
				r.given[p] = slices.Clone(call.Arguments[p])
			}
			r.bind(e, bird.DefaultAsOf)
			want, err := api.Database(e.DB).db.(*sqlite.Pooled).Query(context.Background(), e.SQL, r.args...)
			if err != nil {
				t.Fatal(err)
			}
			got, err := decodeAnswer(ask(handler, call.URL()).Body.Bytes())
			if err != nil || !slices.EqualFunc(got, want.Rows, slices.Equal) {
				t.Errorf("%s: %v %v, want %v", call.URL(), got, err, want.Rows)
			}
			tried++
		}
	}
	if tried < 100 {
		t.Errorf("only %d statements have a LIMIT", tried)
	}
}

// Each parameter but a list may be given once, be it the statement's own or
// for paging, and whatever its value.
func TestRepeatedParameters(t *testing.T) {
	api, endpoints := ofQueries(t,
		"SELECT title FROM book WHERE isbn = 'x'",
		"SELECT title FROM book WHERE isbn IN ('x', 'y')",
		"SELECT title FROM book ORDER BY isbn LIMIT 3 OFFSET 2",
		"SELECT title FROM book WHERE published < date('now')")
	handler := NewService(api, ServiceOptions{}).Handler()
	for _, c := range []struct {
		endpoint int
		query    string
		again    string // the parameter
	}{
		{0, "isbn=a&isbn=a", "isbn"},
		{0, "isbn=a&%69sbn=b", "isbn"},
		{0, "isbn=a&offset=0&offset=5", "offset"},
		{0, "isbn=a&offset=5&offset=0", "offset"},
		{0, "isbn=a&offset=x&offset=5", "offset"},
		{0, "isbn=a&limit=5&limit=5", "limit"},
		{0, "isbn=a&limit=x&limit=5", "limit"},
		{1, "isbns=a&isbns=b&isbns=a", ""},
		{2, "limit=1&limit=1", "limit"},
		{2, "offset=0&offset=0", "offset"},
		{3, "as_of=2025-01-01&as_of=2025-01-01", "as_of"},
	} {
		w := ask(handler, endpoints[c.endpoint].Path+"?"+c.query)
		said := strings.Contains(w.Body.String(), `{"parameter":"`+c.again+`","reason":"it is given more than once","hint":"give it once"}`)
		if c.again == "" && w.Code != http.StatusOK || c.again != "" && (w.Code != http.StatusBadRequest || !said) {
			t.Errorf("%s: %d %s", c.query, w.Code, w.Body)
		}
	}
}

// What is wrong with a request is said even to a client that has an answer.
func TestBadRequestsAreNeverUnchanged(t *testing.T) {
	api, endpoints := ofQueries(t, numbers)
	handler := NewService(api, ServiceOptions{}).Handler()
	good := ask(handler, endpoints[0].Path+"?limit=1").Header().Get("ETag")
	for query, want := range map[string]int{"?limit=1": 304, "?limit=0": 400, "?limits=1": 400, "?limit=1&limit=1": 400} {
		for _, tag := range []string{"*", good} {
			if query != "?limit=1" && tag == good {
				continue // another request's
			}
			if w := ask(handler, endpoints[0].Path+query, "If-None-Match: "+tag); w.Code != want {
				t.Errorf("%s, If-None-Match %s: %d, want %d", query, tag, w.Code, want)
			}
		}
	}
}

// Names are escaped as each format asks for.
func TestOddNames(t *testing.T) {
	names := []string{`a"b`, "a\\b", "a,b", "line\nline", " ", "größe", "School Name", "=1+1", "\t", "count"}
	sql := "SELECT "
	for i, name := range names {
		sql += fmt.Sprintf("%s%d AS \"%s\"", strings.Repeat(", ", min(i, 1)), i, strings.ReplaceAll(name, `"`, `""`))
	}
	api, endpoints := ofQueries(t, sql+" FROM book LIMIT 1")
	handler := NewService(api, ServiceOptions{}).Handler()
	var columns []string
	for _, c := range endpoints[0].Columns {
		columns = append(columns, c.Name)
	}
	if !slices.Equal(columns, names) {
		t.Fatalf("the columns are %q", columns)
	}
	body := ask(handler, endpoints[0].Path).Body.Bytes()
	var got struct{ Data []map[string]int }
	if err := json.Unmarshal(body, &got); err != nil || len(got.Data) != 1 || len(got.Data[0]) != len(names) {
		t.Fatalf("%v: %s", err, body)
	}
	for i, name := range names {
		if n, ok := got.Data[0][name]; !ok || n != i {
			t.Errorf("%q is %d in %s", name, n, body)
		}
	}
	rows, err := decodeAnswer(body)
	if err != nil || len(rows) != 1 || len(rows[0]) != len(names) || rows[0][9] != value.Int(9) {
		t.Errorf("read back as %v %v", rows, err)
	}
	table, err := csv.NewReader(ask(handler, endpoints[0].Path, "Accept: text/csv").Body).ReadAll()
	if err != nil || len(table) != 2 || !slices.Equal(table[0], names) {
		t.Errorf("%v %q", err, table)
	}
	text, err := api.Document(context.Background(), DocumentOptions{})
	if err != nil || !json.Valid(text) || !strings.Contains(string(text), `"a\"b"`) {
		t.Errorf("the document: %v %s", err, text)
	}
}

// A document without data has no value of the data, and is else the same.
func TestDocumentWithoutData(t *testing.T) {
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	api, err := Open(context.Background(), dataset, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer api.Close()
	var whole, bare map[string]any
	for into, opts := range map[*map[string]any]DocumentOptions{&whole: {}, &bare: {WithoutData: true}} {
		text, err := api.Document(context.Background(), opts)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, into); err != nil {
			t.Fatal(err)
		}
	}
	counts := map[string]int{}
	var compare func(at string, a, b any)
	compare = func(at string, a, b any) {
		switch a := a.(type) {
		case map[string]any:
			b := b.(map[string]any)
			for key, one := range a {
				if _, ok := b[key]; !ok && (key == "description" || key == "enum") {
					counts[key]++
				} else {
					compare(at+"/"+key, one, b[key])
				}
			}
		case []any:
			for i, one := range a {
				compare(fmt.Sprint(at, "/", i), one, b.([]any)[i])
			}
		case string:
			if text, ok := b.(string); strings.HasSuffix(at, "/description") && ok && text != a && text != "" && strings.HasPrefix(a, text) {
				counts["description"]++
				return
			}
			if a != b {
				t.Errorf("%s: %v became %v", at, a, b)
			}
		default:
			if a != b {
				t.Errorf("%s: %v became %v", at, a, b)
			}
		}
	}
	compare("", whole["paths"], bare["paths"])
	if counts["enum"] < 10 || counts["description"] < 10 {
		t.Errorf("left out: %v", counts)
	}
	text, _ := json.Marshal(bare["paths"])
	for _, word := range []string{`"enum"`, "007", "Ethiopia", "certified organic"} {
		if strings.Contains(string(text), word) {
			t.Errorf("it mentions %s", word)
		}
	}
}
