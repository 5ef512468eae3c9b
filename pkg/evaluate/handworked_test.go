package evaluate_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/internal/evaluation/execute"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
)

// embedded returns the dataset inside the module.
func embedded(t *testing.T) *bird.Dataset {
	t.Helper()
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	return dataset
}

// converted has what written returned, as most tests take the same.
var converted = map[string]*evaluate.Dataset{}

// written converts the embedded dataset and reads the samples back.
func written(t *testing.T, variant string, how pipeline.Writing) *evaluate.Dataset {
	t.Helper()
	name := fmt.Sprintf("%s %+v", variant, how)
	if d := converted[name]; d != nil {
		return d
	}
	dir := t.TempDir()
	if _, err := pipeline.Run(context.Background(), pipeline.Options{
		Dataset: embedded(t), Variant: variant, Out: dir, Toolset: slot.Auto, Timeout: time.Minute, Jobs: 2, AsOf: bird.DefaultAsOf, Writing: how,
	}); err != nil {
		t.Fatal(err)
	}
	d, err := evaluate.Load(t.Context(), filepath.Join(dir, variant))
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Problems) > 0 {
		t.Fatal(d.Problems)
	}
	converted[name] = d
	return d
}

// executor runs calls on the embedded dataset.
func executor(t *testing.T) evaluate.Executor {
	e := execute.Open(embedded(t), execute.Options{})
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// TestHandWorked scores what a model might have written, with counts and classes
// that were worked out by hand, by both sets of rules. The file has a paragraph
// for each: what it is about, the sample, the text, and what it scores by the
// rules, counts as true positives, false positives and false negatives.
func TestHandWorked(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "handworked.txt"))
	if err != nil {
		t.Fatal(err)
	}
	e := executor(t)
	datasets := map[string]*evaluate.Dataset{}
	for _, v := range []string{record.SLOT, record.SEL, record.REST} {
		datasets[v] = written(t, v, pipeline.Writing{})
	}
	classes := map[evaluate.Class]int{}
	cases := strings.Split(string(text), "\n\n")
	for _, c := range cases {
		head, rest, _ := strings.Cut(strings.TrimSpace(c), "\n")
		of, rest, _ := strings.Cut(rest, "\n")
		answer, want, ok := strings.Cut(rest, "\n=> exact: ")
		exact, paper, ok2 := strings.Cut(want, "\n=> paper: ")
		variant, key, ok3 := strings.Cut(of, " ")
		if !ok || !ok2 || !ok3 {
			t.Fatalf("a case is not written as one:\n%s", c)
		}
		d := datasets[variant]
		for rules, want := range map[evaluate.Rules]string{evaluate.Exact: exact, evaluate.Paper: paper} {
			var p evaluate.Prediction
			for _, s := range d.Samples {
				if s.Key() == key {
					p = evaluate.Prediction{DB: s.DB, ID: s.ID, Model: "mixtral", Text: answer}
				}
			}
			r, err := evaluate.Score(t.Context(), d, []evaluate.Prediction{p}, nil, evaluate.Options{Rules: rules, Executor: e})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Outcomes) != 1 {
				t.Fatalf("%s: %+v", head, r.Problems)
			}
			o := r.Outcomes[0]
			if got := inWords(o); got != want {
				t.Errorf("%s, by the %s rules: it is\n  %s, not\n  %s; %s", head, rules, got, want, o.Reason)
			}
			classes[o.Error]++
		}
	}
	for _, class := range evaluate.Classes() {
		if classes[class] < 2*3 {
			t.Errorf("%s is the class of %d cases by both rules, want 3 at least by each", class, classes[class])
		}
	}
	if len(cases) < 40 {
		t.Errorf("%d cases are too few", len(cases))
	}
}

func inWords(o evaluate.Outcome) string {
	c := func(c evaluate.Counts) string { return fmt.Sprintf("%d/%d/%d", c.TP, c.FP, c.FN) }
	out := fmt.Sprintf("intent %s set %s multiset %s slot %s ", c(o.Intent), c(o.IntentSet), c(o.IntentMultiset), c(o.Slot))
	switch {
	case o.OtherCalls:
		return out + "completed by other calls"
	case o.Completed:
		return out + "completed"
	}
	return out + string(o.Error)
}
