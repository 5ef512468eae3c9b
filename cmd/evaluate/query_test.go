package main

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rivo/uniseg"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/data/usecases"
	"github.com/birdcall/birdcall/internal/artifact/export"
	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/internal/evaluation/queryscore"
	"github.com/birdcall/birdcall/internal/evaluation/scorereport"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/internal/querytool/querygrid"
	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/internal/testkit/scripted"
	"github.com/birdcall/birdcall/internal/testkit/thorough"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// TestQueryOfPaper scores a file that is as the repository of Shorten et al. has them, of
// queries that were made up.
func TestQueryOfPaper(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(here, "testdata", "made-up.json")
	t.Chdir(t.TempDir())
	printed, errs, err := program(t, "query", "--predictions", file, "--metric", "published,paper,strict")
	if err != nil {
		t.Fatal(err, errs)
	}
	golden.Equal(t, filepath.Join(here, "testdata", "made-up.txt"), filepath.ToSlash(printed))
	for _, name := range []string{"query.json", "query_paper_public_first.md", "query_paper_public_first.html"} {
		content, err := os.ReadFile(filepath.Join("score", "made-up", name))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(content), here) {
			t.Errorf("%s names a folder of this machine", name)
		}
		if name != "query_paper_public_first.html" {
			golden.Equal(t, filepath.Join(here, "testdata", "made-up."+name), string(content))
		}
	}
}

// convertQueries writes the queries of the embedded sample and returns their folder.
func convertQueries(t *testing.T, set query.Toolset, shape query.Shape, how ...pipeline.Writing) string {
	t.Helper()
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	opts := pipeline.Options{
		Dataset: dataset, Variant: record.QUERY, Out: t.TempDir(), Toolset: slot.Auto, Timeout: time.Minute, Jobs: 2, AsOf: bird.DefaultAsOf,
		Queries: pipeline.Queries{Toolset: set, Shape: shape},
	}
	if len(how) > 0 {
		opts.Writing = how[0]
	}
	if _, err := pipeline.Run(t.Context(), opts); err != nil {
		t.Fatal(err)
	}
	return opts.Folder()
}

// TestQueryFormats reads records in every format of files and of tools: they have
// the same gold, and their own gold is right.
func TestQueryFormats(t *testing.T) {
	for i, shape := range query.Shapes() {
		var first []*queryscore.Sample
		others := []pipeline.Writing{
			{Format: export.Lines, Once: true}, {Format: export.Parquet}, {Spec: spec.OpenAIStrict}, {Spec: spec.Gemini}, {Spec: spec.Anthropic}, {Spec: spec.MCP},
		}
		for _, how := range append([]pipeline.Writing{{}}, thorough.Every(others, 3, i)...) {
			samples, problems, err := queryscore.Load(t.Context(), convertQueries(t, query.Full, query.Shape(shape), how))
			if err != nil || len(problems) > 0 {
				t.Fatalf("%s, %+v: %v %v", shape, how, err, problems)
			}
			if first == nil {
				first = samples
			}
			answers := map[*queryscore.Sample]queryscore.Answer{}
			for i, s := range samples {
				if s.Key() != first[i].Key() || len(s.Tools) != len(first[i].Tools) {
					t.Fatalf("%s, %+v: sample %d is %s", shape, how, i, s.Key())
				}
				s.Gold, answers[s] = first[i].Gold, queryscore.Answer{Calls: []queryscore.Call{s.Gold}}
			}
			r, err := queryscore.Score(t.Context(), samples, answers, queryscore.Options{Metrics: []queryscore.Metric{queryscore.Strict, queryscore.Paper, queryscore.Published}})
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range r.Total.Scored {
				if m.Match.Count != len(first) {
					t.Errorf("%s, %+v: %d of %d match by the metric %s", shape, how, m.Match.Count, len(first), m.Metric)
				}
			}
		}
	}
}

// entryOf answers a question with its gold query, as an endpoint gives it.
func entryOf(t *testing.T, s *queryscore.Sample) scripted.Entry {
	t.Helper()
	call := s.Gold.Query.Call(s.Toolset, s.Shape, s.Collections)
	text, err := json.Marshal(call.Arguments)
	if err != nil {
		t.Fatal(err)
	}
	if s.Shape == query.Structured {
		return scripted.Entry{Question: s.Question, Content: string(text)}
	}
	calls, err := json.Marshal([]any{map[string]any{"id": "call_0", "type": "function", "function": map[string]string{"name": call.Name, "arguments": string(text)}}})
	if err != nil {
		t.Fatal(err)
	}
	return scripted.Entry{Question: s.Question, ToolCalls: calls}
}

// TestRunQueries asks a scripted server that knows the gold queries, in every
// toolset and shape, which are right by every metric. A question fails for as long
// as one run tries, and is asked again by the next.
func TestRunQueries(t *testing.T) {
	for _, set := range query.Toolsets() {
		for _, shape := range query.Shapes() {
			folder := convertQueries(t, query.Toolset(set), query.Shape(shape))
			samples, problems, err := queryscore.Load(t.Context(), folder)
			if err != nil || len(problems) > 0 {
				t.Fatal(err, problems)
			}
			var entries []scripted.Entry
			for _, s := range samples {
				entries = append(entries, entryOf(t, s))
			}
			failing := samples[1].Question
			server := &scripted.Server{Script: scripted.New(entries...), Plan: func(q string, _, attempt int) scripted.Fault {
				if q == failing && attempt == 1 {
					return scripted.BadRequest
				}
				return scripted.None
			}}
			h := httptest.NewServer(server)
			defer h.Close()
			out := t.TempDir()
			args := []string{"run", "--dataset", folder, "--model", "a/b", "--base-url", h.URL, "--out", out, "--metric", "strict,paper,published,execution"}
			if _, _, err := program(t, args...); err == nil {
				t.Errorf("%s, %s: a question has no answer, and nothing says so", set, shape)
			}
			stdout, stderr, err := program(t, args...)
			if err != nil || len(server.Log()) != len(samples)+1 {
				t.Fatalf("%s, %s: %v, %d requests for %d samples\n%s%s", set, shape, err, len(server.Log()), len(samples), stdout, stderr)
			}
			for _, log := range server.Log() {
				wants := `"tools":[`
				if shape == string(query.Structured) {
					wants = `"response_format":{"type":"json_schema","json_schema":{"name":"ResponseOrToolCall","schema":{`
				}
				if !strings.Contains(string(log.Body), wants) {
					t.Fatalf("%s, %s: no %s in %s", set, shape, wants, log.Body)
				}
			}
			if _, err := os.Stat(filepath.Join(out, "result", "a_b", fmt.Sprintf("query_%s_%s_result.jsonl", set, shape))); err != nil {
				t.Error(err)
			}
			report, err := scorereport.ReadQueries(filepath.Join(out, "score", "a_b", "query.json"))
			if err != nil {
				t.Fatal(err)
			}
			r := report.Evaluations[0]
			if r.Total.Called != len(samples) || r.Total.Routed.Count != len(samples) || !r.Simulated || r.Usage.Attempts != len(samples)+1 {
				t.Errorf("%s, %s: %d calls of %d, %+v", set, shape, r.Total.Called, len(samples), r.Usage)
			}
			for _, m := range r.Total.Scored {
				if m.Match.Count != len(samples) || m.AST != nil && *m.AST.OfAll != 1 {
					t.Errorf("%s, %s: %d of %d match by the metric %s", set, shape, m.Match.Count, len(samples), m.Metric)
				}
			}
		}
	}
}

// TestQueryPredictions scores a file with one answer of each kind.
func TestQueryPredictions(t *testing.T) {
	folder := convertQueries(t, query.Full, query.Unified)
	samples, _, err := queryscore.Load(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	add := func(i int, answer string) {
		lines = append(lines, fmt.Sprintf(`{"db_id": %q, "sample_id": %s, "model": "m", %s}`, samples[i].DB, samples[i].ID, answer))
	}
	gold, err := json.Marshal([]tools.Call{samples[0].Gold.Query.Call(query.Full, query.Unified, samples[0].Collections)})
	if err != nil {
		t.Fatal(err)
	}
	add(0, `"calls": `+string(gold))
	add(1, `"text": "I do not know."`)
	add(2, `"calls": [{"name": "query_database", "arguments": {"collection_name": "nothing"}}]`)
	add(3, `"status": "failed", "reason": "503"`)
	add(4, `"status": "not_run"`)
	add(5, `"message": {"tool_calls": [{"function": {"name": "query_database", "arguments": "`+strings.Repeat("x", 10000)+`"}}]}`)
	lines = append(lines, "no JSON", `{"db_id": "x", "sample_id": 1, "text": ""}`)
	file := filepath.Join(t.TempDir(), "p.jsonl")
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	printed, errs, err := program(t, "query", "--dataset", folder, "--predictions", file, "--metric", "execution,strict,paper,published", "--out", out)
	if err != nil {
		t.Fatal(err, errs)
	}
	report, err := scorereport.ReadQueries(filepath.Join(out, "score", "m", "query.json"))
	if err != nil {
		t.Fatal(err)
	}
	r := report.Evaluations[0]
	if s := r.Total; s.Samples != 5 || s.Called != 1 || s.NoCall != 1 || s.Invalid != 2 || s.Failed != 1 || s.Scored[0].Match.Count != 1 {
		t.Errorf("got %+v", s)
	}
	if r.NotRun != 1 || r.Unpredicted != len(samples)-6 || len(r.Problems) != 2 {
		t.Errorf("%d not run, %d unpredicted, problems %v", r.NotRun, r.Unpredicted, r.Problems)
	}
	for _, want := range []string{"1 unreadable prediction: ", "1 prediction for no sample: ", "execution  the same answer", "1 not run"} {
		if !strings.Contains(printed, want) {
			t.Errorf("no %q in\n%s", want, printed)
		}
	}
	for line := range strings.Lines(printed) {
		if uniseg.StringWidth(line) > 80 && !strings.HasPrefix(line, "  /") {
			t.Errorf("wider than 80 columns: %q", line)
		}
	}
}

// TestQueryFlags lists command lines that are refused, and why.
func TestQueryFlags(t *testing.T) {
	folder := convertQueries(t, query.Full, query.Unified)
	empty := filepath.Join(t.TempDir(), "empty.json")
	if err := os.WriteFile(empty, []byte("[]"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ line, want string }{
		{"query", "no --predictions: give"},
		{"query --predictions=", "--predictions is empty: give a file"},
		{"query --predictions x --metric exact", `--metric: unknown metric "exact": use strict, paper, published, execution`},
		{"query --predictions x --calls last", `unknown --calls "last": use first, best, one`},
		{"query --predictions x --jobs 0", "--jobs 0: work"},
		{"query --predictions x --timeout 0s", "--timeout 0s: give"},
		{"query --predictions nowhere.json", "open nowhere.json"},
		{"query --predictions " + empty, "no --dataset: give"},
		{"query --dataset " + folder + " --predictions " + empty, empty + ": there is no prediction in it"},
		{"query --dataset " + folder + " --predictions testdata/made-up.json", "testdata/made-up.json has its own gold queries; leave --dataset out"},
		{"query --predictions testdata/made-up.json --metric execution", "--metric execution: there are no databases to testdata/made-up.json"},
		{"run --dataset " + folder + " --model m --mode sql", "--mode sql: queries are asked for in one answer; use direct"},
		{"run --dataset " + folder + " --model m --rules paper", "--rules is not about queries: --metric says"},
		{"run --dataset " + folder + " --model m --metric none", `--metric: unknown metric "none"`},
		{"run --dataset x --model m --calls best", "--calls is about queries; leave it out"},
		{"--dataset " + folder + " --predictions " + empty, folder + ` has samples of the variant "query"`},
	} {
		if _, _, err := program(t, strings.Fields(c.line)...); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %s", c.line, err, c.want)
		}
	}
	if _, _, err := queryscore.Load(t.Context(), convertOne(t)); err == nil || !strings.Contains(err.Error(), "has samples of the variant "+record.SLOT) {
		t.Errorf("a folder of another variant: %v", err)
	}
}

// TestQueryGrid scores gold queries about the use cases inside this binary, which
// have no questions of their own.
func TestQueryGrid(t *testing.T) {
	dataset, err := bird.Load(bird.Options{FS: usecases.FS(), AllDatabases: true})
	if err != nil {
		t.Fatal(err)
	}
	dataset.Databases = dataset.Databases[:1]
	opts := pipeline.Options{
		Dataset: dataset, Variant: record.QUERY, Out: t.TempDir(), Toolset: slot.Auto, Timeout: time.Minute, Jobs: 2, AsOf: bird.DefaultAsOf,
		Queries: pipeline.Queries{Toolset: query.Paper, Shape: query.Unified},
	}
	if opts.Queries.Grid, err = querygrid.Dataset(t.Context(), dataset, querygrid.Options{}); err != nil {
		t.Fatal(err)
	}
	dataset.Questions = opts.Queries.Grid.Questions
	if _, err := pipeline.Run(t.Context(), opts); err != nil {
		t.Fatal(err)
	}
	samples, problems, err := queryscore.Load(t.Context(), opts.Folder())
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	var lines strings.Builder
	for _, s := range samples {
		calls, err := json.Marshal([]tools.Call{s.Gold.Query.Call(s.Toolset, s.Shape, s.Collections)})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&lines, "{\"db_id\": %q, \"sample_id\": %q, \"calls\": %s}\n", s.DB, s.ID, calls)
	}
	file := filepath.Join(t.TempDir(), "p.jsonl")
	if err := os.WriteFile(file, []byte(lines.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	printed, errs, err := program(t, "query", "--dataset", opts.Folder(), "--predictions", file, "--metric", "execution", "--out", t.TempDir())
	if err != nil || !strings.Contains(printed, "\nexecution  the same answer  63   1.000     1.000") {
		t.Errorf("%v\n%s%s", err, printed, errs)
	}
}
