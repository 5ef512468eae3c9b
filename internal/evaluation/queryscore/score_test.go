package queryscore

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/evaluate"
)

// sample is a question about birds with the gold query
// "birds of up to 20 grams that are called gull, by name".
func sample(t *testing.T, set query.Toolset, shape query.Shape) *Sample {
	t.Helper()
	q := query.Query{Collection: "Birds", Search: "gull", GroupBy: []string{"name"}, Filters: []query.Filter{is("weight", "<", int64(20))}}
	sites := query.Collection{Name: "Sites", Properties: []query.Property{{Name: "name", Type: query.Text}}}
	s := &Sample{DB: "birds", ID: bird.Number(1), Question: "?", Toolset: set, Shape: shape, Collections: []query.Collection{birds, sites}, Complexity: query.Complex}
	gold := s.Read(&evaluate.Prediction{Calls: (&query.Record{Calls: []query.Output{output(q, s)}}).ToolCalls()})
	if len(gold.Calls) != 1 || gold.Calls[0].Err != nil {
		t.Fatalf("the gold call cannot be read: %+v", gold)
	}
	s.Gold = gold.Calls[0]
	return s
}

func output(q query.Query, s *Sample) query.Output {
	c := q.Call(s.Toolset, s.Shape, s.Collections)
	return query.Output{Name: c.Name, Arguments: c.Arguments}
}

// same is an executor to which queries of equal normal forms have the same answer.
type same struct{}

func (same) Same(_ context.Context, s *Sample, q query.Query) (bool, string, error) {
	c := query.Find(s.Collections, q.Collection)
	return normalize(q, c).same(normalize(s.Gold.Query, c)), "another answer", nil
}

func (same) Release(string) error { return nil }

// TestGold scores the gold call against itself, in every toolset, shape and metric,
// as calls, as a message's tool calls, and as its words.
func TestGold(t *testing.T) {
	for _, set := range query.Toolsets() {
		for _, shape := range query.Shapes() {
			s := sample(t, query.Toolset(set), query.Shape(shape))
			call := s.Gold.Query.Call(s.Toolset, s.Shape, s.Collections)
			text, err := json.Marshal(call.Arguments)
			if err != nil {
				t.Fatal(err)
			}
			asked := evaluate.ToolCall{}
			asked.Function.Name, asked.Function.Arguments = call.Name, string(text)
			words := fmt.Sprintf(`[{"name": %q, "arguments": %s}]`, call.Name, text)
			if s.Shape == query.Structured {
				words = "```json\n" + string(text) + "\n```"
			}
			for form, p := range map[string]*evaluate.Prediction{
				"tool calls": {Message: &evaluate.Message{ToolCalls: []evaluate.ToolCall{asked}}},
				"words":      {Message: &evaluate.Message{Content: words}},
				"text":       {Text: words},
			} {
				for _, calls := range AllCalls() {
					r, err := Score(t.Context(), []*Sample{s}, map[*Sample]Answer{s: s.Read(p)}, Options{Metrics: Metrics(), Calls: calls, Executor: same{}})
					if err != nil {
						t.Fatal(err)
					}
					for _, m := range r.Total.Scored {
						if m.Match.Count != 1 || m.AST != nil && *m.AST.OfAll != 1 {
							t.Errorf("%s, %s, %s, %s: gold is no match by the metric %s: %+v", set, shape, form, calls, m.Metric, r.Outcomes[0])
						}
					}
					for _, c := range r.Components {
						if c.Samples != 1 || c.Same != 1 {
							t.Errorf("%s, %s, %s: gold has another %s than gold", set, shape, form, c.Component)
						}
					}
				}
			}
		}
	}
}

// TestAnswers lists what models write, and what becomes of it.
func TestAnswers(t *testing.T) {
	const (
		right = `{"collection_name":"Birds","search_query":"gull","integer_property_filter":{"property_name":"weight","operator":"<","value":20},"groupby_property":"name"}`
		wrong = `{"collection_name":"Sites","search_query":"gull"}`
		part  = `{"collection_name":"birds","search_query":"Gull"}`
		bad   = `{"collection_name":"Trees"}`
	)
	call := func(name string, arguments ...string) string {
		list := make([]string, len(arguments))
		for i, a := range arguments {
			list[i] = fmt.Sprintf(`{"name":%q,"arguments":%s}`, name, a)
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	asked := func(arguments ...string) string { return call(query.ToolName, arguments...) }
	for _, c := range []struct {
		name  string
		shape query.Shape
		text  string
		kind  Kind
		// matches are those by first, best and one.
		matches [3]bool
		routed  bool // by first
	}{
		{"right", query.Unified, asked(right), Called, [3]bool{true, true, true}, true},
		{"another collection", query.Unified, asked(wrong), Called, [3]bool{}, false},
		{"a part", query.Unified, asked(part), Called, [3]bool{}, true},
		{"wrong, then right", query.Unified, asked(wrong, right), Called, [3]bool{false, true, false}, false},
		{"right, then wrong", query.Unified, asked(right, wrong), Called, [3]bool{true, true, false}, true},
		{"invalid, then right", query.Unified, asked(bad, right), InvalidOne, [3]bool{false, true, false}, false},
		{"words", query.Unified, "There is no such bird.", NoCall, [3]bool{}, false},
		{"nothing", query.Unified, "", NoCall, [3]bool{}, false},
		{"no calls", query.Unified, "[]", NoCall, [3]bool{}, false},
		{"half a call", query.Unified, asked(right)[:40], NoCall, [3]bool{}, false},
		{"an unknown collection", query.Unified, asked(bad), InvalidOne, [3]bool{}, false},
		{"a wrong type", query.Unified, asked(`{"collection_name":["Birds"]}`), InvalidOne, [3]bool{}, false},
		{"another argument", query.Unified, asked(`{"collection_name":"Birds","limit":1}`), InvalidOne, [3]bool{}, false},
		{"10 kB", query.Unified, asked(`{"collection_name":"` + strings.Repeat("Birds", 2000) + `"}`), InvalidOne, [3]bool{}, false},
		{"deep", query.Unified, asked(strings.Repeat(`{"collection_name":`, 5000) + "1" + strings.Repeat("}", 5000)), NoCall, [3]bool{}, false},
		{"another tool", query.Unified, call("drop_database", right), InvalidOne, [3]bool{}, false},
		{"the tool of a collection", query.Unified, call("query_Birds", right), InvalidOne, [3]bool{}, false},
		{"the tool of a collection that there is", query.PerCollection, call("query_Birds", strings.Replace(right, `"collection_name":"Birds",`, "", 1)), Called, [3]bool{true, true, true}, true},
		{"the tool of all", query.PerCollection, asked(right), InvalidOne, [3]bool{}, false},
		{"no rationale", query.Rationale, asked(right), Called, [3]bool{true, true, true}, true},
		{"structured", query.Structured, `{"use_tools":true,"tool_calls":[{"function_name":"query_database","arguments":` + right + `}]}`, Called, [3]bool{true, true, true}, true},
		{"structured without calls", query.Structured, `{"use_tools":false,"response":"none"}`, NoCall, [3]bool{}, false},
		{"structured with two", query.Structured, `{"use_tools":true,"tool_calls":[{"function_name":"query_database","arguments":` + wrong + `},{"function_name":"query_database","arguments":` + right + `}]}`, Called, [3]bool{false, true, false}, false},
		{"structured and broken", query.Structured, `{"use_tools":true,"tool_calls":[{"function_name":"query_database"}]}`, InvalidOne, [3]bool{}, false},
		{"structured, but no list", query.Structured, `{"use_tools":true,"tool_calls":{}}`, InvalidOne, [3]bool{}, false},
	} {
		s := sample(t, query.Paper, c.shape)
		for i, calls := range AllCalls() {
			a := s.Read(&evaluate.Prediction{Text: c.text})
			r, err := Score(t.Context(), []*Sample{s}, map[*Sample]Answer{s: a}, Options{Metrics: Metrics(), Calls: calls, Executor: same{}})
			if err != nil {
				t.Fatal(err)
			}
			o := r.Outcomes[0]
			if calls == First && (o.Kind != c.kind || o.Routed != c.routed) {
				t.Errorf("%s: got %s, routed %t (%s)", c.name, o.Kind, o.Routed, o.Reason)
			}
			if o.Kind != Called && o.Reason == "" {
				t.Errorf("%s: nothing says why it is %s", c.name, o.Kind)
			}
			for _, scored := range o.Scored {
				if scored.Match != c.matches[i] {
					t.Errorf("%s: a match by %s, of calls the %s: %t", c.name, scored.Metric, calls, scored.Match)
				}
			}
			if s := r.Total; s.Called+s.NoCall+s.Invalid+s.Failed != 1 {
				t.Errorf("%s: the kinds do not add up: %+v", c.name, s)
			}
		}
	}
}

// TestDenominators says what is divided by what.
func TestDenominators(t *testing.T) {
	var samples []*Sample
	answers := map[*Sample]Answer{}
	for i, p := range []*evaluate.Prediction{
		{Text: `[{"name":"query_database","arguments":{"collection_name":"Birds","search_query":"gull"}}]`},
		{Text: "no"}, {Text: `[{"name":"query_database","arguments":{}}]`},
		{Status: evaluate.Failed, Reason: "503"}, nil,
	} {
		s := sample(t, query.Paper, query.Unified)
		s.ID = bird.Number(i)
		samples = append(samples, s)
		if p != nil {
			answers[s] = s.Read(p)
		}
	}
	r, err := Score(t.Context(), samples, answers, Options{Metrics: []Metric{Paper}})
	if err != nil {
		t.Fatal(err)
	}
	s := r.Total
	if s.Samples != 4 || s.Called != 1 || s.NoCall != 1 || s.Invalid != 1 || s.Failed != 1 || r.Unpredicted != 1 {
		t.Errorf("got %+v, and %d unpredicted", s, r.Unpredicted)
	}
	if *s.Routed.OfAll != .25 || *s.Routed.OfCalled != 1 || *s.Scored[0].AST.OfAll != .7/4 || *s.Scored[0].AST.OfCalled != .7 {
		t.Errorf("got %v and %v, %v and %v", *s.Routed.OfAll, *s.Routed.OfCalled, *s.Scored[0].AST.OfAll, *s.Scored[0].AST.OfCalled)
	}
	if r, err = Score(t.Context(), samples, answers, Options{Missing: true}); err != nil || r.Total.Samples != 5 || r.Total.NoCall != 2 {
		t.Errorf("with those missing: %+v, %v", r.Total, err)
	}
}

// TestPredictions finds the samples of predictions.
func TestPredictions(t *testing.T) {
	a, b, c := sample(t, query.Paper, query.Unified), sample(t, query.Paper, query.Unified), sample(t, query.Paper, query.Unified)
	b.DB, c.ID = "sites", bird.Number(2)
	one := func(db string, id, line int, status evaluate.Status) evaluate.Prediction {
		return evaluate.Prediction{DB: db, ID: bird.Number(id), Text: "no", Status: status, File: "f", Line: line}
	}
	answers, problems := Answers([]*Sample{a, b, c}, []evaluate.Prediction{
		one("birds", 1, 1, ""), one("", 1, 2, ""), one("", 2, 3, ""), one("birds", 2, 4, ""), one("birds", 7, 5, ""), one("sites", 1, 6, evaluate.NotRun),
	})
	if len(answers) != 3 || !answers[b].NotRun {
		t.Errorf("%d answers, not run: %t", len(answers), answers[b].NotRun)
	}
	var kinds []string
	for _, p := range problems {
		kinds = append(kinds, fmt.Sprintf("%d %s", p.Line, p.Kind))
	}
	if got := strings.Join(kinds, "; "); got != "2 prediction for several samples; 4 two predictions for one sample; 5 prediction for no sample" {
		t.Errorf("problems: %s", got)
	}
}

// FuzzAnswer reads and scores what a model may write.
func FuzzAnswer(f *testing.F) {
	f.Add(`[{"name":"query_database","arguments":{"collection_name":"Birds"}}]`)
	f.Add(`{"use_tools":true,"tool_calls":[{"function_name":"query_database","arguments":{"collection_name":"Birds","filters":[{"any_of":[]}]}}]}`)
	f.Add(`{"collection_name":"Birds","integer_property_filter":{"property_name":"weight","operator":"<","value":1e999}}`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, set := range query.Toolsets() {
			for _, shape := range query.Shapes() {
				s := sample(t, query.Toolset(set), query.Shape(shape))
				var tool evaluate.ToolCall
				tool.Function.Name, tool.Function.Arguments = query.ToolName, text
				for _, p := range []*evaluate.Prediction{{Text: text}, {Message: &evaluate.Message{ToolCalls: []evaluate.ToolCall{tool}}}} {
					r, err := Score(t.Context(), []*Sample{s}, map[*Sample]Answer{s: s.Read(p)}, Options{Metrics: Metrics(), Calls: Best, Executor: same{}})
					if err != nil {
						t.Fatal(err)
					}
					if _, err := json.Marshal(r); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	})
}

// FuzzPublic reads what a file of the paper's repository may have.
func FuzzPublic(f *testing.F) {
	f.Add([]byte(`{"detailed_results":[{"ground_truth_query":{"database_schema":{"weaviate_collections":[{"name":"B","properties":[{"name":"n","data_type":["string"]}]}]},"target_collection":"B"},"predicted_query":{"target_collection":"B","search_query":""},"ast_score":1}]}`))
	f.Add([]byte(`{"detailed_results":[{}]}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		p, err := ParsePublic(content)
		if err != nil {
			return
		}
		p.Notes()
		if _, err := Score(t.Context(), p.Samples, p.Answers, Options{Metrics: []Metric{Strict, Paper, Published}}); err != nil {
			t.Fatal(err)
		}
	})
}
