package queryscore

import (
	"slices"

	"github.com/birdcall/birdcall/internal/querytool/query"
)

// sum fills in the totals and the groups of a report from its outcomes.
func (r *Report) sum() {
	r.Total = r.of(func(*Outcome) bool { return true })
	var schemas []string
	for _, o := range r.Outcomes {
		if !slices.Contains(schemas, o.DB) {
			schemas = append(schemas, o.DB)
		}
	}
	for _, name := range schemas {
		r.Schemas = append(r.Schemas, Group{name, r.of(func(o *Outcome) bool { return o.DB == name })})
	}
	for _, c := range []query.Complexity{query.Simple, query.Moderate, query.Complex} {
		if s := r.of(func(o *Outcome) bool { return o.Complexity == c }); s.Samples > 0 {
			r.Complexities = append(r.Complexities, Group{string(c), s})
		}
	}
	for _, c := range Components() {
		if s := r.component(c); s.Samples+s.Extra > 0 {
			r.Components = append(r.Components, s)
		}
	}
}

// of sums up some of the outcomes.
func (r *Report) of(these func(*Outcome) bool) Scores {
	s := Scores{Scored: make([]MetricScore, len(r.Metrics))}
	for i, m := range r.Metrics {
		s.Scored[i].Metric = m
		if m == Paper || m == Published {
			s.Scored[i].AST = &Mean{}
		}
	}
	for i := range r.Outcomes {
		if o := &r.Outcomes[i]; these(o) {
			s.add(o)
		}
	}
	s.Routed.divide(s)
	for i := range s.Scored {
		s.Scored[i].Match.divide(s)
		if mean := s.Scored[i].AST; mean != nil {
			mean.OfAll, mean.OfCalled = quotient(mean.Sum, s.Samples), quotient(mean.Sum, s.Called)
		}
	}
	return s
}

func (s *Scores) add(o *Outcome) {
	s.Samples++
	switch o.Kind {
	case Called:
		s.Called++
		if o.Calls > 1 {
			s.Several++
		}
	case NoCall:
		s.NoCall++
	case InvalidOne:
		s.Invalid++
	case Failed:
		s.Failed++
	}
	if o.Routed {
		s.Routed.Count++
	}
	for i, one := range o.Scored {
		if one.Match {
			s.Scored[i].Match.Count++
		}
		if one.AST != nil {
			s.Scored[i].AST.Sum += *one.AST
		}
	}
}

func (r *Rate) divide(s Scores) {
	r.OfAll, r.OfCalled = quotient(float64(r.Count), s.Samples), quotient(float64(r.Count), s.Called)
}

func quotient(sum float64, n int) *float64 {
	if n == 0 {
		return nil
	}
	q := sum / float64(n)
	return &q
}

// component sums up the outcomes that have a component.
func (r *Report) component(c Component) ComponentScore {
	s := ComponentScore{Component: c, Matches: make([]MetricMatch, len(r.Metrics))}
	for i, m := range r.Metrics {
		s.Matches[i].Metric = m
	}
	for _, o := range r.Outcomes {
		want, has := o.parts[c]
		got, uses := o.got[c]
		switch {
		case !has && uses:
			s.Extra++
		case has:
			s.Samples++
			if uses {
				s.Used++
			}
			if uses && got == want {
				s.Same++
			}
			for i, one := range o.Scored {
				if one.Match {
					s.Matches[i].Matches++
				}
			}
		}
	}
	return s
}
