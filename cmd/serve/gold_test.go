package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/evaluation/queryscore"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/internal/testkit/programtest"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/rest"
	"github.com/birdcall/birdcall/pkg/tools"
)

// clients is how many clients ask at a time.
const clients = 32

// TestGoldByManyClients has many clients make the gold calls of every sample at the
// same time, over HTTP. Those that try again when they are asked to all reach the
// reward 1, and few have to. Without enough time and connections, rewards of 0 are
// reported as failures. The samples are those of a database of the sample or, with
// BIRDCALL_SAMPLES and BIRDCALL_DATASET, those that convert wrote of a dataset.
func TestGoldByManyClients(t *testing.T) {
	dir, of := os.Getenv("BIRDCALL_SAMPLES"), os.Getenv("BIRDCALL_DATASET")
	load := bird.Options{Dir: of}
	args := []string{"--dataset", of}
	if dir == "" || of == "" {
		const db = "city_library"
		load, args, dir = bird.Options{FS: sample.FS(), Databases: []string{db}}, []string{"--db", db}, t.TempDir()
		for _, variant := range []string{record.SLOT, record.SEL, record.REST, record.QUERY} {
			converted(t, dir, variant, args...)
		}
	}
	dataset, err := bird.Load(load)
	if err != nil {
		t.Fatal(err)
	}
	work := goldOf(t, dataset, dir)
	args = append(args, "--samples", dir, "--immutable")
	for name, c := range map[string]struct {
		args  []string
		obeys bool
	}{
		"defaults":                   {nil, true},
		"one connection and no time": {[]string{"--connections", "1", "--timeout", "50ms", "--wait", "50ms", "--call-time", "50ms"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := programtest.Serve(t, append(c.args, args...)...)
			client := &goldClient{url: s.URL, obeys: c.obeys, log: t.Logf, http: &http.Client{Timeout: 2 * time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: clients}}}
			defer client.http.CloseIdleConnections()
			var all sync.WaitGroup
			next := make(chan gold)
			for range clients {
				all.Go(func() {
					for g := range next {
						if err := client.play(g); err != nil {
							t.Errorf("%s: %v", g.name, err)
						}
					}
				})
			}
			for _, g := range work {
				next <- g
			}
			close(next)
			all.Wait()
			t.Logf("%d samples: %d with the reward 1, %d without one as the service failed, %d tried again", len(work), client.right.Load(), client.failed.Load(), client.again.Load())
			if n := client.again.Load(); n*100 > int64(len(work)) {
				t.Errorf("%d of %d samples needed another try", n, len(work))
			}
			if c.obeys && client.failed.Load() > 0 {
				t.Error("some have no reward")
			}
		})
	}
}

// gold is the gold calls of a sample.
type gold struct {
	name    string
	session string // the body that opens one; "" for a query
	calls   []tools.Call
	path    string // of a query
	answer  string // of a query
}

// goldOf reads the samples of the variants that a folder has.
func goldOf(t *testing.T, dataset *bird.Dataset, dir string) []gold {
	t.Helper()
	var out []gold
	for _, variant := range []string{record.SLOT, record.SEL, record.REST} {
		if _, err := os.Stat(filepath.Join(dir, variant)); err != nil {
			continue
		}
		d, err := evaluate.Load(t.Context(), filepath.Join(dir, variant))
		if err != nil {
			t.Fatal(err)
		}
		n := len(out)
		for _, s := range d.Samples {
			about, err := json.Marshal(map[string]any{"variant": variant, "db": s.DB, "sample_id": s.ID})
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, gold{name: variant + " " + s.Key(), session: string(about), calls: s.Listed})
		}
		t.Logf("%s: %d samples", variant, len(out)-n)
	}
	if _, err := os.Stat(filepath.Join(dir, record.QUERY)); err != nil {
		return out
	}
	samples, _, err := queryscore.Load(t.Context(), filepath.Join(dir, record.QUERY))
	if err != nil {
		t.Fatal(err)
	}
	api, err := rest.Open(t.Context(), dataset, rest.Options{Immutable: true})
	if err != nil {
		t.Fatal(err)
	}
	defer api.Close()
	env, err := episode.New(episode.Options{Dataset: dataset, Endpoints: api, Immutable: true})
	if err != nil {
		t.Fatal(err)
	}
	defer env.Close()
	for _, s := range samples {
		args := s.Gold.Query.Arguments(query.Full, s.Collections)
		answer, err := env.Query(t.Context(), s.DB, args, episode.QueryOptions{Toolset: string(query.Full), MaxRows: rest.DefaultMaxRows, MaxBytes: rest.DefaultMaxBytes})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, gold{name: "query " + s.DB + "/" + s.ID.String(), calls: []tools.Call{{Arguments: args}}, path: "/v1/query/" + s.DB, answer: string(answer) + "\n"})
	}
	t.Logf("query: %d samples", len(samples))
	return out
}

// goldClient makes gold calls. If it obeys, it repeats those that have a Retry-After.
type goldClient struct {
	url   string
	obeys bool
	http  *http.Client
	log   func(format string, args ...any)

	right, failed, again atomic.Int64 // samples
}

// play makes the calls of a sample. The error says what no client may meet.
func (c *goldClient) play(g gold) error {
	tried := false
	post := func(path, body string) (status int, text string, err error) {
		for tries := 0; ; tries++ {
			start := time.Now()
			status, retry, text, err := c.ask("POST", path, body)
			if err != nil || retry == "" || !c.obeys || tries == 20 {
				return status, text, err
			}
			if !tried {
				tried = true
				c.again.Add(1)
				c.log("%s: %d after %v: %.200s", g.name, status, time.Since(start).Round(time.Millisecond), text)
			}
			time.Sleep(time.Second) // which Retry-After says
		}
	}
	if g.session == "" {
		arguments, err := json.Marshal(g.calls[0].Arguments)
		if err != nil {
			return err
		}
		status, text, err := post(g.path, string(arguments))
		switch {
		case err != nil:
			return err
		case status == 200 && text == g.answer:
			c.right.Add(1)
			return nil
		case status >= 500:
			c.failed.Add(1)
			return nil
		}
		return fmt.Errorf("%d %.300s", status, text)
	}
	status, text, err := post("/v1/sessions", g.session)
	if err != nil {
		return err
	}
	var session struct{ ID string }
	if err := json.Unmarshal([]byte(text), &session); err != nil || status != 201 {
		return fmt.Errorf("%d %.300s", status, text)
	}
	at := "/v1/sessions/" + session.ID
	for _, call := range g.calls {
		body, err := json.Marshal(tools.Arguments{{Name: "name", Value: call.Name}, {Name: "arguments", Value: call.Arguments}})
		if err != nil {
			return err
		}
		if _, _, err := post(at+"/calls", string(body)); err != nil {
			return err
		}
	}
	status, text, err = post(at+"/score", "")
	if err != nil {
		return err
	}
	_, _, _, err = c.ask("DELETE", at, "")
	switch {
	case status == 200 && strings.HasPrefix(text, `{"reward":1,`):
		c.right.Add(1)
	case status == 503:
		c.failed.Add(1)
	default:
		return fmt.Errorf("%d %.300s", status, text)
	}
	return err
}

// ask sends a request, and returns the answer with its Retry-After.
func (c *goldClient) ask(method, path, body string) (status int, retry, text string, err error) {
	r, err := http.NewRequest(method, c.url+path, strings.NewReader(body))
	if err != nil {
		return 0, "", "", err
	}
	answer, err := c.http.Do(r)
	if err != nil {
		return 0, "", "", err
	}
	defer answer.Body.Close()
	all, err := io.ReadAll(answer.Body)
	return answer.StatusCode, answer.Header.Get("Retry-After"), string(all), err
}
