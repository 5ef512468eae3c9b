package askmodel

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/text/toolname"

	"github.com/google/go-cmp/cmp"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/internal/evaluation/execute"
	"github.com/birdcall/birdcall/internal/evaluation/toolnames"
	"github.com/birdcall/birdcall/internal/testkit/scripted"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/tools"
)

// convert converts a database of the embedded sample and returns it with its databases.
func convert(t *testing.T, variant string, how pipeline.Writing) ([]*evaluate.Sample, *execute.Databases) {
	t.Helper()
	return convertForm(t, variant, "", how, "bird_club")
}

// convertForm does so with several databases, and pairs of a form.
func convertForm(t *testing.T, variant string, form string, how pipeline.Writing, databases ...string) ([]*evaluate.Sample, *execute.Databases) {
	t.Helper()
	dataset, err := bird.Load(bird.Options{FS: sample.FS(), Databases: databases})
	if err != nil {
		t.Fatal(err)
	}
	opts := pipeline.Options{Dataset: dataset, Variant: variant, Out: t.TempDir(), Toolset: slot.Auto, Timeout: time.Minute, Jobs: 2, AsOf: bird.DefaultAsOf, Writing: how, Pairs: pipeline.Pairs{Form: form}}
	if _, err := pipeline.Run(t.Context(), opts); err != nil {
		t.Fatal(err)
	}
	loaded, err := evaluate.Load(t.Context(), opts.Folder())
	if err != nil {
		t.Fatal(err)
	}
	open := execute.Open(dataset, execute.Options{})
	t.Cleanup(func() { _ = open.Close() })
	return loaded.Samples, open
}

// TestGoldByReAct has a model that makes each gold call as a turn of ReAct, without
// a label, on the databases: no call fails, and each has the label of gold.
func TestGoldByReAct(t *testing.T) {
	for _, c := range []struct {
		variant string
		form    string
		hidden  bool
	}{
		{record.SLOT, "", false}, {record.SEL, "", false}, {record.SEL, "", true}, {record.REST, "", true},
		{record.MULTI, record.SLOT, false}, {record.MULTI, record.REST, true},
	} {
		names := []string{"bird_club", "city_library"}
		if c.variant != record.MULTI {
			names = names[:1]
		}
		samples, databases := convertForm(t, c.variant, c.form, pipeline.Writing{Obfuscate: c.hidden, MaxTools: 128}, names...)
		seen := map[string]bool{}
		var asked []*evaluate.Sample
		var entries []scripted.Entry
		for _, s := range samples {
			if len(s.Listed) >= DefaultLoops || seen[s.Question] {
				continue
			}
			seen[s.Question] = true
			asked = append(asked, s)
			for _, call := range s.Listed {
				arguments, err := jsontext.Marshal(call.Arguments, "")
				if err != nil {
					t.Fatal(err)
				}
				entries = append(entries, scripted.Entry{Question: s.Question, Content: fmt.Sprintf("Thought: next\nAction: %s\nAction Input: %s", call.Name, arguments)})
			}
			entries = append(entries, scripted.Entry{Question: s.Question, Content: "Final Answer: done"})
		}
		o := options(t, serve(t, &scripted.Server{Script: scripted.New(entries...)}), asked)
		o.Mode, o.Executor = evaluate.ReAct, databases
		if _, err := Run(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		for i, p := range predictions(t, path(o, "_result.jsonl")) {
			var got []tools.Call
			for _, step := range p.Steps {
				got = append(got, *step.Call)
				if step.Failed || step.Call.Label != "" && !strings.HasPrefix(step.Observation, `{"label":"`+step.Call.Label+`"`) {
					t.Errorf("%s, hidden %v, %s: %s", c.variant, c.hidden, asked[i].Key(), step.Observation)
				}
			}
			if diff := cmp.Diff(asked[i].Listed, got); diff != "" || p.Answer != "done" {
				t.Errorf("%s, hidden %v, %s: %s", c.variant, c.hidden, asked[i].Key(), diff)
			}
		}
		t.Logf("%s, hidden %v: %d of %d samples", c.variant, c.hidden, len(asked), len(samples))
	}
}

// TestHiddenInErrors says that errors do not reveal what hidden names stand for.
func TestHiddenInErrors(t *testing.T) {
	samples, databases := convert(t, record.SLOT, pipeline.Writing{Obfuscate: true, MaxTools: 128})
	s := samples[0]
	var entries []scripted.Entry
	for _, c := range s.Tools {
		entries = append(entries,
			scripted.Entry{Question: s.Question, Content: "Action: " + c.Name + "\nAction Input: {}"},
			scripted.Entry{Question: s.Question, Content: "Action: " + s.Reveal(tools.Call{Name: c.Name}).Name + "\nAction Input: {}"})
	}
	o := options(t, serve(t, &scripted.Server{Script: scripted.New(entries...)}), samples[:1])
	o.Mode, o.Executor, o.Loops = evaluate.ReAct, databases, len(entries)
	for i, step := range one(t, o).Steps {
		if !step.Failed || i%2 == 0 && step.Call.Label == "" && s.Reveal(*step.Call).Name != toolname.Aggregate {
			t.Errorf("step %d: %+v", i, step)
		}
		for _, name := range []string{toolname.Filter, toolname.Aggregate, toolname.Retrieve, "key_name", "data_source"} {
			if i%2 == 0 && strings.Contains(step.Observation, name) {
				t.Errorf("%s tells %s", step.Observation, name)
			}
		}
	}
}

// TestListedNames says that a name alone is shown as it is listed.
func TestListedNames(t *testing.T) {
	samples, _ := convert(t, record.SLOT, pipeline.Writing{Obfuscate: true, MaxTools: 128})
	s := samples[0]
	for _, tool := range s.Tools {
		for _, name := range tool.Takes() {
			real := s.Reveal(tools.Call{Name: tool.Name, Arguments: tools.Arguments{{Name: name}}})
			if got := toolnames.Mistake(s, tool.Name, errors.New(real.Arguments[0].Name)).Err.Message; got != name {
				t.Errorf("%s of %s is told as %s, want %s", real.Arguments[0].Name, real.Name, got, name)
			}
		}
	}
}

// TestSchemas says what a model is shown of a database.
func TestSchemas(t *testing.T) {
	samples, databases := convert(t, record.REST, pipeline.Writing{MaxTools: 128})
	got, err := SchemasOf(databases).Schema(t.Context(), samples[0])
	if err != nil || !strings.HasPrefix(got, "CREATE TABLE ") || strings.Contains(got, "sqlite_") || strings.Count(got, "CREATE TABLE") < 3 {
		t.Errorf("%s, %v", got, err)
	}
}
