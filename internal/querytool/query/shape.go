package query

import (
	"fmt"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/tools"
)

// longestName is the longest name of a tool that model interfaces take.
const longestName = 64

// toolNames returns the names of the collections' tools: the prefix and the name,
// with an underscore for what no tool's name may have, and a number where two would
// be the same.
func toolNames(collections []Collection) []string {
	out := make([]string, len(collections))
	seen := map[string]bool{}
	for i, c := range collections {
		whole := ToolPrefix + strings.Map(func(r rune) rune {
			if r == '_' || r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
				return r
			}
			return '_'
		}, c.Name)
		name := whole[:min(len(whole), longestName)]
		for n := 2; seen[strings.ToLower(name)] || name == ToolName; n++ {
			end := fmt.Sprintf("_%d", n)
			name = whole[:min(len(whole), longestName-len(end))] + end
		}
		seen[strings.ToLower(name)] = true
		out[i] = name
	}
	return out
}

// Call returns a query as a call of the tool in a shape. Where the shape asks for a
// rationale and the query has none, it says what the query does. The query must be
// valid.
func (q Query) Call(set Toolset, shape Shape, collections []Collection) tools.Call {
	rationale := q.Rationale
	if rationale == "" {
		rationale = q.Explain()
	}
	if shape != Rationale {
		q.Rationale = ""
	} else {
		q.Rationale = rationale
	}
	args := q.Arguments(set, collections)
	switch shape {
	case PerCollection:
		at := slices.IndexFunc(collections, func(c Collection) bool { return spelling.Same(c.Name, q.Collection) })
		return tools.Call{Name: toolNames(collections)[at], Arguments: without(args, argCollection)}
	case Structured:
		return tools.Call{Name: AnswerName, Arguments: tools.Arguments{
			{Name: argRationale, Value: rationale},
			{Name: argUseTools, Value: true},
			{Name: argToolCalls, Value: []any{tools.Arguments{{Name: argFunction, Value: ToolName}, {Name: argArguments, Value: args}}}},
		}}
	}
	return tools.Call{Name: ToolName, Arguments: args}
}

// Read reads the queries of a call that a model made in any shape: one, or those of
// an answer of the shape Structured, which may be none. The error is a
// *tools.ToolError; see Parse.
func Read(call tools.Call, set Toolset, collections []Collection) ([]Query, error) {
	switch call.Name {
	case ToolName:
		q, err := Parse(call.Arguments, set, collections)
		return []Query{q}, err
	case AnswerName:
		return readAnswer(call.Arguments, set, collections)
	}
	known := toolNames(collections)
	at := slices.Index(known, call.Name)
	if at < 0 {
		return nil, &tools.ToolError{Tool: call.Name, Reason: "there is no such tool", Hint: spelling.Suggest(call.Name, append([]string{ToolName}, known...))}
	}
	if v, ok := given(call.Arguments, argCollection); ok && v != collections[at].Name {
		return nil, &tools.ToolError{Tool: call.Name, Argument: argCollection, Reason: "is no argument of this tool", Hint: "leave it out"}
	}
	args := append(tools.Arguments{{Name: argCollection, Value: collections[at].Name}}, without(call.Arguments, argCollection)...)
	q, err := Parse(args, set, collections)
	return []Query{q}, err
}

func readAnswer(args tools.Arguments, set Toolset, collections []Collection) ([]Query, error) {
	p := parser{set: set}
	p.only(AnswerName, args, argRationale, argUseTools, argResponse, argToolCalls)
	calls, ok := given(args, argToolCalls)
	if used, isGiven := given(args, argUseTools); !ok || isGiven && used == false {
		if p.err != nil {
			return nil, p.err
		}
		return nil, nil
	}
	var out []Query
	for i, one := range p.list(argToolCalls, calls) {
		at := fmt.Sprintf("%s[%d]", argToolCalls, i)
		o := p.object(at, one)
		name := p.member(at, o, argFunction)
		inner, _ := o.Get(argArguments)
		call := tools.Call{Name: name, Arguments: p.object(at+"."+argArguments, inner)}
		if name == AnswerName {
			p.fail(at+"."+argFunction, "is the answer itself", "use "+ToolName)
		}
		if p.err != nil {
			return nil, p.err
		}
		queries, err := Read(call, set, collections)
		if err != nil {
			return nil, err
		}
		out = append(out, queries...)
	}
	if p.err != nil {
		return nil, p.err
	}
	return out, nil
}

// Explain says in a sentence what a query does.
func (q Query) Explain() string {
	parts := []string{}
	if q.Search != "" {
		parts = append(parts, fmt.Sprintf("search for %q", q.Search))
	}
	for _, f := range q.Filters {
		parts = append(parts, "keep "+f.words())
	}
	if len(q.GroupBy) > 0 {
		parts = append(parts, "group by "+strings.Join(q.GroupBy, " and "))
	}
	for _, a := range q.Aggregations {
		parts = append(parts, "compute "+a.words())
	}
	if len(q.Properties) > 0 {
		parts = append(parts, "return "+strings.Join(q.Properties, ", "))
	}
	for _, o := range q.OrderBy {
		by := o.Property
		if o.Aggregation != nil {
			by = o.Aggregation.words()
		}
		if o.Descending {
			by += " from the highest"
		}
		parts = append(parts, "sort by "+by)
	}
	if q.Limit > 0 {
		parts = append(parts, fmt.Sprintf("take %d", q.Limit))
	}
	if len(parts) == 0 {
		return "Take all objects of " + q.Collection + "."
	}
	return "In " + q.Collection + ", " + strings.Join(parts, ", then ") + "."
}

// words says a condition.
func (f Filter) words() string {
	say := func(list []Filter, word string) string {
		parts := make([]string, len(list))
		for i, one := range list {
			parts[i] = one.words()
		}
		return strings.Join(parts, word)
	}
	switch {
	case f.AnyOf != nil:
		return say(f.AnyOf, " or ")
	case f.AllOf != nil:
		return "(" + say(f.AllOf, " and ") + ")"
	}
	name := f.Property
	if f.Part != "" {
		name = "the " + strings.ReplaceAll(string(f.Part), "_", " ") + " of " + name
	}
	switch v := f.Value.(type) {
	case nil:
		return name + " " + string(f.Operator)
	case []any:
		return fmt.Sprintf("%s %s %d values", name, f.Operator, len(v))
	case string:
		return fmt.Sprintf("%s %s %q", name, f.Operator, v)
	default:
		return fmt.Sprintf("%s %s %v", name, f.Operator, v)
	}
}

func (a Aggregation) words() string {
	switch {
	case a.Property == "":
		return string(a.Metric)
	case a.Distinct:
		return string(a.Metric) + " of distinct " + a.Property
	}
	return string(a.Metric) + " of " + a.Property
}
