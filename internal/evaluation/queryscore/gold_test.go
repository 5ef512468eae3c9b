package queryscore

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	birddata "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/querytool/convert"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/slot"
)

// embedded converts the questions of the embedded sample.
func embedded(t *testing.T, set query.Toolset, shape query.Shape) (*bird.Dataset, []*Sample) {
	t.Helper()
	dataset, err := bird.Load(bird.Options{FS: birddata.FS()})
	if err != nil {
		t.Fatal(err)
	}
	var out []*Sample
	for i := range dataset.Databases {
		info := dataset.Databases[i]
		c, err := convert.Open(t.Context(), info, convert.Options{Toolset: set, Shape: shape})
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range dataset.Questions {
			if q.DB != info.ID {
				continue
			}
			r, err := c.Convert(t.Context(), &q)
			if why := (*slot.Error)(nil); errors.As(err, &why) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			r.Tools = c.Tools()
			s, err := NewSample(r)
			if err != nil {
				t.Fatalf("%s: %v", q.ID, err)
			}
			out = append(out, s)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if len(out) == 0 {
		t.Fatal("no question of the embedded sample has a query")
	}
	return dataset, out
}

// TestEmbedded answers the questions of the embedded sample with their gold calls,
// which are right by every metric in every toolset and shape.
func TestEmbedded(t *testing.T) {
	for _, set := range query.Toolsets() {
		for _, shape := range query.Shapes() {
			dataset, samples := embedded(t, query.Toolset(set), query.Shape(shape))
			var predictions []evaluate.Prediction
			for _, s := range samples {
				call := s.Gold.Query.Call(s.Toolset, s.Shape, s.Collections)
				text, err := json.Marshal(call.Arguments)
				if err != nil {
					t.Fatal(err)
				}
				asked := evaluate.ToolCall{}
				asked.Function.Name, asked.Function.Arguments = call.Name, string(text)
				predictions = append(predictions, evaluate.Prediction{DB: s.DB, ID: s.ID, Message: &evaluate.Message{ToolCalls: []evaluate.ToolCall{asked}}})
			}
			databases := Open(dataset, 0)
			answers, problems := Answers(samples, predictions)
			r, err := Score(t.Context(), samples, answers, Options{Metrics: Metrics(), Executor: databases})
			if err != nil || len(problems) > 0 {
				t.Fatal(err, problems)
			}
			if err := databases.Close(); err != nil {
				t.Fatal(err)
			}
			for _, o := range r.Outcomes {
				for _, one := range o.Scored {
					if !one.Match {
						t.Errorf("%s, %s, %s: gold is no match by the metric %s: %s", set, shape, o.ID, one.Metric, one.Reason)
					}
				}
			}
			t.Logf("%s, %s: %d samples", set, shape, len(samples))
		}
	}
}

// TestExecution runs other queries than gold, of all properties, in another order,
// or wrong.
func TestExecution(t *testing.T) {
	dataset, samples := embedded(t, query.Full, query.Unified)
	databases := Open(dataset, 0)
	defer func() { _ = databases.Close() }() // it was only read
	right := 0
	for _, s := range samples {
		q := s.Gold.Query
		if len(q.Properties) > 0 && !q.Distinct && len(q.GroupBy) == 0 {
			q.Properties = nil
			same, reason, err := databases.Same(t.Context(), s, q)
			if err != nil || !same {
				t.Errorf("%s: whole objects are another answer: %s %v", s.ID, reason, err)
			}
			right++
		}
		if s.Facts.Trivial || len(q.Filters) == 0 || strings.Contains(string(q.Filters[0].Operator), "NULL") {
			continue
		}
		q = s.Gold.Query
		q.Filters = append([]query.Filter{{Property: q.Filters[0].Property, Operator: query.IsNull}}, q.Filters...)
		if same, _, err := databases.Same(t.Context(), s, q); same || err != nil {
			t.Errorf("%s: nothing is the same answer; %v", s.ID, err)
		}
	}
	if right == 0 {
		t.Error("no sample chooses properties")
	}
}
