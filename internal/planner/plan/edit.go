package plan

import "slices"

// NewColumn makes a column that a step will make, with a word for its name.
func (p *Plan) NewColumn(hint string) Col {
	p.Columns = append(p.Columns, Column{Hint: hint})
	return Col(len(p.Columns) - 1)
}

// Insert puts steps before the step at. They refer to earlier steps by their
// numbers, and to each other by those that they get: at, at+1, and so on. The
// steps from at on are renumbered, wherever the plan refers to them.
func (p *Plan) Insert(at StepID, steps ...Step) {
	to := make([]StepID, len(p.Steps))
	for i := range to {
		if to[i] = StepID(i); to[i] >= at {
			to[i] += StepID(len(steps))
		}
	}
	p.renumber(to)
	p.Steps = slices.Insert(p.Steps, int(at), steps...)
}

// renumber gives the steps new numbers, wherever the plan refers to them.
func (p *Plan) renumber(to []StepID) {
	for _, s := range p.Steps {
		renumber(s, to)
	}
	for i := range p.Columns {
		if p.Columns[i].IsBase && p.Columns[i].Start != NoStep {
			p.Columns[i].Start = to[p.Columns[i].Start]
		}
	}
	for i := range p.Choices {
		p.Choices[i].Step = to[p.Choices[i].Step]
	}
	for i := range p.Equals {
		p.Equals[i].Step = to[p.Equals[i].Step]
	}
	if p.Order != nil {
		p.Order.Sorted = to[p.Order.Sorted]
	}
	p.Result = to[p.Result]
}

// Replace has everything that refers to steps and columns refer to others
// instead: to what steps and cols have for them, where they have something.
func (p *Plan) Replace(steps map[StepID]StepID, cols map[Col]Col) {
	step, col := other(steps), other(cols)
	for _, s := range p.Steps {
		substitute(s, step, col)
	}
	for i, c := range p.Output {
		p.Output[i] = col(c)
	}
	keys := func(list []SortKey) []SortKey {
		list = slices.Clone(list)
		for i := range list {
			list[i].Col = col(list[i].Col)
		}
		return list
	}
	choices := func(list []Choice) []Choice {
		var out []Choice
		for _, c := range list {
			c.Step, c.Column, c.Keys = step(c.Step), col(c.Column), keys(c.Keys)
			same := func(o Choice) bool { return o.Kind == c.Kind && o.Step == c.Step && o.Column == c.Column }
			if !slices.ContainsFunc(out, same) {
				out = append(out, c)
			}
		}
		return out
	}
	p.Choices, p.Equals = choices(p.Choices), choices(p.Equals)
	if p.Order != nil {
		p.Order = &Order{Sorted: step(p.Order.Sorted), Keys: keys(p.Order.Keys)}
	}
	p.Result = step(p.Result)
}

// substitute has a step refer to other steps and columns.
func substitute(s Step, step func(StepID) StepID, col func(Col) Col) {
	own(s)
	r := s.refers()
	for _, id := range r.rows {
		*id = step(*id)
	}
	for _, c := range r.cols {
		*c = col(*c)
	}
	for _, list := range r.lists {
		for i := range *list {
			(*list)[i] = col((*list)[i])
		}
	}
	r.each(func(o *Operand) {
		switch o.Kind {
		case ColumnOf:
			o.Col = col(o.Col)
		case Result:
			o.Step, o.Col = step(o.Step), col(o.Col)
		}
	})
}

// own copies a step's lists: steps may share arguments.
func own(s Step) {
	switch s := s.(type) {
	case *Derive:
		s.Args = slices.Clone(s.Args)
	case *Window:
		s.Args = slices.Clone(s.Args)
	}
	r := s.refers()
	for _, list := range r.lists {
		*list = slices.Clone(*list)
	}
	for _, list := range r.operands {
		*list = slices.Clone(*list)
	}
}

// Key describes a step by all that it computes, without the columns that it
// makes: steps with one key give the same result.
func Key(s Step) string { return keyOf(s) }

// Made returns the columns that a step makes, in an order that is the same for
// steps with one key.
func Made(s Step) []Col {
	switch s := s.(type) {
	case *Derive:
		return []Col{s.Out}
	case *Aggregate:
		return []Col{s.Out}
	case *Window:
		return []Col{s.Out}
	case *Join:
		return s.Renamed
	case *Expand:
		return s.Out
	}
	return nil
}

// ReplaceIn has one step refer to other steps and columns, as Replace does for
// all.
func (p *Plan) ReplaceIn(s Step, steps map[StepID]StepID, cols map[Col]Col) {
	substitute(s, other(steps), other(cols))
}

// other returns what a map has for a key, or the key.
func other[K comparable](m map[K]K) func(K) K {
	return func(k K) K {
		if v, ok := m[k]; ok {
			return v
		}
		return k
	}
}

// Copy copies a filter or a derivation, which reads other columns then. It
// returns nil for other steps.
func Copy(s Step, cols map[Col]Col) Step {
	same := func(id StepID) StepID { return id }
	switch s := s.(type) {
	case *Filter:
		own := *s
		substitute(&own, same, other(cols))
		return &own
	case *Derive:
		own := *s
		substitute(&own, same, other(cols))
		return &own
	}
	return nil
}

// ReplaceOperand has a step read another operand where it reads a column as one.
func ReplaceOperand(s Step, c Col, by Operand) {
	own(s)
	s.refers().each(func(o *Operand) {
		if o.Kind == ColumnOf && o.Col == c {
			*o = by
		}
	})
}
