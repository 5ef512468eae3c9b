package faultytest

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Server is a server with rows. Its fields may be changed before the first call.
type Server struct {
	URL       string          // such as http://127.0.0.1:40000
	Elsewhere string          // the URL of another server, which only counts what it is sent
	Transport *http.Transport // reaches both
	MaxPage   int             // rows of a page at most; 0 is no bound
	Delay     time.Duration   // of each response
	NoTotal   bool            // pages do not have the number of rows

	rows int

	mu       sync.Mutex
	plan     func(n int, r *http.Request) Fault
	calls    []Call
	astray   []Call
	inFlight int
	most     int
}

// Call is a request that came.
type Call struct {
	Method, Path string
	Query        string // as it came
	Body         string
	Header       http.Header
}

// New starts a server with so many rows on 127.0.0.1, and ends it with the test.
func New(t testing.TB, rows int) *Server {
	return start(t, rows, httptest.NewServer, nil)
}

// InMemory is New without a network: connections are those of net.Pipe, which a test
// in a bubble of testing/synctest can wait for.
func InMemory(t testing.TB, rows int) *Server {
	n := &network{servers: map[string]chan net.Conn{}, done: make(chan struct{})}
	t.Cleanup(func() { close(n.done) })
	return start(t, rows, func(h http.Handler) *httptest.Server {
		s := &httptest.Server{Listener: n.listen(), Config: &http.Server{Handler: h}}
		s.Start()
		return s
	}, n.dial)
}

func start(t testing.TB, rows int, serve func(http.Handler) *httptest.Server, dial func(context.Context, string, string) (net.Conn, error)) *Server {
	s := &Server{rows: rows, Transport: &http.Transport{MaxIdleConnsPerHost: 64, DialContext: dial}}
	here, elsewhere := serve(http.HandlerFunc(s.serve)), serve(http.HandlerFunc(s.serveElsewhere))
	s.URL, s.Elsewhere = here.URL, elsewhere.URL
	t.Cleanup(func() {
		s.Transport.CloseIdleConnections()
		for _, each := range []*httptest.Server{here, elsewhere} {
			each.CloseClientConnections()
			each.Close()
		}
	})
	return s
}

// Script says what befalls the calls from now on, one after the other. Those after
// the last fault are well.
func (s *Server) Script(faults ...Fault) {
	first := len(s.Calls())
	s.Plan(func(n int, _ *http.Request) Fault {
		if n -= first; n < len(faults) {
			return faults[n]
		}
		return None
	})
}

// Plan says what befalls a call. The first call to the server has the number 0.
func (s *Server) Plan(plan func(n int, r *http.Request) Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plan = plan
}

// Calls returns what the server was asked, in the order in which it came.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

// Count is the number of calls for a path, such as /offset, or for a path with a
// query, such as /offset?limit=10&offset=0.
func (s *Server) Count(path string) int {
	n := 0
	for _, c := range s.Calls() {
		if c.Path == path || c.Path+"?"+c.Query == path {
			n++
		}
	}
	return n
}

// Astray returns what came to the server elsewhere.
func (s *Server) Astray() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.astray)
}

// MaxInFlight is the largest number of calls that were under way at a time.
func (s *Server) MaxInFlight() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.most
}

func record(r *http.Request) Call {
	body, _ := io.ReadAll(r.Body)
	return Call{Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Body: string(body), Header: r.Header.Clone()}
}

func (s *Server) serveElsewhere(w http.ResponseWriter, r *http.Request) {
	call := record(r)
	s.mu.Lock()
	s.astray = append(s.astray, call)
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"data": [], "total": 0, "more": false, "next": null}`)
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	call := record(r)
	s.mu.Lock()
	fault := None
	if s.plan != nil {
		fault = s.plan(len(s.calls), r)
	}
	s.calls = append(s.calls, call)
	s.inFlight++
	s.most = max(s.most, s.inFlight)
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.inFlight--
		s.mu.Unlock()
	}()
	if s.Delay > 0 {
		timer := time.NewTimer(s.Delay)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-r.Context().Done():
			return
		}
	}
	body, link, found := s.answer(strings.TrimPrefix(r.URL.Path, "/elsewhere"), r, call, fault)
	if !found && fault == None {
		http.NotFound(w, r)
		return
	}
	if link != "" {
		w.Header().Set("Link", `</help>; rel="help", <`+link+`>; rel="next"`)
	}
	s.respond(w, r, fault, body)
}
