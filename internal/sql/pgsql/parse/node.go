package parse

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
)

// Node is one node of a tree. The zero Node is none.
type Node struct {
	Kind   string // as in "SelectStmt"
	fields map[string]any
}

// nodeOf reads a node: an object whose only key is its kind. Where a field can
// hold one kind only, libpg_query leaves the kind out, and so is it here.
func nodeOf(v any) Node {
	object, ok := v.(map[string]any)
	if !ok {
		return Node{}
	}
	if len(object) == 1 {
		for kind, fields := range object {
			if inner, ok := fields.(map[string]any); ok && kind[0] >= 'A' && kind[0] <= 'Z' {
				return Node{Kind: kind, fields: inner}
			}
		}
	}
	return Node{fields: object}
}

// IsNone reports whether there is no node.
func (n Node) IsNone() bool { return n.fields == nil }

// Has reports whether a field is set.
func (n Node) Has(field string) bool {
	_, ok := n.fields[field]
	return ok
}

// Node returns the node in a field.
func (n Node) Node(field string) Node { return nodeOf(n.fields[field]) }

// List returns the nodes of a field. A List node in a list is that of its items.
func (n Node) List(field string) []Node {
	list, _ := n.fields[field].([]any)
	if inner := n.Node(field); inner.Kind == "List" {
		return inner.List("items")
	}
	out := make([]Node, len(list))
	for i, v := range list {
		out[i] = nodeOf(v)
	}
	return out
}

// Str returns a text, or the name of an enumeration's value; "" when unset.
func (n Node) Str(field string) string {
	text, _ := n.fields[field].(string)
	return text
}

// Strings returns the texts of a list of String nodes.
func (n Node) Strings(field string) []string {
	var out []string
	for _, s := range n.List(field) {
		out = append(out, s.Str("sval"))
	}
	return out
}

// Bool returns a flag.
func (n Node) Bool(field string) bool {
	b, _ := n.fields[field].(bool)
	return b
}

// Int returns a number; 0 when unset.
func (n Node) Int(field string) int {
	number, _ := n.fields[field].(json.Number)
	i, _ := strconv.Atoi(number.String())
	return i
}

// At returns the node's place in the text, in bytes, or -1.
func (n Node) At() int {
	if n.IsNone() {
		return -1
	}
	return n.Int("location")
}

// Children returns the nodes directly below, ordered by the names of the fields
// that they are in.
func (n Node) Children() []Node {
	var out []Node
	for _, field := range slices.Sorted(maps.Keys(n.fields)) {
		out = append(out, below(n.fields[field])...)
	}
	return out
}

func below(v any) []Node {
	switch v := v.(type) {
	case []any:
		var out []Node
		for _, item := range v {
			out = append(out, below(item)...)
		}
		return out
	case map[string]any:
		return []Node{nodeOf(v)}
	}
	return nil
}
