package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/internal/convert/shard"
	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/testkit/pgtest"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
)

// onPostgres starts a server with the sample's databases, a schema each, and a
// role reader that can read them.
func onPostgres(t *testing.T) (*pgtest.Server, *bird.Dataset) {
	t.Helper()
	server := pgtest.Start(t)
	files, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	server.Exec("CREATE ROLE reader LOGIN")
	for _, info := range files.Databases {
		db, err := sqlite.Open(t.Context(), sqlite.Location{FS: info.FS, Name: info.Name}, sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		server.Copy(db, info.ID)
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		server.Exec("GRANT USAGE ON SCHEMA " + info.ID + " TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA " + info.ID + " TO reader")
	}
	dataset, err := bird.Load(bird.Options{FS: sample.FS(), NoFiles: true})
	if err != nil {
		t.Fatal(err)
	}
	return server, dataset
}

// converting returns how the sample is converted on a server into dir.
func converting(server *pgtest.Server, dataset *bird.Dataset, dir string) pipeline.Options {
	return pipeline.Options{
		Dataset: dataset, Variant: record.REST, Out: dir, Timeout: time.Minute, Jobs: 2, AsOf: bird.DefaultAsOf, Program: "test",
		Source: server.URL("reader", "postgres", "?sslmode=disable"),
	}
}

// written is what a record says of its call and of the answer.
type written struct {
	ID     bird.ID `json:"sample_id"`
	DB     string  `json:"dataset_name"`
	Output []struct {
		Name      string          `json:"name"`
		Path      string          `json:"path"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"output"`
	Gold json.RawMessage `json:"gold_answer"`
}

// records reads the samples of a database.
func records(t *testing.T, dir, db string) []written {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, record.REST, db+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var out []written
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestPostgres converts the sample on a Postgres server, which runs the part of its
// statements that is SQL of both, and then serves the endpoints. Each answers as
// the records say, and shards merge to the same bytes.
func TestPostgres(t *testing.T) {
	server, dataset := onPostgres(t)
	dir := t.TempDir()
	opts := converting(server, dataset, dir)
	report, err := pipeline.Run(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	const both = 60 // of the 131 statements, at least
	if n := report.Totals; n.Verified < both || n.Verified+n.SQLError != n.Questions || n.Mismatch+n.Unsupported+n.Timeout > 0 {
		t.Errorf("%+v", n)
	}
	for _, f := range report.Failures {
		if !strings.Contains(f.Reason, "SQLSTATE 42") && !strings.Contains(f.Reason, "syntax") { // names, types and words of SQLite
			t.Errorf("%+v", f)
		}
	}
	t.Run("served", func(t *testing.T) { testServed(t, server, dataset, dir) })
	t.Run("one connection", func(t *testing.T) {
		few := start(t, Options{Dataset: dataset, Source: opts.Source, Connections: 1, Wait: time.Millisecond})
		for i := range dataset.Questions {
			if _, err := few.api.Call(&dataset.Questions[i]); errors.Is(err, engine.ErrBusy) {
				t.Errorf("question %s has no endpoint: %v", dataset.Questions[i].ID, err)
			}
		}
	})
	t.Run("shards", func(t *testing.T) { testShards(t, opts) })
	t.Run("restart", func(t *testing.T) { testRestart(t, server, opts) })
}

// testRestart restarts the server in the middle of a conversion, which ends with an
// error and writes nothing: no question is at fault.
func testRestart(t *testing.T, server *pgtest.Server, opts pipeline.Options) {
	opts.Out = t.TempDir()
	opts.Progress = sync.OnceFunc(func() {
		server.Stop()
		server.Start()
	})
	_, err := pipeline.Run(t.Context(), opts)
	if !errors.Is(err, engine.ErrUnavailable) {
		t.Errorf("the run ends with %v", err)
	}
	if left, err := os.ReadDir(opts.Folder()); err == nil {
		t.Errorf("it has left %v", left)
	}
}

func testServed(t *testing.T, server *pgtest.Server, dataset *bird.Dataset, dir string) {
	s := start(t, Options{Dataset: dataset, Source: server.URL("reader", "postgres", "?sslmode=disable"), Samples: []string{filepath.Join(dir, record.REST)}, Open: true})
	for _, info := range dataset.Databases {
		for _, r := range records(t, dir, info.ID) {
			call, err := s.api.Call(question(t, dataset, r))
			if err != nil || call.Endpoint.Path != r.Output[0].Path {
				t.Errorf("question %s: the path is %s in the record, %+v, %v", r.ID, r.Output[0].Path, call.Endpoint, err)
				continue
			}
			w := ask(s, "GET", call.URL())
			if w.Code != http.StatusOK {
				t.Errorf("question %s: %d %s", r.ID, w.Code, w.Body)
			}
			if score := scoreOf(t, s, r); !strings.Contains(score, `"reward":1,`) {
				t.Errorf("question %s: the endpoint answers %s, and the record has %s: %s", r.ID, w.Body, r.Gold, score)
			}
		}
	}
	for path, want := range map[string]string{
		"/readyz":                               "ready",
		"/openapi.json":                         `"openapi"`,
		"/openapi/bird_club.json":               `"openapi"`,
		"/v1/tasks?bare=true":                   `"task_id":"rest/`,
		"/v1/tasks?variant=slot":                "variant: use one of rest.",
		"/explorer/data/dataset":                `"variants":["rest"]`,
		"/explorer/data/coverage":               `"variant":"rest"`,
		"/explorer/data/endpoints?db":           "There are no endpoints for",
		"/explorer/data/endpoints?db=bird_club": `"examples":[{"id":"`,
		"/explorer/data/sample?variant=rest&db=bird_club&id=87":           `"answer":{"columns":`,
		"/explorer/data/sample?variant=slot&db=bird_club&id=87":           "the variant slot works on tables of database files",
		"/explorer/data/tools?variant=rest&db=bird_club&id=87&format=mcp": `"list":[{"name":"`,
	} {
		r := request("GET", path, "")
		if w := send(s, r); !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %.300s, want %s", path, w.Code, w.Body, want)
		}
	}
	for body, want := range map[string]string{
		`{"db": "bird_club"}`:                                       `"variant":"rest"`,
		`{"db": "bird_club", "variant": "slot"}`:                    "these databases are on a server; use rest",
		`{"db": "bird_club", "variant": "sel", "tables": ["site"]}`: "these databases are on a server; use rest",
	} {
		if w := send(s, request("POST", "/v1/sessions", body)); !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %.300s, want %s", body, w.Code, w.Body, want)
		}
	}
}

// request returns a request from this computer, as control asks for.
func request(method, target, body string) *http.Request {
	r, err := http.NewRequestWithContext(context.Background(), method, "http://127.0.0.1"+target, strings.NewReader(body))
	if err != nil {
		panic(err) // the targets are written here
	}
	return r
}

func question(t *testing.T, dataset *bird.Dataset, r written) *bird.Question {
	t.Helper()
	for i := range dataset.Questions {
		if q := &dataset.Questions[i]; q.ID == r.ID && q.DB == r.DB {
			return q
		}
	}
	t.Fatalf("there is no question %s", r.ID)
	return nil
}

// scoreOf makes the call of a record in a session of its question, and returns the
// score: the answer is held against that of the record.
func scoreOf(t *testing.T, s *Server, r written) string {
	t.Helper()
	id, err := json.Marshal(r.ID)
	if err != nil {
		t.Fatal(err)
	}
	opened := send(s, request("POST", "/v1/sessions", `{"db": "`+r.DB+`", "sample_id": `+string(id)+`}`))
	var session struct{ ID string }
	if err := json.Unmarshal(opened.Body.Bytes(), &session); err != nil || opened.Code != http.StatusCreated {
		t.Fatalf("question %s: %d %s", id, opened.Code, opened.Body)
	}
	call := `{"name": "` + r.Output[0].Name + `", "arguments": ` + string(r.Output[0].Arguments) + `}`
	at := "/v1/sessions/" + session.ID
	if w := send(s, request("POST", at+"/calls", call)); w.Code != http.StatusOK {
		t.Errorf("question %s: %d %s", id, w.Code, w.Body)
	}
	return send(s, request("POST", at+"/score", "")).Body.String()
}

func testShards(t *testing.T, opts pipeline.Options) {
	want := map[string]string{}
	read := func(into map[string]string) {
		entries, err := os.ReadDir(opts.Folder())
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			text, err := os.ReadFile(filepath.Join(opts.Folder(), e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			into[e.Name()] = string(text)
		}
	}
	read(want)
	var folders []string
	for i := range 2 {
		number := shard.Number{Index: i, Of: 2}
		if _, err := pipeline.RunShard(t.Context(), opts, number); err != nil {
			t.Fatal(err)
		}
		folders = append(folders, shard.Folder(opts.Folder(), number))
	}
	if _, err := pipeline.Merge(t.Context(), opts, folders); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	read(got)
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s is another one after a merge", name)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d files, and %d after a merge", len(want), len(got))
	}
}

// TestReadiness says that a service is not ready while the server of its databases
// is unavailable, says so in its log, and is ready again by itself.
func TestReadiness(t *testing.T) {
	server := pgtest.Start(t)
	server.Exec("CREATE SCHEMA zoo; CREATE TABLE zoo.animal AS SELECT 1 AS id; CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA zoo TO reader; GRANT SELECT ON zoo.animal TO reader")
	dataset := &bird.Dataset{
		Databases: []*bird.Database{{ID: "zoo"}},
		Questions: []bird.Question{{ID: bird.Number(1), DB: "zoo", Text: "Which animals are there?", SQL: "SELECT id FROM animal"}},
	}
	var log bytes.Buffer
	s := start(t, Options{Dataset: dataset, Source: server.URL("reader", "postgres", "?sslmode=disable"), Logger: slog.New(slog.NewTextHandler(&log, nil))})
	is := func(status int) func() bool {
		return func() bool { return ask(s, "GET", "/readyz").Code == status }
	}
	pgtest.Wait(t, "the service is ready", is(http.StatusOK))
	server.Stop()
	pgtest.Wait(t, "it is not", is(http.StatusServiceUnavailable))
	if w := ask(s, "GET", "/readyz"); !strings.Contains(w.Body.String(), "The server of the databases does not answer.") {
		t.Error(w.Body)
	}
	if w := ask(s, "GET", "/healthz"); w.Code != http.StatusOK {
		t.Errorf("the process is healthy: %d", w.Code)
	}
	path := s.api.Databases[0].Endpoints[0].Path
	if w := ask(s, "GET", path); w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
		t.Errorf("an endpoint: %d, %v, %s", w.Code, w.Header(), w.Body)
	}
	server.Start()
	pgtest.Wait(t, "it is again", is(http.StatusOK))
	if w := ask(s, "GET", path); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `{"data":[{"id":1}]`) {
		t.Errorf("an endpoint: %d, %s", w.Code, w.Body)
	}
	for _, want := range []string{"the databases' server does not answer", "the databases' server answers again"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log does not say %q:\n%s", want, log.String())
		}
	}
}
