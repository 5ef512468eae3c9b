package plan

import (
	"strconv"

	"github.com/birdcall/birdcall/pkg/value"
)

// keyOf describes a step by all that it computes, without the columns that it
// makes: steps with one key give the same result.
func keyOf(s Step) string {
	k := make(keyBuilder, 0, 64)
	switch s := s.(type) {
	case *Start:
		k.word("start")
		for _, t := range s.Tables {
			k.word(t.Alias)
			k.word(t.Name)
		}
		for _, j := range s.Joins {
			k.word(string(j.Kind))
			k.number(j.Left, j.Right)
			k.word(j.LeftColumn)
			k.word(j.RightColumn)
		}
	case *Filter:
		k.word("filter")
		k.number(int(s.In), int(s.Col))
		k.word(string(s.Condition))
		k.operands(s.Args)
		k.word(s.Escape)
		k.word(s.Collation)
	case *Either:
		k.word("either")
		k.number(int(s.A), int(s.B))
	case *Derive:
		k.word("derive")
		k.number(int(s.In), int(s.From))
		k.word(string(s.Op))
		k.args(s.Args)
	case *Group:
		k.word("group")
		k.number(int(s.In))
		k.cols(s.Keys)
	case *Aggregate:
		k.word("aggregate")
		k.number(int(s.In), int(s.From), s.Limit)
		k.word(string(s.Func))
		k.flags(s.Distinct, s.Grouped, s.Separator != nil)
		if s.Separator != nil {
			k.operands([]Operand{*s.Separator})
		}
	case *Pick:
		k.word("pick")
		k.number(int(s.In), int(s.From))
		k.flags(s.Max)
	case *Sort:
		k.word("sort")
		k.number(int(s.In))
		k.cols(s.Keys)
		k.flags(s.Desc, s.NullsFirst)
		k.word(s.Collation)
	case *Project:
		k.word("project")
		k.number(int(s.In), s.Limit, s.Offset)
		k.cols(s.Cols)
		k.flags(s.Distinct)
	case *SetOp:
		k.word("set")
		k.number(int(s.A), int(s.B))
		k.word(string(s.Op))
	case *Join:
		k.word("join")
		k.number(int(s.A), int(s.B))
		k.cols(s.AKeys)
		k.cols(s.BKeys)
		k.cols(s.BCols)
		k.word(string(s.Kind))
		k.flags(s.NullEqual)
	case *Expand:
		k.word("expand")
		k.number(int(s.In))
		k.operands([]Operand{s.Doc, s.Path})
		k.flags(s.Recursive)
	case *Window:
		k.window(s)
	}
	return string(k)
}

// derivation describes what Derive computes, on whatever relation.
func derivation(s *Derive) string {
	k := make(keyBuilder, 0, 64)
	k.number(int(s.From))
	k.word(string(s.Op))
	k.args(s.Args)
	return string(k)
}

func (k *keyBuilder) window(s *Window) {
	k.word("window")
	k.number(int(s.In), int(s.From))
	k.word(string(s.Func))
	k.cols(s.Partition)
	k.cols(s.Order)
	k.flags(s.Desc...)
	k.word(string(s.Nulls))
	k.args(s.Args)
	if f := s.Frame; f != nil {
		k.word(f.Unit)
		k.word(string(f.Exclude))
		for _, b := range []Bound{f.Start, f.End} {
			k.flags(b.Unbounded)
			k.operands([]Operand{constant(b.Offset)})
		}
	}
}

// keyBuilder appends the parts of a key so that no two lists of parts give one.
type keyBuilder []byte

func (k *keyBuilder) word(s string) {
	*k = strconv.AppendInt(*k, int64(len(s)), 10)
	*k = append(*k, ':')
	*k = append(*k, s...)
}

func (k *keyBuilder) number(list ...int) {
	for _, n := range list {
		*k = strconv.AppendInt(*k, int64(n), 10)
		*k = append(*k, ' ')
	}
}

func (k *keyBuilder) flags(list ...bool) {
	for _, b := range list {
		*k = strconv.AppendBool(*k, b)
	}
	*k = append(*k, ';')
}

func (k *keyBuilder) cols(list []Col) {
	k.number(len(list))
	for _, c := range list {
		k.number(int(c))
	}
}

func (k *keyBuilder) args(list []Arg) {
	k.number(len(list))
	for _, a := range list {
		k.word(a.Name)
		k.flags(a.List)
		k.operands(a.Values)
	}
}

func (k *keyBuilder) operands(list []Operand) {
	k.number(len(list))
	for _, o := range list {
		k.number(int(o.Kind))
		switch o.Kind {
		case ColumnOf:
			k.number(int(o.Col))
		case Result:
			k.number(int(o.Step), int(o.Col))
		case Constant:
			k.number(int(o.Value.Kind()))
			if o.Value.Kind() == value.Real {
				*k = strconv.AppendFloat(*k, o.Value.Float64(), 'x', -1, 64)
				*k = append(*k, ' ')
			} else {
				k.word(value.AsText(o.Value))
			}
		}
	}
}
