package evaluate_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/tools"
)

// TestForms says that the same calls are read in every form of predictions.
func TestForms(t *testing.T) {
	const arguments = `{\"species_common_name\": \"European Robin\"}`
	const call = `{"name": "total_number_of_birds_by_species_common_name", "arguments": {"species_common_name": "European Robin"}}`
	const text = `[{\"name\": \"total_number_of_birds_by_species_common_name\", \"arguments\": ` + arguments + `}]`
	const native = `"tool_calls": [{"id": "c", "type": "function", "function": {"name": "total_number_of_birds_by_species_common_name", "arguments": "` + arguments + `"}}]`
	d := written(t, record.REST, pipeline.Writing{})
	for name, line := range map[string]string{
		"calls":                     `{"db_id": "bird_club", "sample_id": 91, "calls": [` + call + `]}`,
		"an id alone, as a text":    `{"sample_id": "91", "calls": [` + call + `]}`,
		"text":                      `{"sample_id": 91, "text": "` + text + `"}`,
		"a message with calls":      `{"sample_id": 91, "message": {"role": "assistant", "content": null, ` + native + `}}`,
		"a message with words":      `{"sample_id": 91, "message": {"role": "assistant", "content": "` + text + `"}}`,
		"a message in parts":        `{"sample_id": 91, "message": {"content": [{"type": "text", "text": "` + text + `"}]}}`,
		"arguments as an object":    `{"sample_id": 91, "message": {"tool_calls": [{"function": ` + call + `}]}}`,
		"a completion":              `{"sample_id": 91, "id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [{"index": 0, "message": {"content": "", ` + native + `}, "finish_reason": "tool_calls"}], "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}}`,
		"Elder et al., text":        `{"sample_id": 91, "dataset_name": "bird_club", "llm_model_id": "m/gpt", "input": "", "output": [], "gold_answer": 1, "generated_text": "` + text + `", "temperature": 0.0, "max_tokens": 1500, "is_agent": false, "source_file_path": "x"}`,
		"Elder et al., calls":       `{"sample_id": 91, "generated_text": "", ` + native + `}`,
		"Elder et al., read before": `{"sample_id": 91, "generated_text": "?", "predicted_function_calls": ["` + strings.Trim(text, "[]") + `"], "gold_function_calls": [], "num_preciedtion_parsing_errors": 0}`,
		"what ReAct did":            `{"sample_id": 91, "mode": "react", "steps": [{"text": "Thought: count", "call": ` + call + `, "observation": "{}"}], "answer": "504"}`,
	} {
		predictions, problems := readText(t, line+"\n")
		if len(predictions) != 1 || len(problems) > 0 {
			t.Errorf("%s: %d predictions, %v", name, len(predictions), problems)
			continue
		}
		r, err := evaluate.Score(t.Context(), d, predictions, problems, evaluate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Total.Completed != 1 {
			t.Errorf("%s: %+v %v", name, r.Outcomes, r.Problems)
		}
		if name == "a completion" && (r.Model != "m" || r.Usage.PromptTokens != 10) {
			t.Errorf("%s: the model is %q, with %+v", name, r.Model, r.Usage)
		}
	}
}

// readText reads predictions from a file.
func readText(t *testing.T, text string) ([]evaluate.Prediction, []evaluate.Problem) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "predictions.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	predictions, problems, err := evaluate.ReadPredictions(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range problems {
		problems[i].File = filepath.Base(problems[i].File)
	}
	return predictions, problems
}

// TestProblems says that nothing that cannot be used is dropped in silence.
func TestProblems(t *testing.T) {
	d := written(t, record.REST, pipeline.Writing{})
	for _, c := range []struct{ text, want string }{
		{`{"sample_id": 91, "calls": []` + "\n", "1: unreadable prediction"},
		{"\n[1]", "2: unreadable prediction"},
		{"\n\n7", "3: unreadable prediction"},
		{`{"sample_id": 91, "calls": 7}`, "1: unreadable prediction"},
		{`{"sample_id": 91, "message": 7}`, "1: unreadable prediction"},
		{`{"calls": []}`, "1: prediction without sample_id"},
		{`{"sample_id": 91, "calls": [], "stpes": []}`, "1: unknown field"},
		{`{"sample_id": 91, "calls": [], "stpes": []}` + "\n" + `{"sample_id": 92, "calls": [], "stpes": []}`, "1: unknown field"},
		{`{"sample_id": 9999, "calls": []}`, "1: prediction for no sample"},
		{`{"sample_id": 91, "db_id": "city_library", "calls": []}`, "1: prediction for no sample"},
		{`{"sample_id": 91, "calls": []}` + "\n" + `{"sample_id": 91, "calls": []}`, "2: two predictions for one sample"},
		{"[\n{\"sample_id\": 91, \"calls\": []},\n\n{\"sample_id\": 92,\n \"calls\": 1}]", "4: unreadable prediction"},
	} {
		predictions, problems := readText(t, c.text)
		r, err := evaluate.Score(t.Context(), d, predictions, problems, evaluate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range r.Problems {
			got = append(got, fmt.Sprintf("%d: %s", p.Line, p.Kind))
		}
		if len(got) != 1 || got[0] != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
		if r.Unpredicted+r.Total.Samples != len(d.Samples) {
			t.Errorf("%s: %d samples are without prediction and %d are scored, of %d", c.text, r.Unpredicted, r.Total.Samples, len(d.Samples))
		}
	}
	if _, _, err := evaluate.ReadPredictions(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a file that is not there is read")
	}
}

// TestLoops works out what ReAct is judged by (appendix H.1.2).
func TestLoops(t *testing.T) {
	call := func(name, value string) *tools.Call {
		return &tools.Call{Name: name, Arguments: tools.Arguments{{Name: "species_common_name", Value: value}}}
	}
	const right, other = "total_number_of_birds_by_species_common_name", "species_common_names_by_site_and_of_sighting"
	steps := func(calls ...*tools.Call) []evaluate.Step {
		var out []evaluate.Step
		for _, c := range calls {
			out = append(out, evaluate.Step{Call: c})
		}
		return out
	}
	many := func(n int, c ...*tools.Call) (out []evaluate.Step) {
		for i := range n {
			out = append(out, steps(c[i%len(c)])...)
		}
		return out
	}
	d := written(t, record.REST, pipeline.Writing{})
	e := executor(t)
	for _, c := range []struct {
		name  string
		steps []evaluate.Step
		want  evaluate.Loops
	}{
		{"completed", steps(call(right, "European Robin")), evaluate.Loops{Average: 1}},
		{"completed with the last loop, by one function", append(many(9, call(right, "Robin")), steps(call(right, "European Robin"))...), evaluate.Loops{Average: 10}},
		{"wrong at once", steps(call(right, "Robin")), evaluate.Loops{Average: 1, Unclassified: 1}},
		{"stuck", steps(call(right, "Robin"), call(right, "Robins")), evaluate.Loops{Average: 2, Stuck: 1}},
		{"stuck on the same call", steps(call(right, "Robin"), call(right, "Robin")), evaluate.Loops{Average: 2, Stuck: 1, StuckSame: 1}},
		{"not stuck, as no call is between", steps(call(right, "Robin"), nil, call(right, "Robin")), evaluate.Loops{Average: 3, Unclassified: 1}},
		{"to and fro until the end", many(10, call(right, "Robin"), call(other, "x")), evaluate.Loops{Average: 10, OutOfBudget: 1}},
		{"stuck until the end", many(10, call(right, "Robin")), evaluate.Loops{Average: 10, OutOfBudget: 1, Stuck: 1, StuckSame: 1}},
		{"nothing was done", nil, evaluate.Loops{Unclassified: 1}},
	} {
		p := evaluate.Prediction{DB: "bird_club", ID: d.Samples[0].ID, Mode: evaluate.ReAct, Steps: c.steps}
		for _, s := range d.Samples {
			if s.Key() == "bird_club/91" {
				p.ID = s.ID
			}
		}
		for _, rules := range []evaluate.Rules{evaluate.Exact, evaluate.Paper} {
			r, err := evaluate.Score(t.Context(), d, []evaluate.Prediction{p}, nil, evaluate.Options{Rules: rules, Executor: e})
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Total.Loops; got == nil || *got != c.want {
				t.Errorf("%s, by the %s rules: %+v, want %+v; %+v", c.name, rules, got, c.want, r.Outcomes)
			}
		}
	}
}

// TestSQL scores statements instead of calls.
func TestSQL(t *testing.T) {
	d := written(t, record.SLOT, pipeline.Writing{})
	e := executor(t)
	for _, c := range []struct {
		key, sql  string
		completed bool
		reason    string
	}{
		{"city_library/3", "SELECT isbn, title FROM book WHERE price = 10 ORDER BY title DESC", true, ""},
		{"city_library/3", "SELECT title, isbn FROM book WHERE price = 10", false, "the rows differ"},
		{"city_library/3", "SELECT isbn FROM books", false, "no such table"},
		{"city_library/3", "DROP TABLE book", false, "SELECT"},
		{"city_library/3", "SELECT 1; SELECT 2", false, ""},
		{"city_library/3", "ATTACH 'x' AS y", false, ""},
		{"city_library/3", "", false, "there is no SQL"},
		{"city_library/3", "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n LIMIT 2000000", false, "more than 1000000 rows"},
	} {
		for _, s := range d.Samples {
			if s.Key() != c.key {
				continue
			}
			r, err := evaluate.Score(t.Context(), d, []evaluate.Prediction{{DB: s.DB, ID: s.ID, Mode: evaluate.SQL, SQL: c.sql}}, nil, evaluate.Options{Executor: e})
			if err != nil {
				t.Fatal(err)
			}
			o := r.Outcomes[0]
			if o.Completed != c.completed || !strings.Contains(o.Reason, c.reason) {
				t.Errorf("%s: completed is %v, %q", c.sql, o.Completed, o.Reason)
			}
		}
	}
	if _, err := evaluate.Score(t.Context(), d, []evaluate.Prediction{{DB: "city_library", Mode: evaluate.SQL, SQL: "SELECT 1"}}, nil, evaluate.Options{}); err == nil {
		t.Error("SQL is scored without being run")
	}
}
