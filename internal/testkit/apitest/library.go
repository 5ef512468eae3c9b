package apitest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/federation/scalars"
	"github.com/birdcall/birdcall/pkg/api"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/rest"
)

// Library is the database city_library of the sample, of which the tables branch and
// loan are behind an API, as is the function count_characters. A loan is had only by
// its member.
type Library struct {
	File     string       // the declaration
	Requests atomic.Int64 // that rows and values were asked for by
}

// DB is the library's database.
const DB = "city_library"

const declaration = `
apis:
  library: {openapi: library.json, server: %[1]q, cache: forever}
  words: {openapi: words.json, server: %[1]q}
databases:
  city_library:
    tables:
      branch: {api: library, list: rows_of_branch, page: {kind: offset, position: offset, limit: limit, size: 3, next: /next_offset}}
      loan: {api: library, list: rows_of_loan, required: [member_id]}
    functions:
      count_characters: {api: words, operation: count_characters, result: /count, many: {max: 100, rows: /data}}
`

// Start starts the service, which the test's end stops.
func Start(t testing.TB) *Library {
	t.Helper()
	l := &Library{}
	own, err := rest.Open(t.Context(), dataset(t), rest.Options{Tables: true})
	if err != nil {
		t.Fatal(err)
	}
	tables, functions := rest.NewService(own, rest.ServiceOptions{}).Handler(), scalars.Handler()
	mux := http.NewServeMux()
	mux.Handle("/", tables)
	mux.Handle(scalars.Path, functions)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.Requests.Add(1)
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		server.Close()
		_ = own.Close() // it was only read
	})
	document, err := own.Document(t.Context(), rest.DocumentOptions{}, DB)
	if err != nil {
		t.Fatal(err)
	}
	words, err := json.Marshal(scalars.Document(""))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	l.File = filepath.Join(folder, "apis.yaml")
	for name, text := range map[string]string{"library.json": string(document), "words.json": string(words), "apis.yaml": fmt.Sprintf(declaration, server.URL)} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

// Dataset is the library with the API.
func (l *Library) Dataset(t testing.TB) *bird.Dataset {
	t.Helper()
	declared, err := api.Load(t.Context(), l.File, os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(declared.Close)
	d := dataset(t)
	if err := d.Attach(declared, false); err != nil {
		t.Fatal(err)
	}
	return d
}

func dataset(t testing.TB) *bird.Dataset {
	t.Helper()
	d, err := bird.Load(bird.Options{FS: sample.FS(), Databases: []string{DB}})
	if err != nil {
		t.Fatal(err)
	}
	return d
}
