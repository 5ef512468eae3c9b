package vtab

import (
	"slices"

	"github.com/birdcall/birdcall/internal/federation/apis"
	"github.com/birdcall/birdcall/pkg/value"
)

// call is one call that asks for rows by values.
type call struct {
	conditions []apis.Condition
	keys       []*pendingKey // that it answers
	rows       [][]value.Value
	err        error
}

// divided divides tuples among calls.
func (s *state) divided(keys []*pendingKey) []*call {
	var all []*call
	for _, group := range bySet(keys) {
		all = append(all, s.divide(group)...)
	}
	return all
}

// bySet groups keys by their columns, in the order of the first ones.
func bySet(keys []*pendingKey) [][]*pendingKey {
	var groups [][]*pendingKey
	at := map[string]int{}
	for _, k := range keys {
		i, ok := at[k.set]
		if !ok {
			i = len(groups)
			at[k.set] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], k)
	}
	return groups
}

// divide makes calls for tuples of the same columns. A column that has one value in
// all of them goes along with each call. Of the others, one has several values in a
// call, and those without which the API gives no rows one each; the rest is left to
// SQLite. The column with several values is the one that takes the fewest calls.
func (s *state) divide(keys []*pendingKey) []*call {
	columns := keys[0].columns
	var varying []int // places in columns
	for i, c := range columns {
		if slices.ContainsFunc(keys, func(k *pendingKey) bool { return s.text(c, k.tuple[i]) != s.text(c, keys[0].tuple[i]) }) {
			varying = append(varying, i)
		}
	}
	best := s.spread(keys, varying, -1)
	for _, i := range varying {
		if s.filters[columns[i]] > 1 {
			if other := s.spread(keys, varying, i); len(other) < len(best) {
				best = other
			}
		}
	}
	return best
}

func (s *state) text(column int, v value.Value) string {
	return string(s.appendText(nil, column, v))
}

// spread makes calls in which the column at the place many has several values; -1 is
// none, so that each tuple has its own call.
func (s *state) spread(keys []*pendingKey, varying []int, many int) []*call {
	columns := keys[0].columns
	need := s.need(columns)
	type group struct {
		single []apis.Condition
		keys   map[string][]*pendingKey // by the value's text
		order  []string
	}
	var groups []*group
	at := map[string]*group{}
	for _, k := range keys {
		var name string
		var single []apis.Condition
		for i, c := range columns {
			if i == many || many >= 0 && slices.Contains(varying, i) && !slices.Contains(need, c) {
				continue
			}
			name += s.text(c, k.tuple[i]) + "\x00"
			single = append(single, apis.Condition{Column: c, Values: []value.Value{k.tuple[i]}})
		}
		g := at[name]
		if g == nil {
			g = &group{single: single, keys: map[string][]*pendingKey{}}
			at[name] = g
			groups = append(groups, g)
		}
		text := ""
		if many >= 0 {
			text = s.text(columns[many], k.tuple[many])
		}
		if g.keys[text] == nil {
			g.order = append(g.order, text)
		}
		g.keys[text] = append(g.keys[text], k)
	}
	var calls []*call
	for _, g := range groups {
		size := 1
		if many >= 0 {
			size = s.filters[columns[many]]
		}
		for part := range slices.Chunk(g.order, size) {
			c := &call{conditions: slices.Clone(g.single)}
			var values []value.Value
			for _, text := range part {
				c.keys = append(c.keys, g.keys[text]...)
				if many >= 0 {
					values = append(values, g.keys[text][0].tuple[many])
				}
			}
			if many >= 0 {
				c.conditions = append(c.conditions, apis.Condition{Column: columns[many], Values: values})
			}
			calls = append(calls, c)
		}
	}
	return calls
}
