package evaluate

import (
	"cmp"
	"crypto/sha256"
	"slices"
)

// compared is what one set of rules finds in a prediction.
type compared struct {
	same                     bool // whether the calls are gold's
	prefix, set, multi, slot Counts
	differences              []Difference
	goldNames, names         []string
}

// count compares the names of calls by position, as sets and as multisets. Two
// empty lists are one true positive for the paper's code, and nothing to count
// by the exact rules.
func (c *compared) count(rules Rules) {
	c.prefix, c.set, c.multi = prefix(c.goldNames, c.names), set(c.goldNames, c.names), multiset(c.goldNames, c.names)
	if len(c.goldNames)+len(c.names) == 0 && rules == Paper {
		c.prefix, c.set, c.multi = Counts{TP: 1}, Counts{TP: 1}, Counts{TP: 1}
	}
}

// compareForms holds a prediction against gold by the exact rules.
func compareForms(gold, predicted *form) *compared {
	c := &compared{goldNames: gold.names(), names: predicted.names()}
	c.same = gold.equal(predicted)
	c.count(Exact)
	pairs := pair(gold, predicted)
	partner := map[*node]*node{} // of a predicted call
	taken := map[*node]bool{}
	for g, p := range pairs {
		if p != nil {
			partner[p] = gold.calls[g]
			taken[p] = true
		}
	}
	for g, p := range pairs {
		n := gold.calls[g]
		if p == nil {
			c.differences = append(c.differences, Difference{Gold: n.from, Predicted: -1, Want: jsonText(n.name)})
			continue
		}
		one := slots(n, p, partner)
		c.slot.add(one.slot)
		c.differences = append(c.differences, one.differences...)
	}
	for _, p := range predicted.calls {
		if !taken[p] {
			c.differences = append(c.differences, Difference{Gold: -1, Predicted: p.from, Got: jsonText(p.name)})
		}
	}
	return c
}

// names returns the functions of a form. A malformed entry has none.
func (f *form) names() []string {
	out := make([]string, len(f.calls))
	for i, n := range f.calls {
		out[i] = n.name
	}
	return out
}

func (f *form) equal(o *form) bool {
	if len(f.calls) != len(o.calls) {
		return false
	}
	for i, n := range f.calls {
		if n.hash != o.calls[i].hash {
			return false
		}
	}
	return true
}

// pair returns, for each gold call, the predicted call of the same name that it
// is compared with, or nil: the same call if there is one, else the one that has
// most of its arguments, the first of several.
func pair(gold, predicted *form) []*node {
	out := make([]*node, len(gold.calls))
	taken := map[*node]bool{}
	take := func(g int, p *node) {
		if out[g] == nil && !taken[p] {
			out[g], taken[p] = p, true
		}
	}
	byHash, byName := map[[sha256.Size]byte][]*node{}, map[string][]*node{}
	for _, p := range predicted.calls {
		if p.malformed == "" {
			byHash[p.hash] = append(byHash[p.hash], p)
			byName[p.name] = append(byName[p.name], p)
		}
	}
	for g, n := range gold.calls {
		for _, p := range byHash[n.hash] {
			take(g, p)
		}
	}
	type candidate struct {
		gold, shared int
		predicted    *node
	}
	var candidates []candidate
	for g, n := range gold.calls {
		for _, p := range byName[n.name] {
			if out[g] == nil && !taken[p] {
				candidates = append(candidates, candidate{g, shared(n, p), p})
			}
		}
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int { return cmp.Compare(b.shared, a.shared) })
	for _, c := range candidates {
		take(c.gold, c.predicted)
	}
	return out
}

// shared counts the arguments that two calls have in common, but for results and
// the keys of columns in them.
func shared(a, b *node) int {
	n := 0
	for _, one := range a.args {
		switch one.Value.(type) {
		case reference, madeKey:
			continue
		}
		if other, ok := b.args.Get(one.Name); ok && meaning(one.Value, nil) == meaning(other, nil) {
			n++
		}
	}
	return n
}

// slots compares the arguments of two calls as sets of names with values. A
// result is the same if it is that of calls that are compared with each other.
func slots(gold, predicted *node, partner map[*node]*node) compared {
	var c compared
	for _, a := range gold.args {
		got, given := predicted.args.Get(a.Name)
		if given && meaning(a.Value, nil) == meaning(got, partner) {
			c.slot.TP++
			continue
		}
		c.slot.FN++
		d := Difference{Gold: gold.from, Predicted: predicted.from, Argument: a.Name, Want: meaning(a.Value, nil)}
		if given {
			d.Got = meaning(got, partner)
			c.slot.FP++
		}
		c.differences = append(c.differences, d)
	}
	for _, a := range predicted.args {
		if _, wanted := gold.args.Get(a.Name); !wanted {
			c.slot.FP++
			c.differences = append(c.differences, Difference{Gold: gold.from, Predicted: predicted.from, Argument: a.Name, Got: meaning(a.Value, partner)})
		}
	}
	return c
}

// meaning writes a value with the gold call instead of each result. partner
// has the gold calls of predicted ones; nil is for gold itself.
func meaning(v any, partner map[*node]*node) string {
	return jsonText(mapValue(v, func(v any) any {
		switch v := v.(type) {
		case string:
			if v == ownName {
				return "a key of its own"
			}
		case reference:
			return v.name(partner)
		case madeKey:
			return "key of the " + reference{to: v.by}.name(partner)
		}
		return v
	}))
}

// name says which result is read, in differences.
func (r reference) name(partner map[*node]*node) string {
	switch {
	case r.to == nil:
		return "$" + r.start + "$"
	case partner == nil:
		return resultName("gold", r.to.from)
	case partner[r.to] != nil:
		return resultName("gold", partner[r.to].from)
	}
	return resultName("predicted", r.to.from)
}

// resultName names the result of a call in differences.
func resultName(side string, call int) string {
	return "result of " + side + " call " + jsonText(call+1)
}
