package querygrid

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/pkg/bird"
)

// Options say how many queries are made.
type Options struct {
	PerCombination int // how many for each combination; 0 is 1
	Seed           uint64
	Progress       func() // called after each database; may be nil
}

// Combination is which arguments a query has.
type Combination struct {
	Search      bool
	Filter      query.Type // of the property, "" for no filter
	Aggregation query.Type // the same
	Grouped     bool
}

// String names a combination, such as "search, number filter, groups".
func (c Combination) String() string {
	text := ""
	for _, part := range []struct {
		is   bool
		name string
	}{
		{c.Search, "search"}, {c.Filter != "", string(c.Filter) + " filter"},
		{c.Aggregation != "", string(c.Aggregation) + " aggregation"}, {c.Grouped, "groups"},
	} {
		if part.is && text != "" {
			text += ", "
		}
		if part.is {
			text += part.name
		}
	}
	return text
}

// Combinations returns all 63, in a fixed order.
func Combinations() []Combination {
	var out []Combination
	types := []query.Type{"", query.Number, query.Text, query.Boolean}
	for _, search := range []bool{false, true} {
		for _, filter := range types {
			for _, aggregation := range types {
				for _, grouped := range []bool{false, true} {
					if c := (Combination{search, filter, aggregation, grouped}); c != (Combination{}) {
						out = append(out, c)
					}
				}
			}
		}
	}
	return out
}

// Item is a query with the question that it answers.
type Item struct {
	Query       query.Query
	Question    string
	Combination Combination
}

// Impossible is a combination of which there are no queries, or fewer than asked for.
type Impossible struct {
	Combination Combination
	Reason      string
}

// Grid makes the queries of a database, in the order of Combinations. info is what
// its dataset says of it: the readable names of its tables and columns. The error is
// of the database or the context.
func Grid(ctx context.Context, db *query.Database, info *bird.Database, o Options) ([]Item, []Impossible, error) {
	h := fnv.New64a()
	h.Write([]byte(db.ID()))
	g := &grid{db: db, random: rand.New(rand.NewPCG(o.Seed, h.Sum64())), seen: map[string]bool{}}
	if err := g.survey(ctx, info); err != nil {
		return nil, nil, err
	}
	g.turns = newTurns(g.random, len(g.profiles))
	var items []Item
	var impossible []Impossible
	per := cmp.Or(o.PerCombination, 1)
	for _, c := range Combinations() {
		reason := g.lacks(c)
		made := 0
		for reason == "" && made < per {
			q, p, err := g.find(ctx, c)
			if err != nil {
				return nil, nil, fmt.Errorf("the grid of %s, %s: %w", db.ID(), c, err)
			}
			if p == nil {
				reason = "no values were found for which each argument matters"
				if made > 0 {
					reason = fmt.Sprintf("no more than %d were found", made)
				}
				break
			}
			items = append(items, Item{q, g.phrase(p, q), c})
			made++
		}
		if reason != "" {
			impossible = append(impossible, Impossible{c, reason})
		}
	}
	return items, impossible, nil
}

// grid is the work on one database.
type grid struct {
	db       *query.Database
	random   *rand.Rand
	profiles []*profile
	turns    turns
	seen     map[string]bool // the queries so far
}

// lacks returns why the schema has no query of a combination, "" if it may have.
func (g *grid) lacks(c Combination) string {
	for _, need := range []struct {
		needs bool
		has   func(*profile) bool
		what  string
	}{
		{c.Search, func(p *profile) bool { return len(p.searched) > 0 }, "text to search"},
		{c.Filter != "", func(p *profile) bool { return len(p.ofType(c.Filter)) > 0 }, string(c.Filter) + " property"},
		{c.Aggregation != "", func(p *profile) bool { return len(p.ofType(c.Aggregation)) > 0 }, string(c.Aggregation) + " property"},
		{c.Grouped, func(p *profile) bool { return len(p.groups) > 0 }, "property that groups its objects"},
	} {
		if !need.needs {
			continue
		}
		found := false
		for _, p := range g.profiles {
			found = found || need.has(p)
		}
		if !found {
			return "no collection has a " + need.what
		}
	}
	for _, p := range g.profiles {
		if p.allows(c) {
			return ""
		}
	}
	return "no collection has all that it needs"
}
