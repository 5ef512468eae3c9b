package rest

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// manyKinds has tables with each kind of value, column, key and name.
var manyKinds = []string{
	`CREATE TABLE kinds (id INTEGER PRIMARY KEY, n INTEGER, r REAL, d NUMERIC, s TEXT, b BLOB, x)`,
	`INSERT INTO kinds VALUES
		(1, 9007199254740993, 1.0, '2024-01-02', '007', x'00ab', 5),
		(2, -9223372036854775808, 1e999, 5, '7', 'plain', '5'),
		(3, NULL, NULL, NULL, NULL, NULL, NULL),
		(4, 'word', 0.1, 5.5, CAST(x'ff' AS TEXT), 5, 5.0),
		(5, 5, 5, '5', '', '', x'35')`,
	`CREATE TABLE cased (name TEXT COLLATE NOCASE, note TEXT, end TEXT COLLATE RTRIM)`,
	`INSERT INTO cased VALUES ('Bob', 'Bob', 'x '), ('BOB', 'BOB', 'x'), ('Ann', 'ann', ' x')`,
	`CREATE TABLE keyed (b INTEGER, a TEXT, v REAL AS (b / 2.0), PRIMARY KEY (a, b)) WITHOUT ROWID`,
	`INSERT INTO keyed VALUES (2, 'y'), (1, 'y'), (3, 'x')`,
	`CREATE VIEW counted AS SELECT s AS code, count(*) AS n, n + 1 AS next FROM kinds GROUP BY s`,
	`CREATE VIEW dangling AS SELECT * FROM gone`,
	`CREATE TABLE "order" (rowid TEXT, "limit" INTEGER, "offset" INTEGER, "is_null" INTEGER, "col:x" INTEGER, "" INTEGER,
		"a b" INTEGER, "q""uote" INTEGER, "s/l%a&h=?#+" INTEGER, "ключ" INTEGER, "é" INTEGER, "É" INTEGER)`,
	`INSERT INTO "order" VALUES ('z', 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), ('y', 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31)`,
	`CREATE TABLE "s/l%a{s}h ?#'""" (a INTEGER)`,
	`INSERT INTO "s/l%a{s}h ?#'""" VALUES (1)`,
	`CREATE TABLE hidden (rowid TEXT, _rowid_ TEXT, oid DATE)`,
	`INSERT INTO hidden VALUES ('a', 'b', 'c')`,
	`CREATE VIRTUAL TABLE notes USING fts5(title, body)`,
	`INSERT INTO notes VALUES ('One', 'the quick fox'), ('2', 'the lazy dog')`,
	`CREATE TABLE many (id INTEGER PRIMARY KEY, half INTEGER)`,
	`WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 1500) INSERT INTO many SELECT n, n / 2 FROM i`,
}

// openTables opens a database that statements make, with its tables.
func openTables(t testing.TB, statements ...string) *API {
	t.Helper()
	api, err := Open(context.Background(), dataset(t, statements, "SELECT 1"), Options{Tables: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = api.Close() })
	return api
}

// data returns what an answer has between the brackets of data, or the problem.
func data(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	body := w.Body.String()
	if w.Code != http.StatusOK {
		var p Problem
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
			t.Fatalf("%d: %s", w.Code, body)
		}
		return strconv.Itoa(w.Code) + " " + p.Detail
	}
	body, _ = strings.CutPrefix(body, `{"data":[`)
	body, _, _ = strings.Cut(body, `],"count":`)
	return body
}

// TestTables lists requests and their rows, or problems.
func TestTables(t *testing.T) {
	h := NewService(openTables(t, manyKinds...), ServiceOptions{}).Handler()
	ids := func(list ...string) string {
		out := make([]string, len(list))
		for i, id := range list {
			out[i] = id + ","
		}
		return strings.Join(out, "")
	}
	// Rows of kinds are distinguished by their ids alone.
	for query, want := range map[string]string{
		"":                           ids("1", "2", "3", "4", "5"),
		"id=3":                       ids("3"),
		"id=3&id=1&id=9":             ids("1", "3"),
		"n=9007199254740993":         ids("1"),
		"n=9007199254740992":         "",
		"n=9007199254740993.0":       "", // a real is another number
		"n=-9223372036854775808":     ids("2"),
		"n=5":                        ids("5"),
		"n=%205.0%20":                ids("5"),
		"n=5e0":                      ids("5"),
		"n=word":                     ids("4"),
		"n=NULL":                     "",
		"r=1":                        ids("1"),
		"r=0.1":                      ids("4"),
		"r=1e999":                    ids("2"),
		"r=5&r=1.0":                  ids("1", "5"),
		"d=2024-01-02":               ids("1"),
		"d=5":                        ids("2", "5"),
		"s=007":                      ids("1"),
		"s=7":                        ids("2"),
		"s=":                         ids("5"),
		"b=plain":                    ids("2"),
		"b=x'00ab'":                  ids("1"),
		"b=x'00AB'":                  ids("1"),
		"b=5":                        ids("4"),
		"b=":                         ids("5"),
		"x=5":                        ids("1", "2", "4"), // as a text and as a number
		"x=5.0":                      ids("1", "4"),
		"x=x'35'":                    ids("5"),
		"x=x'3'":                     "",
		"is_null=n":                  ids("3"),
		"is_null=n&n=5":              ids("3", "5"),
		"is_null=n&s=007":            "",
		"is_null=n&is_null=s&s=007":  ids("3"),
		"is_null=id":                 "",
		"id=1&id=2&s=7&s=x":          ids("2"),
		"limit=2":                    ids("1", "2"),
		"limit=2&offset=3":           ids("4", "5"),
		"offset=9":                   "",
		"s='; DROP TABLE kinds --":   "",
		"s=x' OR '1'='1":             "",
		"colour=1":                   "400 colour: there is no such parameter; use one of id, n, r, d, s, b, x, is_null, limit, offset.",
		"ID=1":                       "400 ID: there is no such parameter; use one of id, n, r, d, s, b, x, is_null, limit, offset.",
		"is_null=colour":             `400 is_null: "colour" is no column; use one of id, n, r, d, s, b, x.`,
		"limit=0":                    "400 limit: 0 is out of range; give a number from 1 to 10000.",
		"limit=1&limit=1":            "400 limit: it is given more than once; give it once.",
		"offset=x":                   `400 offset: "x" is not an integer of 64 bits; give an integer.`,
		"s=%00":                      "400 s: it has a NUL character; leave it out.",
		"s=%FF":                      "400 s: it is not UTF-8; encode it as UTF-8.",
		"%zz=1":                      "400 %zz: the value has a broken % escape; write a percent sign as %25.",
		strings.Repeat("&s=1", 1001): "400 s: it has too many values; give it at most 1000 times.",
		strings.Repeat("&s=1", 600) + strings.Repeat("&n=1", 600): "400 s: more than 1000 values are given in all; ask several times.",
	} {
		got := data(t, ask(h, "/v1/tables/odd/kinds?"+strings.ReplaceAll(query, " ", "%20")))
		if strings.HasPrefix(got, "{") || got == "" {
			var rows []struct{ ID int }
			if err := json.Unmarshal([]byte("["+got+"]"), &rows); err != nil {
				t.Errorf("%s: %v", query, err)
			}
			got = ""
			for _, row := range rows {
				got += strconv.Itoa(row.ID) + ","
			}
		}
		if got != want {
			t.Errorf("%.80s: %s, want %s", query, got, want)
		}
	}
	for path, want := range map[string]string{
		"kinds?id=1": `{"id":1,"n":9007199254740993,"r":1.0,"d":"2024-01-02","s":"007","b":{"blob":"00ab"},"x":5}`,
		"kinds?id=2": `{"id":2,"n":-9223372036854775808,"r":{"real":"Inf"},"d":5,"s":"7","b":"plain","x":"5"}`,
		"kinds?id=3": `{"id":3,"n":null,"r":null,"d":null,"s":null,"b":null,"x":null}`,
		"kinds?id=4": `{"id":4,"n":"word","r":0.1,"d":5.5,"s":{"text":"ff"},"b":5,"x":5.0}`,

		"cased?name=bob":                       `{"name":"Bob","note":"Bob","end":"x "},{"name":"BOB","note":"BOB","end":"x"}`,
		"cased?note=Bob":                       `{"name":"Bob","note":"Bob","end":"x "}`,
		"cased?name=ann&end=x":                 "",
		"cased?end=x":                          `{"name":"Bob","note":"Bob","end":"x "},{"name":"BOB","note":"BOB","end":"x"}`,
		"keyed":                                `{"b":3,"a":"x","v":1.5},{"b":1,"a":"y","v":0.5},{"b":2,"a":"y","v":1.0}`,
		"keyed?a=y&limit=1":                    `{"b":1,"a":"y","v":0.5}`,
		"keyed?v=1":                            `{"b":2,"a":"y","v":1.0}`,
		"counted?code=007":                     `{"code":"007","n":1,"next":9007199254740994}`,
		"counted?code=7&n=1":                   `{"code":"7","n":1,"next":-9223372036854775807}`,
		"counted?next=6":                       `{"code":"","n":1,"next":6}`,
		"counted?is_null=code":                 `{"code":null,"n":1,"next":null}`,
		"notes?title=2":                        `{"title":"2","body":"the lazy dog"}`,
		"hidden":                               `{"rowid":"a","_rowid_":"b","oid":"c"}`,
		"s%2Fl%25a%7Bs%7Dh%20%3F%23%27%22?a=1": `{"a":1}`,
		"s/l%25a%7Bs%7Dh%20%3F%23'%22":         `{"a":1}`,
		"Kinds":                                "404 The database has no table or view of that name that can be read; use one of kinds, cased, keyed, counted, order, s/l%a{s}h ?#'\", hidden, notes, many.",
		"dangling":                             "404 The database has no table or view of that name that can be read; use one of kinds, cased, keyed, counted, order, s/l%a{s}h ?#'\", hidden, notes, many.",
		"":                                     "404 The database has no table or view of that name that can be read; use one of kinds, cased, keyed, counted, order, s/l%a{s}h ?#'\", hidden, notes, many.",
	} {
		if got := data(t, ask(h, "/v1/tables/odd/"+path)); got != want {
			t.Errorf("%s: %s\nwant %s", path, got, want)
		}
	}
	// Each column can be filtered by, whatever it is called.
	for i, name := range []string{"col:limit", "col:offset", "col:is_null", "col:col:x", "col:", "a b", `q"uote`, "s/l%a&h=?#+", "ключ", "é", "É"} {
		got := data(t, ask(h, "/v1/tables/odd/order?"+url.QueryEscape(name)+"="+strconv.Itoa(21+i)))
		if !strings.HasPrefix(got, `{"rowid":"y","limit":21`) || strings.Contains(got, "},{") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestTablesPaging goes through a table page by page, and asks for a thousand
// values at once.
func TestTablesPaging(t *testing.T) {
	h := NewService(openTables(t, manyKinds...), ServiceOptions{MaxRows: 1200}).Handler()
	type page struct {
		Data      []struct{ ID int }
		Truncated bool
		Next      int `json:"next_offset"`
	}
	read := func(query string) (p page, cut string) {
		w := ask(h, "/v1/tables/odd/many?"+query)
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || w.Code != http.StatusOK {
			t.Fatalf("%s: %d %v", query, w.Code, err)
		}
		return p, w.Header().Get("X-Truncated")
	}
	for _, c := range []struct {
		query, cut string
		rows       int
	}{{"", "rows", 1500}, {"limit=7", "limit", 1500}, {"limit=500", "limit", 1500}, {"limit=2&half=3&half=5&half=9&half=0", "limit", 7}} {
		var ids []int
		for offset := 0; ; {
			p, cut := read(c.query + "&offset=" + strconv.Itoa(offset))
			for _, row := range p.Data {
				ids = append(ids, row.ID)
			}
			if !p.Truncated {
				break
			}
			if cut != c.cut || p.Next != len(ids) {
				t.Fatalf("%s: cut by %q, want %q; the next page starts at %d of %d", c.query, cut, c.cut, p.Next, len(ids))
			}
			offset = p.Next
		}
		if len(ids) != c.rows || !slices.IsSorted(ids) || len(slices.Compact(ids)) != c.rows {
			t.Errorf("%s: %d rows, want %d, each once", c.query, len(ids), c.rows)
		}
	}
	var query strings.Builder
	for i := range 1000 {
		query.WriteString("&id=" + strconv.Itoa(2*i+1)) // a half of them are there, and more
	}
	if p, _ := read(query.String()); len(p.Data) != 750 {
		t.Errorf("%d of a thousand are found, want 750", len(p.Data))
	}
}

// TestTablesFormats asks for other formats, tags and methods.
func TestTablesFormats(t *testing.T) {
	h := NewService(openTables(t, manyKinds...), ServiceOptions{}).Handler()
	const path = "/v1/tables/odd/keyed?a=y"
	for accept, want := range map[string]string{
		"application/x-ndjson": `{"b":1,"a":"y","v":0.5}` + "\n" + `{"b":2,"a":"y","v":1.0}` + "\n",
		"text/csv":             "b,a,v\r\n1,\"y\",0.5\r\n2,\"y\",1.0\r\n",
		"application/json":     `{"data":[{"b":1,"a":"y","v":0.5},{"b":2,"a":"y","v":1.0}],"count":2,"truncated":false}` + "\n",
	} {
		w := ask(h, path, "Accept: "+accept)
		if w.Body.String() != want {
			t.Errorf("%s: %s", accept, w.Body)
		}
		tag := w.Header().Get("Etag")
		if again := ask(h, path, "Accept: "+accept, "If-None-Match: "+tag); again.Code != http.StatusNotModified || tag == "" {
			t.Errorf("%s: %d with its own tag %s", accept, again.Code, tag)
		}
	}
	if w := ask(h, path, "Accept: image/png"); w.Code != http.StatusNotAcceptable {
		t.Errorf("a picture: %d", w.Code)
	}
	for _, path := range []string{path, "/v1/tables/odd"} {
		for method, want := range map[string]int{"HEAD": 200, "POST": 405, "DELETE": 405} {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(method, path, nil))
			if w.Code != want {
				t.Errorf("%s %s: %d, want %d", method, path, w.Code, want)
			}
		}
	}
	for _, path := range []string{"/v1/tables", "/v1/tables/", "/v1/tables/gone", "/v1/tables/gone/kinds"} {
		if w := ask(h, path); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	list := ask(h, "/v1/tables/odd")
	for _, want := range []string{
		`{"name":"keyed","path":"/v1/tables/odd/keyed","view":false,"primary_key":["a","b"],"columns":[{"name":"b","parameter":"b","type":"INTEGER","json_type":"integer","not_null":`,
		`{"name":"x","parameter":"x","type":"","not_null":false}`, `{"name":"limit","parameter":"col:limit",`, `"view":true`, `"type":"DATE","json_type":"string"`, `"path":"/v1/tables/odd/s%2Fl%25a%7Bs%7Dh%20%3F%23%27%22"`,
	} {
		if !strings.Contains(list.Body.String(), want) {
			t.Errorf("the list has no %s: %s", want, list.Body)
		}
	}
	if again := ask(h, "/v1/tables/odd", "If-None-Match: "+list.Header().Get("Etag")); again.Code != http.StatusNotModified {
		t.Errorf("the list again: %d", again.Code)
	}
	if w := ask(h, "/v1/tables/odd", "Accept: text/csv"); w.Code != http.StatusNotAcceptable {
		t.Errorf("the list as CSV: %d", w.Code)
	}
}
