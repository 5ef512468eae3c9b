package rest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/pkg/bird"
)

// BenchmarkServe answers the calls of all questions of the embedded sample, one
// after the other.
func BenchmarkServe(b *testing.B) {
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		b.Fatal(err)
	}
	api, err := Open(context.Background(), dataset, Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer api.Close()
	handler := NewService(api, ServiceOptions{}).Handler()
	var requests []*http.Request
	for i := range dataset.Questions {
		if call, err := api.Call(&dataset.Questions[i]); err == nil {
			requests = append(requests, httptest.NewRequest(http.MethodGet, call.URL(), nil))
		}
	}
	for b.Loop() {
		for _, r := range requests {
			w := httptest.NewRecorder()
			if handler.ServeHTTP(w, r); w.Code != http.StatusOK {
				b.Fatalf("%s: %d", r.URL, w.Code)
			}
		}
	}
}

// BenchmarkOpen makes the endpoints of the sample, or of the dataset in the folder that
// BIRDCALL_DATASET names.
func BenchmarkOpen(b *testing.B) {
	load := bird.Options{Dir: os.Getenv("BIRDCALL_DATASET")}
	if load.Dir == "" {
		load.FS = sample.FS()
	}
	dataset, err := bird.Load(load)
	if err != nil {
		b.Fatal(err)
	}
	endpoints := 0
	for b.Loop() {
		api, err := Open(context.Background(), dataset, Options{})
		if err != nil {
			b.Fatal(err)
		}
		endpoints = 0
		for _, d := range api.Databases {
			endpoints += len(d.Endpoints)
		}
		if err := api.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(endpoints), "endpoints")
}

// BenchmarkTables asks a table for one row by its key, for a hundred, and for a
// page.
func BenchmarkTables(b *testing.B) {
	handler := NewService(openTables(b, manyKinds...), ServiceOptions{}).Handler()
	var hundred strings.Builder
	for i := range 100 {
		hundred.WriteString("&id=" + strconv.Itoa(7*i))
	}
	for name, query := range map[string]string{"key": "id=5", "hundred keys": hundred.String(), "page": "limit=1000&offset=500"} {
		b.Run(name, func(b *testing.B) {
			r := httptest.NewRequest(http.MethodGet, "/v1/tables/odd/many?"+query, nil)
			b.ReportAllocs()
			for b.Loop() {
				w := httptest.NewRecorder()
				if handler.ServeHTTP(w, r); w.Code != http.StatusOK {
					b.Fatalf("%s: %d", name, w.Code)
				}
			}
		})
	}
}
