package spec_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// birds are n tools with its own word each.
func birds(n int) []spec.Tool {
	out := make([]spec.Tool, n)
	for i := range out {
		out[i] = spec.Tool{Name: fmt.Sprintf("bird_%d", i), Description: fmt.Sprintf("sings song%dx", i)}
	}
	return out
}

// TestLimit lists questions and what a list of four of forty tools has for them:
// the gold one, the nearest, and two that are drawn.
func TestLimit(t *testing.T) {
	universe := birds(40)
	l := spec.NewLimiter(universe, 4, 1)
	gold := []tools.Call{{Name: "bird_30"}}
	for _, c := range []struct {
		question string
		has      []string
	}{
		{"who sings song7x", []string{"bird_7", "bird_30"}},
		{"who sings song30x", []string{"bird_30"}},
		{"nothing of it", []string{"bird_30"}},
	} {
		got := l.Limit(universe, gold, c.question, "birds/1")
		if len(got) != 4 {
			t.Errorf("%s: %d tools", c.question, len(got))
		}
		for _, name := range c.has {
			if !slices.ContainsFunc(got, func(t spec.Tool) bool { return t.Name == name }) {
				t.Errorf("%s: %v has no %s", c.question, got, name)
			}
		}
	}
	if got := l.Limit(universe[:4], gold, "", ""); len(got) != 4 {
		t.Errorf("a list that is short enough has %d tools", len(got))
	}
}

// TestLimitProperties says what holds for lists of any length: gold is kept, the
// number is, and the order; and the same sample gets the same list.
func TestLimitProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		universe := birds(rapid.IntRange(1, 60).Draw(t, "tools"))
		limit := rapid.IntRange(1, 30).Draw(t, "most")
		l := spec.NewLimiter(universe, limit, rapid.Uint64().Draw(t, "seed"))
		list := universe
		if rapid.Bool().Draw(t, "part") {
			list = slices.Clone(universe[rapid.IntRange(0, len(universe)-1).Draw(t, "from"):])
		}
		var gold []tools.Call
		for range rapid.IntRange(0, min(limit, len(list))).Draw(t, "gold") {
			gold = append(gold, tools.Call{Name: rapid.SampledFrom(list).Draw(t, "gold tool").Name})
		}
		question := rapid.SampledFrom(list).Draw(t, "about").Description
		got := l.Limit(list, gold, question, "s")
		if want := min(limit, len(list)); len(got) != want {
			t.Fatalf("%d tools, want %d", len(got), want)
		}
		place := func(name string) int {
			return slices.IndexFunc(list, func(t spec.Tool) bool { return t.Name == name })
		}
		for i, tool := range got {
			if place(tool.Name) < 0 || i > 0 && place(got[i-1].Name) >= place(tool.Name) {
				t.Fatalf("%v is not in the order of the list", got)
			}
		}
		for _, c := range gold {
			if !slices.ContainsFunc(got, func(t spec.Tool) bool { return t.Name == c.Name }) {
				t.Fatalf("%s is missing", c.Name)
			}
		}
		for i, tool := range l.Limit(list, gold, question, "s") {
			if tool.Name != got[i].Name {
				t.Fatal("two lists of a sample differ")
			}
		}
	})
}
