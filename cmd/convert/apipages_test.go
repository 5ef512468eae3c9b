package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/programtest"
)

// tablePage is a page of serve --tables.
type tablePage struct {
	Data      []json.RawMessage `json:"data"`
	Count     int               `json:"count"`
	Truncated bool              `json:"truncated"`
	Next      *int              `json:"next_offset,omitempty"`
}

// TestPagesThatContradictThemselves lists a table of 250 rows in pages of 50, of which
// the third is not what it should be: rows that are missing are an error with table,
// operation and page.
func TestPagesThatContradictThemselves(t *testing.T) {
	file := programtest.Database(t, "many", "CREATE TABLE t(n INTEGER); WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i WHERE i < 250) INSERT INTO t SELECT i FROM i")
	service := programtest.Serve(t, "--tables", "--db", file)
	page := func(offset string) (p tablePage) {
		status, _, body := service.Do(t, "GET", "/v1/tables/many/t?limit=50&offset="+offset, "")
		if err := json.Unmarshal([]byte(body), &p); status != http.StatusOK || err != nil {
			t.Errorf("%d %s", status, body)
		}
		return p
	}
	for _, c := range []struct {
		name  string
		third func(p tablePage) tablePage
		want  string // the answer, or what the error says
	}{
		{"as it should be", func(p tablePage) tablePage { return p }, "[250]\n"},
		{"no rows, and more", func(p tablePage) tablePage {
			return tablePage{Data: []json.RawMessage{}, Truncated: true}
		}, "page 3: it is empty, and says that there are more"},
		{"the page after", func(p tablePage) tablePage { return page("150") }, "page 3: it begins at 100 and has 50 rows, and says that the next one begins at 200"},
		{"a row short", func(p tablePage) tablePage {
			p.Data = p.Data[1:]
			return p
		}, "page 3: it says that it has 50 rows, and has 49"},
		{"a row short, of another count", func(p tablePage) tablePage {
			p.Data, p.Count = p.Data[1:], 49
			return p
		}, "page 3: it begins at 100 and has 49 rows, and says that the next one begins at 150"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if r.URL.Path != "/v1/tables/many/t" {
				_, _, body := service.Do(t, r.Method, r.URL.RequestURI(), "")
				_, _ = io.WriteString(w, body)
				return
			}
			p := page(r.URL.Query().Get("offset"))
			if r.URL.Query().Get("offset") == "100" {
				p = c.third(p)
			}
			_ = json.NewEncoder(w).Encode(p)
		}))
		folder := files(t, map[string]string{"apis.yaml": fmt.Sprintf(`
apis: {many: {openapi: "%[1]s/openapi/many.json", server: "%[1]s"}}
tables: {t: {list: rows_of_t, page: {kind: offset, position: offset, limit: limit, size: 50, next: /next_offset}}}
`, server.URL)})
		got := programtest.Run(t, "convert", "sql", "--apis", filepath.Join(folder, "apis.yaml"), "--as", "json", "SELECT count(*) FROM t")
		if got.Stdout != c.want && !(got.Code == 2 && strings.Contains(got.Stderr, "table t: ") && strings.Contains(got.Stderr, "rows_of_t") && strings.Contains(got.Stderr, c.want)) {
			t.Errorf("%s: %+v, want %q", c.name, got, c.want)
		}
		server.Close()
	}
}
