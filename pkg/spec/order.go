package spec

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/birdcall/birdcall/pkg/tools"
)

// kwOrdering is Gemini's keyword for the order of properties.
const kwOrdering = "propertyOrdering"

// arranged returns a schema whose properties are written in an order, those that it
// does not name behind the others, by their names. ordering adds Gemini's keyword, as
// its interface does not keep the order of the text.
func arranged(schema object, order []string, ordering bool) object {
	if order == nil {
		return schema
	}
	out := object{}
	for keyword, v := range schema {
		out[keyword] = orderedValue(v, order, ordering)
	}
	properties, ok := schema[kwProperties].(object)
	if !ok {
		return out
	}
	names := sortedNames(properties)
	rank := func(name string) int {
		if at := slices.Index(order, name); at >= 0 {
			return at
		}
		return len(order)
	}
	slices.SortStableFunc(names, func(a, b string) int { return rank(a) - rank(b) })
	all := tools.Arguments{}
	for _, name := range names {
		all = append(all, tools.Argument{Name: name, Value: orderedValue(properties[name], order, ordering)})
	}
	out[kwProperties] = all
	if ordering {
		out[kwOrdering] = names
	}
	return out
}

func orderedValue(v any, order []string, ordering bool) any {
	switch v := v.(type) {
	case object:
		return arranged(v, order, ordering)
	case []any:
		out := make([]any, len(v))
		for i, one := range v {
			out[i] = orderedValue(one, order, ordering)
		}
		return out
	}
	return v
}

// orderOf returns the names of a schema's properties in the order in which its text
// has them, or nil where that is the one by their names.
func orderOf(schema json.RawMessage) []string {
	var whole tools.Arguments
	if err := json.Unmarshal(schema, &whole); err != nil {
		return nil // whoever reads the schema says what is wrong
	}
	var names []string
	isSorted := true
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case tools.Arguments:
			for _, a := range v {
				if properties, ok := a.Value.(tools.Arguments); ok && a.Name == kwProperties {
					before := ""
					for _, p := range properties {
						isSorted = isSorted && before < p.Name
						if before = p.Name; !slices.Contains(names, p.Name) {
							names = append(names, p.Name)
						}
					}
				}
				walk(a.Value)
			}
		case []any:
			for _, one := range v {
				walk(one)
			}
		}
	}
	walk(whole)
	if isSorted {
		return nil
	}
	return names
}

// MarshalJSON writes the tool as the format Function has it.
func (t Tool) MarshalJSON() ([]byte, error) {
	type plain Tool // without this method
	t.Parameters = arranged(t.Parameters, t.Order, false)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(plain(t))
	return b.Bytes(), err
}
