package plan

// references are the places in a step that refer to other steps and to columns:
// whatever goes through the steps of a plan goes by them.
type references struct {
	rows     []*StepID    // the relations whose rows it takes on
	cols     []*Col       // columns that it reads of these rows, or None
	lists    []*[]Col     // more of them
	operands []*[]Operand // operands, which read columns and results
	single   []*Operand   // more of them
}

// each calls visit for all operands.
func (r references) each(visit func(*Operand)) {
	for _, list := range r.operands {
		for i := range *list {
			visit(&(*list)[i])
		}
	}
	for _, o := range r.single {
		visit(o)
	}
}

func (s *Start) refers() references { return references{} }

func (s *Filter) refers() references {
	return references{rows: []*StepID{&s.In}, cols: []*Col{&s.Col}, operands: []*[]Operand{&s.Args}}
}

func (s *Either) refers() references { return references{rows: []*StepID{&s.A, &s.B}} }

func (s *Derive) refers() references {
	return references{rows: []*StepID{&s.In}, cols: []*Col{&s.From}, operands: operandsOf(s.Args)}
}

func (s *Expand) refers() references {
	r := references{single: []*Operand{&s.Doc, &s.Path}}
	if s.In != NoStep {
		r.rows = []*StepID{&s.In}
	}
	return r
}

func (s *Group) refers() references {
	return references{rows: []*StepID{&s.In}, lists: []*[]Col{&s.Keys}}
}

func (s *Aggregate) refers() references {
	return references{rows: []*StepID{&s.In}, cols: []*Col{&s.From}}
}

func (s *Pick) refers() references {
	return references{rows: []*StepID{&s.In}, cols: []*Col{&s.From}}
}

func (s *Sort) refers() references {
	return references{rows: []*StepID{&s.In}, lists: []*[]Col{&s.Keys}}
}

func (s *Project) refers() references {
	return references{rows: []*StepID{&s.In}, lists: []*[]Col{&s.Cols}}
}

func (s *SetOp) refers() references { return references{rows: []*StepID{&s.A, &s.B}} }

func (s *Join) refers() references {
	return references{rows: []*StepID{&s.A, &s.B}, lists: []*[]Col{&s.AKeys, &s.BKeys, &s.BCols}}
}

func (s *Window) refers() references {
	return references{rows: []*StepID{&s.In}, cols: []*Col{&s.From}, lists: []*[]Col{&s.Partition, &s.Order}, operands: operandsOf(s.Args)}
}

func operandsOf(args []Arg) []*[]Operand {
	out := make([]*[]Operand, len(args))
	for i := range args {
		out[i] = &args[i].Values
	}
	return out
}

// Sources returns the steps whose rows a step takes on, without those that it
// only reads a value from.
func Sources(s Step) []StepID {
	var out []StepID
	for _, id := range s.refers().rows {
		out = append(out, *id)
	}
	return out
}

// Inputs returns the steps whose results a step reads, operands' included.
func Inputs(s Step) []StepID {
	out := Sources(s)
	s.refers().each(func(o *Operand) {
		if o.Kind == Result {
			out = append(out, o.Step)
		}
	})
	return out
}

// Reads returns the columns that a step reads from its input's rows.
func Reads(s Step) []Col {
	var out []Col
	r := s.refers()
	for _, c := range r.cols {
		if *c != None {
			out = append(out, *c)
		}
	}
	for _, list := range r.lists {
		out = append(out, *list...)
	}
	r.each(func(o *Operand) {
		if o.Kind == ColumnOf {
			out = append(out, o.Col)
		}
	})
	return out
}

// renumber gives the steps that a step refers to their new numbers.
func renumber(s Step, to []StepID) {
	own(s)
	r := s.refers()
	for _, id := range r.rows {
		*id = to[*id]
	}
	r.each(func(o *Operand) {
		if o.Kind == Result {
			o.Step = to[o.Step]
		}
	})
}
