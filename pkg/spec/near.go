package spec

import (
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/search/bm25"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Filler says which tools fill a list up that has those of the gold calls.
type Filler string

// The ways to fill a list up.
const (
	Random Filler = "random" // drawn: Shortlist and Limiter
	Near   Filler = "near"   // the nearest to the gold ones: Neighbours
)

// Fillers returns their names.
func Fillers() []string { return []string{string(Random), string(Near)} }

// Answers reports whether a tool gives the right answer as a gold one does. Who
// calls it instead of the gold one is right, so that no list should have both.
type Answers func(t Tool) (bool, error)

// Neighbours knows how near the tools of a database are to each other: by the
// significant words that their names, descriptions and arguments share. It chooses
// lists that are hard to choose from. Nothing of them is drawn. Neighbours do not
// change.
type Neighbours struct {
	universe []Tool
	place    map[string]int // by name
	stems    [][]string
	index    *bm25.Index
}

// NewNeighbours indexes a database's tools, whose names are different.
func NewNeighbours(universe []Tool) *Neighbours {
	n := &Neighbours{universe: universe, place: map[string]int{}, stems: make([][]string, len(universe))}
	docs := make([][][]string, len(universe))
	for i, t := range universe {
		n.place[t.Name] = i
		n.stems[i] = bm25.Stems(words(t))
		docs[i] = [][]string{n.stems[i]}
	}
	n.index = bm25.New(bm25.Text(), docs)
	return n
}

// words returns what is said of a tool: its name, its description, and those of
// its arguments.
func words(t Tool) string {
	out := []string{t.Name, t.Description}
	properties, _ := t.Parameters[kwProperties].(object)
	for _, name := range argumentNames(t) {
		out = append(out, name)
		if p, ok := properties[name].(object); ok {
			text, _ := p[kwText].(string)
			out = append(out, text)
		}
	}
	return strings.Join(out, " ")
}

// Shortlist returns a share of a list's tools, in their order: those that the gold
// calls use, and the nearest to them until there are percent of all, rounded down.
// Tools that answer are left out, also where all others stay. The error is that
// of answers, which may be nil.
func (n *Neighbours) Shortlist(list []Tool, gold []tools.Call, percent int, answers Answers) ([]Tool, error) {
	list = Union(list)
	c := n.choose(list, gold, answers)
	c.add(n.around(gold), len(list)*percent/100)
	return c.list()
}

// Limit returns at most so many tools of a list, in their order: those that the
// gold calls use, those whose words are nearest to the question, up to half of
// the list, and those nearest to gold. With 0 there are any number. More are kept
// only if gold needs them. Tools that answer are left out, as by Shortlist.
func (n *Neighbours) Limit(list []Tool, gold []tools.Call, question string, limit int, answers Answers) ([]Tool, error) {
	list = Union(list)
	if limit <= 0 {
		limit = len(list)
	}
	c := n.choose(list, gold, answers)
	c.add(n.index.Rank(bm25.Stems(question), len(n.universe)), (min(limit, len(list))+1)/2)
	c.add(n.around(gold), limit)
	return c.list()
}

// around returns the places of all tools, the nearest to the gold ones first: the
// nearest to each of them in turn, then the next. Those that share no word with any
// come last, in their order.
func (n *Neighbours) around(gold []tools.Call) []int {
	var rankings [][]int
	seen := make([]bool, len(n.universe))
	for _, c := range gold {
		if at, ok := n.place[c.Name]; ok && !seen[at] {
			seen[at] = true
			rankings = append(rankings, n.index.Rank(n.stems[at], len(n.universe)))
		}
	}
	var out []int
	add := func(at int) {
		if !seen[at] {
			seen[at] = true
			out = append(out, at)
		}
	}
	for i := range n.universe {
		for _, ranking := range rankings {
			if i < len(ranking) {
				add(ranking[i])
			}
		}
	}
	for at := range n.universe {
		add(at)
	}
	return out
}

// choice is a list that is being made.
type choice struct {
	*Neighbours
	from    []Tool
	in      map[string]bool // what it is chosen from
	kept    map[int]bool
	answers Answers
	err     error
}

func (n *Neighbours) choose(list []Tool, gold []tools.Call, answers Answers) *choice {
	c := &choice{Neighbours: n, from: list, in: map[string]bool{}, kept: map[int]bool{}, answers: answers}
	for _, t := range list {
		c.in[t.Name] = true
	}
	for _, one := range gold {
		if at, ok := n.place[one.Name]; ok && c.in[one.Name] {
			c.kept[at] = true
		}
	}
	return c
}

// add keeps the tools at places, one after another, until there are so many.
func (c *choice) add(places []int, until int) {
	for _, at := range places {
		t := c.universe[at]
		if c.err != nil || len(c.kept) >= until {
			return
		}
		if c.kept[at] || !c.in[t.Name] {
			continue
		}
		isAnswer := false
		if c.answers != nil {
			isAnswer, c.err = c.answers(t)
		}
		if isAnswer {
			delete(c.in, t.Name)
		} else {
			c.kept[at] = true
		}
	}
}

// list returns what was kept.
func (c *choice) list() ([]Tool, error) {
	if c.err != nil {
		return nil, c.err
	}
	return slices.DeleteFunc(slices.Clone(c.from), func(t Tool) bool {
		at, ok := c.place[t.Name]
		return !ok || !c.kept[at]
	}), nil
}
