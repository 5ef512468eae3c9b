package rest

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/pkg/bird"
)

// wide has rows of 100 kB.
func wide(t *testing.T) (*API, string) {
	t.Helper()
	db, err := sample.FS().Open("dev_databases/bird_club/bird_club.sqlite")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	info, err := db.Stat()
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, info.Size())
	if _, err := db.Read(data); err != nil {
		t.Fatal(err)
	}
	dataset, err := bird.Load(bird.Options{FS: fstest.MapFS{
		"wide.sqlite": {Data: data},
		"questions.json": {Data: []byte(`[{"question_id": 1, "db_id": "wide", "question": "All?", "query":
			"SELECT hex(zeroblob(50000)) AS long_text FROM json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]')"}]`)},
	}})
	if err != nil {
		t.Fatal(err)
	}
	api, err := Open(context.Background(), dataset, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = api.Close() })
	return api, api.Databases[0].Endpoints[0].Path
}

// stuck is a client that takes nothing until it is let go.
type stuck struct {
	*httptest.ResponseRecorder
	writing, let chan struct{}
}

func (s *stuck) Write(b []byte) (int, error) {
	close(s.writing)
	<-s.let
	return s.ResponseRecorder.Write(b)
}

// Answers that clients are slow to take leave room for short ones, and none for
// long ones beyond the memory there is.
func TestMemoryForAnswers(t *testing.T) {
	api, path := wide(t)
	var failures []error
	service := NewService(api, ServiceOptions{Memory: 2 << 20, Failed: func(_ *http.Request, err error) { failures = append(failures, err) }})
	handler := service.Handler()
	slow := &stuck{httptest.NewRecorder(), make(chan struct{}), make(chan struct{})}
	done := make(chan struct{})
	go func() {
		handler.ServeHTTP(slow, httptest.NewRequest(http.MethodGet, path+"?limit=12", nil))
		close(done)
	}()
	<-slow.writing
	if held := service.memory.held.Load(); held < 1<<20 || held > 2<<20 {
		t.Errorf("%d bytes are held", held)
	}
	w := ask(handler, path+"?limit=12")
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" || w.Header().Get("ETag") != "" || !strings.Contains(w.Body.String(), "Too busy") {
		t.Errorf("a second long answer: %d %v %.300s", w.Code, w.Header(), w.Body)
	}
	if len(failures) != 1 || !errors.Is(failures[0], errMemory) {
		t.Errorf("the failures are %v", failures)
	}
	if w := ask(handler, path+"?limit=1&offset=100"); w.Code != http.StatusOK {
		t.Errorf("a short answer: %d %s", w.Code, w.Body)
	}
	close(slow.let)
	<-done
	if slow.Code != http.StatusOK {
		t.Errorf("the first one: %d", slow.Code)
	}
	if w := ask(handler, path+"?limit=12"); w.Code != http.StatusOK {
		t.Errorf("after the first one: %d %.200s", w.Code, w.Body)
	}
	if held := service.memory.held.Load(); held != 0 {
		t.Errorf("%d bytes are never given back", held)
	}
}

// What is sent compressed holds what it is compressed to.
func TestMemoryOfCompressedAnswers(t *testing.T) {
	api, path := wide(t)
	service := NewService(api, ServiceOptions{Memory: 2 << 20})
	slow := &stuck{httptest.NewRecorder(), make(chan struct{}), make(chan struct{})}
	done := make(chan struct{})
	go func() {
		r := httptest.NewRequest(http.MethodGet, path+"?limit=12", nil)
		r.Header.Set("Accept-Encoding", "gzip")
		service.Handler().ServeHTTP(slow, r)
		close(done)
	}()
	<-slow.writing
	if held := service.memory.held.Load(); held != 0 {
		t.Errorf("%d bytes are held", held)
	}
	close(slow.let)
	<-done
}
