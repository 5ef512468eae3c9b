package mixed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/birdcall/birdcall/internal/federation/scalars"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/rest"
)

// Service answers on this computer for the tables of databases and for the functions
// of package scalars, with the documents that describe them, as the service of
// `serve --tables --functions` does.
type Service struct {
	api    *rest.API
	server *http.Server
	base   string
	delay  time.Duration

	tables    http.Handler
	functions http.Handler

	mu        sync.Mutex
	documents map[string]*described // by path
	clients   map[string]*Client
}

// described is a document that is made when it is first asked for.
type described struct {
	once sync.Once
	make func() ([]byte, error)
	text []byte
	err  error
}

// Client is one of those who ask a service: it has a URL of its own, so that its
// requests are counted apart.
type Client struct {
	URL string

	mu       sync.Mutex
	requests map[string]int
}

// Requests returns how many requests for rows and values the service has had, by
// their paths.
func (c *Client) Requests() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := make(map[string]int, len(c.requests))
	for path, n := range c.requests {
		out[path] = n
	}
	return out
}

// Total returns how many requests for rows and values the service has had.
func (c *Client) Total() int {
	n := 0
	for _, one := range c.Requests() {
		n += one
	}
	return n
}

// documentsPath is what the paths of documents begin with, and functionsName the
// name of that of the functions.
const (
	documentsPath = "/openapi/"
	functionsName = "functions"
)

// The limits of the service, for answers that a test is not to wait for.
const (
	serviceTime        = time.Minute
	serviceConnections = 8
)

// Serve starts a service for databases on a free port of 127.0.0.1, which waits for
// delay before it answers a request for rows or values. Close must be called when
// done.
func Serve(ctx context.Context, databases []*bird.Database, delay time.Duration) (*Service, error) {
	dataset := &bird.Dataset{}
	for _, info := range databases {
		plain := *info
		plain.APIs = nil
		dataset.Databases = append(dataset.Databases, &plain)
	}
	api, err := rest.Open(ctx, dataset, rest.Options{
		Tables: true, Connections: serviceConnections, Wait: serviceTime, Timeout: serviceTime, Value: 256 << 20,
	})
	if err != nil {
		return nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, errors.Join(err, api.Close())
	}
	s := &Service{
		api: api, base: "http://" + listener.Addr().String(), delay: delay,
		documents: map[string]*described{}, clients: map[string]*Client{},
		functions: scalars.Handler(),
	}
	rows := rest.NewService(api, rest.ServiceOptions{MaxBytes: 256 << 20})
	s.tables = rows.Handler()
	for _, d := range api.Databases {
		s.documents[documentsPath+d.Segment+".json"] = &described{make: func() ([]byte, error) {
			return api.Document(context.WithoutCancel(ctx), rest.DocumentOptions{MaxRows: rows.MaxRows()}, d.ID)
		}}
		if d.Segment == functionsName {
			return nil, errors.Join(fmt.Errorf("the database %s has the name of the functions' document; rename it", d.ID), listener.Close(), api.Close())
		}
	}
	s.documents[documentsPath+functionsName+".json"] = &described{make: func() ([]byte, error) { return json.Marshal(scalars.Document("")) }}
	s.server = &http.Server{Handler: s, ReadHeaderTimeout: serviceTime}
	go func() { _ = s.server.Serve(listener) }() // ends with Close
	return s, nil
}

// Close ends the service.
func (s *Service) Close() error { return errors.Join(s.server.Close(), s.api.Close()) }

// Client returns the client of that name, which may have letters, digits and hyphens.
func (s *Service) Client(name string) *Client {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.clients[name]
	if c == nil {
		c = &Client{URL: s.base + "/" + name, requests: map[string]int{}}
		s.clients[name] = c
	}
	return c
}

// ServeHTTP answers the requests of clients.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	s.mu.Lock()
	c := s.clients[name]
	s.mu.Unlock()
	if c == nil {
		rest.NotFound(w, r)
		return
	}
	http.StripPrefix("/"+name, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.answer(w, r, c) })).ServeHTTP(w, r)
}

func (s *Service) answer(w http.ResponseWriter, r *http.Request, c *Client) {
	if d := s.documents[r.URL.Path]; d != nil {
		d.once.Do(func() { d.text, d.err = d.make() })
		if d.err != nil {
			http.Error(w, d.err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(d.text) // a client that is gone
		return
	}
	c.mu.Lock()
	c.requests[r.URL.Path]++
	c.mu.Unlock()
	if s.delay > 0 {
		select {
		case <-time.After(s.delay):
		case <-r.Context().Done():
			return
		}
	}
	if strings.HasPrefix(r.URL.Path, scalars.Path) {
		s.functions.ServeHTTP(w, r)
		return
	}
	s.tables.ServeHTTP(w, r)
}
