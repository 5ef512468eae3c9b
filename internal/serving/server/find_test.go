package server

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/find"
)

const riverside = "/v1/find?q=Which+branch+is+called+Riverside"

// TestFind asks what a question is about, rightly and wrongly.
func TestFind(t *testing.T) {
	s := start(t, Options{Immutable: true, Find: &FindOptions{Hidden: []string{"author.*"}}})
	for _, c := range []struct {
		method, target string
		status         int
		contains       string
	}{
		{"GET", riverside, 200, `{"answerable":`},
		{"GET", riverside, 200, `"databases":[{"kind":"database","db":"city_library","score":`},
		{"GET", riverside + "&kinds=value", 200, `"value":"Riverside"`},
		{"GET", riverside + "&kinds=value&k=1", 200, `"table":"branch","column":"name","span":"Riverside","start":23,`},
		{"GET", riverside + "&kinds=table,tool&kinds=column&k=1&db=bird_club", 200, `"tables":[{"kind":"table","db":"bird_club"`},
		{"GET", "/v1/find?q=is+there+any&evidence=the+branch+Riverside&kinds=value", 200, `"start":-1,`},
		{"GET", "/v1/find", 400, `{"type":"about:blank","title":"Bad parameter","status":400,"detail":"q: it is missing; give the question."`},
		{"GET", "/v1/find?q=+", 400, `"parameter":"q","reason":"it is missing"`},
		{"GET", "/v1/find?q=a&q=b", 400, `"parameter":"q","reason":"it is given more than once","hint":"give it once"`},
		{"GET", "/v1/find?q=" + strings.Repeat("x", find.MaxText+1), 400, `"reason":"it has 4001 bytes, with evidence","hint":"give at most 4000"`},
		{"GET", "/v1/find?q=a&evidence=" + strings.Repeat("x", find.MaxText), 400, `"reason":"it has 4001 bytes, with evidence"`},
		{"GET", "/v1/find?q=a&db=nope", 400, `"parameter":"db","reason":"there is no such database"`},
		{"GET", "/v1/find?q=a&kinds=row", 400, `"parameter":"kinds","reason":"one is unknown","hint":"use database, table, column, value, tool, separated by commas"`},
		{"GET", "/v1/find?q=a&k=0", 400, `"parameter":"k","reason":"it is out of range","hint":"give a number from 1 to 100"`},
		{"GET", "/v1/find?q=a&k=ten", 400, `"parameter":"k"`},
		{"GET", "/v1/find?q=a&k=", 400, `"parameter":"k"`},
		{"GET", "/v1/find?q=a&b=1&limit=2", 400, `"errors":[{"parameter":"b","reason":"there is no such parameter","hint":"use q, evidence, db, kinds, k"},{"parameter":"limit"`},
		{"GET", "/v1/find?q=%zz", 400, `broken escape`},
		{"GET", "/v1/find?q=%ff%00", 200, `"answerable":false`},
		{"POST", riverside, 405, `Use `},
		{"HEAD", riverside, 200, ""},
	} {
		w := ask(s, c.method, c.target)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.contains) {
			t.Errorf("%s %.100s: %d %.500s, want %d %s", c.method, c.target, w.Code, w.Body, c.status, c.contains)
		}
		if strings.Contains(w.Body.String(), `"stale"`) {
			t.Errorf("%s: %s", c.target, w.Body)
		}
	}
	if w := ask(s, "GET", "/v1/find?q=Bernd+Kl%C3%BCver&kinds=value"); strings.Contains(w.Body.String(), `"table":"author"`) {
		t.Errorf("hidden values are found: %s", w.Body)
	}
	if w := ask(start(t, Options{}), "GET", riverside); w.Code != http.StatusNotFound {
		t.Errorf("without the option: %d", w.Code)
	}
}

// TestFindKeys says that keys and rates are those of every endpoint.
func TestFindKeys(t *testing.T) {
	s := start(t, Options{Immutable: true, Find: &FindOptions{}, APIKeys: []string{"key"}, Rate: 1})
	for i, want := range []int{401, 200, 200, 429} {
		var headers []string
		if i > 0 {
			headers = []string{"X-Api-Key: key"}
		}
		if w := ask(s, "GET", riverside, headers...); w.Code != want {
			t.Errorf("request %d: %d, want %d", i, w.Code, want)
		}
	}
}

// TestFindDocument says that the OpenAPI document has the route, and that an answer is
// as it says.
func TestFindDocument(t *testing.T) {
	s := start(t, Options{Immutable: true, Find: &FindOptions{}})
	doc, err := openapi3.NewLoader().LoadFromData(ask(s, "GET", "/openapi.json").Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(context.Background()); err != nil {
		t.Fatal(err)
	}
	op := doc.Paths.Value(findPath).Get
	if op.OperationID != "find" || len(op.Parameters) != 5 {
		t.Errorf("%s with %d parameters", op.OperationID, len(op.Parameters))
	}
	var answer any
	if err := json.Unmarshal(ask(s, "GET", riverside).Body.Bytes(), &answer); err != nil {
		t.Fatal(err)
	}
	if err := op.Responses.Value("200").Value.Content.Get("application/json").Schema.Value.VisitJSON(answer, openapi3.EnableJSONSchema2020()); err != nil {
		t.Errorf("%v", err)
	}
}

// failing makes vectors for as long as it is asked to.
type failing struct{ fails bool }

func (f *failing) Model() string { return "m" }

func (f *failing) Embed(_ context.Context, texts []string) ([][]float32, error) {
	if f.fails {
		return nil, errors.New("the endpoint is unavailable")
	}
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = []float32{float32(len(text)), 1}
	}
	return out, nil
}

// TestFindWithoutEmbedder says what is answered while the endpoint of vectors fails:
// that it does, and to agents what words find.
func TestFindWithoutEmbedder(t *testing.T) {
	e := &failing{}
	s := start(t, Options{Immutable: true, Open: true, Find: &FindOptions{Embedder: e}})
	if w := ask(s, "GET", riverside); w.Code != http.StatusOK {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	e.fails = true
	w := ask(s, "GET", riverside)
	if w.Code != http.StatusBadGateway || strings.Contains(w.Body.String(), "unavailable") || w.Header().Get("Retry-After") == "" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	post(s, "POST", "/v1/sessions", `{"variant":"rest","db":"city_library","id":"a","tools":"search"}`)
	if w := post(s, "POST", "/v1/sessions/a/calls", `{"name":"search_tools","arguments":{"query":"branch code"}}`); !strings.Contains(w.Body.String(), "branch_names_by_branch_code") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestFindStale writes to a database that was indexed.
func TestFindStale(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, sample.FS()); err != nil {
		t.Fatal(err)
	}
	dataset, err := bird.Load(bird.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, Options{Dataset: dataset, Find: &FindOptions{Index: filepath.Join(dir, "find")}})
	if w := ask(s, "GET", riverside); w.Code != 200 || strings.Contains(w.Body.String(), `"stale"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	path := filepath.Join(dir, "dev_databases", "city_library", "city_library.sqlite")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.ExecContext(t.Context(), "UPDATE branch SET name = 'Waterside' WHERE name = 'Riverside'")
	if err = errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	for _, one := range s.finder.states {
		one.looked = one.looked.Add(-freshness) // which a request would have to wait for
	}
	if w := ask(s, "GET", riverside); w.Code != 200 || !strings.Contains(w.Body.String(), `"stale":["city_library"]`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	// The next one indexes it anew, from its files for the others.
	s = start(t, Options{Dataset: dataset, Find: &FindOptions{Index: filepath.Join(dir, "find")}})
	w := ask(s, "GET", "/v1/find?q=Which+branch+is+called+Waterside&kinds=value")
	if !strings.Contains(w.Body.String(), `"value":"Waterside"`) || strings.Contains(w.Body.String(), `"stale"`) {
		t.Errorf("%s", w.Body)
	}
}
