package queryscore

import (
	"strings"
	"testing"

	"github.com/birdcall/birdcall/data/usecases"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/internal/querytool/querygrid"
	"github.com/birdcall/birdcall/pkg/bird"
)

// less returns a query without each of its arguments in turn, by their names.
func less(q query.Query) map[string]query.Query {
	out := map[string]query.Query{}
	add := func(name string, has bool, change func(*query.Query)) {
		if has {
			one := q
			change(&one)
			out[name] = one
		}
	}
	add("search", q.Search != "", func(q *query.Query) { q.Search = "" })
	add("filters", q.Filters != nil, func(q *query.Query) { q.Filters = nil })
	add("aggregations", q.Aggregations != nil, func(q *query.Query) { q.Aggregations = nil })
	add("grouping", q.GroupBy != nil, func(q *query.Query) { q.GroupBy = nil })
	return out
}

// TestGrid answers the queries of all combinations of arguments, each of which
// changes the answer: gold is right, and gold without any of its arguments is wrong.
func TestGrid(t *testing.T) {
	dataset, err := bird.Load(bird.Options{FS: usecases.FS(), AllDatabases: true})
	if err != nil {
		t.Fatal(err)
	}
	set, err := querygrid.Dataset(t.Context(), dataset, querygrid.Options{})
	if err != nil {
		t.Fatal(err)
	}
	databases := Open(dataset, 0)
	defer func() { _ = databases.Close() }() // it was only read
	if len(set.Questions) != 315 {
		t.Errorf("there are %d queries, want 315", len(set.Questions))
	}
	for _, question := range set.Questions {
		q := set.Items[question.ID].Query
		s := &Sample{DB: question.DB, ID: question.ID, Question: question.Text, Source: query.FromGrid, Toolset: query.Paper, Shape: query.Unified, Gold: Call{Query: q}}
		db, err := databases.open.Get(t.Context(), s.DB)
		if err != nil {
			t.Fatal(err)
		}
		s.Collections = db.Collections()
		if same, reason, err := databases.Same(t.Context(), s, q); !same || err != nil {
			t.Errorf("%s: gold is another answer than gold: %s %v", s.ID, reason, err)
		}
		for name, other := range less(q) {
			if same, _, err := databases.Same(t.Context(), s, other); same || err != nil {
				t.Errorf("%s: the answer without %s is gold's; %v: %s", s.ID, name, err, q.Explain())
			}
			if normalize(q, nil).same(normalize(other, nil)) {
				t.Errorf("%s: the query without %s is gold's", s.ID, name)
			}
		}
	}

	// A gold query that has no answer is an error, and no wrong answer of a model.
	question := set.Questions[0]
	right := set.Items[question.ID].Query
	wrong := right
	wrong.Collection = "no such collection"
	s := &Sample{DB: question.DB, ID: question.ID, Source: query.FromGrid, Gold: Call{Query: wrong}}
	if same, _, err := databases.Same(t.Context(), s, right); same || err == nil || !strings.Contains(err.Error(), "the gold query has no answer") {
		t.Errorf("gold without an answer: %v, %v", same, err)
	}
	s.Gold.Query = right
	if same, reason, err := databases.Same(t.Context(), s, wrong); same || reason == "" || err != nil {
		t.Errorf("a model's query without an answer: %v, %q, %v", same, reason, err)
	}
}
