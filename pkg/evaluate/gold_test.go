package evaluate_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/artifact/export"
	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/internal/evaluation/execute"
	"github.com/birdcall/birdcall/internal/testkit/thorough"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// variants are those whose samples are sequences of calls.
var variants = []string{record.SLOT, record.SEL, record.REST}

// TestGoldAgainstItself says that the gold calls of every variant, in every form
// in which records are written, score 1.0 everywhere by both sets of rules, run
// and not run.
func TestGoldAgainstItself(t *testing.T) {
	hows := []pipeline.Writing{
		{}, {Spec: spec.OpenAI, Messages: true}, {Spec: spec.OpenAIStrict, Format: export.Lines, Obfuscate: true}, {Spec: spec.Anthropic, Shortlist: 25},
		{Spec: spec.Gemini, Obfuscate: true, Once: true}, {Spec: spec.OpenAIStrict, Format: export.Parquet}, {Spec: spec.MCP, MaxTools: 20},
	}
	e := executor(t)
	for i, variant := range variants {
		for _, how := range thorough.Every(hows, 3, i) {
			d := written(t, variant, how)
			if d.Obfuscated != how.Obfuscate {
				t.Errorf("%s %+v: obfuscated is %v", variant, how, d.Obfuscated)
			}
			perfect(t, fmt.Sprintf("%s %+v", variant, how), d, goldOf(d), e, evaluate.Exact, evaluate.Paper)
		}
	}
}

func goldOf(d *evaluate.Dataset) []evaluate.Prediction {
	var out []evaluate.Prediction
	for _, s := range d.Samples {
		out = append(out, s.GoldPrediction())
	}
	return out
}

// perfect reports scores that are not 1.0.
func perfect(t *testing.T, name string, d *evaluate.Dataset, predictions []evaluate.Prediction, e evaluate.Executor, rules ...evaluate.Rules) {
	t.Helper()
	for _, rules := range rules {
		for _, e := range []evaluate.Executor{nil, e} {
			r, err := evaluate.Score(t.Context(), d, predictions, nil, evaluate.Options{Rules: rules, Executor: e})
			if err != nil {
				t.Fatal(err)
			}
			s := r.Total
			if s.Samples != len(d.Samples) || s.Completed != s.Samples || s.OtherCalls > 0 || len(s.Errors) > 0 || len(r.Problems) > 0 {
				t.Errorf("%s, %s, run %v: %d of %d are completed, %d by other calls, of %d samples; %v", name, rules, e != nil, s.Completed, s.Samples, s.OtherCalls, len(d.Samples), r.Problems)
			}
			for _, m := range []evaluate.Metric{s.Intent, s.IntentSet, s.IntentMultiset, s.Slot} {
				if m.F1 == nil || *m.F1 != 1 || *m.Precision != 1 || *m.Recall != 1 {
					t.Errorf("%s, %s, run %v: a score is %+v", name, rules, e != nil, m.Counts)
				}
			}
			for _, o := range r.Outcomes {
				if !o.Completed || o.OtherCalls {
					t.Errorf("%s/%s: %s %s\n%+v\nanswer %s\nwanted %s", o.DB, o.ID, o.Error, o.Reason, o.Predicted, o.Answer, o.GoldAnswer)
					break
				}
			}
		}
	}
}

// TestGoldOfFolder does the same with folders that convert wrote: those of the
// variants in the folder that BIRDCALL_SAMPLES names, of the dataset that
// BIRDCALL_DATASET names. Other labels change nothing by the exact rules.
func TestGoldOfFolder(t *testing.T) {
	dir, of := os.Getenv(samplesEnv), os.Getenv("BIRDCALL_DATASET")
	if dir == "" || of == "" {
		t.Skipf("%s and BIRDCALL_DATASET name no folders", samplesEnv)
	}
	dataset, err := bird.Load(bird.Options{Dir: of})
	if err != nil {
		t.Fatal(err)
	}
	e := execute.Open(dataset, execute.Options{Timeout: time.Minute})
	defer e.Close()
	for _, variant := range variants {
		d, err := evaluate.Load(t.Context(), filepath.Join(dir, variant))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		perfect(t, variant, d, goldOf(d), e, evaluate.Exact, evaluate.Paper)
		predictions := goldOf(d)
		for i := range predictions {
			predictions[i].Calls = relabel(predictions[i].Calls)
		}
		if variant != record.REST {
			perfect(t, variant+" with other labels", d, predictions, e, evaluate.Exact)
		}
	}
}

// TestOtherLabels renames all labels, which changes nothing by the exact rules.
func TestOtherLabels(t *testing.T) {
	e := executor(t)
	for _, variant := range []string{record.SLOT, record.SEL} {
		d := written(t, variant, pipeline.Writing{})
		predictions := goldOf(d)
		for i := range predictions {
			predictions[i].Calls = relabel(predictions[i].Calls)
		}
		perfect(t, variant, d, predictions, e, evaluate.Exact)
	}
}

// relabel gives results other labels.
func relabel(calls []tools.Call) []tools.Call {
	names := map[string]string{}
	var rename func(v any) any
	rename = func(v any) any {
		switch v := v.(type) {
		case string:
			if to, ok := names[strings.Trim(v, "$")]; ok && strings.HasPrefix(v, "$") {
				return "$" + to + "$"
			}
		case []any:
			out := make([]any, len(v))
			for i, item := range v {
				out[i] = rename(item)
			}
			return out
		case tools.Arguments:
			out := slices.Clone(v)
			for i, a := range v {
				out[i].Value = rename(a.Value)
			}
			return out
		}
		return v
	}
	out := slices.Clone(calls)
	for i, c := range calls {
		out[i].Arguments = rename(c.Arguments).(tools.Arguments)
		out[i].Label = fmt.Sprintf("R%d", 100-i)
		names[c.Label] = out[i].Label
	}
	return out
}

// TestOtherKeys renames all keys that calls make, which changes nothing by the
// exact rules.
func TestOtherKeys(t *testing.T) {
	e := executor(t)
	for _, variant := range []string{record.SLOT, record.SEL} {
		d := written(t, variant, pipeline.Writing{})
		predictions := goldOf(d)
		renamed := 0
		for i := range predictions {
			var n int
			predictions[i].Calls, n = rekey(predictions[i].Calls)
			renamed += n
		}
		if renamed < 50 {
			t.Errorf("%s: only %d keys are renamed", variant, renamed)
		}
		perfect(t, variant, d, predictions, e, evaluate.Exact)
	}
}

// rekey gives the keys that calls name by output_key other names, and returns how
// many. A name that two calls give stays.
func rekey(calls []tools.Call) ([]tools.Call, int) {
	names, given := map[string]string{}, map[string]int{}
	for i, c := range calls {
		if key, ok := c.Arguments.Get(toolname.ArgOutputKey); ok {
			given[key.(string)]++
			names[key.(string)] = fmt.Sprintf("own_key_%d", i)
		}
	}
	for key, n := range given {
		if n > 1 {
			delete(names, key)
		}
	}
	var renamed func(key string) string
	renamed = func(key string) string {
		if to, ok := names[key]; ok {
			return to
		}
		// What is aggregated of it is called after it.
		if how, of, ok := strings.Cut(key, "_"); ok && slices.Contains([]string{"min", "max", "sum", "mean", "count", "total"}, how) {
			return how + "_" + renamed(of)
		}
		return key
	}
	var rename func(v any) any
	rename = func(v any) any {
		switch v := v.(type) {
		case string:
			return renamed(v)
		case []any:
			out := make([]any, len(v))
			for i, item := range v {
				out[i] = rename(item)
			}
			return out
		case tools.Arguments:
			out := slices.Clone(v)
			for i, a := range v {
				if _, isText := a.Value.(string); !isText || a.Name != toolname.ArgValue { // a text is no key
					out[i].Value = rename(a.Value)
				}
			}
			return out
		}
		return v
	}
	out := slices.Clone(calls)
	for i, c := range calls {
		out[i].Arguments = rename(c.Arguments).(tools.Arguments)
	}
	return out, len(names)
}

// TestOtherOrder puts the gold calls into other orders in which they can be run,
// which changes nothing by the exact rules. The last call stays the last.
func TestOtherOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	e := executor(t)
	for _, variant := range []string{record.SLOT, record.SEL} {
		d := written(t, variant, pipeline.Writing{})
		for range 5 {
			predictions := goldOf(d)
			for i := range predictions {
				predictions[i].Calls = shuffle(random, predictions[i].Calls)
			}
			perfect(t, variant, d, predictions, e, evaluate.Exact)
		}
	}
}

// shuffle returns calls in a random order in which each comes after those that it
// reads, or as they are if none is found.
func shuffle(random *rand.Rand, calls []tools.Call) []tools.Call {
	var out []tools.Call
	waiting := slices.Clone(calls[:max(len(calls)-1, 0)])
	done := map[string]bool{}
	for tries := 0; len(waiting) > 0; tries++ {
		if tries > 1000 {
			return calls
		}
		i := random.IntN(len(waiting))
		text := fmt.Sprint(waiting[i].Arguments)
		ready := !slices.ContainsFunc(calls, func(c tools.Call) bool {
			return !done[c.Label] && strings.Contains(text, "$"+c.Label+"$")
		})
		if ready {
			out = append(out, waiting[i])
			done[waiting[i].Label] = true
			waiting = slices.Delete(waiting, i, i+1)
		}
	}
	return append(out, calls[len(out):]...)
}
