package rewrite

import (
	"slices"

	"github.com/birdcall/birdcall/internal/planner/plan"
)

// ungroupSingleAggregate makes a value of the only aggregate of all rows.
//
// Proof. A group of all rows is one row, also where there are no rows, and so is
// an aggregate without groups; both compute it of the same rows in the same
// order. Of the group's row nothing else is read.
//
// Where that value is computed on, step by step, and the last result is retrieved,
// retrieving it changes nothing: it is the one column of one row already.
func (w *work) ungroupSingleAggregate() bool {
	for i, s := range w.p.Steps {
		a, ok := s.(*plan.Aggregate)
		if !ok || !a.Grouped {
			continue
		}
		g, ok := w.p.Steps[a.In].(*plan.Group)
		if ok && len(g.Keys) == 0 && len(w.next[a.In]) == 1 && len(w.users[a.In]) == 0 &&
			!w.hasChoice(a.In) && !w.hasChoice(plan.StepID(i)) && w.readsNoGroup(plan.StepID(i)) {
			a.In, a.Grouped = g.In, false
			return true
		}
	}
	return w.retrieved()
}

// readsNoGroup reports whether those that work on the row of an aggregate, up to
// where columns of it are retrieved, read no column from before it, and do not need
// its groups.
func (w *work) readsNoGroup(id plan.StepID) bool {
	before := func(c plan.Col) bool {
		maker, ok := w.maker[c]
		return !ok || maker < id
	}
	todo := []plan.StepID{id}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if at == w.p.Result && slices.ContainsFunc(w.p.Output, before) {
			return false
		}
		for _, n := range w.next[at] {
			if slices.ContainsFunc(plan.Reads(w.p.Steps[n]), before) {
				return false
			}
			switch s := w.p.Steps[n].(type) {
			case *plan.Derive, *plan.Filter:
				todo = append(todo, n)
			case *plan.Project:
			case *plan.Aggregate:
				if s.Grouped {
					return false
				}
			default:
				return false
			}
		}
	}
	return true
}

// retrieved drops the retrieving of a value as the answer.
func (w *work) retrieved() bool {
	last := w.p.Result
	s, ok := w.p.Steps[last].(*plan.Project)
	if !ok || len(s.Cols) != 1 || s.Limit >= 0 || s.Offset > 0 || w.p.Order != nil || w.hasChoice(last) || !w.isValue(s.In, s.Cols[0]) {
		return false
	}
	w.p.Replace(map[plan.StepID]plan.StepID{last: s.In}, nil)
	return true
}

// isValue reports whether a step gives one row with no column but c: an aggregate
// without groups, or what is computed of one such value alone.
func (w *work) isValue(id plan.StepID, c plan.Col) bool {
	if len(w.next[id]) != 1 || len(w.users[id]) > 0 {
		return false
	}
	switch s := w.p.Steps[id].(type) {
	case *plan.Aggregate:
		return !s.Grouped && s.Out == c
	case *plan.Derive:
		return s.Out == c && s.From != plan.None && w.isValue(s.In, s.From) && !slices.Contains(plan.Reads(s)[1:], s.From)
	}
	return false
}

// splitAggregates makes values of aggregates of all rows that one value is computed of.
//
// Proof. Each of the aggregates is a value, as in ungroupSingleAggregate. What is computed
// of them, step by step, reads nothing else, and what an aggregate gives has no
// affinity and no collation, as a column and as a value.
func (w *work) splitAggregates() bool {
	last, ok := w.p.Steps[w.p.Result].(*plan.Project)
	if !ok || len(last.Cols) != 1 || last.Limit >= 0 || last.Offset > 0 || w.p.Order != nil || w.hasChoice(w.p.Result) {
		return false
	}
	var derived []*plan.Derive // the last one first
	var aggregates []plan.StepID
	at, out := last.In, last.Cols[0]
	for {
		if len(w.next[at]) != 1 || len(w.users[at]) > 0 || w.hasChoice(at) {
			return false
		}
		switch s := w.p.Steps[at].(type) {
		case *plan.Derive:
			if len(aggregates) > 0 || s.Out != out || s.From == plan.None || w.noted[s.Out] {
				return false
			}
			derived, out, at = append(derived, s), s.From, s.In
		case *plan.Aggregate:
			if !s.Grouped || w.noted[s.Out] {
				return false
			}
			aggregates, at = append(aggregates, at), s.In
		case *plan.Group:
			return len(s.Keys) == 0 && len(derived) > 0 && len(aggregates) > 1 && w.makeValues(s.In, aggregates, derived)
		default:
			return false
		}
	}
}

// makeValues makes the aggregates values of the rows in, and has what is derived
// start from the one that it is about. It reports whether nothing else is read.
func (w *work) makeValues(in plan.StepID, aggregates []plan.StepID, derived []*plan.Derive) bool {
	step := map[plan.Col]plan.StepID{}
	for _, id := range aggregates {
		step[w.p.Steps[id].(*plan.Aggregate).Out] = id
	}
	first := derived[len(derived)-1]
	start, ok := step[first.From]
	if !ok {
		return false
	}
	for _, d := range derived {
		for _, c := range plan.Reads(d)[1:] {
			if _, ok := step[c]; !ok || c == first.From {
				return false
			}
		}
	}
	for _, id := range aggregates {
		a := w.p.Steps[id].(*plan.Aggregate)
		a.In, a.Grouped = in, false
	}
	first.In = start
	for _, d := range derived {
		for c, id := range step {
			if c != d.From {
				plan.ReplaceOperand(d, c, plan.Operand{Kind: plan.Result, Step: id, Col: c, OneRow: true})
			}
		}
	}
	return true
}
