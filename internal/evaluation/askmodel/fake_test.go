package askmodel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/evaluation/chatapi"
	"github.com/birdcall/birdcall/internal/evaluation/prompt"
	"github.com/birdcall/birdcall/internal/testkit/scripted"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// fakeExecutor shows the label of each call, and knows nothing about databases.
type fakeExecutor struct{}

func (fakeExecutor) Episode(context.Context, *evaluate.Sample) (evaluate.Episode, error) {
	return fakeEpisode{}, nil
}

func (fakeExecutor) Query(context.Context, *evaluate.Sample, string) ([][]value.Value, error) {
	return nil, errors.New("not asked for")
}

func (fakeExecutor) Release(string) error { return nil }

type fakeEpisode struct{}

// Call fails for a call that names no table.
func (fakeEpisode) Call(_ context.Context, c tools.Call) evaluate.Result {
	if _, ok := c.Arguments.Get("data_source"); !ok {
		return evaluate.Result{Err: fmt.Errorf("%s: data_source is missing", c.Name)}
	}
	return evaluate.Result{Show: func(context.Context) (string, error) { return fmt.Sprintf(`{"label":%q}`, c.Label), nil }}
}

// fakeSchemas has one table for each database.
type fakeSchemas struct{}

func (fakeSchemas) Schema(_ context.Context, s *evaluate.Sample) (string, error) {
	return "CREATE TABLE " + s.DB + " (a INTEGER);", nil
}

// sampleOf returns a sample with the tools that are named.
func sampleOf(id int, question string, names ...string) *evaluate.Sample {
	s := &evaluate.Sample{Variant: record.SLOT, DB: "d", ID: bird.Number(id), Question: question, System: "Keys: a"}
	for _, name := range names {
		s.Tools = append(s.Tools, spec.Tool{Name: name, Description: "A tool.", Parameters: map[string]any{
			"type": "object", "properties": map[string]any{"data_source": map[string]any{"type": "string"}},
		}})
	}
	return s
}

// questions returns so many samples with a question each.
func questions(n int) []*evaluate.Sample {
	out := make([]*evaluate.Sample, n)
	for i := range out {
		out[i] = sampleOf(i, fmt.Sprintf("What is question %03d?", i), "filter_data")
	}
	return out
}

// answers has an answer to each question, and three turns of ReAct where they
// are asked for.
func answers(samples []*evaluate.Sample, turns bool) *scripted.Script {
	var entries []scripted.Entry
	for _, s := range samples {
		if !turns {
			entries = append(entries, scripted.Entry{Question: s.Question, Content: "[] is the answer to " + s.Question})
			continue
		}
		call := "Thought: I look.\nAction: filter_data\nAction Input: {\"data_source\": \"$t$\"}"
		for _, content := range []string{call, call, "Final Answer: that of " + s.Question} {
			entries = append(entries, scripted.Entry{Question: s.Question, Content: content})
		}
	}
	return scripted.New(entries...)
}

// options returns a run against a server, which waits for next to nothing.
func options(t *testing.T, url string, samples []*evaluate.Sample) Options {
	t.Helper()
	o, err := newOptions(url, t.TempDir(), samples)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func newOptions(url, out string, samples []*evaluate.Sample) (Options, error) {
	client, err := chatapi.New(chatapi.Options{BaseURL: url, FirstWait: time.Microsecond, MaxWait: time.Millisecond, Timeout: 10 * time.Second, Attempts: 50})
	if err != nil {
		return Options{}, err
	}
	set, err := prompt.Load("")
	return Options{
		Samples: samples, Model: "a/model", Mode: evaluate.Direct, Sampling: DefaultSampling(evaluate.Direct, false), MaxTools: 128, Loops: DefaultLoops,
		Prompts: set, Asker: client, Executor: fakeExecutor{}, Schemas: fakeSchemas{}, Out: out, Name: "slot", Jobs: 4,
	}, err
}

// serve starts a scripted server.
func serve(t *testing.T, s *scripted.Server) (url string) {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return server.URL
}

// path returns a file of a run.
func path(o Options, end string) string {
	return filepath.Join(o.Out, "result", ModelFolder(o.Model), o.Name+end)
}

// text returns what is in a file, "" if there is none.
func text(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(data)
}

// predictions reads a journal, but for a last line that is cut.
func predictions(t *testing.T, name string) []evaluate.Prediction {
	t.Helper()
	var out []evaluate.Prediction
	lines := strings.SplitAfter(text(t, name), "\n")
	for _, line := range lines[:len(lines)-1] {
		var p evaluate.Prediction
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		out = append(out, p)
	}
	return out
}

// one asks one sample and returns its prediction.
func one(t *testing.T, o Options) evaluate.Prediction {
	t.Helper()
	if _, err := Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	got := predictions(t, path(o, "_result.jsonl"))
	if len(got) != 1 {
		t.Fatalf("%d predictions", len(got))
	}
	return got[0]
}
