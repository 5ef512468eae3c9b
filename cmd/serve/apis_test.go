package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/testkit/programtest"
)

// stockAPI is an API of goods and of shops, of ten columns each, that lists 100 rows of
// them in pages of 20, and gets goods by their ids.
type stockAPI struct {
	*httptest.Server
	delay time.Duration

	mu    sync.Mutex
	calls map[string]int // by path
}

func newStockAPI(t *testing.T, delay time.Duration) *stockAPI {
	s := &stockAPI{delay: delay, calls: map[string]int{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *stockAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.calls[r.URL.Path]++
	s.mu.Unlock()
	time.Sleep(s.delay)
	offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
	from, to, total := offset, min(offset+20, 100), 100
	if id, err := strconv.Atoi(r.URL.Query().Get("id")); err == nil {
		from, to, total = id-1, id, 1
	}
	rows := []map[string]any{}
	for n := from; n < to; n++ {
		row := map[string]any{"id": n + 1}
		for c := range 9 {
			row[fmt.Sprint("c", c)] = fmt.Sprint("2024-01-", 10+n%10)
		}
		rows = append(rows, row)
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"data": rows, "total": total})
}

// asked returns how many calls there were of a path since it was asked last.
func (s *stockAPI) asked(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.calls[path]
	s.calls[path] = 0
	return n
}

// declare writes the declaration of the API, with members of its tables.
func (s *stockAPI) declare(t *testing.T, members string) string {
	properties := `"id": {"type": "integer"}`
	for c := range 9 {
		properties += fmt.Sprintf(`, "c%d": {"type": "string"}`, c)
	}
	operation := func(id string) string {
		return fmt.Sprintf(`{"get": {"operationId": %q, "parameters": [{"name": "id", "in": "query", "schema": {"type": "integer"}}, {"name": "offset", "in": "query", "schema": {"type": "integer"}}, {"name": "limit", "in": "query", "schema": {"type": "integer"}}],
			"responses": {"200": {"description": "", "content": {"application/json": {"schema": {"type": "object", "properties": {"total": {"type": "integer"}, "data": {"type": "array", "items": {"type": "object", "properties": {%s}}}}}}}}}}}`, id, properties)
	}
	folder := t.TempDir()
	for name, text := range map[string]string{
		"stock.json": fmt.Sprintf(`{"openapi": "3.1.0", "info": {"title": "", "version": ""}, "paths": {"/goods": %s, "/shops": %s}}`, operation("goods"), operation("shops")),
		"apis.yaml": fmt.Sprintf("apis: {stock: {openapi: stock.json, server: %q, concurrent: 64}}\ntables:\n  goods: {list: goods, page: {kind: offset, size: 20, total: /total}%[2]s}\n  shops: {list: shops, page: {kind: offset, size: 20, total: /total}}\n",
			s.URL, members),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(folder, "apis.yaml")
}

// TestQueryListsOnce asks the query tool for a table of an API, which is listed once
// for all of its columns, and for nothing of another table.
func TestQueryListsOnce(t *testing.T) {
	stock := newStockAPI(t, 0)
	service := programtest.Serve(t, "--db", programtest.Database(t, "shop", "CREATE TABLE own(id INTEGER PRIMARY KEY); INSERT INTO own VALUES (1)"), "--apis", stock.declare(t, ""))
	ask := func(args, want string) {
		t.Helper()
		if status, _, body := service.Do(t, "POST", "/v1/query/shop", args, "Content-Type", "application/json"); status != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("%s: %d %s, want %s", args, status, body, want)
		}
	}
	stock.asked("/goods")
	stock.asked("/shops")
	ask(`{"collection_name": "own", "aggregations": [{"metrics": "COUNT"}]}`, `"value":1`)
	if goods, shops := stock.asked("/goods"), stock.asked("/shops"); goods != 0 || shops != 0 {
		t.Errorf("a query of the file took %d and %d calls", goods, shops)
	}
	ask(`{"collection_name": "goods", "aggregations": [{"metrics": "COUNT"}]}`, `"value":100`)
	if goods, shops := stock.asked("/goods"), stock.asked("/shops"); goods != 5 || shops != 0 {
		t.Errorf("a query of goods took %d calls, and %d of shops", goods, shops)
	}
	ask(`{"collection_name": "goods", "filters": [{"property_name": "c3", "operator": "=", "value": "2024-01-11"}], "aggregations": [{"metrics": "COUNT"}]}`, `"value":10`)
	if goods, shops := stock.asked("/goods"), stock.asked("/shops"); goods != 0 || shops != 0 {
		t.Errorf("a second query took %d and %d calls", goods, shops)
	}
}

// TestSlowAPI asks 32 times at once for a row of an API that takes a second, and then
// for one of the file: a statement that waits for an API holds no connection.
func TestSlowAPI(t *testing.T) {
	stock := newStockAPI(t, time.Second)
	service := programtest.Serve(t, "--tables", "--db", programtest.Database(t, "shop", "CREATE TABLE own(id INTEGER PRIMARY KEY); INSERT INTO own VALUES (1)"), "--apis", stock.declare(t, ", key: [id]"))
	var all sync.WaitGroup
	var mu sync.Mutex
	statuses := map[int]int{}
	for n := range 32 {
		all.Go(func() {
			path, want := "/v1/tables/shop/goods?id=7", `"count":1,`
			if n%8 == 7 {
				path = "/v1/tables/shop/own"
			}
			status, _, body := service.Do(t, "GET", path, "")
			mu.Lock()
			defer mu.Unlock()
			statuses[status]++
			if status == http.StatusOK && !strings.Contains(body, want) {
				t.Errorf("%s: %s", path, body)
			}
		})
	}
	all.Wait()
	if statuses[http.StatusOK] != 32 {
		t.Errorf("statuses %v, want 32 times 200", statuses)
	}
}
