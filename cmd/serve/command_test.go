package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/birdcall/birdcall/pkg/episode"
)

// run executes a command line.
func run(ctx context.Context, args ...string) (string, error) {
	var out bytes.Buffer
	err := runTo(ctx, &out, args...)
	return out.String(), err
}

func runTo(ctx context.Context, out io.Writer, args ...string) error {
	c := command()
	c.SetArgs(args)
	c.SetOut(out)
	c.SetErr(out)
	return c.ExecuteContext(ctx)
}

// stopper keeps a log, and ends what writes it when it is ready.
type stopper struct {
	mu   sync.Mutex
	log  bytes.Buffer
	stop context.CancelFunc
}

func (s *stopper) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if bytes.Contains(text, []byte(`"msg":"ready"`)) {
		s.stop()
	}
	return s.log.Write(text)
}

func TestFlagsAreChecked(t *testing.T) {
	for args, want := range map[string]string{
		"--log-level loud":      "use debug, info, warn or error",
		"--log-format xml":      "use json or text",
		"--max-rows 0":          "--max-rows must be greater than zero",
		"--as-of yesterday":     "write it as 2025-01-01, 2025-01-01 10:00:00 or 2025-01-01T00:00:00Z, or now",
		"--rate NaN":            "--rate NaN: give requests per second",
		"--rate +Inf":           "--rate +Inf: give requests per second",
		"--rate -1":             "--rate -1: give requests per second",
		"--dataset=":            "--dataset is empty: give a folder",
		"--db=":                 "--db is empty",
		"--db bird_club,":       "--db bird_club, has an empty name",
		"--answer-memory 0":     "--answer-memory must be greater than zero",
		"--answer-memory 9":     "--answer-memory: the memory for answers is too small: 9 bytes; give at least 33554432",
		"--max-connections 0":   "--max-connections must be greater than zero",
		"--idle-timeout 0s":     "--idle-timeout must be greater than zero",
		"--admin-addr nowhere":  "choose another --admin-addr",
		"--dataset nowhere":     "nowhere",
		"--addr not-an-address": "choose another --addr",
		"surplus":               "unknown command",

		"--source postgres://reader@127.0.0.1/bird":                                             "--source: the sample inside this binary has databases of its own",
		"--source postgres://reader:s@127.0.0.1/bird --dataset nowhere":                         "--source: open the server: the URL has a password; leave it out, and give it in the environment",
		"--source= --dataset nowhere":                                                           "--source is empty",
		"--source postgres://reader@127.0.0.1/bird --db shop.sqlite":                            "--source: the sample inside this binary",
		"--source postgres://reader@127.0.0.1/bird --dataset nowhere":                           "nowhere",
		"--source postgres://reader@127.0.0.1/bird --questions nowhere.json":                    "nowhere.json",
		"--source postgres://reader@127.0.0.1/bird --dataset nowhere --immutable":               "--immutable is about database files",
		"--source postgres://reader@127.0.0.1/bird --dataset nowhere --mcp stdio --variant sel": "--variant sel works on database files, and with --source there are endpoints only; use rest",
		"--source postgres://reader@127.0.0.1/bird --dataset nowhere --samples .":               "--samples: . has no report.json, and no folder rest with one",
		"--allow-writer": "--allow-writer is about the role of --source",

		"--find-index x":                            "--find-index is about --find; add that",
		"--embedding-model m":                       "--embedding-model is about --find",
		"--find --find-index=":                      "--find-index is empty",
		"--find --find-hide a.b,":                   "--find-hide a.b, has an empty name",
		"--find --embedding-model m":                "--embedding-model: give the address of the endpoint with --embeddings",
		"--find --embeddings http://h":              "--embeddings: give the endpoint's name of the model",
		"--find --embeddings h --embedding-model m": "--embeddings: it is no address of a server",
	} {
		if _, err := run(context.Background(), strings.Fields(args)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}

// A flag on the command line comes before its variable, and that before the
// default. An empty variable is none.
func TestEnvironment(t *testing.T) {
	environment := map[string]string{
		"BIRDCALL_MAX_ROWS": "7", "BIRDCALL_TIMEOUT": "2s", "BIRDCALL_DB": "a,b", "BIRDCALL_RATE": "", "BIRDCALL_ADDR": ":1",
	}
	c := command()
	if err := c.ParseFlags([]string{"--timeout", "3s"}); err != nil {
		t.Fatal(err)
	}
	lookup := func(name string) (string, bool) { text, ok := environment[name]; return text, ok }
	if err := fromEnvironment(c.Flags(), lookup); err != nil {
		t.Fatal(err)
	}
	for flag, want := range map[string]string{"max-rows": "7", "timeout": "3s", "db": "[a,b]", "rate": "0", "addr": ":1", "in-flight": "512"} {
		if got := c.Flag(flag).Value.String(); got != want {
			t.Errorf("--%s is %s, want %s", flag, got, want)
		}
	}
	environment["BIRDCALL_MAX_ROWS"] = "many"
	if err := fromEnvironment(command().Flags(), lookup); err == nil || !strings.Contains(err.Error(), "BIRDCALL_MAX_ROWS") {
		t.Errorf("a bad variable: %v", err)
	}
}

func TestServeAndStop(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out := &stopper{stop: cancel}
	err := runTo(ctx, out, "--addr", "127.0.0.1:0", "--db", "bird_club")
	out.mu.Lock()
	defer out.mu.Unlock()
	log := out.log.String()
	if err != nil || !strings.Contains(log, `"msg":"ready"`) || !strings.Contains(log, `"databases":1`) || !strings.Contains(log, `"msg":"stopped"`) {
		t.Errorf("%v\n%s", err, log)
	}
}

// What convert takes for --as-of is taken here too.
func TestAsOf(t *testing.T) {
	want := time.Date(2025, time.January, 2, 10, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"2025-01-02T10:00:00Z":      want,
		"2025-01-02T12:00:00+02:00": want,
		"2025-01-02 10:00:00":       want,
		"2025-01-02":                want.Add(-10 * time.Hour),
		"now":                       {},
	} {
		f := flags{asOf: text, grace: time.Second}
		f.Episodes = episode.Limits{Episodes: 1, Idle: 1, Calls: 1, Memory: 1, AllMemory: 1, Columns: 1, Rows: 1, Bytes: 1, Time: 1}
		f.Timeout, f.Wait, f.IdleTimeout = time.Second, time.Second, time.Second
		f.Connections, f.InFlight, f.MaxRows, f.MaxBytes, f.MaxValue, f.AnswerMemory, f.MaxConnections = 1, 1, 1, 1, 1, 1, 1
		f.Episodes = episode.Limits{Episodes: 1, Idle: 1, Calls: 1, Memory: 1, AllMemory: 1, Columns: 1, Rows: 1, Bytes: 1, Time: 1}
		if err := f.check(command().Flags()); err != nil || !f.AsOf.Equal(want) || f.Clock != (text == "now") {
			t.Errorf("%s: %v, clock %v, %v", text, f.AsOf, f.Clock, err)
		}
	}
}

func TestHealthcheck(t *testing.T) {
	status := http.StatusOK
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
	addr := strings.TrimPrefix(service.URL, "http://")
	if _, err := run(context.Background(), "healthcheck", "--addr", addr); err != nil {
		t.Error(err)
	}
	// The admin address is asked where there is one.
	if _, err := run(context.Background(), "healthcheck", "--addr", "127.0.0.1:1", "--admin-addr", addr); err != nil {
		t.Error(err)
	}
	if _, err := run(context.Background(), "healthcheck", "--addr", addr, "--admin-addr", "127.0.0.1:1"); !errors.Is(err, errIll) {
		t.Errorf("no service at the admin address: %v", err)
	}
	status = http.StatusServiceUnavailable
	if _, err := run(context.Background(), "healthcheck", "--addr", addr); !errors.Is(err, errIll) {
		t.Errorf("a service that answers 503: %v", err)
	}
	service.Close()
	if _, err := run(context.Background(), "healthcheck", "--addr", addr); !errors.Is(err, errIll) {
		t.Errorf("no service: %v", err)
	}
}
