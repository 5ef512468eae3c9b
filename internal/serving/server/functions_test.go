package server

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/pkg/bird"
)

// TestFunctions has functions behind the keys and rates of endpoints, and none where
// nobody asked for them.
func TestFunctions(t *testing.T) {
	const prime = "/v1/functions/is_prime?number=7"
	off := start(t, Options{})
	for _, target := range []string{prime, functionsDocument} {
		if w := ask(off, "GET", target); w.Code != http.StatusNotFound {
			t.Errorf("%s without the option: %d", target, w.Code)
		}
	}
	s := start(t, Options{Functions: true, APIKeys: []string{"first"}, PublicDocs: true})
	for _, c := range []struct {
		method, target, key string
		status              int
		contains            string
	}{
		{"GET", prime, "", 401, "No valid API key"},
		{"GET", prime, "first", 200, `{"data":[{"number":7,"truth":true}]}`},
		{"HEAD", prime, "first", 200, ""},
		{"GET", "/v1/functions/is_prim?number=7", "first", 404, "is_prime"},
		{"GET", "/v1/functions/is_prime?number=x", "first", 422, `"request_id":`},
		{"POST", prime, "first", 405, "Use GET or HEAD."},
		{"GET", functionsDocument, "first", 200, `"operationId":"is_prime"`},
		{"GET", functionsDocument, "", 200, `"name":"X-Api-Key"`},
		{"GET", "/docs/documents.json", "first", 200, `{"url":"/openapi/functions.json","name":"functions"}`},
	} {
		w := ask(s, c.method, c.target, "X-Api-Key: "+c.key)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.contains) {
			t.Errorf("%s %s: %d %.300s, want %d with %s", c.method, c.target, w.Code, w.Body, c.status, c.contains)
		}
	}
	limited, last := start(t, Options{Functions: true, Rate: 1}), 0
	for range 3 {
		last = ask(limited, "GET", prime).Code
	}
	if last != http.StatusTooManyRequests {
		t.Errorf("the third request at once: %d", last)
	}
}

// TestFunctionsName refuses a database whose document would be the functions'.
func TestFunctionsName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "functions.sqlite")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("CREATE TABLE t (a)"); err != nil {
		t.Fatal(err)
	}
	dataset := &bird.Dataset{Databases: []*bird.Database{{ID: "functions", Path: path}}}
	if _, err := New(context.Background(), Options{Dataset: dataset, Functions: true}); !errors.Is(err, ErrFunctions) {
		t.Errorf("%v", err)
	}
	start(t, Options{Dataset: dataset})
}
