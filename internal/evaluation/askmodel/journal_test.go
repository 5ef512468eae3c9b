package askmodel

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/birdcall/birdcall/internal/artifact/outdir"
	"github.com/birdcall/birdcall/internal/testkit/scripted"
	"github.com/birdcall/birdcall/pkg/evaluate"
)

// TestSameBytes says that the same answers make the same files, however many are
// asked for at a time, and in how many runs.
func TestSameBytes(t *testing.T) {
	for _, mode := range []evaluate.Mode{evaluate.Direct, evaluate.ReAct} {
		samples := questions(30)
		want := ""
		for _, jobs := range []int{1, 7} {
			s := &scripted.Server{Script: answers(samples, mode == evaluate.ReAct), Plan: scripted.Random(1, 0.2, 0.05)}
			o := options(t, serve(t, s), samples)
			o.Mode, o.Jobs = mode, jobs
			if jobs > 1 { // first some, then all
				o.Limit = 11
				if sum, err := Run(t.Context(), o); err != nil || sum.Answered != 11 {
					t.Fatalf("%+v, %v", sum, err)
				}
				o.Limit = 0
			}
			sum, err := Run(t.Context(), o)
			if err != nil || sum.Recorded+sum.Answered != 30 || sum.Total.Attempts != len(s.Log()) || !sum.Simulated {
				t.Fatalf("%s: %+v, %d served, %v", mode, sum, len(s.Log()), err)
			}
			if jobs == 1 && sum.Sent != sum.Total {
				t.Errorf("%s: sent %+v of %+v", mode, sum.Sent, sum.Total)
			}
			got := text(t, path(o, "_result.jsonl")) + text(t, path(o, "_settings.json"))
			if want == "" {
				want = got
			}
			if got != want || strings.Count(got, `"answered"`) != 30 {
				t.Errorf("%s, %d jobs: other bytes", mode, jobs)
			}
			before := len(s.Log())
			if again, err := Run(t.Context(), o); err != nil || again.Recorded != 30 || len(s.Log()) != before {
				t.Errorf("%s: asked again: %+v, %v", mode, again, err)
			}
			if text(t, path(o, "_result.jsonl"))+text(t, path(o, "_settings.json")) != want {
				t.Errorf("%s: a run that asks nothing writes other bytes", mode)
			}
		}
	}
}

// TestFailedAgain says that what failed is asked again, and that what it took is
// added up.
func TestFailedAgain(t *testing.T) {
	for mode, turns := range map[evaluate.Mode]int{evaluate.Direct: 1, evaluate.ReAct: 3} {
		samples := questions(3)
		plan := func(question string, turn, attempt int) scripted.Fault {
			if question == samples[1].Question && turn == turns-1 && attempt <= 4 {
				return scripted.ServerError
			}
			return scripted.None
		}
		s := &scripted.Server{Script: answers(samples, turns > 1), Plan: plan}
		url := serve(t, s)
		o := options(t, url, samples)
		o.Mode, o.Asker = mode, clientWith(t, o, url, 3)
		first, err := Run(t.Context(), o)
		if err != nil || first.Answered != 2 || first.Failed != 1 || first.Total.Attempts != len(s.Log()) {
			t.Fatalf("%s: %+v, %v", mode, first, err)
		}
		failed := predictions(t, path(o, "_result.jsonl"))[1]
		if failed.Status != evaluate.Failed || failed.Usage.Attempts != turns-1+3 || !strings.HasPrefix(failed.Reason, "no answer after 3 of 3 attempts: 500") {
			t.Errorf("%s: %+v", mode, failed)
		}
		second, err := Run(t.Context(), o)
		if err != nil || second.Recorded != 2 || second.Answered != 1 || second.Sent.Attempts != 2 || second.Total.Attempts != len(s.Log()) {
			t.Errorf("%s: then %+v, %d served, %v", mode, second, len(s.Log()), err)
		}
		if left := text(t, path(o, "_loops.jsonl")); left != "" {
			t.Errorf("%s: left %s", mode, left)
		}
	}
}

// TestCut says that a line that is cut is removed, and asked for again.
func TestCut(t *testing.T) {
	samples := questions(3)
	s := &scripted.Server{Script: answers(samples, false)}
	o := options(t, serve(t, s), samples)
	if _, err := Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	file := path(o, "_result.jsonl")
	whole := text(t, file)
	for _, cut := range []int{1, 20, len(whole) - strings.LastIndex(strings.TrimSpace(whole), "\n") - 2} {
		if err := os.WriteFile(file, []byte(whole[:len(whole)-cut]), 0o644); err != nil {
			t.Fatal(err)
		}
		before := len(s.Log())
		sum, err := Run(t.Context(), o)
		if err != nil || sum.Recorded != 2 || len(s.Log()) != before+1 || text(t, file) != whole {
			t.Errorf("without %d bytes: %+v, %v", cut, sum, err)
		}
	}
}

// TestBroken lists journals that a run does not go on with.
func TestBroken(t *testing.T) {
	samples := questions(2)
	s := &scripted.Server{Script: answers(samples, false)}
	url := serve(t, s)
	for _, c := range []struct{ end, content, want string }{
		{"_result.jsonl", "x\n", "slot_result.jsonl:1: the line cannot be read: invalid character"},
		{"_result.jsonl", `{"db_id":"d","sample_id":7}` + "\n", "slot_result.jsonl:1: the dataset has no sample d/7; move the file away"},
		{"_loops.jsonl", `{"db_id":"e","sample_id":1}` + "\n", "slot_loops.jsonl:1: the dataset has no sample e/1"},
		{"_settings.json", "{}", "slot_settings.json is broken; move it and the answers beside it away"},
		{"_settings.json", "", "slot_settings.json is missing, so that it is not known how"},
	} {
		o := options(t, url, samples)
		if _, err := Run(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		err := os.WriteFile(path(o, c.end), []byte(c.content), 0o644)
		if c.content == "" {
			err = os.Remove(path(o, c.end))
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: got %v, want %s", c.end, c.content, err, c.want)
		}
		if left, _ := filepath.Glob(filepath.Join(o.Out, "result", "*", ".*.lock")); len(left) > 0 {
			t.Errorf("%s is left", left)
		}
	}
}

// TestOtherSettings says which settings a journal is bound to.
func TestOtherSettings(t *testing.T) {
	samples := questions(2)
	s := &scripted.Server{Script: answers(samples, false)}
	url := serve(t, s)
	o := options(t, url, samples)
	if _, err := Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	half := 0.5
	for _, c := range []struct {
		change func(*Options)
		want   string // "" for none
	}{
		{func(o *Options) { o.Sampling.Temperature = &half }, "--temperature was 0 and is 0.5"},
		{func(o *Options) { o.Sampling.TopP = &half }, "--top-p was the endpoint's own and is 0.5"},
		{func(o *Options) { o.Sampling.MaxTokens = 7 }, "--max-tokens was 1500 and is 7"},
		{func(o *Options) { o.Model = "a_model" }, `--model was "a/model" and is "a_model"`},
		{func(o *Options) { o.Mode, o.Sampling.MaxTokens = evaluate.ReAct, 0 }, `--mode was "direct" and is "react", --max-tokens was 1500 and is 0, --loops was 0 and is 10; give those`},
		{func(o *Options) { o.Native = true }, "--native was false and is true, --max-tools was 0 and is 128"},
		{func(o *Options) { o.Samples = questions(3) }, "--dataset was other samples"},
		{func(o *Options) { o.Jobs, o.PriceIn, o.MaxTools, o.Loops = 1, 2, 3, 4 }, ""},
		{func(o *Options) { o.Asker = nil }, ""}, // nothing is left to be asked
	} {
		other := o
		c.change(&other)
		_, err := Run(t.Context(), other)
		if err == nil && c.want != "" || err != nil && (c.want == "" || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	other := o
	other.Name = "another"
	if _, err := Run(t.Context(), other); err != nil {
		t.Error(err)
	}
}

// TestTwoRuns says that a journal has one writer at a time.
func TestTwoRuns(t *testing.T) {
	samples := questions(1)
	s := &scripted.Server{Script: answers(samples, false)}
	o := options(t, serve(t, s), samples)
	var second error
	s.Each = func(scripted.Request) { _, second = Run(context.Background(), o) }
	if _, err := Run(t.Context(), o); err != nil || !errors.Is(second, outdir.ErrBusy) {
		t.Errorf("the first: %v, the second: %v", err, second)
	}
}

// TestCancel says that a canceled run keeps what was answered.
func TestCancel(t *testing.T) {
	samples := questions(20)
	s := &scripted.Server{Script: answers(samples, false)}
	o := options(t, serve(t, s), samples)
	ctx, cancel := context.WithCancelCause(t.Context())
	var served atomic.Int32
	s.Each = func(scripted.Request) {
		if served.Add(1) == 8 {
			cancel(errors.New("a signal"))
		}
	}
	if _, err := Run(ctx, o); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	kept := len(predictions(t, path(o, "_result.jsonl")))
	if kept < 8-o.Jobs || kept >= 8+o.Jobs { // each worker may have an answer on its way
		t.Errorf("%d answers are kept", kept)
	}
	if sum, err := Run(t.Context(), o); err != nil || sum.Recorded != kept || sum.Recorded+sum.Answered != 20 {
		t.Errorf("then %+v, %v", sum, err)
	}
}

// TestPrices says what an answer costs, also one that was recorded before. Without
// prices, costs stay as they are.
func TestPrices(t *testing.T) {
	samples := questions(2)
	o := options(t, serve(t, &scripted.Server{Script: answers(samples, false)}), samples)
	for _, c := range []struct{ in, out, wantIn, wantOut float64 }{{0, 0, 0, 0}, {2, 8, 2, 8}, {4, 8, 4, 8}, {0, 0, 4, 8}} {
		o.PriceIn, o.PriceOut = c.in, c.out
		sum, err := Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		u := predictions(t, path(o, "_result.jsonl"))[0].Usage
		want := (float64(u.PromptTokens)*c.wantIn + float64(u.CompletionTokens)*c.wantOut) / 1e6
		if u.Cost != want || sum.Total.Cost < want {
			t.Errorf("prices %v and %v: %v, want %v", c.in, c.out, u.Cost, want)
		}
	}
}

// TestOptions lists what a run refuses.
func TestOptions(t *testing.T) {
	for _, c := range []struct {
		change func(*Options)
		want   string
	}{
		{func(o *Options) { o.Model = "" }, "--model is empty"},
		{func(o *Options) { o.Name = "../x" }, `--name "../x": use letters`},
		{func(o *Options) { o.Mode = "chat" }, `--mode "chat": use direct, react, sql or agent`},
		{func(o *Options) { o.Mode, o.Native = evaluate.SQL, true }, "--native: --mode sql has no tools"},
		{func(o *Options) { o.Mode, o.Schemas = evaluate.SQL, nil }, "--mode sql: the schemas"},
		{func(o *Options) { o.Mode, o.Executor = evaluate.ReAct, nil }, "--mode react: calls cannot be run"},
		{func(o *Options) { o.Mode, o.Loops = evaluate.ReAct, 0 }, "--loops 0: give"},
		{func(o *Options) { o.Samples = append(o.Samples, o.Samples[0]) }, "the dataset has two samples d/0"},
	} {
		o := options(t, "http://127.0.0.1:1", questions(1))
		c.change(&o)
		if _, err := Run(t.Context(), o); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
		if entries, _ := os.ReadDir(o.Out); len(entries) > 0 {
			t.Errorf("%s: there are files", c.want)
		}
	}
}

func TestModelFolder(t *testing.T) {
	for model, want := range map[string]string{
		"gpt-4o": "gpt-4o", "meta-llama/Llama-3.1:8b": "meta-llama_Llama-3.1_8b", "../x": "_._x", "..": "_.", "é": "_",
	} {
		if got := ModelFolder(model); got != want {
			t.Errorf("%s: got %s, want %s", model, got, want)
		}
	}
}

// TestProgress says that each sample counts once.
func TestProgress(t *testing.T) {
	samples := questions(5)
	o := options(t, serve(t, &scripted.Server{Script: answers(samples, false)}), samples)
	var n atomic.Int32
	o.Progress = func() { n.Add(1) }
	for range 2 {
		if _, err := Run(t.Context(), o); err != nil || n.Swap(0) != 5 {
			t.Errorf("it is not told of each sample: %v", err)
		}
	}
}
