package openapi

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/federation/apis"
	"github.com/birdcall/birdcall/internal/federation/fetch"
	"github.com/birdcall/birdcall/internal/testkit/golden"
)

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// environment has a value for each variable that tests use.
func environment(name string) (string, bool) {
	v, ok := map[string]string{
		"ORCHARD_URL": "https://orchard.example/api", "ORCHARD_TOKEN": "s3cret", "BOOKS_KEY": "k3y", "EMPTY": "", "LINES": "s3cret\nb",
	}[name]
	return v, ok
}

// TestLoad writes down what becomes of a declaration that has each key.
func TestLoad(t *testing.T) {
	d, err := Load(context.Background(), "testdata/big.apis.yaml", environment)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var b strings.Builder
	for _, s := range d.services {
		fmt.Fprintf(&b, "api %s: %d at a time, keep %+v\n", s.name, s.concurrent, s.keep)
	}
	fmt.Fprintf(&b, "databases %q\n", d.Databases())
	for _, id := range []string{"other", "farm", "shop"} {
		database := d.Database(id)
		fmt.Fprintf(&b, "\n-- %s: id %q, limits %+v\n", id, database.ID, database.Limits)
		for _, table := range database.Tables {
			if id == "other" || !slices.Contains(d.Database("other").Tables, table) {
				b.WriteString(describeTable(table))
			} else {
				fmt.Fprintf(&b, "table %s as above\n", table.Name)
			}
		}
		for _, f := range database.Functions {
			if id == "other" || !slices.Contains(d.Database("other").Functions, f) {
				b.WriteString(describeFunction(f))
			} else {
				fmt.Fprintf(&b, "function %s as above\n", f.Name)
			}
		}
	}
	golden.Equal(t, "testdata/big.txt", b.String())
}

func describeColumn(c apis.Column) string {
	text := strings.TrimSpace(c.Name + " " + c.Type)
	if c.Collation != "BINARY" {
		text += " COLLATE " + c.Collation
	}
	if c.NotNull {
		text += " NOT NULL"
	}
	text += fmt.Sprintf(" %v", c.Kinds)
	if c.Enum != nil {
		text += fmt.Sprintf(" one of %v", c.Enum)
	}
	if c.Description != "" {
		text += " -- " + c.Description
	}
	return text
}

func describeTable(t *apis.Table) string {
	var b strings.Builder
	fmt.Fprintf(&b, "table %s of %s", t.Name, t.API)
	if t.Description != "" {
		fmt.Fprintf(&b, " -- %s", t.Description)
	}
	fmt.Fprintf(&b, "\n  required %v or %v, lists %t, key %v, rowid %d, about %d rows, %d a page, keep %+v\n", t.Required, t.Instead, t.Lists, t.Key, t.RowID, t.Rows, t.PageSize, t.Keep)
	for i, c := range t.Columns {
		fmt.Fprintf(&b, "  %d %s, from %s\n", i, describeColumn(c), writePointer(sourceOf(t).columns[i].path))
	}
	for _, f := range t.Filters {
		fmt.Fprintf(&b, "  filter %s, %d values\n", t.Columns[f.Column].Name, f.Many)
	}
	for _, c := range []*call{sourceOf(t).list, sourceOf(t).get} {
		if c != nil {
			fmt.Fprintf(&b, "  %s %s: rows at %q", c.op.method, c.op.path, writePointer(c.rows))
			for i := range t.Columns {
				if f := c.filters[i]; f != nil {
					fmt.Fprintf(&b, ", %s in %s %s", t.Columns[i].Name, f.parameter.in, f.parameter.name)
				}
			}
			if c.paging.Kind != fetch.Whole {
				fmt.Fprintf(&b, ", pages %+v %+q", c.paging, c.pages)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func describeFunction(f *apis.Function) string {
	var b strings.Builder
	fmt.Fprintf(&b, "function %s of %s, %d at a time, keep %+v\n", f.Name, f.API, f.Many, f.Keep)
	for _, a := range f.Args {
		fmt.Fprintf(&b, "  takes %s %s\n", a.Name, a.Type)
	}
	fmt.Fprintf(&b, "  gives %s\n", describeColumn(f.Result))
	return b.String()
}

// TestLoadErrors writes down declarations that are wrong, with what is said of them.
// All are read besides the documents of testdata.
func TestLoadErrors(t *testing.T) {
	const books = "apis: {b: {openapi: bookshop.json, auth: {header: X-Shop, value: main}}}\n"
	var all strings.Builder
	for _, c := range []struct{ name, text string }{
		{"empty", ""},
		{"no YAML", "apis: [\n"},
		{"tab", "apis:\n\tb: 1\n"},
		{"two documents", books + "---\napis: {}\n"},
		{"list", "- a\n"},
		{"no API", "tables: {}\n"},
		{"unknown keys", books + "table: {}\ntables: {t: {lists: a}}\n"},
		{"key twice", books + "tables:\n  t: {list: listBooks, list: listBooks}\n"},
		{"types", books + "limits: {calls: many, rows: -1, bytes: 1.5}\ntables:\n  t: {list: 5, estimate: [1], key: {a: 1}, safe: yes, page: [offset]}\n"},
		{"anchors", "apis: *none\n"},
		{"part of itself", "apis: &a {<<: *a}\n"},
		{"null in a list", books + "tables: {t: {list: listBooks, key: [~]}}\n"},
		{"variable", "apis: {b: {openapi: bookshop.json, server: \"${NONE}/x\", auth: [{header: A, value: \"${EMPTY}\"}, {query: k, value: \"${A B}\"}]}}\n"},
		{"variable elsewhere", books + "tables: {t: {list: \"${LIST}\"}}\n"},
		{"secret with line end", "apis: {b: {openapi: bookshop.json, auth: {header: A, value: \"${LINES}\"}}}\n"},
		{"auth", "apis: {b: {openapi: bookshop.json, auth: [{value: a}, {header: a b, value: c}, {header: d}]}}\n"},
		{"no document", "apis: {b: {openapi: none.json}, c: }\n"},
		{"document", "apis: {b: {openapi: broken.json}, c: {openapi: big.apis.yaml}}\n"},
		{"no server", "apis: {b: {openapi: tiny.yaml}}\n"},
		{"server", "apis: {b: {openapi: tiny.yaml, server: \"ftp://a/b\"}, c: {openapi: tiny.yaml, server: \"http://a/?k=v\"}}\n"},
		{"numbers", "apis: {b: {openapi: bookshop.json, timeout: 5, cache: never, concurrent: 0}}\nlimits: {calls: 0}\n"},
		{"settings", "apis: {b: {openapi: bookshop.json, timeout: 5s, cache: never, concurrent: 0}}\n"},
		{"which API", "apis: {b: {openapi: bookshop.json}, c: {openapi: bookshop.json}}\ntables: {t: {list: listBooks}, u: {api: d, list: listBooks}}\n"},
		{"names", books + "tables: {\"\": {list: GET /reviews}, sqlite_a: {list: GET /reviews}, t: {list: GET /reviews}, T: {list: GET /reviews}}\n"},
		{"operation", books + "tables: {t: {list: listBook}, u: }\nfunctions: {f: {operation: taxes}, g: {}}\n"},
		{"method", books + "tables: {t: {list: deleteBook}, u: {list: searchBooks}}\n"},
		{"rows", books + "tables: {t: {list: listBooks, rows: data}, u: {list: listBooks, rows: /item}, v: {list: getBook}}\n"},
		{"columns", books + "tables:\n  t:\n    list: listBooks\n    columns: {a: /nam, b: {path: /publisher/nam}, c: {path: /x, type: TEXT NOT NULL}, d: {path: /id, collation: GERMAN}, e: title, Price: /title}\n    only: [id, pric]\n"},
		{"filters", books + "tables:\n  t:\n    list: listBooks\n    filters: {isbn: ibsn, titel: isbn, id: {in: ids, many: 0}, stock: near, price: limit, tags: {in: isbn, many: 6000}}\n    required: title\n"},
		{"required parameter", "apis: {b: {openapi: orchard.yaml}}\ntables: {t: {list: listTrees}}\nfunctions: {f: {operation: scoreVariety, args: [grade]}, g: {operation: scoreVariety, args: []}}\n"},
		{"with", books + "tables: {t: {list: listBooks, with: {shop: 1, stock: [1, 2]}}}\n"},
		{"pages", books + "tables:\n  t: {list: listBooks, page: offsets}\n  u: {list: listBooks, page: {kind: cursor}}\n  v: {list: listBooks, page: {kind: offset, position: start, next: /nxt}}\n  w: {list: listBooks, page: {kind: none, limit: limit}}\n"},
		{"signs of pages", "apis: {b: {openapi: tiny.yaml, server: \"http://a\"}}\ntables: {t: {list: signs}, u: {list: signs, page: {kind: cursor}}, v: {list: signs, page: {kind: cursor, next: /meta/nextt}}}\n"},
		{"several arrays", "apis: {b: {openapi: tiny.yaml, server: \"http://a\"}}\ntables: {t: {list: arrays}, u: {list: same}}\n"},
		{"many", books + "functions:\n  f: {operation: tax, args: [price, country], with: {year: 1}, many: {max: 21}}\n  g: {operation: tax, args: [price, country], with: {year: 1}, many: {key: [/price]}}\n  h: {operation: tax, args: [price, country, year], many: {}}\n  i: {operation: tax, args: [price, country], with: {year: 1}, result: /data/0/taxx}\n"},
		{"get", "apis: {b: {openapi: tiny.yaml, server: \"http://a\"}}\ntables: {t: {list: same, only: [id], get: arrays}}\n"},
	} {
		_, err := load(context.Background(), filepath.Join("testdata", "x.yaml"), []byte(c.text), environment)
		if err == nil {
			t.Errorf("%s: no error", c.name)
			continue
		}
		got := strings.ReplaceAll(err.Error(), "testdata/x.yaml:", "")
		if strings.Contains(got, "s3cret") {
			t.Errorf("%s: a secret is shown: %s", c.name, got)
		}
		for line := range strings.Lines(err.Error()) {
			if !strings.HasPrefix(line, "testdata/x.yaml:") {
				t.Errorf("%s: a line does not say where: %q", c.name, line)
			}
		}
		fmt.Fprintf(&all, "== %s\n%s--\n%s\n\n", c.name, c.text, got)
	}
	golden.Equal(t, "testdata/errors.txt", all.String())
}

// TestLoadFile says that the file itself has to be there.
func TestLoadFile(t *testing.T) {
	if _, err := Load(context.Background(), "testdata/none.yaml", environment); err == nil || err.Error() != "testdata/none.yaml: no such file or directory" {
		t.Errorf("%v", err)
	}
}

// TestDocumentURL reads a document from the server of its API. The token goes along,
// but to no other host.
func TestDocumentURL(t *testing.T) {
	document, err := os.ReadFile("testdata/bookshop.json")
	if err != nil {
		t.Fatal(err)
	}
	var tokens []string
	serve := func(text []byte) *httptest.Server {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			tokens = append(tokens, r.URL.String()+" "+r.Header.Get("Authorization"))
			if r.URL.Path != "/openapi.json" {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(text)
		}))
		t.Cleanup(s.Close)
		return s
	}
	elsewhere := serve(document)
	relative := serve([]byte(strings.Replace(string(document), `"https://{host}/v1"`, `"/v1"`, 1)))
	env := func(name string) (string, bool) {
		v, ok := map[string]string{"HERE": relative.URL, "THERE": elsewhere.URL, "TOKEN": "s3cret"}[name]
		return v, ok
	}
	const auth = `, auth: {header: Authorization, value: "${TOKEN}"}}}`
	for _, c := range []struct{ text, want, token string }{
		{`apis: {b: {openapi: "${HERE}/openapi.json"` + auth, "", "/openapi.json s3cret"},
		{`apis: {b: {openapi: "${HERE}/openapi.json", server: "${HERE}/x"` + auth, "", "/openapi.json s3cret"},
		{`apis: {b: {openapi: "${THERE}/openapi.json?a=b", server: "${HERE}"` + auth, "", "/openapi.json?a=b "},
		{`apis: {b: {openapi: "${THERE}/openapi.json"` + auth, "x.yaml:1:11: api b: the document names a server on another host, books.example; say it under server if it may have what auth says", "/openapi.json s3cret"},
		{`apis: {b: {openapi: "${THERE}/none?${TOKEN}"` + auth, "x.yaml:1:21: api b: the document ${THERE}/none?${TOKEN}: it cannot be read from there: the request was refused: 404 page not found", "/none?s3cret= s3cret"},
	} {
		tokens = nil
		d, err := load(context.Background(), "x.yaml", []byte(c.text), env)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			d.Close()
		}
		if got != c.want || strings.Join(tokens, " ") != c.token {
			t.Errorf("%s: got %q, want %q; asked %q, want %q", c.text, got, c.want, tokens, c.token)
		}
	}
}

func read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func mustParse(address string) *url.URL {
	u, err := url.Parse(address)
	if err != nil {
		panic(err)
	}
	return u
}

// sourceOf returns where a table's rows come from.
func sourceOf(t *apis.Table) *source { return t.TableSource.(*table).source }
