package scorereport

import (
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/text/table"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
)

// rulesOf returns the rules that reports are by, the exact ones first.
func rulesOf(reports []*ModelReport) []evaluate.Rules {
	var out []evaluate.Rules
	for _, m := range reports {
		for _, r := range m.Evaluations {
			out = append(out, r.Rules)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// line is a line of one of the paper's tables: what a model did on a dataset.
type line struct {
	report *evaluate.Report // of the table's mode; nil for a model that has but SQL
	other  *evaluate.Report // of the mode that is next to it, or nil
	where  key              // of the dataset, without a mode
}

// lines returns the lines for a mode, with the evaluations of the mode other
// next to them. They are in order of the datasets, the worst model first, as in
// the paper.
func lines(reports []*ModelReport, rules evaluate.Rules, of, with evaluate.Mode) []line {
	var out []line
	for _, m := range reports {
		for _, r := range m.Evaluations {
			k := keyOf(r)
			if k.rules != rules || k.mode != of && k.mode != with {
				continue
			}
			l := line{where: k}
			l.where.mode = ""
			switch k.mode {
			case of:
				l.report, l.other = r, m.otherMode(k, with)
			case evaluate.SQL:
				if m.has(k.variant, rules, of) {
					continue // next to another line
				}
				l.other = r
			default:
				continue
			}
			out = append(out, l)
		}
	}
	slices.SortStableFunc(out, func(a, b line) int {
		if c := compareDatasets(a.where, b.where); c != 0 {
			return c
		}
		return compareRates(a.report, b.report)
	})
	return out
}

// otherMode returns the evaluation of another mode on the same dataset. Which tools
// a sample lists is nothing to a model that writes SQL.
func (m *ModelReport) otherMode(k key, mode evaluate.Mode) *evaluate.Report {
	k.mode = mode
	if r := m.find(k); r != nil || mode != evaluate.SQL {
		return r
	}
	for _, r := range m.Evaluations {
		if r.Mode == mode && r.Variant == k.variant && r.Rules == k.rules {
			return r
		}
	}
	return nil
}

func (m *ModelReport) has(variant string, rules evaluate.Rules, of evaluate.Mode) bool {
	return slices.ContainsFunc(m.Evaluations, func(r *evaluate.Report) bool {
		return r.Variant == variant && r.Rules == rules && mode(r) == of
	})
}

// compareDatasets orders SLOT, SEL and REST as the paper does.
func compareDatasets(a, b key) int {
	order := []string{record.SLOT, record.SEL, record.REST}
	if c := slices.Index(order, a.variant) - slices.Index(order, b.variant); c != 0 {
		return c
	}
	return strings.Compare(a.category(), b.category())
}

// compareRates puts the lower rate of completion first.
func compareRates(a, b *evaluate.Report) int {
	switch {
	case a == nil || b == nil:
		return 0
	case a.Total.CompletionRate < b.Total.CompletionRate:
		return -1
	case a.Total.CompletionRate > b.Total.CompletionRate:
		return 1
	}
	return strings.Compare(a.Model, b.Model)
}

// table1 is the layout of the paper's table 1, nil if there is nothing for it.
func table1(reports []*ModelReport, rules evaluate.Rules) *table.Table {
	all := lines(reports, rules, evaluate.Direct, evaluate.SQL)
	if len(all) == 0 {
		return nil
	}
	t := &table.Table{Title: "Direct invocation, by the " + string(rules) + " rules"}
	t.Columns = append([]table.Column{{Name: "Dataset", Words: true}, {Name: "Model", Words: true}}, metricColumns("Intent", "Slot")...)
	t.Columns = append(t.Columns, table.Column{Group: "Compl.", Name: "Rate"}, table.Column{Group: "SQL Compl.", Name: "Rate"})
	for _, l := range all {
		named := l.report
		cells := []string{table.Dash, table.Dash, table.Dash, table.Dash, table.Dash, table.Dash, table.Dash}
		if named != nil {
			cells = append(metrics(named), completion(named))
		} else {
			named = l.other
		}
		sql := table.Dash
		if l.other != nil {
			sql = completion(l.other)
		}
		t.Add(append(append([]string{dataset(named), model(named)}, cells...), sql)...)
	}
	const intentF1, slotF1, rate, sqlRate = 4, 7, 8, 9
	markBest(t, all, intentF1, func(l line) *float64 { return f1(l.report, true) })
	markBest(t, all, slotF1, func(l line) *float64 { return f1(l.report, false) })
	markBest(t, all, rate, func(l line) *float64 { return rateOf(l.report) })
	markBest(t, all, sqlRate, func(l line) *float64 { return rateOf(l.other) })
	addNotes(t, all)
	return t
}

// table2 is the layout of the paper's table 2, nil if there is nothing for it.
func table2(reports []*ModelReport, rules evaluate.Rules) *table.Table {
	all := lines(reports, rules, evaluate.ReAct, evaluate.Direct)
	if len(all) == 0 {
		return nil
	}
	t := &table.Table{Title: "ReAct agents, by the " + string(rules) + " rules", Columns: []table.Column{
		{Name: "Dataset", Words: true}, {Name: "Model", Words: true}, {Group: "Base", Name: "Comp."}, {Group: "Agent", Name: "Comp."},
		{Group: "Avg.", Name: "Loops"}, {Name: "OOB"}, {Name: "Stuck"}, {Name: "Unclassified"},
	}}
	for _, l := range all {
		r, base := l.report, table.Dash
		if l.other != nil {
			base = completion(l.other)
		}
		loops := []string{table.Dash, table.Dash, table.Dash, table.Dash}
		if at := r.Total.Loops; at != nil {
			n := r.Total.Samples
			loops = []string{table.Decimal(&at.Average), table.Share(at.OutOfBudget, n), table.Share(at.Stuck, n), table.Share(at.Unclassified, n)}
		}
		t.Add(append([]string{dataset(r), model(r), base, completion(r)}, loops...)...)
	}
	const agentRate = 3
	markBest(t, all, agentRate, func(l line) *float64 { return rateOf(l.report) })
	addNotes(t, all)
	return t
}

func f1(r *evaluate.Report, intent bool) *float64 {
	switch {
	case r == nil:
		return nil
	case intent:
		return r.Total.Intent.F1
	}
	return r.Total.Slot.F1
}

func rateOf(r *evaluate.Report) *float64 {
	if r == nil || !r.Executed || r.Total.Samples == 0 {
		return nil // what was not run is in no contest
	}
	return &r.Total.CompletionRate
}

// markBest marks the highest value of a column in each dataset that has more
// than one.
func markBest(t *table.Table, all []line, column int, value func(line) *float64) {
	for first := 0; first < len(all); {
		end, seen, most := first, 0, 0.0
		for end < len(all) && all[end].where == all[first].where {
			if v := value(all[end]); v != nil {
				seen, most = seen+1, max(most, *v)
			}
			end++
		}
		for i := first; i < end && seen > 1 && most > 0; i++ {
			v := value(all[i])
			t.Rows[i][column].Best = v != nil && *v == most
		}
		first = end
	}
}

// addNotes says below a table what its marks mean.
func addNotes(t *table.Table, all []line) {
	simulated, sameCalls := false, false
	for _, l := range all {
		for _, r := range []*evaluate.Report{l.report, l.other} {
			if r != nil {
				simulated = simulated || r.Simulated
				sameCalls = sameCalls || !r.Executed
			}
		}
	}
	if sameCalls {
		t.Notes = append(t.Notes, sameCallsNote)
	}
	if simulated {
		t.Notes = append(t.Notes, simulatedNote)
	}
}
