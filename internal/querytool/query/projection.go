package query

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Part is a part of a result that is a column of an answer. A tool returns whole
// objects and groups; a question often asks for less.
type Part struct {
	// Of is where the part is in the result: PartObjects, PartGroups or PartValues.
	Of string `json:"of"`
	// Property is the property of objects, or the one that groups agree in.
	Property string `json:"property"`
	// Place is the place of the aggregation among Query.Aggregations, from 0.
	Place int `json:"place"`
}

// MarshalJSON writes the property, or of values the place.
func (p Part) MarshalJSON() ([]byte, error) {
	v := tools.Arguments{{Name: "of", Value: p.Of}, {Name: "property", Value: p.Property}}
	if p.Of == PartValues {
		v[1] = tools.Argument{Name: "place", Value: p.Place}
	}
	return json.Marshal(v)
}

// Where a part of a result is.
const (
	PartObjects = "objects"
	PartGroups  = "groups"
	PartValues  = "values"
)

// Rows returns the parts of a result as rows: one for each object, or without
// objects among the parts one for each group, or the one of the aggregations. The
// error names a part that the result has not.
func (r *Result) Rows(parts []Part) ([][]value.Value, error) {
	if r.Keys == nil {
		if r.Values == nil {
			return r.rowsOf(parts, Group{Objects: r.Objects})
		}
		return r.rowsOf(parts, Group{Values: r.Values})
	}
	var out [][]value.Value
	for _, g := range r.Groups {
		rows, err := r.rowsOf(parts, g)
		if err != nil {
			return nil, err
		}
		out = append(out, rows...)
	}
	return out, nil
}

func (r *Result) rowsOf(parts []Part, g Group) ([][]value.Value, error) {
	of := [][]value.Value{nil} // the objects that give a row each
	if slices.ContainsFunc(parts, func(p Part) bool { return p.Of == PartObjects }) {
		of = g.Objects
	}
	out := make([][]value.Value, len(of))
	for i, o := range of {
		for _, p := range parts {
			v, err := r.cell(p, g, o)
			if err != nil {
				return nil, err
			}
			out[i] = append(out[i], v)
		}
	}
	return out, nil
}

func (r *Result) cell(p Part, g Group, object []value.Value) (value.Value, error) {
	switch p.Of {
	case PartObjects:
		if at := slices.Index(r.Columns, p.Property); at >= 0 && at < len(object) {
			return object[at], nil
		}
	case PartGroups:
		if at := slices.Index(r.Keys, p.Property); at >= 0 && at < len(g.Key) {
			return g.Key[at], nil
		}
	case PartValues:
		if p.Place >= 0 && p.Place < len(g.Values) && g.Values[p.Place].Occurrences == nil {
			return g.Values[p.Place].Value, nil
		}
	}
	return value.Value{}, fmt.Errorf("query: the result has no %s %q at %d", p.Of, p.Property, p.Place)
}

// Table returns the whole result as rows under the names of columns: objects with
// their properties, groups with their keys before their objects or values, and one
// row of values without groups. An aggregation of TOP_OCCURRENCES gives a row for each
// value, with a column for the value and one for its count.
func (r *Result) Table() ([]string, [][]value.Value) {
	names := slices.Clone(r.Keys)
	if r.Aggregations == nil {
		names = append(names, r.Columns...)
	}
	for _, a := range r.Aggregations {
		names = append(names, a.words())
		if a.Metric == TopOccurrences {
			names = append(names, "count")
		}
	}
	groups := r.Groups
	if r.Keys == nil {
		groups = []Group{{Objects: r.Objects, Values: r.Values}}
	}
	rows := [][]value.Value{}
	for _, g := range groups {
		rows = append(rows, g.rows(r.Aggregations)...)
	}
	return names, rows
}

// rows returns a group as rows.
func (g Group) rows(aggregations []Aggregation) [][]value.Value {
	if aggregations == nil {
		out := make([][]value.Value, len(g.Objects))
		for i, o := range g.Objects {
			out[i] = slices.Concat(g.Key, o)
		}
		return out
	}
	out := [][]value.Value{slices.Clone(g.Key)}
	for i, a := range aggregations {
		if a.Metric != TopOccurrences {
			for j := range out {
				out[j] = append(out[j], g.Values[i].Value)
			}
			continue
		}
		var next [][]value.Value
		for _, row := range out {
			for _, o := range g.Values[i].Occurrences {
				next = append(next, slices.Concat(row, []value.Value{o.Value, value.Int(o.Count)}))
			}
		}
		out = next
	}
	return out
}
