package vtab_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/federation/openapi"
	"github.com/birdcall/birdcall/internal/federation/vtab"
	"github.com/birdcall/birdcall/internal/testkit/faultytest"
	"github.com/birdcall/birdcall/pkg/bird"
)

// rowsDocument describes the lists of faultytest's server, and its rows by their ids.
const rowsDocument = `
openapi: 3.1.0
info: {title: Rows, version: "1"}
paths:
  /offset: {get: {operationId: byOffset, parameters: [{name: offset, in: query, schema: {type: integer}}, {name: limit, in: query, schema: {type: integer}}], responses: &page {"200": {description: a page, content: {application/json: {schema: {$ref: '#/components/schemas/Page'}}}}}}}
  /page: {get: {operationId: byPage, parameters: [{name: page, in: query, schema: {type: integer}}, {name: size, in: query, schema: {type: integer}}], responses: *page}}
  /cursor: {get: {operationId: byCursor, parameters: [{name: cursor, in: query, schema: {type: string}}, {name: limit, in: query, schema: {type: integer}}], responses: *page}}
  /link: {get: {operationId: byLink, parameters: [{name: limit, in: query, schema: {type: integer}}], responses: *page}}
  /rows: {get: {operationId: byIds, parameters: [{name: id, in: query, schema: {type: array, items: {type: integer}}}], responses: *page}}
components:
  schemas:
    Page:
      type: object
      properties:
        data: {type: array, items: {type: object, required: [id, name], properties: {id: {type: integer}, name: {type: string}}}}
        count: {type: integer}
        total: {type: integer}
        more: {type: boolean}
        next: {type: [integer, string, "null"]}
`

const rowsTables = `
apis: {rows: {openapi: rows.yaml, server: "${URL}", auth: {header: Authorization, value: "Bearer ${TOKEN}"}, retries: 3, timeout: 300ms, cache: forever}}
tables:
  by_offset: {list: byOffset, key: [id], page: {kind: offset, position: offset, limit: limit, size: 10, total: /total}}
  by_next: {list: byOffset, key: [id], page: {kind: offset, position: offset, limit: limit, size: 10, next: /next, more: /more, count: /count}}
  by_page: {list: byPage, key: [id], page: {kind: page, position: page, limit: size, size: 10, total: /total}}
  by_cursor: {list: byCursor, key: [id], page: {kind: cursor, position: cursor, limit: limit, size: 10, next: /next, total: /total}}
  by_link: {list: byLink, key: [id], page: {kind: link, limit: limit, size: 10, next: /next, more: /more, count: /count}}
  by_ids: {list: byIds, key: [id], required: [id], filters: {id: {in: id, many: 10}}}
`

// TestFaults has each kind of listing, and rows by keys, meet each fault: the answer
// is right, or an error names the table, the operation and the attempts. A later
// statement has the right answer: nothing wrong was kept.
func TestFaults(t *testing.T) {
	faults := []faultytest.Fault{
		faultytest.RateLimited, faultytest.RateLimitedLong, faultytest.ServerError, faultytest.Unauthorized, faultytest.BadRequest,
		faultytest.Slow, faultytest.Malformed, faultytest.Truncated, faultytest.Reset, faultytest.HTML, faultytest.Looping,
		faultytest.DuplicatePage, faultytest.MissingPage, faultytest.ShortPage, faultytest.WrongTotal, faultytest.RedirectHere,
		faultytest.RedirectLoop, faultytest.RedirectAway, faultytest.LinkAway, faultytest.LessTotal, faultytest.WrongCount, faultytest.EmptyPage,
		faultytest.RowLost, faultytest.MoreNowhere,
	}
	wrong := map[faultytest.Fault]string{ // what is said of pages that contradict themselves
		faultytest.LessTotal: "page 2: the total was 35 rows, and now is 34", faultytest.WrongCount: "page 2: it says that it has 11 rows, and has 10",
		faultytest.EmptyPage: "page 2: it is empty, and says that there are more", faultytest.RowLost: "page 2: it says that it has 10 rows, and has 9",
		faultytest.MoreNowhere: "page 2: it says that there are more, and not where", faultytest.MissingPage: "page 2: it begins at 10 and has 10 rows, and says that the next one begins at 30",
	}
	caught := map[faultytest.Fault]bool{}
	var mu sync.Mutex
	t.Cleanup(func() {
		for fault, text := range wrong {
			if !caught[fault] {
				t.Errorf("%s: no error says %q", fault, text)
			}
		}
	})
	operations := map[string]string{"by_offset": "byOffset", "by_next": "byOffset", "by_page": "byPage", "by_cursor": "byCursor", "by_link": "byLink", "by_ids": "byIds"}
	for table, operation := range operations {
		for _, fault := range faults {
			if table == "by_link" && fault == faultytest.MissingPage {
				continue // these pages say neither how many rows there are nor where they are
			}
			t.Run(table+", "+string(fault), func(t *testing.T) {
				t.Parallel()
				s := faultytest.New(t, 35)
				db := openRows(t, s)
				s.Script(faultytest.None, fault)
				sql := fmt.Sprintf("SELECT count(*), sum(id), count(DISTINCT name) FROM %s", table)
				if table == "by_ids" {
					sql += " WHERE id IN (1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36)"
				}
				const right = "[[35 630 35]]"
				result, err := db.Query(t.Context(), sql)
				switch {
				case err == nil && fmt.Sprint(result.Rows) != right:
					t.Errorf("wrong rows: %v", result.Rows)
				case err != nil:
					for _, want := range []string{"table " + table, operation, "attempt"} {
						if !strings.Contains(err.Error(), want) {
							t.Errorf("%v: it lacks %q", err, want)
						}
					}
					if strings.Contains(err.Error(), wrong[fault]) {
						mu.Lock()
						caught[fault] = true
						mu.Unlock()
					}
					if strings.Contains(err.Error(), "secret-token") {
						t.Errorf("%v: it has the token", err)
					}
				}
				for _, call := range s.Astray() {
					t.Errorf("a call went to another server: %v", call)
				}
				s.Script()
				if result, err := db.Query(t.Context(), sql); fault != faultytest.RedirectLoop && (err != nil || fmt.Sprint(result.Rows) != right) {
					t.Errorf("later: %v, %v", result, err)
				}
			})
		}
	}
}

func openRows(t *testing.T, s *faultytest.Server) *sqlite.DB {
	dir := t.TempDir()
	for name, text := range map[string]string{"rows.yaml": rowsDocument, "apis.yaml": rowsTables} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	declared, err := openapi.Load(t.Context(), filepath.Join(dir, "apis.yaml"), func(name string) (string, bool) {
		return map[string]string{"URL": s.URL, "TOKEN": "secret-token"}[name], true
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(declared.Close)
	info := &bird.Database{ID: "rows", Path: build(t, "CREATE TABLE here(n)"), APIs: declared.Database("rows")}
	db, err := vtab.Open(t.Context(), info, sqlite.Options{}, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}
