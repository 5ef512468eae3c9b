package rest

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// TestTablesOddDocument validates the document of tables and columns with odd
// names, and of as many columns as SQLite lets a table have.
func TestTablesOddDocument(t *testing.T) {
	var wide []string
	for i := range 2000 {
		wide = append(wide, fmt.Sprintf("c%d", i))
	}
	api := openTables(t, append(manyKinds,
		"CREATE TABLE wide ("+strings.Join(wide, ", ")+")", "INSERT INTO wide (c1999) VALUES (7)",
		`CREATE TABLE "日本" (a)`, `CREATE TABLE "日本語" (a)`, `CREATE TABLE "Kinds!" (a)`)...)
	text, err := api.Document(context.Background(), DocumentOptions{MaxRows: 10})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(context.Background()); err != nil {
		t.Error(err)
	}
	names := map[string]bool{}
	for path, item := range doc.Paths.Map() {
		if name := item.Get.OperationID; names[name] || name == "" || len(name) > 64 {
			t.Errorf("%s has the name %q", path, name)
		} else {
			names[name] = true
		}
	}
	if got := doc.Paths.Find("/v1/tables/odd/kinds").Get.Responses.Status(200).Value.Content["application/json"].Schema.Value; got == nil {
		t.Error("a table has no answer")
	}
	h := NewService(api, ServiceOptions{}).Handler()
	if got := data(t, ask(h, "/v1/tables/odd/wide?c1999=7&c0=1&is_null=c0&is_null=c5")); !strings.HasSuffix(got, `"c1999":7}`) {
		t.Errorf("the wide table: %.200s", got)
	}
	var query strings.Builder
	for i := range 100 {
		fmt.Fprintf(&query, "&is_null=c%d", i)
	}
	if got := data(t, ask(h, "/v1/tables/odd/wide?"+query.String())); !strings.HasSuffix(got, `"c1999":7}`) {
		t.Errorf("a hundred columns: %.200s", got)
	}
	if got, want := data(t, ask(h, "/v1/tables/odd/wide?c1999=7"+query.String())), "400 c1999: more than 100 columns are given; leave some out."; got != want {
		t.Errorf("more columns: %.200s, want %s", got, want)
	}
	if got, want := data(t, ask(h, "/v1/tables/odd/wide?c20=7&c2001=7")), "400 c2001: there is no such parameter; the nearest are c200, c201, c1001, c20, c21, c100."; got != want {
		t.Errorf("another column: %.200s, want %s", got, want)
	}
}

// TestTablesFollowTheData has another program write to a table.
func TestTablesFollowTheData(t *testing.T) {
	d := dataset(t, []string{"CREATE TABLE good (id INTEGER PRIMARY KEY, name TEXT)", "INSERT INTO good VALUES (1, 'One')"}, "SELECT 1")
	api, err := Open(context.Background(), d, Options{Tables: true})
	if err != nil {
		t.Fatal(err)
	}
	defer api.Close()
	w, err := sql.Open("sqlite", d.Databases[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	h := NewService(api, ServiceOptions{}).Handler()
	tag := ""
	for _, step := range []struct {
		statement, query string
		status           int
		want             string
	}{
		{"SELECT 1", "", 200, `{"id":1,"name":"One"}`},
		{"SELECT 1", "", 304, ""},
		{"UPDATE good SET name = 'Uno'", "", 200, `{"id":1,"name":"Uno"}`},
		{"ALTER TABLE good ADD COLUMN more TEXT", "", 304, ""},
		{"INSERT INTO good VALUES (2, 'Two', 'x')", "name=Two", 200, `{"id":2,"name":"Two"}`},
		{"ALTER TABLE good RENAME COLUMN name TO title", "", 503, ""},
		{"SELECT 1", "name=name", 503, ""},
		{"SELECT 1", "id=1&name=name", 503, ""}, // the first of its form
		{"DROP TABLE good", "", 503, ""},
	} {
		if _, err := w.Exec(step.statement); err != nil {
			t.Fatal(err)
		}
		got := ask(h, "/v1/tables/odd/good?"+step.query, "If-None-Match: "+tag)
		tag = got.Header().Get("Etag")
		if got.Code != step.status || got.Code == http.StatusOK && data(t, got) != step.want {
			t.Errorf("after %s: %d %s", step.statement, got.Code, got.Body)
		}
		if got.Code == 503 && !strings.Contains(got.Body.String(), "Other tables") {
			t.Errorf("after %s: %s", step.statement, got.Body)
		}
	}
}

// FuzzTables has any text as a table and as a query string: the service neither
// fails nor answers with what is no JSON.
func FuzzTables(f *testing.F) {
	for _, text := range hostile[:60] {
		f.Add("kinds", "s="+url.QueryEscape(text))
		f.Add("order", url.QueryEscape(text)+"=1")
		f.Add(text, "limit=1")
	}
	f.Add("counted", "n=1&is_null=n&offset=1")
	api := openTables(f, manyKinds...)
	h := NewService(api, ServiceOptions{}).Handler()
	f.Fuzz(func(t *testing.T, table, query string) {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, &http.Request{Method: http.MethodGet, URL: &url.URL{Path: "/v1/tables/odd/" + table, RawQuery: query}, Header: http.Header{}})
		switch w.Code {
		case http.StatusOK, http.StatusBadRequest, http.StatusNotFound:
		default:
			t.Errorf("%q?%q: %d %s", table, query, w.Code, w.Body)
		}
		if !json.Valid(w.Body.Bytes()) {
			t.Errorf("%q?%q: %s", table, query, w.Body)
		}
	})
}
