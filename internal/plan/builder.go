package plan

import (
	"fmt"
	"slices"
	"time"

	"github.com/birdcall/birdcall/internal/dialect"
)

// Options of Build.
type Options struct {
	// AsOf is the instant that 'now' and CURRENT_TIMESTAMP stand for, in UTC.
	AsOf time.Time
}

// Build plans one SELECT statement of SQLite's dialect against a catalog. The
// error is an *Unsupported or a *dialect.Error; both name the construct.
func Build(sql string, cat Catalog, opts Options) (*Plan, error) {
	stmt, err := dialect.Parse(sql)
	if err != nil {
		return nil, err
	}
	b := &builder{cat: cat, asOf: opts.AsOf.UTC(), interned: map[string]StepID{}, base: map[baseKey]Col{}}
	out, err := b.statement(stmt, query{})
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
		Order: out.order, Choices: b.choices, Equals: b.equals, Clock: b.clock,
	}
	p.prune()
	return p, nil
}

// builder collects the steps of a plan.
type builder struct {
	cat      Catalog
	asOf     time.Time
	steps    []Step
	cols     []Column
	interned map[string]StepID
	base     map[baseKey]Col
	choices  []Choice
	equals   []Choice
	clock    bool
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

type baseKey struct {
	start StepID
	table int
	name  string
}

// add appends a step, or returns the equal one that is there: the same
// subquery written twice is computed once.
func (b *builder) add(s Step) StepID {
	key := fmt.Sprintf("%T%+v", s, s)
	if id, ok := b.interned[key]; ok {
		return id
	}
	id := StepID(len(b.steps))
	b.steps = append(b.steps, s)
	b.interned[key] = id
	return id
}

// addMaking appends a step that makes columns. key describes the step without
// them; make builds it with fresh ones where no equal step is there.
func (b *builder) addMaking(key string, make func() Step) StepID {
	if id, ok := b.interned[key]; ok {
		return id
	}
	id := b.add(make())
	b.interned[key] = id
	return id
}

// column makes a new column with a word for its name.
func (b *builder) column(hint string) Col {
	b.cols = append(b.cols, Column{Hint: hint})
	return Col(len(b.cols) - 1)
}

// baseColumn returns the column of a starting table.
func (b *builder) baseColumn(start StepID, table int, name string) Col {
	k := baseKey{start, table, name}
	if c, ok := b.base[k]; ok {
		return c
	}
	b.cols = append(b.cols, Column{Start: start, Table: table, Name: name, IsBase: true})
	c := Col(len(b.cols) - 1)
	b.base[k] = c
	return c
}

// collation returns that of a base column; a made column's is not known here
// and taken for BINARY.
func (b *builder) collation(c Col) string {
	col := b.cols[c]
	if !col.IsBase {
		return "BINARY"
	}
	t := b.cat.Table(b.steps[col.Start].(*Start).Tables[col.Table].Name)
	if i := slices.Index(t.Columns, col.Name); i >= 0 && t.Collations != nil {
		return t.Collations[i]
	}
	return "BINARY"
}

// output is a planned statement: its rows, columns and names.
type output struct {
	step     StepID
	cols     []Col
	names    []string
	order    *Order
	oneRow   bool // exactly one row, whatever the data
	complete bool // step has the columns cols and no others, and is no group
	grouped  bool // step is a group, which aggregates and filters take as such
}

// projected makes sure that the statement's result is a plain relation of its
// own columns.
func (b *builder) projected(o output) output {
	if !o.complete {
		o.step = b.add(&Project{In: o.step, Cols: o.cols, Limit: -1})
		o.complete, o.grouped = true, false
	}
	return o
}

// leaveOpenAggregates notes the orders of group_concat(), and which of equal
// values an aggregate takes. sum() tells 1 from 1.0 by its type.
func (b *builder) leaveOpenAggregates() {
	for i, s := range b.steps {
		a, ok := s.(*Aggregate)
		if !ok {
			continue
		}
		if a.Func == "concat" {
			b.leaveOpen(Choice{Kind: Concat, Step: StepID(i), Column: a.Out})
		}
		extreme := (a.Func == "min" || a.Func == "max") && a.Limit == 0
		if extreme || a.Distinct && (a.Func == "concat" || a.Func == "sum") {
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

// prune drops the steps that nothing reads and renumbers the rest.
func (p *Plan) prune() {
	live := make([]bool, len(p.Steps))
	live[p.Result] = true
	for i := len(p.Steps) - 1; i >= 0; i-- {
		if live[i] {
			for _, in := range p.Steps[i].Inputs() {
				live[in] = true
			}
		}
	}
	to := make([]StepID, len(p.Steps))
	kept := p.Steps[:0]
	for i, s := range p.Steps {
		to[i] = StepID(len(kept))
		if live[i] {
			kept = append(kept, s)
		}
	}
	p.Steps = kept
	for _, s := range p.Steps {
		renumber(s, to)
	}
	for i := range p.Columns {
		if p.Columns[i].IsBase {
			p.Columns[i].Start = to[p.Columns[i].Start]
		}
	}
	alive := func(list []Choice) []Choice {
		kept := list[:0]
		for _, c := range list {
			if live[c.Step] {
				c.Step = to[c.Step]
				kept = append(kept, c)
			}
		}
		return kept
	}
	p.Choices, p.Equals = alive(p.Choices), alive(p.Equals)
	if p.Order != nil {
		p.Order.Sorted = to[p.Order.Sorted]
	}
	p.Result = to[p.Result]
}

func renumber(s Step, to []StepID) {
	// Steps may share an operand list, so each gets a copy of its own.
	operands := func(ops []Operand) []Operand {
		out := slices.Clone(ops)
		for i := range out {
			if out[i].Kind == Result {
				out[i].Step = to[out[i].Step]
			}
		}
		return out
	}
	arguments := func(args []Arg) []Arg {
		out := slices.Clone(args)
		for i := range out {
			out[i].Values = operands(out[i].Values)
		}
		return out
	}
	switch s := s.(type) {
	case *Filter:
		s.In = to[s.In]
		s.Args = operands(s.Args)
	case *Either:
		s.A, s.B = to[s.A], to[s.B]
	case *Derive:
		s.In = to[s.In]
		s.Args = arguments(s.Args)
	case *Group:
		s.In = to[s.In]
	case *Aggregate:
		s.In = to[s.In]
	case *Pick:
		s.In = to[s.In]
	case *Sort:
		s.In = to[s.In]
	case *Project:
		s.In = to[s.In]
	case *SetOp:
		s.A, s.B = to[s.A], to[s.B]
	case *Join:
		s.A, s.B = to[s.A], to[s.B]
	case *Window:
		s.In = to[s.In]
		s.Args = arguments(s.Args)
	}
}
