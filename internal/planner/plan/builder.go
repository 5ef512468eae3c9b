package plan

import (
	"slices"
	"time"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Options of Build.
type Options struct {
	// AsOf is the instant that 'now' and CURRENT_TIMESTAMP stand for, in UTC.
	AsOf time.Time
}

// Build plans a bound SELECT statement over the tables of a schema. The error
// is an *Unsupported, which names the construct.
func Build(q *sqltree.Query, schema *sqlite.Schema, opts Options) (*Plan, error) {
	b := &builder{schema: schema, asOf: opts.AsOf.UTC(), interned: map[string]StepID{}, base: map[baseTable][]Col{}}
	out, err := b.statement(q, around{})
	if err != nil {
		return nil, err
	}
	out = b.projected(out)
	b.leaveOpenAggregates()
	if err := b.spend(); err != nil {
		return nil, err
	}
	p := &Plan{
		Steps: b.steps, Columns: b.cols, Result: out.step, Output: out.cols, Names: out.names,
		Order: out.order, Choices: b.choices, Equals: b.equals,
	}
	p.Prune()
	if !slices.ContainsFunc(p.Steps, isStart) {
		return nil, unsupported(tableFunction, "the statement reads no table, so that there is nothing to start from")
	}
	return p, nil
}

func isStart(s Step) bool {
	_, ok := s.(*Start)
	return ok
}

// builder collects the steps of a plan.
type builder struct {
	schema   *sqlite.Schema
	asOf     time.Time
	steps    []Step
	cols     []Column
	compares []comparing // of each column
	interned map[string]StepID
	base     map[baseTable][]Col // None for what nothing has read yet
	choices  []Choice
	equals   []Choice
	depth    int
	work     int // expressions and statements planned
}

// What planning may cost. A subquery that reads the query around it, or a
// common table expression that is used again, is planned more than once, which
// multiplies where they are nested; and calls by the thousand are no sample.
const (
	maxWork  = 100_000
	maxSteps = 1000
)

// spend counts one more expression or statement that is planned, and refuses
// those that cost too much. From there on it always does.
func (b *builder) spend() error {
	b.work++
	switch {
	case b.work > maxWork:
		return unsupported("size of the plan", "the statement repeats its subqueries too often; simplify it")
	case len(b.steps) > maxSteps:
		return unsupported("size of the plan", "the statement takes more than %d steps; simplify it", maxSteps)
	}
	return nil
}

// baseTable is a table of a starting relation.
type baseTable struct {
	start StepID
	place int
}

// add appends a step, or returns the equal one that is there: the same
// subquery written twice is computed once.
func (b *builder) add(s Step) StepID { return b.making(s, func() {}) }

// making appends a step that makes columns, which out enters into it, or
// returns the equal step that is there, with new columns.
func (b *builder) making(s Step, out func()) StepID {
	key := keyOf(s)
	if id, ok := b.interned[key]; ok {
		return id
	}
	out()
	id := StepID(len(b.steps))
	b.steps = append(b.steps, s)
	b.interned[key] = id
	return id
}

// column makes a new column with a word for its name.
func (b *builder) column(hint string) Col {
	b.cols = append(b.cols, Column{Hint: hint})
	b.compares = append(b.compares, comparing{collation: sqltree.BinaryCollation})
	return Col(len(b.cols) - 1)
}

// sameAs makes a new column of the values of another one.
func (b *builder) sameAs(c Col) Col {
	out := b.column(b.nameOf(c))
	b.compares[out] = b.compares[c]
	return out
}

// output is a planned statement: its rows, columns and names.
type output struct {
	step     StepID
	cols     []Col
	names    []string
	order    *Order
	oneRow   bool  // exactly one row, whatever the data
	complete bool  // step has the columns cols and no others, and is no group
	grouped  bool  // step is a group, which aggregates and filters take as such
	given    []Col // of a subquery planned for given outer values: those columns
}

// projected makes sure that the statement's result is a plain relation of its
// own columns.
func (b *builder) projected(o output) output {
	if !o.complete {
		cols := o.cols
		if o.given != nil {
			cols = distinctCols(append(slices.Clone(cols), o.given...))
		}
		o.step = b.add(&Project{In: o.step, Cols: cols, Limit: -1})
		o.complete, o.grouped = true, false
	}
	return o
}

// leaveOpenAggregates notes the orders of group_concat(), and which of equal
// values an aggregate takes. sum() distinguishes 1 from 1.0 by its type.
func (b *builder) leaveOpenAggregates() {
	for i, s := range b.steps {
		a, ok := s.(*Aggregate)
		if !ok {
			continue
		}
		if a.Func == tools.Concat {
			b.leaveOpen(Choice{Kind: Concat, Step: StepID(i), Column: a.Out})
		}
		extreme := (a.Func == tools.Min || a.Func == tools.Max) && a.Limit == 0
		if extreme || a.Distinct && (a.Func == tools.Concat || a.Func == tools.Sum) {
			b.leaveOpen(Choice{Kind: Equal, Step: StepID(i), Column: a.Out})
		}
	}
}

// leaveOpen notes a choice, once.
func (b *builder) leaveOpen(c Choice) {
	same := func(o Choice) bool { return o.Kind == c.Kind && o.Step == c.Step && o.Column == c.Column }
	list := &b.choices
	if c.Kind == Equal {
		list = &b.equals
	}
	if !slices.ContainsFunc(*list, same) {
		*list = append(*list, c)
	}
}

// Prune drops the steps that nothing reads and renumbers the rest.
func (p *Plan) Prune() {
	live := make([]bool, len(p.Steps))
	live[p.Result] = true
	for i := len(p.Steps) - 1; i >= 0; i-- {
		if live[i] {
			for _, in := range Inputs(p.Steps[i]) {
				live[in] = true
			}
		}
	}
	dead := func(c Choice) bool { return !live[c.Step] }
	p.Choices, p.Equals = slices.DeleteFunc(p.Choices, dead), slices.DeleteFunc(p.Equals, dead)
	to := make([]StepID, len(p.Steps))
	kept := p.Steps[:0]
	for i, s := range p.Steps {
		to[i] = NoStep
		if live[i] {
			to[i] = StepID(len(kept))
			kept = append(kept, s)
		}
	}
	p.Steps = kept
	p.renumber(to)
}
