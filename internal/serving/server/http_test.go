package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/pkg/bird"
)

// accesses gathers what is reported of requests.
type accesses struct {
	mu  sync.Mutex
	all []Access
}

func (a *accesses) add(one Access) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all = append(a.all, one)
}

func (a *accesses) statuses() (out []int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, one := range a.all {
		out = append(out, one.Status)
	}
	return out
}

// A client that leaves while its answer is made, or while it is sent, is logged
// and counted as one that left.
func TestClientsThatLeave(t *testing.T) {
	for name, c := range map[string]struct {
		sql   string
		leave func(*Server, *client)
	}{
		"while the query runs": {
			"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) AS steps_taken FROM n",
			func(s *Server, c *client) {
				waitFor(t, "the query runs", func() bool { return s.inFlight.Load() == 1 })
				_ = c.Close()
			},
		},
		"while it is sent": {
			"SELECT hex(zeroblob(500000)) AS long_text FROM json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]')",
			func(_ *Server, c *client) {
				if _, err := io.CopyN(io.Discard, c.r, 1000); err != nil {
					t.Error(err)
				}
				_ = c.Conn.(*net.TCPConn).SetLinger(0) // gone without a farewell
				_ = c.Close()
			},
		},
	} {
		var log accesses
		s := start(t, Options{Dataset: withQueries(t, "left", c.sql), Timeout: time.Minute, Access: log.add})
		addr, _ := serve(t, s, false)
		client := dial(t, addr)
		client.send(s.api.Databases[0].Endpoints[0].Path)
		c.leave(s, client)
		waitFor(t, name+": it is logged", func() bool { return len(log.statuses()) == 1 })
		if got := log.statuses()[0]; got != 499 {
			t.Errorf("%s: logged as %d", name, got)
		}
		metrics := ask(s, "GET", "/metrics").Body.String()
		for _, want := range []string{`requests_total{database="left",status="499"} 1`, `requests_total{database="left",status="2xx"} 0`} {
			if !strings.Contains(metrics, want) {
				t.Errorf("%s: no %s in the metrics", name, want)
			}
		}
	}
}

// A client that takes the whole answer and leaves has not left it.
func TestClientsThatStay(t *testing.T) {
	var log accesses
	s := start(t, Options{Access: log.add})
	addr, _ := serve(t, s, false)
	want := 0
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		for _, target := range []string{point, list, "/openapi.json", "/docs/", "/healthz", "/metrics", "/", "/nothing"} {
			for _, coding := range []string{"identity", "gzip"} {
				req, err := http.NewRequestWithContext(t.Context(), method, "http://"+addr+target, nil)
				if err != nil {
					t.Fatal(err)
				}
				req.Close = true
				req.Header.Set("Accept-Encoding", coding)
				resp, err := http.DefaultTransport.RoundTrip(req)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := io.Copy(io.Discard, resp.Body); err != nil {
					t.Error(err)
				}
				resp.Body.Close()
				want++
			}
		}
	}
	waitFor(t, "all are logged", func() bool { return len(log.statuses()) == want })
	for _, status := range log.statuses() {
		if status == 499 {
			t.Error("a client is said to have left")
		}
	}
}

// Clients that do not take their long answers leave room for short ones; their
// memory is there again when they are gone.
func TestSlowClients(t *testing.T) {
	const limit = 24 << 20
	s := start(t, Options{MaxBytes: limit, AnswerMemory: 2 * limit, Dataset: withQueries(t, "long",
		"SELECT hex(zeroblob(500000)) AS long_text FROM json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]')",
		"SELECT 1 AS one")})
	addr, _ := serve(t, s, false)
	long, short := s.api.Databases[0].Endpoints[0].Path, s.api.Databases[0].Endpoints[1].Path
	// The status alone is read: of 20 MB, which no socket holds.
	status := func(c *client, target string) (code int) {
		c.send(target)
		line, err := c.r.ReadString('\n')
		if err == nil {
			_, err = fmt.Sscanf(line, "HTTP/1.1 %d", &code)
		}
		if err != nil {
			t.Fatal(err)
		}
		return code
	}
	var slow []*client
	var statuses []int
	for range 3 {
		c := dial(t, addr)
		slow = append(slow, c)
		statuses = append(statuses, status(c, long))
	}
	if statuses[0] != 200 || statuses[2] != 503 {
		t.Errorf("long answers get %v", statuses)
	}
	if got := status(dial(t, addr), short); got != 200 {
		t.Errorf("a short answer gets %d", got)
	}
	for _, c := range slow {
		_ = c.Close()
	}
	waitFor(t, "there is room again", func() bool { return status(dial(t, addr), long) == 200 })
}

// withQueries is a dataset of one database of that id, which has the sample's
// bird club.
func withQueries(t *testing.T, id string, queries ...string) *bird.Dataset {
	t.Helper()
	file, err := sample.FS().Open("dev_databases/bird_club/bird_club.sqlite")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	data, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	type question struct {
		ID       int    `json:"question_id"`
		DB       string `json:"db_id"`
		Question string `json:"question"`
		Query    string `json:"query"`
	}
	var questions []question
	for i, sql := range queries {
		questions = append(questions, question{i, id, "What?", sql})
	}
	text, err := json.Marshal(questions)
	if err != nil {
		t.Fatal(err)
	}
	dataset, err := bird.Load(bird.Options{FS: fstest.MapFS{id + ".sqlite": {Data: data}, "questions.json": {Data: text}}})
	if err != nil {
		t.Fatal(err)
	}
	return dataset
}

// A database's requests count under its id, whatever its path looks like.
func TestMetricsOfOddNames(t *testing.T) {
	for id, segment := range map[string]string{"odd names": "odd_names", "größe": "gr__e", "plain": "plain"} {
		s := start(t, Options{Dataset: withQueries(t, id, "SELECT 1 AS one")})
		path := s.api.Databases[0].Endpoints[0].Path
		if !strings.HasPrefix(path, "/v1/bird/"+segment+"/") {
			t.Errorf("%s is at %s", id, path)
		}
		if w := ask(s, "GET", path); w.Code != 200 {
			t.Errorf("%s: %d", path, w.Code)
		}
		if want := `requests_total{database="` + id + `",status="2xx"} 1`; !strings.Contains(ask(s, "GET", "/metrics").Body.String(), want) {
			t.Errorf("no %s in the metrics", want)
		}
	}
}

// The line of a failure has the id that the client and the access line have.
func TestFailuresHaveTheRequestID(t *testing.T) {
	var log bytes.Buffer
	s := start(t, Options{Dataset: slow(t), Timeout: time.Millisecond, Logger: slog.New(slog.NewJSONHandler(&log, nil))})
	w := ask(s, "GET", s.api.Databases[0].Endpoints[0].Path)
	id := w.Header().Get("X-Request-Id")
	if w.Code != 504 || id == "" || !strings.Contains(log.String(), `"msg":"a request failed","id":"`+id+`"`) {
		t.Errorf("%d, id %q, log %s", w.Code, id, log.String())
	}
}

// Health and metrics are answered however busy the service is, and on the admin
// address apart from it.
func TestHealthOfABusyService(t *testing.T) {
	s := start(t, Options{Dataset: slow(t), Timeout: time.Minute, InFlight: 1})
	addr, _ := serve(t, s, false)
	busy := dial(t, addr)
	path := s.api.Databases[0].Endpoints[0].Path
	busy.send(path)
	waitFor(t, "it is busy", func() bool { return s.inFlight.Load() == 1 })
	for target, want := range map[string]int{"/healthz": 200, "/readyz": 200, "/metrics": 200, path: 503, "/docs/": 503} {
		if got := ask(s, "GET", target).Code; got != want {
			t.Errorf("%s: %d, want %d", target, got, want)
		}
	}
	_ = busy.Close()
}

func TestAdminAddress(t *testing.T) {
	s := start(t, Options{Admin: true, APIKeys: []string{"secret"}})
	main, admin := serve(t, s, true)
	for _, c := range []struct {
		addr, target string
		want         int
	}{
		{main, "/healthz", 200}, {main, "/readyz", 200}, {main, "/metrics", 401},
		{admin, "/healthz", 200}, {admin, "/readyz", 200}, {admin, "/metrics", 200},
		{admin, point, 404}, {admin, "/openapi.json", 404}, {admin, "/docs/", 404},
	} {
		one := dial(t, c.addr)
		one.send(c.target)
		if got := one.answer(); got != c.want {
			t.Errorf("%s, admin %v: %d, want %d", c.target, c.addr == admin, got, c.want)
		}
	}
	if got := ask(s, "GET", "/metrics", "X-Api-Key: secret").Code; got != 404 {
		t.Errorf("metrics on the main address: %d", got)
	}
}

// The admin address says that the service stops until it has stopped, and then
// stops itself.
func TestAdminAddressStopsLast(t *testing.T) {
	s := start(t, Options{Dataset: slow(t), Timeout: time.Minute, Admin: true})
	var on Listeners
	for _, l := range []*net.Listener{&on.Main, &on.Admin} {
		var err error
		if *l, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			t.Fatal(err)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	stopped := make(chan error, 1)
	go func() { stopped <- s.Serve(ctx, on, time.Minute) }()
	busy := dial(t, on.Main.Addr().String())
	busy.send(s.api.Databases[0].Endpoints[0].Path)
	waitFor(t, "a request is in flight", func() bool { return s.inFlight.Load() == 1 })
	stop()
	waitFor(t, "it is not ready", func() bool { return !s.ready.Load() })
	one := dial(t, on.Admin.Addr().String())
	one.send("/readyz")
	if got := one.answer(); got != 503 {
		t.Errorf("a stopping service is ready: %d", got)
	}
	_ = busy.Close()
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	if c, err := net.Dial("tcp", on.Admin.Addr().String()); err == nil {
		_ = c.Close()
		t.Error("the admin address is still open")
	}
}
