package main

import (
	"bytes"
	"errors"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/internal/testkit/scripted"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
)

// key is that of the tests' endpoint.
const key = "sk-0123456789abcdef"

// program runs the program and returns what it prints.
func program(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, errs bytes.Buffer
	c := command()
	c.SetOut(&out)
	c.SetErr(&errs)
	c.SetArgs(args)
	err = c.ExecuteContext(t.Context())
	return out.String(), errs.String(), err
}

// convertOne writes the samples of one database and returns their folder.
func convertOne(t *testing.T) string {
	t.Helper()
	dataset, err := bird.Load(bird.Options{FS: sample.FS(), Databases: []string{"city_library"}})
	if err != nil {
		t.Fatal(err)
	}
	opts := pipeline.Options{Dataset: dataset, Variant: record.SLOT, Out: t.TempDir(), Toolset: slot.Auto, Timeout: time.Minute, Jobs: 2, AsOf: bird.DefaultAsOf}
	if _, err := pipeline.Run(t.Context(), opts); err != nil {
		t.Fatal(err)
	}
	return opts.Folder()
}

// TestRun asks a scripted server that knows the gold calls, and fails a question
// for as long as one run tries.
func TestRun(t *testing.T) {
	folder := convertOne(t)
	samples, err := samples(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	entries := map[evaluate.Mode][]scripted.Entry{}
	for _, s := range samples {
		calls, err := jsontext.Marshal(s.Listed, "")
		if err != nil {
			t.Fatal(err)
		}
		entries[evaluate.Direct] = append(entries[evaluate.Direct], scripted.Entry{Question: s.Question, Content: string(calls)})
		entries[evaluate.SQL] = append(entries[evaluate.SQL], scripted.Entry{Question: s.Question, Content: "```sql\n" + s.SQL + "\n```"})
		entries[evaluate.ReAct] = append(entries[evaluate.ReAct], scripted.Entry{Question: s.Question, Content: "Final Answer: none"})
	}
	failing := samples[3].Question
	t.Setenv("TEST_KEY", key)
	for mode, list := range entries {
		server := &scripted.Server{Script: scripted.New(list...), Plan: func(q string, _, attempt int) scripted.Fault {
			if q == failing && attempt == 1 {
				return scripted.BadRequest
			}
			return scripted.None
		}}
		h := httptest.NewServer(server)
		defer h.Close()
		out := t.TempDir()
		args := []string{"run", "--dataset", folder, "--model", "a/b", "--base-url", h.URL, "--api-key-env", "TEST_KEY", "--mode", string(mode), "--out", out}

		stdout, stderr, err := program(t, args...)
		if !errors.Is(err, errUnanswered) || !strings.Contains(stdout, "43 answered, 0 not run, 1 failed; 0 were recorded before\n") {
			t.Errorf("%s: %v\n%s%s", mode, err, stdout, stderr)
		}
		stdout, stderr, err = program(t, args...)
		if err != nil || !strings.Contains(stdout, "1 answered, 0 not run, 0 failed; 43 were recorded before\n") || len(server.Log()) != 45 {
			t.Errorf("%s, again: %v, %d requests\n%s%s", mode, err, len(server.Log()), stdout, stderr)
		}
		rate := map[evaluate.Mode]string{evaluate.Direct: "completed: 44 of 44", evaluate.SQL: "completed: 4", evaluate.ReAct: "completed: 0 of 44"}[mode]
		if !strings.Contains(stdout, rate) || !strings.HasPrefix(stdout, "No model answered, but a program that stands for one.\n") {
			t.Errorf("%s: no %q in\n%s", mode, rate, stdout)
		}
		if _, err := os.Stat(filepath.Join(out, "result", "a_b", "slot_"+string(mode)+"_result.jsonl")); err != nil {
			t.Error(err)
		}
		if secret := holds(t, out, key); secret != "" || strings.Contains(stdout+stderr, key) {
			t.Errorf("%s has the key", secret)
		}
	}
}

// holds returns a file below a folder that has a text, "" for none.
func holds(t *testing.T, dir, text string) (name string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(text)) {
			name = path
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// TestRunFlags lists command lines that are refused before anything is asked.
func TestRunFlags(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"", "no --dataset: give"},
		{"--dataset x", "no --model: give"},
		{"--dataset x --model=", "--model is empty: give the endpoint's name"},
		{"--dataset x --model m --mode chat", `--mode "chat": use direct, react, sql, agent`},
		{"--dataset x --model m --base-url localhost", "--base-url: it is no address"},
		{"--dataset x --model m --top-p 0", "--top-p 0: give a number above 0"},
		{"--dataset x --model m --limit -1", "--limit -1: give"},
		{"--dataset x --model m --max-tokens -1", "--max-tokens -1: give"},
		{"--dataset x --model m --loops 0", "--loops 0: give"},
		{"--dataset x --model m --max-tools -1", "--max-tools -1: give"},
		{"--dataset x --model m --parallel 0", "--parallel 0: ask"},
		{"--dataset x --model m --attempts 0", "--attempts 0: give"},
		{"--dataset x --model m --request-timeout 0s", "--request-timeout 0s: give"},
		{"--dataset x --model m --shortlist --search-tools", "--shortlist and --search-tools choose tools in two ways"},
		{"--dataset x --model m --price-in -1", "--price-in and --price-out: give"},
		{"--dataset x --model m --max-tokens-field n", `--max-tokens-field "n": use max_tokens or max_completion_tokens`},
		{"--dataset x --model m --prompts nowhere", "--prompts: open nowhere"},
	} {
		if _, _, err := program(t, append([]string{"run"}, strings.Fields(c.line)...)...); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %s", c.line, err, c.want)
		}
	}
}

// TestSampling says how the flags change the paper's settings.
func TestSampling(t *testing.T) {
	for _, c := range []struct {
		line string
		want string
	}{
		{"", `{"Temperature":0,"TopP":null,"MaxTokens":1500,"TokensField":"max_tokens","Stop":null}`},
		{"--mode react", `{"Temperature":0,"TopP":0.1,"MaxTokens":0,"TokensField":"max_tokens","Stop":["\nObservation"]}`},
		{"--mode react --native --max-tokens 9", `{"Temperature":0,"TopP":0.1,"MaxTokens":9,"TokensField":"max_tokens","Stop":null}`},
		{"--temperature -1 --top-p 0.5 --max-tokens 0", `{"Temperature":null,"TopP":0.5,"MaxTokens":0,"TokensField":"max_tokens","Stop":null}`},
		{"--mode react --top-p -1 --max-tokens-field max_completion_tokens", `{"Temperature":0,"TopP":null,"MaxTokens":0,"TokensField":"max_completion_tokens","Stop":["\nObservation"]}`},
	} {
		f := &runFlags{}
		set := f.command().Flags()
		if err := set.Parse(strings.Fields(c.line)); err != nil {
			t.Fatal(err)
		}
		got, err := jsontext.Marshal(f.sampling(set, evaluate.Mode(f.mode)), "")
		if err != nil || string(got) != c.want {
			t.Errorf("%q: got %s, want %s; %v", c.line, got, c.want, err)
		}
	}
}
