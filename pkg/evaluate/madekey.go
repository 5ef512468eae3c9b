package evaluate

import (
	"encoding/json"
	"fmt"

	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/tools"
)

// madeKey is the key of a column that a call makes, instead of its name: a
// model may name it as it likes.
type madeKey struct{ by *node }

// MarshalJSON writes which call makes it, for the hash of a call that names it.
func (k madeKey) MarshalJSON() ([]byte, error) {
	return json.Marshal(fmt.Sprintf("key of %x", k.by.hash))
}

// ownName stands for the name of a key that only the calls behind it know.
const ownName = "\x00"

// nameKeys puts the calls that make them instead of keys. A name that two
// calls make, or that a starting table has, stays as it is: there it says which
// column is overwritten, or which of two is meant.
func (f *form) nameKeys(s *Sample) {
	if s.Start == nil {
		return
	}
	taken := map[string]bool{}
	for _, k := range s.Start.Keys {
		taken[k.Name] = true
	}
	for _, t := range s.Start.StartingTables {
		for _, key := range t.Keys {
			taken[key] = true
		}
	}
	names := make([]string, len(f.calls)) // as they are written
	once := map[string]bool{}
	for i, n := range f.calls {
		if names[i] = n.makes(); names[i] == "" {
			continue
		}
		once[names[i]] = !taken[names[i]]
		taken[names[i]] = true
	}
	makers := map[string]*node{} // so far
	for i, n := range f.calls {
		if n.malformed != "" {
			continue
		}
		n.args = namedKeys(definitions()[n.name], n.args, makers)
		if !once[names[i]] {
			continue
		}
		makers[names[i]] = n
		if n.name == toolname.Transform { // without a name it overwrites
			n.args = n.args.Set(toolname.ArgOutputKey, ownName)
		} else {
			n.args = n.without(toolname.ArgOutputKey)
		}
	}
}

// makes returns the key that a call gives a new column, "" if there is none.
func (n *node) makes() string {
	if name, ok := n.get(toolname.ArgOutputKey).(string); ok {
		return name
	}
	what := ""
	switch n.name {
	case toolname.Aggregate:
		what, _ = n.get(toolname.ArgAggregationType).(string)
		if what == string(tools.ArgMax) || what == string(tools.ArgMin) {
			return "" // rows as they are
		}
	case toolname.Window:
		what, _ = n.get(toolname.ArgFunction).(string)
	default:
		return ""
	}
	if key, ok := n.get(toolname.ArgKeyName).(string); ok {
		return what + "_" + key
	}
	return what
}

// namedKeys returns the arguments of a tool, or of an operation, with the calls
// that make them instead of keys.
func namedKeys(d tools.Definition, args tools.Arguments, makers map[string]*node) tools.Arguments {
	out := make(tools.Arguments, len(args))
	for i, a := range args {
		out[i] = a
		for _, p := range d.Parameters {
			if p.Name == a.Name && p.IsKey() {
				out[i].Value = namedKey(a.Value, makers)
			}
		}
		if object, ok := a.Value.(tools.Arguments); ok && a.Name == toolname.ArgOperationArgs {
			operation, _ := args.Get(toolname.ArgOperationType)
			name, _ := operation.(string)
			out[i].Value = namedKeys(operations()[name], object, makers)
			continue
		}
		out[i].Value = namedOperand(out[i].Value, makers)
	}
	return out
}

func namedKey(v any, makers map[string]*node) any {
	switch v := v.(type) {
	case string:
		if by := makers[v]; by != nil {
			return madeKey{by}
		}
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = namedKey(item, makers)
		}
		return out
	}
	return v
}

// namedOperand names the keys in {"key_name": ...}, which stands for a column
// where a value is expected.
func namedOperand(v any, makers map[string]*node) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = namedOperand(item, makers)
		}
		return out
	case tools.Arguments:
		if key, ok := v.Get(toolname.ArgKeyName); ok && len(v) == 1 {
			return tools.Arguments{{Name: toolname.ArgKeyName, Value: namedKey(key, makers)}}
		}
	}
	return v
}
