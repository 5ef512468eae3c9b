package ties

import (
	"context"
	"slices"

	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// equals are the values of which a step shows one for all that are equal to it.
type equals struct {
	plan.Choice
	cols       []plan.Col // what the columns of the rows are called after the step
	collations []value.Collation
	classes    [][][]value.Value // the different rows of each class of equal ones, in order of appearance
}

// openEquals returns the places where the data have values that are equal but
// not the same, of which one is shown.
func (r *Run) openEquals(ctx context.Context) ([]*equals, error) {
	var open []*equals
	for _, c := range r.Plan.Equals {
		e, err := r.equals(ctx, c)
		if err != nil {
			return nil, err
		}
		if e != nil && slices.ContainsFunc(e.classes, func(rows [][]value.Value) bool { return len(rows) > 1 }) {
			open = append(open, e)
		}
	}
	return open, nil
}

// equals reads the classes of a choice, or returns nil where the columns show
// that equal values are the same.
func (r *Run) equals(ctx context.Context, c plan.Choice) (*equals, error) {
	e := &equals{Choice: c}
	switch s := r.Plan.Steps[c.Step].(type) {
	case *plan.Project:
		e.cols = s.Cols
		return e, r.classes(ctx, e, s.In, s.Cols, len(s.Cols))
	case *plan.Group:
		e.cols = []plan.Col{c.Column}
		return e, r.classes(ctx, e, s.In, append([]plan.Col{c.Column}, s.Keys...), 1)
	case *plan.Aggregate:
		e.cols = []plan.Col{s.Out}
		cols := []plan.Col{s.From}
		in := s.In
		if s.Grouped {
			// Another order of the group's rows lets it take another value.
			e.Choice = plan.Choice{Kind: plan.Equal, Step: r.groupOf(s), Column: s.From}
			g := r.Plan.Steps[e.Step].(*plan.Group)
			in, cols = g.In, append(cols, g.Keys...)
		}
		if s.Distinct {
			return e, r.classes(ctx, e, in, cols, 1)
		}
		return e, r.extremes(ctx, e, in, cols, s.Func == tools.Max)
	case *plan.SetOp:
		return e, r.combined(ctx, e, s)
	}
	return nil, nil
}

// groupOf returns the group that a grouped aggregate is of.
func (r *Run) groupOf(s *plan.Aggregate) plan.StepID {
	at := s.In
	for {
		if _, ok := r.Plan.Steps[at].(*plan.Group); ok {
			return at
		}
		at = plan.Sources(r.Plan.Steps[at])[0]
	}
}

// candidates reads columns of a step's result for a choice, with their
// collations, or returns nil if equal values of all of them are the same.
func (r *Run) candidates(ctx context.Context, e *equals, step plan.StepID, cols []plan.Col) ([][]value.Value, error) {
	t, _ := r.Session.Table(r.Sequence.Labels[step])
	keys := make([]string, len(cols))
	for i, c := range cols {
		keys[i] = r.Sequence.Keys[step][c]
	}
	t, err := tools.RetrieveData(ctx, t, tools.RetrieveArgs{Keys: keys})
	if err != nil || !slices.ContainsFunc(t.Fields(), mayDiffer) {
		return nil, err
	}
	e.collations = collationsOf(t)
	return t.Rows(ctx)
}

// mayDiffer reports whether a column may have values that are equal but not the
// same. A declared type leaves each number in one storage class
// (datatype3.html, section 3.4).
func mayDiffer(f tools.Field) bool {
	return f.Computed || f.Collation != value.Binary || f.Affinity == value.AffinityNone || f.Affinity == value.AffinityBlob
}

func collationsOf(t *tools.Table) []value.Collation {
	out := make([]value.Collation, 0, len(t.Fields()))
	for _, f := range t.Fields() {
		out = append(out, f.Collation)
	}
	return out
}

// classes reads the classes of rows that are equal in all of these columns. The
// first ones are shown.
func (r *Run) classes(ctx context.Context, e *equals, in plan.StepID, cols []plan.Col, shown int) error {
	rows, err := r.candidates(ctx, e, in, cols)
	if err != nil || rows == nil {
		return err
	}
	numbers, n, err := classNumbers(ctx, rows, e.collations)
	if err != nil {
		return err
	}
	e.classes = make([][][]value.Value, n)
	for i, row := range rows {
		e.add(numbers[i], row[:shown])
	}
	return nil
}

// extremes reads, for each group, the values that are equal to its smallest or
// largest one. The first column is that of the values, the others distinguish the
// groups apart.
func (r *Run) extremes(ctx context.Context, e *equals, in plan.StepID, cols []plan.Col, largest bool) error {
	rows, err := r.candidates(ctx, e, in, cols)
	if err != nil || rows == nil {
		return err
	}
	keys := make([][]value.Value, len(rows))
	for i, row := range rows {
		keys[i] = row[1:]
	}
	numbers, n, err := classNumbers(ctx, keys, e.collations[1:])
	if err != nil {
		return err
	}
	e.classes = make([][][]value.Value, n)
	for i, row := range rows {
		if row[0].IsNull() {
			continue
		}
		class := &e.classes[numbers[i]]
		if len(*class) > 0 {
			order := value.Compare(row[0], (*class)[0][0], e.collations[0])
			if order != 0 && order > 0 != largest {
				continue
			}
			if order != 0 {
				*class = nil
			}
		}
		e.add(numbers[i], row[:1])
	}
	return nil
}

// combined reads the classes of a set operation's rows.
func (r *Run) combined(ctx context.Context, e *equals, s *plan.SetOp) error {
	result, _ := r.Session.Table(r.Sequence.Labels[e.Step])
	a, _ := r.Session.Table(r.Sequence.Labels[s.A])
	b, _ := r.Session.Table(r.Sequence.Labels[s.B])
	may := false
	for i, f := range a.Fields() {
		other := b.Fields()[i]
		may = may || mayDiffer(f) || mayDiffer(other) || f.Affinity != other.Affinity
	}
	if !may {
		return nil
	}
	rows, err := a.Rows(ctx)
	if err != nil {
		return err
	}
	below, err := b.Rows(ctx)
	if err != nil {
		return err
	}
	e.collations = collationsOf(result)
	e.cols = r.columnsOf(e.Step, result)
	all := slices.Concat(rows, below)
	numbers, n, err := classNumbers(ctx, all, e.collations)
	if err != nil {
		return err
	}
	first, second := make([]bool, n), make([]bool, n)
	for i, class := range numbers {
		if i < len(rows) {
			first[class] = true
		} else {
			second[class] = true
		}
	}
	e.classes = make([][][]value.Value, n)
	for i, row := range all {
		class := numbers[i]
		switch {
		case s.Op == "intersect" && !(first[class] && second[class]):
		case s.Op == "except" && second[class]:
		default:
			e.add(class, row)
		}
	}
	e.classes = slices.DeleteFunc(e.classes, func(rows [][]value.Value) bool { return len(rows) == 0 })
	return nil
}

// columnsOf names the columns of a step's result in the order of its table.
func (r *Run) columnsOf(step plan.StepID, t *tools.Table) []plan.Col {
	out := make([]plan.Col, len(t.Fields()))
	for i, f := range t.Fields() {
		out[i] = plan.None
		for col, key := range r.Sequence.Keys[step] {
			if key == f.Key {
				out[i] = col
			}
		}
	}
	return out
}

// add adds a row to a class unless the same one is there, or very many others.
func (e *equals) add(class int, row []value.Value) {
	same := func(other []value.Value) bool { return slices.Equal(other, row) }
	if rows := e.classes[class]; len(rows) < maxAlternatives && !slices.ContainsFunc(rows, same) {
		e.classes[class] = append(rows, row)
	}
}

// classNumbers numbers rows by their classes, in the order of appearance. The
// error is that of ctx.
func classNumbers(ctx context.Context, rows [][]value.Value, collations []value.Collation) (numbers []int, classes int, err error) {
	type step struct {
		before int
		key    value.Value
	}
	numbers = make([]int, len(rows))
	known := map[step]int{}
	for i, row := range rows {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		at := -1
		for j, v := range row {
			s := step{at, value.Key(v, collations[j])}
			next, again := known[s]
			if !again {
				next = len(known)
				known[s] = next
			}
			at = next
		}
		numbers[i] = at
	}
	dense := map[int]int{}
	for i, n := range numbers {
		if _, again := dense[n]; !again {
			dense[n] = len(dense)
		}
		numbers[i] = dense[n]
	}
	return numbers, len(dense), nil
}
