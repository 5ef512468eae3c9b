package server

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/pkg/bird"
)

const (
	point = "/v1/bird/city_library/branch_names_by_branch_code?branch_code=007"
	list  = "/v1/bird/city_library/loan_ids_without_day_of_return"
)

func start(t *testing.T, opts Options) *Server {
	t.Helper()
	if opts.Dataset == nil {
		dataset, err := bird.Load(bird.Options{FS: sample.FS()})
		if err != nil {
			t.Fatal(err)
		}
		opts.Dataset = dataset
	}
	s, err := New(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// ask sends a request with headers given as "Name: value".
func ask(s *Server, method, target string, headers ...string) *httptest.ResponseRecorder {
	return send(s, httptest.NewRequest(method, target, nil), headers...)
}

func send(s *Server, r *http.Request, headers ...string) *httptest.ResponseRecorder {
	for _, h := range headers {
		name, text, _ := strings.Cut(h, ": ")
		r.Header.Add(name, text)
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w
}

func TestAnswers(t *testing.T) {
	s := start(t, Options{MaxRows: 30})
	for _, c := range []struct {
		method, target, header string
		status                 int
		contains               string
	}{
		{"GET", point, "", 200, `{"data":[{"name":"Märchenhaus"}],"count":1,"truncated":false}`},
		{"GET", point, "Accept: text/csv", 200, "name\r\n\"Märchenhaus\"\r\n"},
		{"GET", point, "Accept: application/xml, application/x-ndjson;q=0.5", 200, "{\"name\":\"Märchenhaus\"}\n"},
		{"GET", point, "Accept: image/png", 406, `"title":"No such format"`},
		{"GET", list + "?limit=2&offset=1", "", 200, `"count":2,"truncated":true,"next_offset":3}`},
		{"GET", list, "", 200, `"count":30,"truncated":true,"next_offset":30}`},
		{"GET", list + "?limit=31", "", 400, `"reason":"31 is out of range","hint":"give a number from 1 to 30"`},
		{"GET", point + "&branch_code=1", "", 400, `"reason":"it is given more than once","hint":"give it once"`},
		{"GET", "/v1/bird/city_library/branch_names_by_branch_code", "", 400, `"parameter":"branch_code","reason":"it is missing","hint":"give a text"`},
		{"GET", "/v1/bird/city_library/branch_names_by_branch_code?branch_code=%zz", "", 400, `the value has a broken % escape`},
		{"GET", "/v1/bird/city_library/nothing", "", 404, `"title":"No such path"`},
		{"POST", point, "", 405, `"title":"Wrong method"`},
		{"GET", "/healthz", "", 200, "ok\n"},
		{"GET", "/readyz", "", 200, "ready\n"},
		{"GET", "/openapi.json", "", 200, `"openapi":"3.1.0"`},
		{"GET", "/openapi/bird_club.json", "", 200, `"bird_club"`},
		{"GET", "/openapi/no_club.json", "", 404, `"status":404`},
		{"GET", "/docs/", "", 200, "swagger-ui-bundle.js"},
		{"GET", "/docs/documents.json", "", 200, `{"url":"/openapi/bird_club.json","name":"bird_club"}`},
		{"GET", "/docs/start.js", "", 200, "SwaggerUIBundle"},
		{"GET", "/docs/../server.go", "", 404, ""},
		{"GET", "/docs/README.md", "", 404, ""},
	} {
		var headers []string
		if c.header != "" {
			headers = append(headers, c.header)
		}
		w := ask(s, c.method, c.target, headers...)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.contains) {
			t.Errorf("%s %s %s: %d %.300s, want %d with %s", c.method, c.target, c.header, w.Code, w.Body, c.status, c.contains)
		}
		if w.Code >= 400 {
			if kind := w.Header().Get("Content-Type"); kind != "application/problem+json" {
				t.Errorf("%s: a problem of type %s", c.target, kind)
			}
		}
	}
}

// HEAD is answered as GET is, without the body.
func TestHead(t *testing.T) {
	web := httptest.NewServer(start(t, Options{}).Handler())
	defer web.Close()
	send := func(method, target string) (status int, header http.Header, body string) {
		req, err := http.NewRequestWithContext(t.Context(), method, web.URL+target, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Accept-Encoding", "identity") // Go's client asks for another one with GET only
		resp, err := web.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, resp.Header, string(text)
	}
	if _, header, _ := send(http.MethodPost, point); header.Get("Allow") != "GET, HEAD" {
		t.Errorf("POST is answered that %q are allowed", header.Get("Allow"))
	}
	for _, target := range []string{point, list, "/healthz", "/openapi.json", "/v1/bird/city_library/nothing"} {
		want, header, _ := send(http.MethodGet, target)
		got, head, body := send(http.MethodHead, target)
		if body != "" || got != want {
			t.Errorf("%s: %d, %q", target, got, body)
		}
		for _, name := range []string{"Content-Type", "Content-Length", "Etag", "Vary"} {
			if head.Get(name) != header.Get(name) {
				t.Errorf("%s: %s is %q", target, name, head.Get(name))
			}
		}
	}
}

func TestCaching(t *testing.T) {
	s := start(t, Options{})
	tag := ask(s, "GET", point).Header().Get("ETag")
	if w := ask(s, "GET", point, "If-None-Match: "+tag); w.Code != 304 || w.Body.Len() > 0 {
		t.Errorf("the same again: %d %s", w.Code, w.Body)
	}
	for _, other := range []*httptest.ResponseRecorder{
		ask(s, "GET", strings.Replace(point, "007", "001", 1)), ask(s, "GET", point, "Accept: text/csv"),
	} {
		if other.Code != 200 || other.Header().Get("ETag") == tag {
			t.Errorf("%d: another answer has the same ETag", other.Code)
		}
	}
	// The real clock makes answers that do not last.
	clock := start(t, Options{Clock: true})
	aging := "/v1/bird/coffee_roastery/time_since_customer_divided_by_365_25_by_name?customer_name=x"
	w := ask(clock, "GET", aging)
	if w.Code != 200 || w.Header().Get("ETag") != "" || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}

func TestCompression(t *testing.T) {
	s := start(t, Options{})
	plain := ask(s, "GET", "/openapi/bird_club.json").Body.String()
	w := ask(s, "GET", "/openapi/bird_club.json", "Accept-Encoding: br, gzip")
	z, err := gzip.NewReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil || string(text) != plain {
		t.Errorf("%v, %d of %d bytes", err, len(text), len(plain))
	}
	if w := ask(s, "GET", point, "Accept-Encoding: gzip"); w.Header().Get("Content-Encoding") != "" {
		t.Error("a short answer is compressed")
	}
}

func TestAccess(t *testing.T) {
	s := start(t, Options{APIKeys: []string{"first", "second"}, Origins: []string{"https://a.example"}})
	for header, want := range map[string]int{
		"X-Api-Key: second": 200, "Authorization: Bearer first": 200, "X-Api-Key: third": 401, "X-Other: first": 401,
	} {
		if got := ask(s, "GET", point, header).Code; got != want {
			t.Errorf("%s: %d, want %d", header, got, want)
		}
	}
	if got := ask(s, "GET", "/metrics").Code; got != 401 {
		t.Errorf("metrics without a key: %d", got)
	}
	if got := ask(s, "GET", "/healthz").Code; got != 200 {
		t.Errorf("health without a key: %d", got)
	}
	w := ask(s, "OPTIONS", point, "Origin: https://a.example", "Access-Control-Request-Method: GET")
	if w.Code != 204 || w.Header().Get("Access-Control-Allow-Origin") != "https://a.example" {
		t.Errorf("preflight: %d %v", w.Code, w.Header())
	}
	w = ask(s, "GET", point, "Origin: https://a.example", "X-Api-Key: first")
	if got := w.Header()["Vary"]; w.Code != 200 || len(got) != 2 || got[0] != "Origin" {
		t.Errorf("%d, Vary %v", w.Code, got)
	}
	w = ask(s, "GET", "/healthz", "Origin: https://b.example")
	if w.Header().Get("Access-Control-Allow-Origin") != "" {
		t.Error("another origin is let in")
	}
}

func TestRate(t *testing.T) {
	s := start(t, Options{Rate: 1})
	var codes []int
	for range 3 {
		codes = append(codes, ask(s, "GET", point).Code)
	}
	if codes[0] != 200 || codes[1] != 200 || codes[2] != 429 {
		t.Errorf("statuses %v", codes)
	}
	if w := ask(s, "GET", point); w.Header().Get("Retry-After") != "1" {
		t.Errorf("Retry-After %q", w.Header().Get("Retry-After"))
	}
}

func TestBuckets(t *testing.T) {
	b := &buckets{rate: 2, burst: 4, of: map[string]*bucket{}}
	now := time.Unix(1000, 0)
	for i, c := range []struct {
		after time.Duration
		wait  time.Duration
	}{{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 500 * time.Millisecond}, {250 * time.Millisecond, 250 * time.Millisecond}, {250 * time.Millisecond, 0}} {
		now = now.Add(c.after)
		if wait := b.take("a", now); wait != c.wait {
			t.Errorf("%d: wait %s, want %s", i, wait, c.wait)
		}
	}
	if b.take("b", now) != 0 {
		t.Error("one client's requests count for another")
	}
}

// slow is a dataset whose question takes for ever.
func slow(t *testing.T) *bird.Dataset {
	t.Helper()
	return withQueries(t, "slow", "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) AS steps_taken FROM n")
}

func TestLimits(t *testing.T) {
	s := start(t, Options{Dataset: slow(t), Timeout: 30 * time.Millisecond, Wait: time.Millisecond, Connections: 1, InFlight: 2})
	path := s.api.Databases[0].Endpoints[0].Path
	if w := ask(s, "GET", path); w.Code != 504 || !strings.Contains(w.Body.String(), "Out of time") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	codes := make(chan *httptest.ResponseRecorder, 8)
	for range cap(codes) {
		go func() { codes <- ask(s, "GET", path) }()
	}
	busy := 0
	for range cap(codes) {
		w := <-codes
		if w.Code == 503 && w.Header().Get("Retry-After") != "" {
			busy++
		} else if w.Code != 504 {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	}
	if busy == 0 {
		t.Error("nobody is asked to come again")
	}
}

func TestLogsAndMetrics(t *testing.T) {
	var log bytes.Buffer
	s := start(t, Options{Logger: slog.New(slog.NewJSONHandler(&log, nil))})
	if id := ask(s, "GET", point, "X-Request-Id: my-id.1").Header().Get("X-Request-Id"); id != "my-id.1" {
		t.Errorf("the id became %q", id)
	}
	w := ask(s, "GET", "/v1/x", "X-Request-Id: bad id\n")
	var problem, line struct {
		Request string `json:"request_id"`
		ID      string `json:"id"`
		Status  int    `json:"status"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &problem); err != nil || problem.Request == "" || problem.Request != w.Header().Get("X-Request-Id") {
		t.Errorf("%v: %s", err, w.Body)
	}
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &line); err != nil || line.ID != problem.Request || line.Status != 404 {
		t.Errorf("%v: %s", err, log.String())
	}
	metrics := ask(s, "GET", "/metrics").Body.String()
	for _, want := range []string{
		`birdcall_requests_total{database="city_library",status="2xx"} 1`,
		`birdcall_requests_total{database="",status="4xx"} 1`,
		`birdcall_endpoints{database="bird_club"}`,
	} {
		if !strings.Contains(metrics, want) {
			t.Errorf("no %s in the metrics", want)
		}
	}
}

// A stop lets what is in flight finish and takes nothing new.
func TestServeStopsGracefully(t *testing.T) {
	s := start(t, Options{Dataset: slow(t), Timeout: 200 * time.Millisecond})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	stopped := make(chan error, 1)
	go func() { stopped <- s.Serve(ctx, Listeners{Main: listener}, 5*time.Second) }()
	base := "http://" + listener.Addr().String()
	answered := make(chan int, 1)
	go func() {
		resp, err := http.Get(base + s.api.Databases[0].Endpoints[0].Path)
		if err != nil {
			answered <- 0
			return
		}
		resp.Body.Close()
		answered <- resp.StatusCode
	}()
	for s.inFlight.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	if code := <-answered; code != 504 {
		t.Errorf("the request in flight got %d", code)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	if s.ready.Load() {
		t.Error("the service is still ready")
	}
	if resp, err := http.Get(base + "/healthz"); err == nil {
		resp.Body.Close()
		t.Error("a new request is taken")
	}
}

// The line made by hand is the one that slog makes.
func TestAccessLine(t *testing.T) {
	for _, a := range []Access{
		{At: time.Unix(1700000000, 5000).UTC(), ID: "a-1", Path: "/v1/x", Status: 200, Bytes: 7, Took: 1234567},
		{At: time.Unix(1700000000, 0).UTC(), Level: slog.LevelError, ID: "b", Path: "/\"<é\n", Status: 500, Method: "GET", Client: "[::1]:9"},
	} {
		var want, got bytes.Buffer
		record := slog.NewRecord(a.At, a.Level, "request", 0)
		record.Add("id", a.ID, "path", a.Path, "status", a.Status, "bytes", a.Bytes, "us", a.Took.Microseconds())
		if a.Status >= 400 {
			record.Add("method", a.Method, "client", a.Client)
		}
		if err := slog.NewJSONHandler(&want, nil).Handle(context.Background(), record); err != nil {
			t.Fatal(err)
		}
		w := NewLogWriter(&got)
		w.JSON(a)
		w.Flush()
		var wanted, made map[string]any
		if err := errors.Join(json.Unmarshal(want.Bytes(), &wanted), json.Unmarshal(got.Bytes(), &made)); err != nil || !maps.Equal(wanted, made) {
			t.Errorf("%v: %s, want %s", err, got.String(), want.String())
		}
	}
}

func TestLogWriter(t *testing.T) {
	var out bytes.Buffer
	w := NewLogWriter(&out)
	for range 3 {
		if _, err := io.WriteString(w, "line\n"); err != nil {
			t.Fatal(err)
		}
	}
	w.Flush()
	if out.String() != "line\nline\nline\n" {
		t.Errorf("%q", out.String())
	}
	big := strings.Repeat("x", logBuffer+1)
	if _, err := io.WriteString(w, big); err != nil || out.Len() != 15+len(big) {
		t.Errorf("a full buffer waits: %v, %d bytes", err, out.Len())
	}
}
