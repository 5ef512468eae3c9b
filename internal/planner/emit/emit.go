package emit

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Sequence is a plan as calls.
type Sequence struct {
	Starts []tools.Start
	Calls  []tools.Call
	Labels []string              // of each plan step's result
	Keys   []map[plan.Col]string // of each plan step's columns
	Result string                // the label that holds the answer
}

// Emit writes a plan as a sequence of calls: of all tools, or of the paper's
// alone. The error is a *plan.Unsupported where the paper's cannot say what the
// plan asks for.
func Emit(p *plan.Plan, schema *engine.Schema, paper bool) (*Sequence, error) {
	e := &emitter{plan: p, schema: schema, paper: paper, seq: &Sequence{}, isStart: map[string]bool{}, owner: map[string]plan.Col{}, words: map[plan.Col]string{}}
	e.follow()
	for _, s := range p.Steps {
		if start, ok := s.(*plan.Start); ok {
			for _, key := range e.startKeys(start) {
				e.isStart[key] = true
			}
		}
	}
	for i, s := range p.Steps {
		t, err := e.step(plan.StepID(i), s)
		if err != nil {
			return nil, err
		}
		e.seq.Labels = append(e.seq.Labels, t.label)
		e.seq.Keys = append(e.seq.Keys, t.of)
	}
	e.seq.Result = e.tables[p.Result].label
	if paper {
		return e.seq, e.seq.checkPaper()
	}
	return e.seq, nil
}

// step writes the calls of one plan step. Those that a step is split into read
// each other's results in its place.
func (e *emitter) step(id plan.StepID, s plan.Step) (*table, error) {
	parts := e.split(s)
	in := plan.StepID(0)
	var before *table
	if len(parts) > 1 {
		in = plan.Sources(s)[0]
		before = e.tables[in]
	}
	for i, part := range parts {
		t, err := e.one(id, part)
		if err != nil {
			return nil, err
		}
		if i < len(parts)-1 {
			e.tables[in] = t
		} else {
			if before != nil {
				e.tables[in] = before
			}
			e.tables = append(e.tables, t)
		}
	}
	return e.tables[id], nil
}

type emitter struct {
	plan    *plan.Plan
	paper   bool // only the tools of the paper
	schema  *engine.Schema
	seq     *Sequence
	tables  []*table
	isStart map[string]bool     // the keys of starting tables, also of later ones
	owner   map[string]plan.Col // whose key a made key is
	words   map[plan.Col]string // what made columns are, for the names of others
	labels  tools.Labels
	next    [][]plan.StepID // for each step, those that take its rows on
	reads   [][]plan.Col    // for each step, the columns that it reads
}

// label returns the label of the next call's result, which is of that tool.
func (e *emitter) label(tool string, args ...tools.Argument) string {
	return e.labels.Next(tools.Call{Name: tool, Arguments: args})
}

// aggregateLabel is the label of an aggregation.
func (e *emitter) aggregateLabel(function tools.Aggregation) string {
	return e.label(toolname.Aggregate, tools.Argument{Name: toolname.ArgAggregationType, Value: string(function)})
}

// call appends a call on the table t.
func (e *emitter) call(name, label string, args ...argument) {
	c := tools.Call{Name: name, Label: label}
	for _, a := range args {
		if a.given {
			c.Arguments = append(c.Arguments, tools.Argument{Name: a.name, Value: a.value})
		}
	}
	e.seq.Calls = append(e.seq.Calls, c)
}

func (e *emitter) one(id plan.StepID, s plan.Step) (*table, error) {
	switch s := s.(type) {
	case *plan.Start:
		return e.start(id, s), nil
	case *plan.Filter:
		return e.filter(s), nil
	case *plan.Either:
		return e.combine(s.A, s.B, tools.Either), nil
	case *plan.Derive:
		return e.derive(id, s), nil
	case *plan.Group:
		t := e.tables[s.In]
		out := t.relabelled(e.label(toolname.Group))
		e.call(toolname.Group, out.label, dataSource(t), keyArg(toolname.ArgKeyName, t.keysOf(s.Keys)))
		return out, nil
	case *plan.Aggregate:
		return e.aggregate(s), nil
	case *plan.Pick:
		t := e.tables[s.In]
		function := tools.ArgMin
		if s.Max {
			function = tools.ArgMax
		}
		out := t.relabelled(e.aggregateLabel(function))
		e.call(toolname.Aggregate, out.label, dataSource(t), arg(toolname.ArgKeyName, t.of[s.From]), arg(toolname.ArgAggregationType, string(function)))
		return out, nil
	case *plan.Sort:
		return e.sort(s), nil
	case *plan.Project:
		return e.project(s), nil
	case *plan.SetOp:
		return e.combine(s.A, s.B, s.Op), nil
	case *plan.Join:
		return e.join(s), nil
	case *plan.Expand:
		return e.expand(s), nil
	case *plan.Window:
		return e.window(s), nil
	}
	return nil, fmt.Errorf("emit: no call for a %T", s)
}

func (e *emitter) combine(first, second plan.StepID, operation tools.SetOperation) *table {
	a, b := e.tables[first], e.tables[second]
	out := a.relabelled(e.label(toolname.Combine))
	e.call(toolname.Combine, out.label, dataSource(a), arg(toolname.ArgOtherDataSource, ref(b)), arg(toolname.ArgOperation, string(operation)))
	return out
}

func (e *emitter) filter(s *plan.Filter) *table {
	t := e.tables[s.In]
	out := t.relabelled(e.label(toolname.Filter))
	against, given := e.value(t, s.Condition, e.typed(s))
	e.call(toolname.Filter, out.label, dataSource(t), arg(toolname.ArgKeyName, t.of[s.Col]), optional(toolname.ArgValue, against, given),
		arg(toolname.ArgCondition, string(s.Condition)), optional(toolname.ArgEscape, s.Escape, s.Escape != ""),
		optional(toolname.ArgCollation, s.Collation, s.Collation != ""))
	return out
}

// value writes the value of a condition: one operand, or a list.
func (e *emitter) value(t *table, condition tools.Condition, args []plan.Operand) (any, bool) {
	list := condition == tools.Between || condition == tools.NotBetween ||
		(condition == tools.In || condition == tools.NotIn) && !(len(args) == 1 && args[0].Kind == plan.Result)
	switch {
	case list:
		return e.operands(t, args), true
	case len(args) == 1:
		return e.operand(t, args[0]), true
	}
	return nil, false
}

func (e *emitter) derive(id plan.StepID, s *plan.Derive) *table {
	t := e.tables[s.In]
	opArgs := tools.Arguments{}
	for _, a := range s.Args {
		if a.List {
			opArgs = append(opArgs, tools.Argument{Name: a.Name, Value: e.operands(t, a.Values)})
		} else {
			opArgs = append(opArgs, tools.Argument{Name: a.Name, Value: e.plainArg(t, a, s.Op.Numeric())})
		}
	}
	label := e.label(toolname.Transform)
	from, named := t.of[s.From]
	one := len(t.keys) == 1 && named && !e.isRead(id, s.From) // the value of a result stays its first cell
	key := from
	switch {
	case one:
		e.name(t, s)
	case !e.paper:
		key = e.derivedKey(t, s)
	case !named:
		key = e.newKey(t, e.plan.Columns[s.Out].Hint)
	case e.isRead(id, s.From):
		key = e.newKey(t, string(s.Op)+"_"+from)
	}
	out := t.with(label, s.Out, key)
	named = named && len(t.keys) > 1 // the one column of a value needs no naming
	e.call(toolname.Transform, label, dataSource(t), optional(toolname.ArgKeyName, from, named), arg(toolname.ArgOperationType, string(s.Op)),
		arg(toolname.ArgOperationArgs, opArgs), optional(toolname.ArgOutputKey, key, key != from || s.Op == tools.OpConstant))
	return out
}

// plainArg writes an argument that is no list. Words that steer an operation
// are no data, so they need no escape from the $LABEL$ notation. numeric says that
// the operation is one of numbers.
func (e *emitter) plainArg(t *table, a plan.Arg, numeric bool) any {
	switch a.Name {
	case toolname.ArgCondition, toolname.ArgCollation, toolname.ArgFunction, toolname.ArgEscape:
		return a.Values[0].Value.Raw()
	case toolname.ArgType:
		return strings.ToLower(a.Values[0].Value.Raw())
	case toolname.ArgSwap:
		return true
	}
	if o := a.Values[0]; numeric && o.Kind == plan.Constant && o.Value.Kind() == value.Text && t.has(o.Value.Raw()) {
		return tools.Arguments{{Name: toolname.ArgLiteral, Value: o.Value.Raw()}} // the text alone would be taken for the column
	}
	return e.operand(t, a.Values[0])
}

// newKey makes a key that the table does not have.
func (e *emitter) newKey(t *table, word string) string {
	word = tools.KeyName(word, "")
	key := word
	if t.has(key) {
		taken := map[string]bool{}
		for _, k := range t.keys {
			taken[k] = true
		}
		for n := 1; taken[key]; n++ {
			key = word + "_" + strconv.Itoa(n)
		}
	}
	return key
}

func (e *emitter) aggregate(s *plan.Aggregate) *table {
	t := e.tables[s.In]
	from, named := t.of[s.From]
	if !named {
		from, named = e.countedKey(s.In, t)
	}
	label := e.aggregateLabel(s.Func)
	e.words[s.Out] = e.alias(s.Out, e.reduced(t, s))
	key := string(s.Func)
	if named {
		key += "_" + from
	}
	out := &table{label: label, keys: []string{key}, of: map[plan.Col]string{s.Out: key}}
	given := false
	if s.Grouped {
		fresh := e.newKey(t, key)
		given, key = fresh != key, fresh
		out = t.with(label, s.Out, key)
	}
	limit := -1
	if s.Limit > 0 {
		limit = s.Limit
	}
	separator := argument{}
	if s.Separator != nil {
		separator = arg(toolname.ArgSeparator, s.Separator.Value.Raw())
	}
	e.call(toolname.Aggregate, label, dataSource(t), optional(toolname.ArgKeyName, from, named), arg(toolname.ArgAggregationType, string(s.Func)),
		optional(toolname.ArgDistinct, true, s.Distinct), optional(toolname.ArgLimit, limit, limit >= 0), separator, optional(toolname.ArgOutputKey, key, given))
	return out
}

func (e *emitter) sort(s *plan.Sort) *table {
	t := e.tables[s.In]
	out := t.relabelled(e.label(toolname.Sort))
	nulls := "last"
	if s.NullsFirst {
		nulls = "first"
	}
	e.call(toolname.Sort, out.label, dataSource(t), keyArg(toolname.ArgKeyName, t.keysOf(s.Keys)), arg(toolname.ArgAscending, !s.Desc),
		optional(toolname.ArgNulls, nulls, s.NullsFirst == s.Desc), optional(toolname.ArgCollation, s.Collation, s.Collation != ""))
	return out
}

func (e *emitter) project(s *plan.Project) *table {
	t := e.tables[s.In]
	keys := t.keysOf(s.Cols)
	label := e.label(toolname.Retrieve)
	e.call(toolname.Retrieve, label, dataSource(t), keyArg(toolname.ArgKeyName, keys), arg(toolname.ArgDistinct, s.Distinct), arg(toolname.ArgLimit, s.Limit),
		optional(toolname.ArgOffset, s.Offset, s.Offset > 0))
	out := &table{label: label, of: map[plan.Col]string{}}
	for i, k := range tools.UniqueKeys(keys) {
		out.keys = append(out.keys, k)
		if _, seen := out.of[s.Cols[i]]; !seen {
			out.of[s.Cols[i]] = k
		}
	}
	return out
}

func (e *emitter) join(s *plan.Join) *table {
	a, b := e.tables[s.A], e.tables[s.B]
	out := a.relabelled(e.label(toolname.Join))
	if s.Kind != plan.Semi && s.Kind != plan.Anti {
		out = e.joined(out.label, s, a, b)
	}
	keys, otherKeys := argument{}, argument{}
	if len(s.AKeys) > 0 {
		keys, otherKeys = keyArg(toolname.ArgKeyName, a.keysOf(s.AKeys)), keyArg(toolname.ArgOtherKeyName, b.keysOf(s.BKeys))
	}
	e.call(toolname.Join, out.label, dataSource(a), arg(toolname.ArgOtherDataSource, ref(b)), keys, otherKeys,
		arg(toolname.ArgJoinType, strings.ToLower(string(s.Kind))), optional(toolname.ArgNullEqual, true, s.NullEqual))
	return out
}

// joined is the table of both sides' columns.
func (e *emitter) joined(label string, s *plan.Join, a, b *table) *table {
	out := &table{label: label, of: maps.Clone(a.of)}
	out.keys = tools.UniqueKeys(append(slices.Clone(a.keys), b.keys...))
	renamed := map[string]string{}
	for i, k := range b.keys {
		renamed[k] = out.keys[len(a.keys)+i]
	}
	for i, c := range s.BCols {
		out.of[s.Renamed[i]] = renamed[b.of[c]]
	}
	return out
}

func (e *emitter) expand(s *plan.Expand) *table {
	t, source := &table{}, argument{}
	if s.In != plan.NoStep {
		t = e.tables[s.In]
		source = dataSource(t)
	}
	out := &table{label: e.label(toolname.Expand), keys: slices.Clone(t.keys), of: maps.Clone(t.of)}
	if out.of == nil {
		out.of = map[plan.Col]string{}
	}
	for i, key := range tools.ElementKeys(t.keys) {
		out.keys = append(out.keys, key)
		out.of[s.Out[i]] = key
	}
	whole := s.Path.Kind == plan.Constant && s.Path.Value == value.Str("$")
	e.call(toolname.Expand, out.label, source, arg(toolname.ArgValue, e.operand(t, s.Doc)), optional(toolname.ArgPath, e.operand(t, s.Path), !whole),
		optional(toolname.ArgRecursive, true, s.Recursive))
	return out
}
