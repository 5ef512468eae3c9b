package querygrid

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/data/usecases"
	"github.com/birdcall/birdcall/internal/querytool/oracle"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/bird"
)

func loadFixture(t *testing.T) *bird.Dataset {
	t.Helper()
	d, err := bird.Load(bird.Options{FS: usecases.FS(), AllDatabases: true})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func open(t *testing.T, info *bird.Database) (*query.Database, *oracle.Database) {
	t.Helper()
	db, err := query.Open(t.Context(), info)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	proof, err := oracle.Open(t.Context(), info, db.Collections(), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { proof.Close() })
	return db, proof
}

func TestCombinations(t *testing.T) {
	list := Combinations()
	if len(list) != 63 {
		t.Errorf("got %d combinations, want 63", len(list))
	}
	if got, want := list[62].String(), "search, boolean filter, boolean aggregation, groups"; got != want {
		t.Errorf("the last one is %s, want %s", got, want)
	}
	without := slices.DeleteFunc(list, func(c Combination) bool { return c.Filter == query.Boolean || c.Aggregation == query.Boolean })
	if len(without) != 35 {
		t.Errorf("got %d combinations without booleans, want 35", len(without))
	}
}

// TestFixture makes the 315 queries of the fixture, counts what they have, runs
// them, proves the results, and removes each argument.
func TestFixture(t *testing.T) {
	counts := map[string]int{}
	for _, info := range loadFixture(t).Databases {
		db, proof := open(t, info)
		items, impossible, err := Grid(t.Context(), db, info, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range impossible {
			t.Errorf("%s: %s is impossible: %s", info.ID, i.Combination, i.Reason)
		}
		collections := map[string]int{}
		for _, item := range items {
			q := item.Query
			collections[q.Collection]++
			tally(counts, q, db.Collections())
			if got := combinationOf(q, db.Collections()); got != item.Combination {
				t.Errorf("%s: the query is %s, not %s", info.ID, got, item.Combination)
			}
			args := q.Arguments(query.Paper, db.Collections())
			if back, err := query.Parse(args, query.Paper, db.Collections()); err != nil || !slices.Equal(back.GroupBy, q.GroupBy) {
				t.Errorf("%s: %v is no call of the paper's tool: %v", info.ID, args, err)
			}
			result, err := db.Run(t.Context(), q)
			if err != nil {
				t.Fatalf("%s: %v: %v", info.ID, args, err)
			}
			if err := proof.Verify(t.Context(), q, result); err != nil {
				t.Errorf("%s: %v: %v", info.ID, args, err)
			} else {
				counts["verified"]++
			}
			isEmpty := len(result.Objects) == 0 && len(result.Values) == 0 && len(result.Groups) == 0
			for _, g := range result.Groups {
				isEmpty = isEmpty || len(g.Objects) == 0 && len(g.Values) == 0
			}
			if isEmpty {
				t.Errorf("%s: %v has an empty result", info.ID, args)
			}
			for _, less := range taken(q) {
				other, err := db.Run(t.Context(), less)
				if err != nil {
					t.Fatal(err)
				}
				if same(result, other) {
					t.Errorf("%s: %v has the result of %v", info.ID, args, less.Arguments(query.Paper, db.Collections()))
				}
			}
		}
		for name, n := range collections {
			if n < 19 || n > 23 {
				t.Errorf("%s: %d queries are of %s, want 21 or so", info.ID, n, name)
			}
		}
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(&b, "%s: %d\n", name, counts[name])
	}
	golden.Equal(t, "testdata/counts.txt", b.String())
	for name, want := range map[string]int{
		"verified": 315, "simple": 40, "moderate": 110, "complex": 165, "search": 160, "grouped": 160,
		"filter number": 80, "filter text": 80, "filter boolean": 80, "aggregation number": 80, "aggregation text": 80, "aggregation boolean": 80,
	} {
		if counts[name] != want {
			t.Errorf("%d are %s, want %d", counts[name], name, want)
		}
	}
}

// combinationOf says which combination it is.
func combinationOf(q query.Query, collections []query.Collection) Combination {
	c := Combination{Search: q.Search != "", Grouped: len(q.GroupBy) > 0}
	of := query.ComponentsOf(q, collections)
	if len(of.Filters) > 0 {
		c.Filter = of.Filters[0]
	}
	if len(of.Aggregations) > 0 {
		c.Aggregation = of.Aggregations[0]
	}
	return c
}

// tally counts what a query has.
func tally(counts map[string]int, q query.Query, collections []query.Collection) {
	of := query.ComponentsOf(q, collections)
	counts[string(of.Complexity())]++
	if of.Search {
		counts["search"]++
	}
	if of.Grouped {
		counts["grouped"]++
	}
	for _, kind := range of.Filters {
		counts["filter "+string(kind)]++
		counts[fmt.Sprintf("filter %s %s", kind, q.Filters[0].Operator)]++
	}
	for _, kind := range of.Aggregations {
		counts["aggregation "+string(kind)]++
		counts[fmt.Sprintf("aggregation %s %s", kind, q.Aggregations[0].Metric)]++
		if q.Aggregations[0].Limit > 0 {
			counts["top_occurrences_limit"]++
		}
	}
}

// taken returns a query without each of its arguments in turn.
func taken(q query.Query) []query.Query {
	out := without(q)
	if len(q.Aggregations) > 0 {
		less := q
		less.Aggregations = nil
		out = append(out, less)
	}
	if len(q.GroupBy) > 0 {
		less := q
		less.GroupBy = nil
		out = append(out, less)
	}
	return out
}

// TestQuestions holds the questions of the fixture, and their calls and SQL, against
// files to read.
func TestQuestions(t *testing.T) {
	d := loadFixture(t)
	set, err := Dataset(t.Context(), d, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var questions, calls strings.Builder
	for _, q := range set.Questions {
		item := set.Items[q.ID]
		db, _ := open(t, d.Database(q.DB))
		args, err := jsontext.Marshal(item.Query.Arguments(query.Paper, db.Collections()), "")
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&questions, "%s\n", q.Text)
		fmt.Fprintf(&calls, "%s (%s, %s)\n%s\n%s\n%s\n\n", q.ID, q.Difficulty, item.Combination, q.Text, args, q.SQL)
	}
	golden.Equal(t, "testdata/questions.txt", questions.String())
	golden.Equal(t, "testdata/calls.txt", calls.String())
}

// TestSeeds makes other queries of another seed, and the same of the same.
func TestSeeds(t *testing.T) {
	info := loadFixture(t).Databases[0]
	db, proof := open(t, info)
	texts := func(o Options) string {
		items, impossible, err := Grid(t.Context(), db, info, o)
		if err != nil || len(impossible) > 0 {
			t.Fatalf("%v, %v", impossible, err)
		}
		var b strings.Builder
		for _, item := range items {
			result, err := db.Run(t.Context(), item.Query)
			if err != nil {
				t.Fatal(err)
			}
			if err := proof.Verify(t.Context(), item.Query, result); err != nil {
				t.Error(err)
			}
			b.WriteString(item.Question + "\n")
		}
		return b.String()
	}
	first := texts(Options{Seed: 7, PerCombination: 3})
	if again := texts(Options{Seed: 7, PerCombination: 3}); again != first {
		t.Error("the same seed has other queries")
	}
	if n := strings.Count(first, "\n"); n != 189 {
		t.Errorf("got %d queries, want 189", n)
	}
	if other := texts(Options{Seed: 8, PerCombination: 3}); other == first {
		t.Error("another seed has the same queries")
	}
}
