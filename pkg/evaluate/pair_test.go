package evaluate_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/artifact/export"
	"github.com/birdcall/birdcall/internal/convert/multi"
	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/internal/evaluation/execute"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// pairs converts the embedded dataset to questions over two databases.
func pairs(t *testing.T, form string, how pipeline.Writing) *evaluate.Dataset {
	t.Helper()
	name := fmt.Sprintf("%s %s %+v", record.MULTI, form, how)
	if d := converted[name]; d != nil {
		return d
	}
	dir := t.TempDir()
	if _, err := pipeline.Run(context.Background(), pipeline.Options{
		Dataset: embedded(t), Variant: record.MULTI, Out: dir, Toolset: slot.Auto, Timeout: time.Minute, Jobs: 2, AsOf: bird.DefaultAsOf, Writing: how,
		Pairs: pipeline.Pairs{Form: form},
	}); err != nil {
		t.Fatal(err)
	}
	d, err := evaluate.Load(t.Context(), filepath.Join(dir, record.MULTI))
	if err != nil || len(d.Problems) > 0 {
		t.Fatal(err, d.Problems)
	}
	converted[name] = d
	return d
}

// TestGoldOfPairs says that the gold calls of questions over two databases score 1
// by every metric, whatever form they have, also where results have other labels
// or none.
func TestGoldOfPairs(t *testing.T) {
	e := executor(t)
	for _, form := range []string{record.SLOT, record.REST} {
		for _, how := range []pipeline.Writing{
			{}, {Spec: spec.OpenAIStrict, Format: export.Lines, Obfuscate: true}, {Spec: spec.Gemini, Once: true},
			{Spec: spec.Anthropic, MaxTools: 20, By: spec.Near, Format: export.Parquet},
		} {
			d := pairs(t, form, how)
			gold := goldOf(d)
			name := fmt.Sprintf("%s %+v", form, how)
			perfect(t, name, d, gold, e, evaluate.Exact, evaluate.Paper)
			accurate(t, name, d, gold, e, 1, 1)
			bare := goldOf(d)
			for i := range gold {
				gold[i].Calls = relabel(gold[i].Calls)
				for j := range bare[i].Calls {
					bare[i].Calls[j].Label = "" // by the rules that the tools state
				}
			}
			perfect(t, name+", other labels", d, gold, e, evaluate.Exact)
			perfect(t, name+", no labels", d, bare, e, evaluate.Exact)
		}
	}
}

// TestGoldOfPairsOfFolder does so with the pairs that convert wrote.
func TestGoldOfPairsOfFolder(t *testing.T) {
	dir, of := os.Getenv(samplesEnv), os.Getenv("BIRDCALL_DATASET")
	if dir == "" || of == "" {
		t.Skipf("%s and BIRDCALL_DATASET name no folders", samplesEnv)
	}
	d, err := evaluate.Load(t.Context(), filepath.Join(dir, record.MULTI))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("there are no pairs")
	}
	if err != nil {
		t.Fatal(err)
	}
	dataset, err := bird.Load(bird.Options{Dir: of})
	if err != nil {
		t.Fatal(err)
	}
	e := execute.Open(dataset, execute.Options{Timeout: time.Minute})
	defer e.Close()
	perfect(t, "pairs", d, goldOf(d), e, evaluate.Exact, evaluate.Paper)
	accurate(t, "pairs", d, goldOf(d), e, 1, 1)
}

// accurate reports other SQL and answer accuracies than these.
func accurate(t *testing.T, name string, d *evaluate.Dataset, predictions []evaluate.Prediction, e evaluate.Executor, sql, answer float64) {
	t.Helper()
	for _, rules := range []evaluate.Rules{evaluate.Exact, evaluate.Paper} {
		r, err := evaluate.Score(t.Context(), d, predictions, nil, evaluate.Options{Rules: rules, Executor: e})
		if err != nil {
			t.Fatal(err)
		}
		double := r.Total.Pairs
		if double == nil || double.SQLAccuracy != sql || double.AnswerAccuracy != answer {
			t.Errorf("%s, %s: %+v, want %v and %v", name, rules, double, sql, answer)
		}
		if completed := float64(r.Total.Completed) / float64(r.Total.Samples); completed > sql {
			t.Errorf("%s, %s: %v are completed, and %v have both answers", name, rules, completed, sql)
		}
	}
}

// TestWrongPairs lists what a model may do with a question over two databases, and
// its scores.
func TestWrongPairs(t *testing.T) {
	number := func(text string) tools.Arguments {
		return tools.Arguments{{Name: multi.ArgFirst, Value: text}, {Name: multi.ArgSecond, Value: "$RESULT_1$"}, {Name: multi.ArgWhich, Value: "larger"}}
	}
	for _, c := range []struct {
		name        string
		change      func(s *evaluate.Sample, p *evaluate.Prediction)
		sql, answer float64
	}{
		{"no comparison", func(_ *evaluate.Sample, p *evaluate.Prediction) { p.Calls = p.Calls[:len(p.Calls)-1] }, 1, 0},
		{"the other comparison", func(_ *evaluate.Sample, p *evaluate.Prediction) {
			last := &p.Calls[len(p.Calls)-1]
			other := multi.Larger
			if v, _ := last.Arguments.Get(multi.ArgWhich); v == string(multi.Larger) {
				other = multi.Smaller
			}
			last.Arguments = last.Arguments.Set(multi.ArgWhich, string(other))
		}, 1, 0},
		{"one question only", func(_ *evaluate.Sample, p *evaluate.Prediction) { p.Calls = p.Calls[:1] }, 0, 0},
		{"a label that is not there", func(_ *evaluate.Sample, p *evaluate.Prediction) {
			p.Calls[len(p.Calls)-1].Arguments = number("$RESULT_7$")
		}, 1, 0},
		{"no call", func(_ *evaluate.Sample, p *evaluate.Prediction) { p.Calls = []tools.Call{} }, 0, 0},
		{"numbers that are made up", func(s *evaluate.Sample, p *evaluate.Prediction) {
			a, b := 1, 2
			if (s.Pair.GoldAnswer == "Q1") == (s.Pair.Which == string(multi.Larger)) {
				a, b = 2, 1
			}
			p.Calls = p.Calls[len(p.Calls)-1:]
			p.Calls[0].Arguments = p.Calls[0].Arguments.Set(multi.ArgFirst, a).Set(multi.ArgSecond, b)
		}, 0, 0},
		{"compared by itself", func(s *evaluate.Sample, p *evaluate.Prediction) { react(p, s.Pair.GoldAnswer+" is it.") }, 1, 1},
		{"named both", func(_ *evaluate.Sample, p *evaluate.Prediction) { react(p, "Q1 or Q2") }, 1, 0},
		{"named none", func(_ *evaluate.Sample, p *evaluate.Prediction) { react(p, "the first") }, 1, 0},
	} {
		d := pairs(t, record.REST, pipeline.Writing{})
		predictions := goldOf(d)
		for i, s := range d.Samples {
			predictions[i].Calls = append([]tools.Call{}, predictions[i].Calls...)
			c.change(s, &predictions[i])
		}
		accurate(t, c.name, d, predictions, executor(t), c.sql, c.answer)
	}
}

// react makes the calls of a prediction but the last turns of ReAct, which ends with
// an answer.
func react(p *evaluate.Prediction, answer string) {
	for _, c := range p.Calls[:len(p.Calls)-1] {
		p.Steps = append(p.Steps, evaluate.Step{Call: &c})
	}
	p.Mode, p.Calls, p.Answer = evaluate.ReAct, nil, answer
}
