package plan

import (
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/pkg/value"
)

// String writes the plan for people, one line a step.
func (p *Plan) String() string {
	var b strings.Builder
	for i, s := range p.Steps {
		fmt.Fprintf(&b, "%d: %s\n", i, p.describe(s))
	}
	fmt.Fprintf(&b, "answer: %d %s\n", p.Result, p.list(p.Output))
	return b.String()
}

func (p *Plan) describe(s Step) string {
	switch s := s.(type) {
	case *Start:
		var parts []string
		for _, t := range s.Tables {
			parts = append(parts, t.Name+" "+t.Alias)
		}
		for _, j := range s.Joins {
			parts = append(parts, fmt.Sprintf("%s %s.%s=%s.%s", j.Kind, s.Tables[j.Left].Alias, j.LeftColumn, s.Tables[j.Right].Alias, j.RightColumn))
		}
		return "start " + strings.Join(parts, ", ")
	case *Filter:
		return fmt.Sprintf("filter %d: %s %s%s%s", s.In, p.name(s.Col), s.Condition, p.operands(s.Args), by(s.Collation))
	case *Either:
		return fmt.Sprintf("either %d %d", s.A, s.B)
	case *Derive:
		var args []string
		for _, a := range s.Args {
			args = append(args, a.Name+p.operands(a.Values))
		}
		return fmt.Sprintf("derive %d: %s = %s(%s) %s", s.In, p.name(s.Out), s.Op, p.name(s.From), strings.Join(args, ", "))
	case *Group:
		return fmt.Sprintf("group %d: by %s", s.In, p.list(s.Keys))
	case *Aggregate:
		distinct := ""
		if s.Distinct {
			distinct = "distinct "
		}
		return fmt.Sprintf("aggregate %d: %s = %s(%s%s)", s.In, p.name(s.Out), s.Func, distinct, p.name(s.From))
	case *Pick:
		return fmt.Sprintf("pick %d: max=%t of %s", s.In, s.Max, p.name(s.From))
	case *Sort:
		return fmt.Sprintf("sort %d: by %s desc=%t%s", s.In, p.list(s.Keys), s.Desc, by(s.Collation))
	case *Project:
		return fmt.Sprintf("project %d: %s distinct=%t limit=%d offset=%d", s.In, p.list(s.Cols), s.Distinct, s.Limit, s.Offset)
	case *SetOp:
		return fmt.Sprintf("%s %d %d", s.Op, s.A, s.B)
	case *Join:
		return fmt.Sprintf("join %d %d: %s %s=%s as %s", s.A, s.B, s.Kind, p.list(s.AKeys), p.list(s.BKeys), p.list(s.Renamed))
	case *Expand:
		return fmt.Sprintf("expand %d:%s recursive=%t as %s", s.In, p.operands([]Operand{s.Doc, s.Path}), s.Recursive, p.list(s.Out))
	case *Window:
		return fmt.Sprintf("window %d: %s = %s(%s) partition %s order %s %v%s", s.In, p.name(s.Out), s.Func, p.name(s.From), p.list(s.Partition), p.list(s.Order), s.Desc, s.Nulls)
	}
	return fmt.Sprintf("%T", s)
}

// by writes a collation that is not the column's.
func by(collation string) string {
	if collation == "" {
		return ""
	}
	return " collate " + collation
}

func (p *Plan) name(c Col) string {
	if c == None {
		return "*"
	}
	col := p.Columns[c]
	if col.IsBase {
		return fmt.Sprintf("%s.%s", p.Steps[col.Start].(*Start).Tables[col.Table].Alias, col.Name)
	}
	return fmt.Sprintf("%s#%d", col.Hint, c)
}

func (p *Plan) list(cols []Col) string {
	names := make([]string, len(cols))
	for i, c := range cols {
		names[i] = p.name(c)
	}
	return "[" + strings.Join(names, ", ") + "]"
}

func (p *Plan) operands(ops []Operand) string {
	var b strings.Builder
	for _, o := range ops {
		b.WriteByte(' ')
		switch o.Kind {
		case ColumnOf:
			b.WriteString(p.name(o.Col))
		case Result:
			fmt.Fprintf(&b, "$%d", o.Step)
		case Constant:
			if o.Value.Kind() == value.Text {
				fmt.Fprintf(&b, "'%s'", o.Value.Raw())
			} else {
				b.WriteString(value.AsText(o.Value))
			}
		}
	}
	return b.String()
}
