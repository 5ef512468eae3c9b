package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/planner/vocabulary"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/tools"
)

// pattern is something in a sequence that a person would have written in
// another way.
type pattern struct {
	name string
	// why says why some of it is left.
	why string
	// count returns how many calls of a sequence show it.
	count func(*sequence) int
}

// patterns are counted by Coverage.
var patterns = []pattern{
	{"a derived value overwrites a real column's key", "", perCall((*sequence).overwrites)},
	{"a conditional, then its sum or count", "The sum is NULL without rows, or where all is NULL, and a count or a filtered sum would be 0 or NULL there; groups without a match must stay.", perCall((*sequence).sumsConditional)},
	{"AND as nested conditionals", "They are under a sum of the kind above, or are no sum.", perCall((*sequence).nestsConditional)},
	{"cast, multiply, divide", "", perCall((*sequence).scalesQuotient)},
	{"cast, divide", "", perCall((*sequence).dividesCast)},
	{"a sort uses a recomputed expression", "A division is another one for the texts that a column may hold.", perCall((*sequence).sortsRecomputed)},
	{"an answer column under a false key", "", perCall((*sequence).showsFalseKey)},
	{"GROUP BY or DISTINCT as a group without aggregate", "A column is shown or sorted by that is not grouped by, so that distinct rows are others.", perCall((*sequence).groupsOnly)},
	{"OR of equalities instead of in", "", perCall((*sequence).unitesEqualities)},
	{"one starting table joined twice", "", func(s *sequence) int { return s.startsTwice() }},
	{"SQL text as a key", "", perCall((*sequence).makesTextKey)},
	{"max with limit 1 as a first value", "A subquery without rows is NULL, one row, and there is no other result of one row to compute on.", perCall((*sequence).takesFirst)},
}

func perCall(is func(*sequence, int) bool) func(*sequence) int {
	return func(s *sequence) int {
		n := 0
		for i := range s.calls {
			if is(s, i) {
				n++
			}
		}
		return n
	}
}

// origin is what a key of a result stands for: the call that made it, and the
// origin of the column that this is about.
type origin struct {
	call int // -1 for a column of a starting table
	from *origin
}

// sequence is a sample's calls with the origins of all keys of their results.
type sequence struct {
	starts  []tools.Start
	calls   []tools.Call
	origins []map[string]*origin // by call
	real    map[string]bool      // the keys of the starting tables
	before  map[string]int       // the call that has a label
}

func newSequence(r *record.Slot, schema *sqlite.Schema) *sequence {
	s := &sequence{starts: append([]tools.Start{r.Initialization}, r.Further...), calls: r.Calls, real: map[string]bool{}, before: map[string]int{}}
	for _, start := range s.starts {
		for _, key := range startKeys(start, schema) {
			s.real[key] = true
		}
	}
	for i := range s.calls {
		s.before[s.calls[i].Label] = i
		s.origins = append(s.origins, s.after(i))
	}
	return s
}

// startKeys lists the keys of a starting table.
func startKeys(start tools.Start, schema *sqlite.Schema) []string {
	var names []string
	for _, t := range start.Tables {
		if table := schema.Table(t.Original); table != nil {
			for _, c := range table.Columns {
				names = append(names, tools.KeyName(t.Modified, c.Name))
			}
		}
	}
	return tools.UniqueKeys(names)
}

// text returns a text argument of a call.
func (s *sequence) text(call int, name string) string {
	v, _ := s.calls[call].Arguments.Get(name)
	text, _ := v.(string)
	return text
}

// texts returns an argument that is a text or a list of them.
func (s *sequence) texts(call int, name string) []string {
	v, _ := s.calls[call].Arguments.Get(name)
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		var out []string
		for _, item := range v {
			if text, ok := item.(string); ok {
				out = append(out, text)
			}
		}
		return out
	}
	return nil
}

// source returns the call whose result another works on, -1 for a start.
func (s *sequence) source(call int, argument string) int {
	if i, ok := s.before[strings.Trim(s.text(call, argument), "$")]; ok {
		return i
	}
	return -1
}

// of returns the origin of a key in the rows that a call works on. The one key
// of a value needs no name.
func (s *sequence) of(call int, key string) *origin {
	if in := s.source(call, toolname.ArgDataSource); in >= 0 {
		if o, ok := s.origins[in][key]; ok {
			return o
		}
		if o := s.origins[in][""]; key == "" && o != nil {
			return o
		}
	}
	return &origin{call: -1}
}

// after returns the origins of the keys that a call's result has and that are
// not those of a starting table; "" is the one key of a value.
func (s *sequence) after(call int) map[string]*origin {
	out := map[string]*origin{}
	key, output := s.text(call, toolname.ArgKeyName), s.text(call, toolname.ArgOutputKey)
	own := &origin{call: call, from: s.of(call, key)}
	in := s.source(call, toolname.ArgDataSource)
	if in >= 0 {
		for k, o := range s.origins[in] {
			out[k] = o
		}
	}
	switch s.calls[call].Name {
	case toolname.Transform:
		if output != "" {
			key = output
		}
		out[key] = own
	case toolname.Aggregate:
		made := output
		if made == "" {
			made = strings.TrimSuffix(s.text(call, toolname.ArgAggregationType)+"_"+key, "_")
		}
		out[made], out[""] = own, own
	case toolname.Window:
		out[output] = own
	case toolname.Join:
		if other := s.source(call, toolname.ArgOtherDataSource); other >= 0 {
			for k, o := range s.origins[other] {
				if _, taken := out[k]; !taken {
					out[k] = o
				}
			}
		}
	}
	return out
}

func (s *sequence) operation(call int) string {
	if call < 0 || s.calls[call].Name != toolname.Transform {
		return ""
	}
	return s.text(call, toolname.ArgOperationType)
}

func (s *sequence) args(call int) tools.Arguments {
	v, _ := s.calls[call].Arguments.Get(toolname.ArgOperationArgs)
	args, _ := v.(tools.Arguments)
	return args
}

// argument returns the origin of the column that an argument of an operation
// names.
func (s *sequence) argument(call int, name string) *origin {
	v, _ := s.args(call).Get(name)
	if column, ok := v.(tools.Arguments); ok {
		key, _ := column.Get(toolname.ArgKeyName)
		if key, ok := key.(string); ok {
			return s.of(call, key)
		}
	}
	if text, ok := v.(string); ok {
		if in, ok := s.before[strings.Trim(text, "$")]; ok && strings.HasPrefix(text, "$") {
			if o := s.origins[in][""]; o != nil {
				return o
			}
		}
	}
	return &origin{call: -1}
}

func (s *sequence) overwrites(call int) bool {
	key := s.text(call, toolname.ArgOutputKey)
	if key == "" {
		key = s.text(call, toolname.ArgKeyName)
	}
	return s.operation(call) != "" && s.real[key]
}

// isTest reports whether a call derives a value from a condition.
func (s *sequence) isTest(call int) bool {
	op := s.operation(call)
	return op == string(tools.OpConditional) || vocabulary.IsCondition(tools.Operation(op))
}

func (s *sequence) sumsConditional(call int) bool {
	sums := []string{string(tools.Sum), string(tools.Count), string(tools.Mean), string(tools.Total)}
	return s.calls[call].Name == toolname.Aggregate && slices.Contains(sums, s.text(call, toolname.ArgAggregationType)) &&
		s.isTest(s.of(call, s.text(call, toolname.ArgKeyName)).call)
}

func (s *sequence) nestsConditional(call int) bool {
	conditional := string(tools.OpConditional)
	return s.operation(call) == conditional && s.operation(s.argument(call, toolname.ArgThen).call) == conditional
}

// isCast reports whether something was converted to REAL.
func (s *sequence) isCast(o *origin) bool {
	if s.operation(o.call) != string(tools.OpCast) {
		return false
	}
	kind, _ := s.args(o.call).Get(toolname.ArgType)
	return kind == tools.CastReal
}

func (s *sequence) scalesQuotient(call int) bool {
	if s.operation(call) != string(tools.OpDivide) {
		return false
	}
	over := s.of(call, s.text(call, toolname.ArgKeyName))
	return s.operation(over.call) == string(tools.OpMultiply) && s.isCast(over.from)
}

func (s *sequence) dividesCast(call int) bool {
	return s.operation(call) == string(tools.OpDivide) && (s.isCast(s.of(call, s.text(call, toolname.ArgKeyName))) || s.isCast(s.argument(call, toolname.ArgValue)))
}

// sortsRecomputed reports whether a call sorts by a quotient next to another one
// of the same columns.
func (s *sequence) sortsRecomputed(call int) bool {
	in := s.source(call, toolname.ArgDataSource)
	if s.calls[call].Name != toolname.Sort || in < 0 {
		return false
	}
	for _, key := range s.texts(call, toolname.ArgKeyName) {
		o := s.origins[in][key]
		for other, made := range s.origins[in] {
			if o != nil && other != key && made != o && s.isQuotient(o) && s.isQuotient(made) && s.sameQuotient(o.call, made.call) {
				return true
			}
		}
	}
	return false
}

func (s *sequence) isQuotient(o *origin) bool {
	op := s.operation(o.call)
	return op == string(tools.OpDivide) || op == string(tools.OpRatio)
}

func (s *sequence) sameQuotient(a, b int) bool {
	x, _ := s.args(a).Get(toolname.ArgValue)
	y, _ := s.args(b).Get(toolname.ArgValue)
	return s.text(a, toolname.ArgKeyName) == s.text(b, toolname.ArgKeyName) && fmt.Sprint(x) == fmt.Sprint(y)
}

func (s *sequence) showsFalseKey(call int) bool {
	in := s.source(call, toolname.ArgDataSource)
	if s.calls[call].Name != toolname.Retrieve || call != len(s.calls)-1 || in < 0 {
		return false
	}
	return slices.ContainsFunc(s.texts(call, toolname.ArgKeyName), func(key string) bool { return s.origins[in][key] != nil && s.real[key] })
}

// groupsOnly reports whether nothing is aggregated of a call's groups.
func (s *sequence) groupsOnly(call int) bool {
	if s.calls[call].Name != toolname.Group {
		return false
	}
	for i := call + 1; i < len(s.calls); i++ {
		if s.calls[i].Name != toolname.Aggregate {
			continue
		}
		for at := s.source(i, toolname.ArgDataSource); at >= call; at = s.source(at, toolname.ArgDataSource) {
			if at == call {
				return false
			}
		}
	}
	return true
}

func (s *sequence) unitesEqualities(call int) bool {
	a, b := s.source(call, toolname.ArgDataSource), s.source(call, toolname.ArgOtherDataSource)
	if s.calls[call].Name != toolname.Combine || s.text(call, toolname.ArgOperation) != string(tools.Either) || a < 0 || b < 0 {
		return false
	}
	isEquality := func(i int) bool { return s.text(i, toolname.ArgCondition) == string(tools.Equal) }
	return isEquality(a) && isEquality(b) && s.text(a, toolname.ArgDataSource) == s.text(b, toolname.ArgDataSource) && s.text(a, toolname.ArgKeyName) == s.text(b, toolname.ArgKeyName)
}

// startsTwice counts starting relations that are the same as an earlier one.
func (s *sequence) startsTwice() int {
	n := 0
	known := map[string]bool{}
	for _, start := range s.starts {
		var tables, pairs []string
		for _, t := range start.Tables {
			tables = append(tables, t.Original)
			pairs = append(pairs, t.Alias+".", t.Modified+".")
		}
		alias := strings.NewReplacer(pairs...)
		for _, c := range start.Conditions {
			tables = append(tables, alias.Replace(c.Left), alias.Replace(c.Right), string(c.Type))
		}
		key := strings.Join(tables, "\x00")
		if known[key] {
			n++
		}
		known[key] = true
	}
	return n
}

func (s *sequence) makesTextKey(call int) bool {
	return len(s.text(call, toolname.ArgOutputKey)) > 64 || strings.Contains(s.text(call, toolname.ArgOutputKey), "SELECT")
}

func (s *sequence) takesFirst(call int) bool {
	limit, given := s.calls[call].Arguments.Get(toolname.ArgLimit)
	return s.calls[call].Name == toolname.Aggregate && s.text(call, toolname.ArgAggregationType) == string(tools.Max) && given && fmt.Sprint(limit) == "1"
}
