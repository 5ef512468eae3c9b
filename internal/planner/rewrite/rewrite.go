package rewrite

import (
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/planner/plan"
)

// Saving is what a rule did to a plan.
type Saving struct {
	Rule  string
	Fired int // how often
	Calls int // how many calls that saved; below 0 it cost some
}

// rule is one way to say a part of a plan better.
type rule struct {
	name string
	// fire changes the first place that has the rule's shape, and reports
	// whether there was one.
	fire func(*work) bool
}

// rules lists the rules in the order in which they are tried.
var rules = []rule{
	{"tables are joined at the start", (*work).joinAtStart},
	{"a key in a list is joined at the start", (*work).joinKeyList},
	{"equal steps are made once", (*work).mergeEqualSteps},
	{"equal tables in another order are one", (*work).mergeReorderedTables},
	{"equal expressions are computed once", (*work).computeOnce},
	{"cast, multiply, divide is a ratio", (*work).makeRatio},
	{"conversions that change nothing go", (*work).dropRedundantCasts},
	{"counts and sums of CASE are filters", (*work).filterCases},
	{"filters that keep everything go", (*work).dropImpliedFilters},
	{"a joined single value is read as one", (*work).readSingleValue},
	{"what a filter has asked is known", (*work).reuseFilteredCondition},
	{"the only aggregate of all rows is a value", (*work).ungroupSingleAggregate},
	{"a value of several aggregates is made of values", (*work).splitAggregates},
	{"OR of equalities is in", (*work).mergeEqualities},
	{"GROUP BY without aggregates is distinct", (*work).retrieveDistinct},
	{"two bounds are between", (*work).mergeBounds},
	{"columns are retrieved at the end", (*work).retrieveAtEnd},
	{"a first row's value is read as one", (*work).readFirstValue},
}

// Names lists the names of the rules.
func Names() []string {
	out := make([]string, len(rules))
	for i, r := range rules {
		out[i] = r.name
	}
	return out
}

// maxFired bounds how often the rules fire on one plan. Each makes the plan
// smaller or takes a shape away, so that none comes near.
const maxFired = 2000

// Apply rewrites a plan in place, and returns what each rule did.
func Apply(p *plan.Plan, schema *sqlite.Schema) []Saving {
	out := make([]Saving, len(rules))
	for i, r := range rules {
		out[i].Rule = r.name
	}
	w := &work{p: p, schema: schema}
	w.analyze()
	fired := 0
	for changed := true; changed; {
		changed = false
		for i, r := range rules {
			before, n := w.calls(), 0
			for fired < maxFired && r.fire(w) {
				fired++
				n++
				w.prune()
			}
			if n > 0 {
				w.dropUnread()
				out[i].Fired += n
				out[i].Calls += before - w.calls()
				changed = true
			}
		}
	}
	return out
}

// calls is how many calls a plan takes: one for each step that is no start.
func (w *work) calls() int {
	n := 0
	for _, s := range w.p.Steps {
		if _, ok := s.(*plan.Start); !ok {
			n++
		}
	}
	return n
}
