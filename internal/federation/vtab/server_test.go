package vtab_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/federation/openapi"
	"github.com/birdcall/birdcall/internal/federation/vtab"
	"github.com/birdcall/birdcall/pkg/bird"
)

// birdAPI is an API of birds. Bird n of 1 to birds is called "bird n", and belongs to
// the family n % families. It lists them in pages, filters by ids and families, gives
// the length of texts, and the weather of places that it is asked for.
type birdAPI struct {
	*httptest.Server
	birds, families int
	many            int // ids of a call
	shift           int // rows that are put before the others after each page
	delay           time.Duration

	mu     sync.Mutex
	calls  []string // path and query
	broken map[string]int
	peak   int // requests at a time
	now    int
}

const birdDocument = `
openapi: 3.0.3
info: {title: Birds, version: "1"}
paths:
  /birds:
    get:
      operationId: listBirds
      parameters:
        - {name: id, in: query, schema: {type: array, items: {type: integer}}}
        - {name: family, in: query, schema: {type: array, items: {type: string}}}
        - {name: limit, in: query, schema: {type: integer}}
        - {name: offset, in: query, schema: {type: integer}}
      responses:
        "200":
          description: birds
          content:
            application/json:
              schema:
                type: object
                properties:
                  next: {type: integer}
                  data: {type: array, items: {$ref: '#/components/schemas/Bird'}}
  /length:
    get:
      operationId: length
      parameters: [{name: text, in: query, required: true, schema: {type: array, items: {type: string}}}]
      responses:
        "200":
          description: lengths
          content:
            application/json:
              schema:
                type: object
                properties:
                  data: {type: array, items: {type: object, properties: {text: {type: string}, length: {type: integer}}}}
  /weather:
    get:
      operationId: weather
      parameters: [{name: place, in: query, required: true, schema: {type: array, items: {type: string}}}]
      responses:
        "200":
          description: weather
          content:
            application/json:
              schema:
                type: object
                properties:
                  data: {type: array, items: {type: object, properties: {place: {type: string}, degrees: {type: integer}}}}
components:
  schemas:
    Bird:
      type: object
      required: [id, name, family]
      properties: {id: {type: integer}, name: {type: string}, family: {type: string}}
`

func (b *birdAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	b.calls = append(b.calls, r.URL.RequestURI())
	b.now++
	b.peak = max(b.peak, b.now)
	broken := b.broken[r.URL.Path] > 0
	b.broken[r.URL.Path]--
	b.mu.Unlock()
	select {
	case <-time.After(b.delay):
	case <-r.Context().Done():
	}
	defer func() {
		b.mu.Lock()
		b.now--
		b.mu.Unlock()
	}()
	if broken {
		http.Error(w, `{"error": "broken"}`, http.StatusBadRequest)
		return
	}
	q := r.URL.Query()
	var rows []map[string]any
	answer := map[string]any{}
	switch r.URL.Path {
	case "/birds":
		for n := 1; n <= b.birds; n++ {
			family := fmt.Sprint("family ", n%b.families)
			if (q["id"] == nil || slices.Contains(q["id"], strconv.Itoa(n))) && (q["family"] == nil || slices.Contains(q["family"], family)) {
				rows = append(rows, map[string]any{"id": n, "name": fmt.Sprint("bird ", n), "family": family})
			}
		}
		offset, _ := strconv.Atoi(q.Get("offset"))
		limit, _ := strconv.Atoi(q.Get("limit"))
		if end := offset + limit; end < len(rows) {
			answer["next"] = end
		}
		from := max(0, offset-b.shift*(offset/max(1, limit)))
		rows = rows[min(from, len(rows)):min(from+limit, len(rows))]
	case "/length":
		for _, text := range q["text"] {
			rows = append(rows, map[string]any{"text": text, "length": len(text)})
		}
	case "/weather":
		for _, place := range q["place"] {
			rows = append(rows, map[string]any{"place": place, "degrees": len(place)})
		}
	}
	answer["data"] = slices.Clip(append([]map[string]any{}, rows...))
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}

// asked returns what was asked for since it was called last.
func (b *birdAPI) asked() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	calls := b.calls
	b.calls = nil
	return calls
}

// count counts the calls of a path since asked was called.
func (b *birdAPI) count() map[string]int {
	counts := map[string]int{}
	for _, call := range b.asked() {
		path, _, _ := strings.Cut(call, "?")
		counts[path]++
	}
	return counts
}

// birdTables declares the API's tables and function, with more members of the API,
// the ids of a call and more members of the table.
const birdTables = `
apis: {birds: {openapi: birds.openapi.yaml, server: "${URL}", concurrent: 8, retries: 0%s}}
tables:
  birds:
    list: listBirds
    filters: {id: {in: id, many: %d}, family: {in: family, many: 10}}
    page: {kind: offset, position: offset, limit: limit, size: 100, next: /next}
    %s
  weather: {list: weather, filters: {place: {in: place, many: 10}}, required: [place], key: [place]}
functions:
  length_of: {operation: length, args: [text], result: /length, many: {max: 50, rows: /data, key: [/text]}}
`

// newBirds starts an API of 1,000 birds in 10 families.
func newBirds(t testing.TB) *birdAPI {
	b := &birdAPI{birds: 1000, families: 10, many: 100, broken: map[string]int{}}
	b.Server = httptest.NewServer(b)
	t.Cleanup(b.Close)
	return b
}

// open opens a database of 358 sightings, of the birds 1, 3, 5, ... in 20 places,
// with the API's tables.
func (b *birdAPI) open(t testing.TB, ofAPI, ofTable string, fixed bool) *sqlite.DB {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("birds.openapi.yaml", birdDocument)
	declared, err := openapi.Load(t.Context(), write("apis.yaml", fmt.Sprintf(birdTables, ofAPI, b.many, ofTable)), func(string) (string, bool) { return b.URL, true })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(declared.Close)
	path := build(t, `CREATE TABLE sighting(bird INTEGER, place TEXT, n INTEGER);
		WITH RECURSIVE i(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM i WHERE i < 357)
		INSERT INTO sighting SELECT 2 * i + 1, 'place ' || (i % 20), i FROM i`)
	db, err := vtab.Open(t.Context(), &bird.Database{ID: "test", Path: path, APIs: declared.Database("test")}, sqlite.Options{}, fixed)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}
