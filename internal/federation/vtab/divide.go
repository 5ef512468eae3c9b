package vtab

import (
	"slices"

	"github.com/birdcall/birdcall/internal/federation/apis"
	"github.com/birdcall/birdcall/pkg/value"
)

// call is one call that asks for rows by values.
type call struct {
	conditions []apis.Condition
	wants      []*want // that it answers
	rows       [][]value.Value
	err        error
}

// divided divides tuples among calls.
func (s *state) divided(wants []*want) []*call {
	var all []*call
	for _, group := range bySet(wants) {
		all = append(all, s.divide(group)...)
	}
	return all
}

// bySet groups wants by their columns, in the order of the first ones.
func bySet(wants []*want) [][]*want {
	var groups [][]*want
	at := map[string]int{}
	for _, w := range wants {
		i, ok := at[w.set]
		if !ok {
			i = len(groups)
			at[w.set] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], w)
	}
	return groups
}

// divide makes calls for tuples of the same columns. A column that has one value in
// all of them goes along with each call. Of the others, one has several values in a
// call, and those without which the API gives no rows one each; the rest is left to
// SQLite. The column with several values is the one that takes the fewest calls.
func (s *state) divide(wants []*want) []*call {
	columns := wants[0].columns
	var varying []int // places in columns
	for i, c := range columns {
		if slices.ContainsFunc(wants, func(w *want) bool { return s.text(c, w.tuple[i]) != s.text(c, wants[0].tuple[i]) }) {
			varying = append(varying, i)
		}
	}
	best := s.spread(wants, varying, -1)
	for _, i := range varying {
		if s.filters[columns[i]] > 1 {
			if other := s.spread(wants, varying, i); len(other) < len(best) {
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
// none, so that each tuple has a call of its own.
func (s *state) spread(wants []*want, varying []int, many int) []*call {
	columns := wants[0].columns
	need := s.need(columns)
	type group struct {
		single []apis.Condition
		wants  map[string][]*want // by the value's text
		order  []string
	}
	var groups []*group
	at := map[string]*group{}
	for _, w := range wants {
		var name string
		var single []apis.Condition
		for i, c := range columns {
			if i == many || many >= 0 && slices.Contains(varying, i) && !slices.Contains(need, c) {
				continue
			}
			name += s.text(c, w.tuple[i]) + "\x00"
			single = append(single, apis.Condition{Column: c, Values: []value.Value{w.tuple[i]}})
		}
		g := at[name]
		if g == nil {
			g = &group{single: single, wants: map[string][]*want{}}
			at[name] = g
			groups = append(groups, g)
		}
		text := ""
		if many >= 0 {
			text = s.text(columns[many], w.tuple[many])
		}
		if g.wants[text] == nil {
			g.order = append(g.order, text)
		}
		g.wants[text] = append(g.wants[text], w)
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
				c.wants = append(c.wants, g.wants[text]...)
				if many >= 0 {
					values = append(values, g.wants[text][0].tuple[many])
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
