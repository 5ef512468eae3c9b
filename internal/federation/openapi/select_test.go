package openapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/federation/apis"
	"github.com/birdcall/birdcall/internal/federation/fetch"
	"github.com/birdcall/birdcall/internal/testkit/faultytest"
	"github.com/birdcall/birdcall/pkg/value"
)

// listing is a document of the listings of package faultytest.
var listing = func() string {
	page := `"responses": {"200": {"description": "", "content": {"application/json": {"schema": {"type": "object", "properties": {
		"data": {"type": "array", "items": {"$ref": "#/components/schemas/Row"}}, "total": {"type": "integer"}, "more": {"type": "boolean"}, "next": {}}}}}}}`
	integer := func(names ...string) string {
		all := make([]string, len(names))
		for i, name := range names {
			all[i] = fmt.Sprintf(`{"name": %q, "in": "query", "schema": {"type": "integer"}}`, name)
		}
		return strings.Join(all, ",")
	}
	return `{"openapi": "3.0.0", "info": {"title": "", "version": ""}, "paths": {
		"/offset": {"get": {"operationId": "offset", "parameters": [` + integer("offset", "limit") + `], ` + page + `}},
		"/page": {"get": {"operationId": "page", "parameters": [` + integer("page", "size") + `], ` + page + `}},
		"/cursor": {"get": {"operationId": "cursor", "parameters": [` + integer("cursor", "limit") + `], ` + page + `}},
		"/link": {"get": {"operationId": "link", "parameters": [` + integer("after", "limit") + `], ` + page + `}},
		"/whole": {"get": {"operationId": "whole", ` + page + `}},
		"/search": {"post": {"operationId": "search", "requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {"offset": {"type": "integer"}, "limit": {"type": "integer"}}}}}}, ` + page + `}},
		"/rows": {"get": {"operationId": "rows", "parameters": [{"name": "id", "in": "query", "schema": {"type": "array", "items": {"type": "integer"}}}], ` + page + `}},
		"/rows/{row}": {"get": {"operationId": "row", "parameters": [{"name": "row", "in": "path", "required": true, "schema": {"type": "integer"}}],
			"responses": {"200": {"description": "", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Row"}}}}}}}},
	"components": {"schemas": {"Row": {"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}}}}}`
}()

// listings are the ways in which the rows can be declared.
var listings = []struct{ name, table string }{
	{"offset", "{list: offset, page: {kind: offset, size: 10, total: /total}, key: id}"},
	{"offset by next", "{list: offset, page: {kind: offset, size: 10, next: /next, more: /more}, key: id}"},
	{"page", "{list: page, page: {kind: page, limit: size, size: 10, total: /total}, key: id}"},
	{"cursor", "{list: cursor, page: {kind: cursor, next: /next, size: 10, total: /total}, key: id}"},
	{"link", "{list: link, page: {kind: link, next: /next, size: 10}, key: id}"},
	{"link header", "{list: link, page: {kind: link, size: 10}, key: id}"},
	{"search", "{list: search, safe: true, page: {kind: offset, size: 10, total: /total}, key: id}"},
	{"whole", "{list: whole}"},
}

// TestListings lists a table in each kind of paging, whole and in part.
func TestListings(t *testing.T) {
	for _, c := range listings {
		for _, rows := range []int{0, 1, 10, 25} {
			for _, limit := range []int{0, 1, 10, 11, 100} {
				s := faultytest.New(t, rows)
				table := loadDocument(t, listing, s.URL, c.table)
				n := 0
				whole, err := table.Select(context.Background(), apis.NewMeter(apis.Limits{}), nil, limit, func(row []value.Value) error {
					n++
					if row[0] != value.Int(int64(n)) || row[1] != value.Str(fmt.Sprint("row ", n)) {
						t.Errorf("%s: row %d is %v", c.name, n, row)
					}
					return nil
				})
				if err != nil || whole && n != rows || n < min(limit, rows) || limit == 0 && !whole {
					t.Errorf("%s of %d rows, %d wanted: %d rows, whole %t, %v", c.name, rows, limit, n, whole, err)
				}
			}
		}
	}
}

// TestFaultyListings lists a table of a server that fails: all rows come, or an error
// that says of what.
func TestFaultyListings(t *testing.T) {
	for _, c := range listings {
		for _, f := range []struct {
			fault faultytest.Fault
			want  error // nil if another attempt mends it
		}{
			{faultytest.ServerError, nil}, {faultytest.Malformed, nil}, {faultytest.Truncated, nil}, {faultytest.Reset, nil}, {faultytest.HTML, nil},
			{faultytest.ShortPage, nil}, {faultytest.BadRequest, fetch.ErrRefused}, {faultytest.RedirectAway, fetch.ErrRedirect}, {faultytest.DuplicatePage, fetch.ErrPaging},
		} {
			switch {
			case c.name == "whole" && (f.fault == faultytest.ShortPage || f.fault == faultytest.DuplicatePage):
				continue
			case c.name == "page" && f.fault == faultytest.ShortPage:
				f.want = fetch.ErrPaging // the rows that are left out are on no page
			}
			t.Run(c.name+", "+string(f.fault), func(t *testing.T) {
				t.Parallel()
				listFaulty(t, c.table, f.fault, f.want)
			})
		}
	}
}

func listFaulty(t *testing.T, declared string, fault faultytest.Fault, want error) {
	s := faultytest.New(t, 25)
	s.Script(faultytest.None, fault)
	if strings.Contains(declared, "whole") {
		s.Script(fault)
	}
	table := loadDocument(t, listing, s.URL, declared)
	sourceOf(table).service.client = fetch.New(fetch.Options{Server: mustParse(s.URL), Transport: s.Transport})
	var ids []string
	whole, err := table.Select(context.Background(), apis.NewMeter(apis.Limits{}), nil, 0, func(row []value.Value) error {
		ids = append(ids, value.AsText(row[0]))
		return nil
	})
	if want == nil {
		all := make([]string, 25)
		for i := range all {
			all[i] = fmt.Sprint(i + 1)
		}
		if err != nil || !whole || !slices.Equal(ids, all) {
			t.Errorf("rows %v, whole %t, %v", ids, whole, err)
		}
		return
	}
	var typed *fetch.Error
	if !errors.Is(err, want) || !errors.As(err, &typed) || whole || !strings.HasPrefix(err.Error(), "table t: ") || typed.Operation == "" || typed.Attempts == 0 {
		t.Errorf("%v", err)
	}
}

// TestKeys asks for rows by their keys.
func TestKeys(t *testing.T) {
	s := faultytest.New(t, 1000)
	ids := func(n int) (all []value.Value) {
		for i := range n {
			all = append(all, value.Int(int64(2*i+1)))
		}
		return all
	}
	for _, c := range []struct {
		table  string
		values []value.Value
		want   int    // rows
		calls  string // operations and how many of them
	}{
		{"{list: rows, page: none}", ids(100), 100, "rows"},
		{"{list: rows, page: none}", []value.Value{value.Int(5), value.Str("5"), value.Float(5), value.Int(6)}, 2, "rows"},
		{"{list: rows, page: none}", []value.Value{value.Int(2000)}, 0, "rows"},
		{"{list: rows, page: none, filters: {id: {many: 1000}}}", append(ids(499), ids(500)[499:]...), 500, "rows"},
		{"{list: whole, get: row, key: id}", ids(1), 1, "row"},
		{"{list: whole, get: row, key: id}", []value.Value{value.Int(1001)}, 0, "row"},
		{"{get: row, filters: {id: row}}", []value.Value{value.Str("7")}, 1, "row"},
		{"{list: rows, get: row, key: id, page: none}", ids(2), 2, "rows"},
	} {
		table := loadDocument(t, listing, s.URL, c.table)
		meter, n := apis.NewMeter(apis.Limits{}), 0
		whole, err := table.Select(context.Background(), meter, []apis.Condition{{Column: 0, Values: c.values}}, 0, func([]value.Value) error { n++; return nil })
		var calls []string
		for _, call := range meter.Calls() {
			calls = append(calls, call.Operation)
		}
		if err != nil || !whole || n != c.want || strings.Join(calls, " ") != c.calls {
			t.Errorf("%s: %d rows by %v, whole %t, %v", c.table, n, calls, whole, err)
		}
	}
}

// TestSelectErrors lists what cannot be asked for.
func TestSelectErrors(t *testing.T) {
	s := faultytest.New(t, 10)
	id := func(values ...value.Value) apis.Condition { return apis.Condition{Column: 0, Values: values} }
	for _, c := range []struct {
		table      string
		conditions []apis.Condition
		want       string
	}{
		{"{get: row, filters: {id: row}}", nil, "table t: row gives rows only for values of id; compare it with = or IN, or join it"},
		{"{get: row, filters: {id: row}}", []apis.Condition{id(value.Int(1), value.Int(2))}, "table t: one call of row can have 1 values of id, and not 2"},
		{"{list: rows, page: none}", []apis.Condition{id(value.Str("x"))}, "table t: rows cannot be asked for the value x of id"},
		{"{list: rows, page: none}", []apis.Condition{id()}, "table t: a condition needs a column of the table and values"},
		{"{list: rows, page: none}", []apis.Condition{{Column: 7, Values: []value.Value{value.Int(1)}}}, "table t: a condition needs a column of the table and values"},
		{"{list: rows, page: none}", []apis.Condition{id(value.Int(1), value.Int(2)), id(value.Int(1), value.Int(2))}, "table t: only one condition can have several values"},
	} {
		table := loadDocument(t, listing, s.URL, c.table)
		_, err := table.Select(context.Background(), apis.NewMeter(apis.Limits{}), c.conditions, 0, func([]value.Value) error { return nil })
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.table, err, c.want)
		}
	}
	table := loadDocument(t, listing, s.URL, "{list: whole}")
	stop := errors.New("enough")
	if _, err := table.Select(context.Background(), apis.NewMeter(apis.Limits{}), nil, 0, func([]value.Value) error { return stop }); err != stop { //nolint:errorlint // as it is
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := table.Select(ctx, apis.NewMeter(apis.Limits{}), nil, 0, func([]value.Value) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestRequests lists conditions with the requests that they become.
func TestRequests(t *testing.T) {
	var asked []string
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked = append(asked, strings.TrimSpace(fmt.Sprintf("%s %s %s", r.Method, r.URL.RequestURI(), body)))
		w.Header().Set("Content-Type", "application/json")
		switch {
		case strings.HasPrefix(r.URL.Path, "/search"):
			_, _ = io.WriteString(w, `[]`)
		case strings.HasPrefix(r.URL.Path, "/books/"):
			_, _ = io.WriteString(w, `{"book":null}`)
		case strings.HasPrefix(r.URL.Path, "/growers/"):
			_, _ = io.WriteString(w, `{"result":{"trees":[]},"paging":{}}`)
		default:
			_, _ = io.WriteString(w, `{"items":[],"found":0}`)
		}
	}))
	t.Cleanup(api.Close)
	env := func(name string) (string, bool) {
		if strings.HasSuffix(name, "URL") {
			return api.URL, true
		}
		return environment(name)
	}
	text := strings.Replace(read(t, "testdata/big.apis.yaml"), "openapi: bookshop.json", "openapi: bookshop.json\n    server: ${BOOKS_URL}", 1)
	d, err := load(context.Background(), "testdata/big.apis.yaml", []byte(text), env)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	str := func(texts ...string) (all []value.Value) {
		for _, text := range texts {
			all = append(all, value.Str(text))
		}
		return all
	}
	for _, c := range []struct {
		table      string
		conditions map[string][]value.Value
		want       string
	}{
		{"book", nil, "GET /books?key=k3y&limit=50&offset=0"},
		{"book", map[string][]value.Value{"isbn": str("a b", "c&d")}, "GET /books?isbn=a+b&isbn=c%26d&key=k3y&limit=50&offset=0"},
		{"book", map[string][]value.Value{"id": {value.Int(1), value.Int(2)}, "signed": {value.Int(1)}}, "GET /books?ids=1%7C2&key=k3y&limit=50&offset=0&signed=true"},
		{"found", map[string][]value.Value{"isbn": str("1", "\"2\""), "stock": {value.Int(3)}}, `POST /search?key=k3y {"limit":100,"mode":"exact","offset":0,"where":{"isbn":["1","\"2\""],"stock":3}}`},
		{"by_id", map[string][]value.Value{"id": {value.Int(7)}}, "GET /books/7?key=k3y"},
		{"tree", map[string][]value.Value{"growerId": str("a/b c"), "kind": str("Elstar", "Gala")}, "GET /growers/a%2Fb%20c/trees?page_size=200&units=metric&variety=Elstar%2CGala"},
		{"book", map[string][]value.Value{"isbn": str(strings.Repeat("é", 13), strings.Repeat("x", 13))}, "GET /books?isbn=%C3%A9%C3%A9%C3%A9%C3%A9%C3%A9%C3%A9%C3%A9%C3%A9%C3%A9%C3%A9%C3%A9%C3%A9%C3%A9&isbn=xxxxxxxxxxxxx&key=k3y&limit=50&offset=0"},
	} {
		asked = nil
		for _, table := range d.Database("").Tables {
			if table.Name != c.table {
				continue
			}
			var conditions []apis.Condition
			for i, column := range table.Columns {
				if values := c.conditions[column.Name]; values != nil {
					conditions = append(conditions, apis.Condition{Column: i, Values: values})
				}
			}
			selectAll(t, table, conditions)
		}
		if got := strings.Join(asked, "\n"); got != c.want {
			t.Errorf("%s %v: got\n%s, want\n%s", c.table, c.conditions, got, c.want)
		}
	}
}

// TestLongURLs asks for values that together are too long for one URL.
func TestLongURLs(t *testing.T) {
	longest, calls := 0, 0
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		longest, calls = max(longest, len(r.URL.RequestURI())), calls+1
		w.Header().Set("Content-Type", "application/json")
		rows := make([]string, 0, 100)
		for _, v := range r.URL.Query()["c"] {
			rows = append(rows, `{"c":"`+v+`"}`)
		}
		_, _ = io.WriteString(w, "["+strings.Join(rows, ",")+"]")
	}))
	t.Cleanup(api.Close)
	table := loadDocument(t, oneColumn(`{"type": "string"}`, `"schema": {"type": "array", "items": {"type": "string"}}`), api.URL, "{list: rows}")
	var values []value.Value
	for i := range 100 {
		values = append(values, value.Str(strings.Repeat("x", 200)+fmt.Sprint(i)))
	}
	rows := selectAll(t, table, []apis.Condition{{Column: 1, Values: values}})
	if len(rows) != 100 || longest > 8000 || calls != 4 {
		t.Errorf("%d rows by %d calls of at most %d bytes", len(rows), calls, longest)
	}
	for i, row := range rows {
		if row[1] != values[i] {
			t.Errorf("row %d is %v", i, row)
		}
	}
	n := 0
	whole, err := table.Select(context.Background(), apis.NewMeter(apis.Limits{}), []apis.Condition{{Column: 1, Values: values}}, 1, func([]value.Value) error { n++; return nil })
	if whole || err != nil || n == 0 || n >= 100 {
		t.Errorf("%d rows, whole %t, %v", n, whole, err)
	}
}
