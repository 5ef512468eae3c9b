package rest

import (
	"context"
	"net/http"
	"net/http/httptest"
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
			w := &response{header: http.Header{}, status: http.StatusOK}
			if handler.ServeHTTP(w, r); w.status != http.StatusOK {
				b.Fatalf("%s: %d", r.URL, w.status)
			}
		}
	}
}
