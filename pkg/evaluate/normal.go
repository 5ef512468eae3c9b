package evaluate

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/internal/evaluation/calltext"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/tools"
)

// form is a sequence of calls in the normal form of the exact rules: sequences
// that are provably the same have the same one. docs/evaluation.md lists what is
// taken for the same.
type form struct {
	calls []*node // each reads only those before it
}

// node is one call of a form.
type node struct {
	name      string
	args      tools.Arguments // references are of type reference
	malformed string
	isBound   bool // whether it stands for a SEL function
	from      int  // the number of the call that it was written as
	hash      [sha256.Size]byte
}

// reference is an argument that names the result of a call, or a starting table.
type reference struct {
	to    *node
	start string // the label of a starting table, if to is nil
}

// MarshalJSON writes what is read, for the hash of a call that reads it.
func (r reference) MarshalJSON() ([]byte, error) {
	if r.to == nil {
		return json.Marshal("start " + r.start)
	}
	return json.Marshal(fmt.Sprintf("result %x", r.to.hash))
}

// newForm returns the normal form of calls under their real names. Those that
// are malformed keep their place.
func newForm(s *Sample, calls []calltext.Call) *form {
	f := &form{}
	results := map[string]*node{}
	for i, c := range calls {
		n := &node{from: i, malformed: c.Malformed, name: c.Name}
		if n.malformed == "" {
			call, isBound := s.unbind(c.Call)
			n.name, n.isBound = call.Name, isBound
			n.args = resolve(s.canonical(call), results, s)
		}
		f.calls = append(f.calls, n)
		if c.Label != "" {
			results[c.Label] = n
		}
	}
	if s.variant().Calls != variant.Endpoints {
		f.nameKeys(s)
		f.simplify()
		f.mergeDistinct()
		f.preferExtremes()
	}
	f.order()
	for _, n := range f.calls {
		if n.isBound {
			n.name, n.args = s.bind(n)
		}
	}
	return f
}

// unbind returns the call of a tool that a SEL function stands for, and whether
// it is one. Any other call stays as it is.
func (s *Sample) unbind(c tools.Call) (tools.Call, bool) {
	if s.set == nil {
		return c, false
	}
	call, err := s.set.Unbind(c)
	if err != nil {
		return c, false
	}
	return call, true
}

// bind returns the name and the arguments of the SEL function for a call of a tool.
func (s *Sample) bind(n *node) (string, tools.Arguments) {
	if call, err := s.set.Bind(tools.Call{Name: n.name, Arguments: n.args}); err == nil {
		return call.Name, call.Arguments
	}
	return n.name, n.args
}

// resolve replaces the texts that name results by references to them.
func resolve(args tools.Arguments, results map[string]*node, s *Sample) tools.Arguments {
	return mapValues(args, func(v any) any {
		text, _ := v.(string)
		label, ok := labelOf(text)
		if !ok {
			return v
		}
		if n := results[label]; n != nil {
			return reference{to: n}
		}
		if start, ok := s.start(label); ok {
			return reference{start: start}
		}
		return v
	})
}

// mapValues returns arguments with f of each value in them, however deep in lists
// and objects.
func mapValues(args tools.Arguments, f func(any) any) tools.Arguments {
	out := make(tools.Arguments, len(args))
	for i, a := range args {
		out[i] = tools.Argument{Name: a.Name, Value: mapValue(a.Value, f)}
	}
	return out
}

func mapValue(v any, f func(any) any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = mapValue(item, f)
		}
		return out
	case tools.Arguments:
		return mapValues(v, f)
	}
	return f(v)
}

// labelOf returns the label in "$LABEL$".
func labelOf(text string) (string, bool) {
	if len(text) < 3 || text[0] != '$' || text[len(text)-1] != '$' {
		return "", false
	}
	return text[1 : len(text)-1], true
}

// agentStart is what agents of Elder et al. call the starting table.
const agentStart = "var_1"

// start returns the starting table of that label.
func (s *Sample) start(label string) (string, bool) {
	if s.Start == nil {
		return "", false
	}
	starts := s.Start.Starts()
	for _, t := range starts {
		if t.Label == label {
			return label, true
		}
	}
	return starts[0].Label, label == agentStart
}

// readers returns, for each call, those that read its result.
func (f *form) readers() map[*node][]*node {
	out := map[*node][]*node{}
	for _, n := range f.calls {
		for _, r := range references(n.args, nil) {
			if r.to != nil {
				out[r.to] = append(out[r.to], n)
			}
		}
	}
	return out
}

// references appends those within a value, in their order.
func references(v any, out []reference) []reference {
	switch v := v.(type) {
	case reference:
		return append(out, v)
	case tools.Arguments:
		for _, a := range v {
			out = references(a.Value, out)
		}
	case []any:
		for _, item := range v {
			out = references(item, out)
		}
	}
	return out
}

// source returns the call whose result the data_source of a call is, or nil.
func (n *node) source() *node {
	v, _ := n.args.Get(toolname.ArgDataSource)
	r, _ := v.(reference)
	return r.to
}

// order puts the calls into one order out of those in which they can be run:
// each before the first that reads it, and filters of one chain by what they say.
func (f *form) order() {
	f.sortFilters()
	done := map[*node]bool{}
	var out []*node
	var visit func(n *node)
	visit = func(n *node) {
		if done[n] {
			return
		}
		done[n] = true
		for _, r := range references(n.args, nil) {
			if r.to != nil {
				visit(r.to)
			}
		}
		n.seal()
		out = append(out, n)
	}
	readers := f.readers()
	for _, n := range f.calls {
		if len(readers[n]) == 0 {
			visit(n)
		}
	}
	f.calls = out
}

// seal computes the hash of a call, when those that it reads have theirs.
func (n *node) seal() {
	text, err := jsontext.Marshal([]any{n.name, n.isBound, sorted(n.args), n.malformed}, "")
	if err != nil {
		text = []byte(n.name) // arguments that were read are JSON
	}
	n.hash = sha256.Sum256(text)
}

// sorted returns arguments by their names.
func sorted(args tools.Arguments) tools.Arguments {
	out := slices.Clone(args)
	slices.SortStableFunc(out, func(a, b tools.Argument) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// number writes a number so that equal ones have the same text.
func number(n json.Number) json.Number {
	if i, err := strconv.ParseInt(n.String(), 10, 64); err == nil {
		return json.Number(strconv.FormatInt(i, 10))
	}
	x, err := n.Float64()
	if err != nil || math.IsInf(x, 0) {
		return n
	}
	const exact = 1 << 53 // all integers below have a float64 of their own
	if x == math.Trunc(x) && math.Abs(x) < exact {
		return json.Number(strconv.FormatInt(int64(x), 10))
	}
	return json.Number(strconv.FormatFloat(x, 'g', -1, 64))
}
