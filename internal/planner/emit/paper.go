package emit

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/internal/planner/vocabulary"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/tools"
)

// beyondPaper says in SQL's words what the tools and arguments that the paper lacks are
// for. Operations and conditions say it themselves.
var beyondPaper = map[string]string{
	toolname.Combine: "OR or set operator", toolname.Join: "join with a subquery", toolname.Window: "window function",
	toolname.Expand:       "table-valued function",
	toolname.ArgOutputKey: "derived column beside its source", toolname.ArgOffset: "OFFSET",
	toolname.ArgNulls: "NULLS FIRST or LAST", toolname.ArgCollation: "COLLATE", toolname.ArgEscape: "ESCAPE", toolname.ArgSeparator: "group_concat",
	string(tools.Total): "total()", toolname.ArgModifiers: "date modifiers",
}

func notInPaper(word, format string, args ...any) error {
	condition, _ := vocabulary.OfCondition(tools.Condition(word))
	construct := cmp.Or(beyondPaper[word], vocabulary.Of(tools.Operation(word)).Construct, condition.Construct, word)
	return &plan.Unsupported{Construct: construct, Reason: "the paper's tools have no " + fmt.Sprintf(format, args...)}
}

// checkPaper reports the first thing in a sequence that the paper's tools
// cannot say, as a *plan.Unsupported.
func (s *Sequence) checkPaper() error {
	if len(s.Calls) == 0 {
		return notInPaper("SELECT *", "call that takes a table as it is")
	}
	for _, c := range s.Calls {
		d, ok := definition(tools.Definitions(), c.Name)
		if !ok || !d.Paper {
			return notInPaper(c.Name, "%s", c.Name)
		}
		if err := checkArguments(d.Parameters, c.Arguments); err != nil {
			return err
		}
	}
	return nil
}

func definition(all []tools.Definition, name string) (tools.Definition, bool) {
	for _, d := range all {
		if d.Name == name {
			return d, true
		}
	}
	return tools.Definition{}, false
}

func checkArguments(params []tools.Parameter, args tools.Arguments) error {
	given := map[string]bool{}
	for _, a := range args {
		given[a.Name] = true
		p, ok := parameter(params, a.Name)
		if !ok || !p.Paper {
			return notInPaper(a.Name, "argument %s", a.Name)
		}
		word, isText := a.Value.(string)
		for _, c := range p.Choices {
			if isText && c.Name == word && !c.Paper {
				return notInPaper(word, "%s", word)
			}
		}
		switch a.Name {
		case toolname.ArgValue:
			if err := checkLiteral(a.Value); err != nil {
				return err
			}
		case toolname.ArgKeyName:
			if keys, ok := a.Value.([]any); ok && len(keys) == 0 {
				return notInPaper("several aggregates", "group of all rows")
			}
		case toolname.ArgOperationArgs:
			if err := checkOperation(args, a.Value); err != nil {
				return err
			}
		}
	}
	for _, p := range params {
		if p.Name == toolname.ArgKeyName && !given[p.Name] {
			return notInPaper("arithmetic on results", "call without key_name")
		}
	}
	return nil
}

func parameter(params []tools.Parameter, name string) (tools.Parameter, bool) {
	for _, p := range params {
		if p.Name == name {
			return p, true
		}
	}
	return tools.Parameter{}, false
}

func checkOperation(args tools.Arguments, value any) error {
	name, _ := args.Get(toolname.ArgOperationType)
	op, _ := name.(string)
	d, ok := definition(tools.Operations(), op)
	if !ok || !d.Paper {
		return notInPaper(op, "operation %s", op)
	}
	for _, a := range value.(tools.Arguments) {
		if p, ok := parameter(d.Parameters, a.Name); !ok || !p.Paper {
			return notInPaper(a.Name, "%s of %s", a.Name, op)
		}
		if err := checkLiteral(a.Value); err != nil {
			return err
		}
	}
	return nil
}

func checkLiteral(v any) error {
	switch v := v.(type) {
	case tools.Arguments:
		return notInPaper("comparison of columns", "value that is not a literal")
	case []any:
		return notInPaper("in", "list as a value")
	case nil:
		return notInPaper("comparison with NULL", "NULL as a value")
	case string:
		if len(v) > 2 && strings.HasPrefix(v, "$") && strings.HasSuffix(v, "$") {
			return notInPaper("nested SELECT", "result as a value")
		}
	}
	return nil
}

// split takes apart what one call says in the full set and several in the
// paper's: BETWEEN, and sorting by several keys.
func (e *emitter) split(s plan.Step) []plan.Step {
	if !e.paper {
		return []plan.Step{s}
	}
	switch s := s.(type) {
	case *plan.Filter:
		if s.Condition == tools.Between {
			low, high := *s, *s
			low.Condition, low.Args = tools.GreaterOrEqual, s.Args[:1]
			high.Condition, high.Args = tools.LessOrEqual, s.Args[1:]
			return []plan.Step{&low, &high}
		}
	case *plan.Sort:
		// Sorting keeps the order of equals, so the last key comes first.
		var out []plan.Step
		for i := len(s.Keys) - 1; i >= 0; i-- {
			one := *s
			one.Keys = s.Keys[i : i+1]
			out = append(out, &one)
		}
		return out
	}
	return []plan.Step{s}
}

// countedKey returns a key that is never NULL, by which rows can be counted: a
// column of the starting table that the rows of t come from. That is its primary
// key, or for the paper's tools, which count no rows without a key, any column.
func (e *emitter) countedKey(in plan.StepID, t *table) (string, bool) {
	for {
		switch s := e.plan.Steps[in].(type) {
		case *plan.Start:
			return e.neverNull(in, s, t)
		case *plan.Filter, *plan.Derive, *plan.Sort, *plan.Group, *plan.Aggregate, *plan.Pick:
			in = plan.Sources(s)[0]
		default:
			return "", false
		}
	}
}

func (e *emitter) neverNull(id plan.StepID, s *plan.Start, t *table) (string, bool) {
	for _, place := range e.counted(s) {
		names, others := neverNull(e.schema.Table(s.Tables[place].Name))
		if e.paper {
			names = append(names, others...)
		}
		for _, name := range names {
			for c, col := range e.plan.Columns {
				if col.IsBase && col.Start == id && col.Table == place && col.Name == name {
					if key, ok := t.of[plan.Col(c)]; ok {
						return key, true
					}
				}
			}
		}
	}
	return "", false
}

// counted lists the tables of a start that each row has another row of, by
// their places. Those that no other table refers to come first: each row is about
// one of theirs.
func (e *emitter) counted(s *plan.Start) []int {
	isReferred, onlyFirst := map[int]bool{}, false
	for _, j := range s.Joins {
		switch j.Kind {
		case plan.Right, plan.Full:
			return nil
		case plan.Left:
			onlyFirst = true
		}
		isReferred[j.Left] = isReferred[j.Left] || e.isKey(s.Tables[j.Left].Name, j.LeftColumn)
		isReferred[j.Right] = isReferred[j.Right] || e.isKey(s.Tables[j.Right].Name, j.RightColumn)
	}
	if onlyFirst {
		return []int{0}
	}
	var first, rest []int
	for i := range s.Tables {
		if isReferred[i] {
			rest = append(rest, i)
		} else {
			first = append(first, i)
		}
	}
	return append(first, rest...)
}

// isKey reports whether a column belongs to a table's primary key.
func (e *emitter) isKey(table, column string) bool {
	c := e.schema.Table(table).Column(column)
	return c != nil && (c.PrimaryKey > 0 || c.Name == e.schema.Table(table).IntegerPrimaryKey)
}
