package evaluate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// tally sums the outcomes of samples up.
type tally struct {
	samples, completed, other        int
	intent, intentSet, multi, slot   Counts
	errors                           map[Class]int
	loops, outOf, stuck, same, plain int
	apis                             *APIScores
	pairs                            *PairScores
}

func (t *tally) add(o *Outcome) {
	t.samples++
	t.intent.add(o.Intent)
	t.intentSet.add(o.IntentSet)
	t.multi.add(o.IntentMultiset)
	t.slot.add(o.Slot)
	t.loops += o.Loops
	if o.APIs != nil {
		if t.apis == nil {
			t.apis = &APIScores{}
		}
		t.apis.add(o)
	}
	if o.Pair != nil {
		if t.pairs == nil {
			t.pairs = &PairScores{}
		}
		t.pairs.add(o.Pair)
	}
	if o.OtherCalls {
		t.other++
	}
	if o.Completed {
		t.completed++
		return
	}
	if o.Error != "" {
		t.errors[o.Error]++
	}
	if o.LastLoop {
		t.outOf++
	}
	if o.Stuck {
		t.stuck++
	}
	if o.StuckSame {
		t.same++
	}
	if !o.LastLoop && !o.Stuck {
		t.plain++
	}
}

func (t *tally) scores(r *Report) Scores {
	s := Scores{
		Samples: t.samples, Completed: t.completed, OtherCalls: t.other, Errors: t.errors, APIs: t.apis, Pairs: t.pairs,
		Intent: t.intent.metric(r.Rules), IntentSet: t.intentSet.metric(r.Rules), IntentMultiset: t.multi.metric(r.Rules), Slot: t.slot.metric(r.Rules),
	}
	if t.samples > 0 {
		s.CompletionRate = float64(t.completed) / float64(t.samples)
	}
	if r.Mode == ReAct || r.Mode == Agent {
		s.Loops = &Loops{OutOfBudget: t.outOf, Stuck: t.stuck, StuckSame: t.same, Unclassified: t.plain}
		if t.samples > 0 {
			s.Loops.Average = float64(t.loops) / float64(t.samples)
		}
	}
	return s
}

// groups sums outcomes up by names, which an outcome may have several of.
type groups struct {
	names []string // in the order in which they came
	of    map[string]*tally
}

func (g *groups) add(name string, o *Outcome) {
	if name == "" {
		return
	}
	if g.of == nil {
		g.of = map[string]*tally{}
	}
	if g.of[name] == nil {
		g.of[name] = &tally{errors: map[Class]int{}}
		g.names = append(g.names, name)
	}
	g.of[name].add(o)
}

func (g *groups) list(r *Report, compare func(a, b string) int) []Group {
	if compare != nil {
		slices.SortStableFunc(g.names, compare)
	}
	out := []Group{}
	for _, name := range g.names {
		out = append(out, Group{Name: name, Scores: g.of[name].scores(r)})
	}
	return out
}

// sum fills in the scores of a report from its outcomes.
func (r *Report) sum() {
	total := &tally{errors: map[Class]int{}}
	var databases, difficulties, constructs, lengths, universes groups
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		total.add(o)
		databases.add(o.DB, o)
		difficulties.add(o.Difficulty, o)
		for _, c := range o.Constructs {
			constructs.add(c, o)
		}
		if r.Mode.HasCalls() {
			lengths.add(fmt.Sprint(len(o.Gold)), o)
			universes.add(universe(o.Tools), o)
		}
	}
	r.Total = total.scores(r)
	r.Databases = databases.list(r, nil)
	r.Difficulties = difficulties.list(r, byDifficulty)
	r.Constructs = constructs.list(r, strings.Compare)
	r.Lengths = lengths.list(r, byNumber)
	r.Universes = universes.list(r, byNumber)
}

// difficulties are those of BIRD in their order; others come behind.
var difficulties = []string{"simple", "moderate", "challenging"}

func byDifficulty(a, b string) int {
	place := func(d string) int {
		if i := slices.Index(difficulties, d); i >= 0 {
			return i
		}
		return len(difficulties)
	}
	return cmp.Or(cmp.Compare(place(a), place(b)), strings.Compare(a, b))
}

// byNumber orders names by the number that they begin with.
func byNumber(a, b string) int {
	number := func(text string) (n int) {
		_, _ = fmt.Sscan(strings.TrimRight(strings.SplitN(text, "-", 2)[0], "+"), &n)
		return n
	}
	return cmp.Compare(number(a), number(b))
}

// universes are the sizes of tool lists that samples are grouped by.
var universes = []int{10, 25, 50, 100, 128, 250, 500, 1000}

// universe names the group of a tool list's size, such as 26-50.
func universe(size int) string {
	low := 0
	for _, high := range universes {
		if size <= high {
			return fmt.Sprintf("%d-%d", low+1, high)
		}
		low = high
	}
	return fmt.Sprintf("%d+", low+1)
}
