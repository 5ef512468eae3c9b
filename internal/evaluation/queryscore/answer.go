package queryscore

import (
	"slices"

	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/value"
	"github.com/birdcall/birdcall/pkg/verify"
)

// sameRows holds the result of a query against the rows of SQL. A tool returns whole
// objects: it has the answer if the parts that gold's are the columns of have it, or
// all that it returns.
func sameRows(s *Sample, want [][]value.Value, got *query.Result, q query.Query) (bool, string) {
	o := verify.Options{Ordered: s.Facts.Gold.Ordered, Ties: ties(s.Facts.Gold.Ties, len(want))}
	reason := ""
	for _, parts := range [][]query.Part{partsOf(s, got, q), whole(got)} {
		rows, err := got.Rows(parts)
		if err != nil || len(parts) == 0 {
			continue
		}
		v := verify.Compare(want, rows, o)
		if v.Equal {
			return true, ""
		}
		if reason == "" {
			reason = v.Reason
		}
	}
	if reason == "" {
		reason = "the result lacks a column of the answer"
	}
	return false, reason
}

// ties numbers rows so that those that may change places have the same number; nil
// where no two may.
func ties(runs [][2]int, rows int) []int {
	if len(runs) == 0 {
		return nil
	}
	out := make([]int, rows)
	for i := range out {
		out[i] = i
	}
	for _, r := range runs {
		for i := max(r[0], 0); i <= r[1] && i < rows; i++ {
			out[i] = r[0]
		}
	}
	return out
}

// partsOf finds the parts of the answer in the result of another query, where a
// group's property may be one of objects, and aggregations may be elsewhere.
func partsOf(s *Sample, got *query.Result, q query.Query) []query.Part {
	places := placesOf(s, q)
	out := slices.Clone(s.AnswerFrom)
	for i, p := range out {
		inKeys, inObjects := slices.Contains(got.Keys, p.Property), slices.Contains(got.Columns, p.Property)
		switch {
		case p.Of == query.PartValues && p.Place < len(places):
			out[i].Place = places[p.Place]
		case p.Of == query.PartGroups && !inKeys && inObjects:
			out[i].Of = query.PartObjects
		case p.Of == query.PartObjects && !inObjects && inKeys:
			out[i].Of = query.PartGroups
		}
	}
	return out
}

// placesOf returns where each aggregation of gold is in another query: the same
// one, or the one in its place. It is -1 for none.
func placesOf(s *Sample, q query.Query) []int {
	gold := s.Gold.Query
	c := query.Find(s.Collections, gold.Collection)
	out := make([]int, len(gold.Aggregations))
	for i, a := range gold.Aggregations {
		out[i] = slices.IndexFunc(q.Aggregations, func(b query.Aggregation) bool { return aggregation(a, c) == aggregation(b, c) })
		if out[i] < 0 && len(q.Aggregations) == len(gold.Aggregations) {
			out[i] = i
		}
	}
	return out
}

// whole are all parts of a result.
func whole(r *query.Result) []query.Part {
	var out []query.Part
	for _, name := range r.Keys {
		out = append(out, query.Part{Of: query.PartGroups, Property: name})
	}
	for i := range r.Aggregations {
		out = append(out, query.Part{Of: query.PartValues, Place: i})
	}
	for _, name := range r.Columns {
		out = append(out, query.Part{Of: query.PartObjects, Property: name})
	}
	return out
}

// sameResult holds the result of a query against that of the gold query, of which it
// must have all.
func sameResult(s *Sample, want, got *query.Result, q query.Query) (bool, string) {
	gold := s.Gold.Query
	same := make([]int, len(gold.Aggregations))
	for i := range same {
		same[i] = i
	}
	w, _ := flat(want, want, same)
	g, complete := flat(got, want, placesOf(s, q))
	if !complete {
		return false, "the result lacks a part of the answer"
	}
	objects := len(gold.GroupBy) == 0 && len(gold.Aggregations) == 0
	v := verify.Compare(w, g, verify.Options{Ordered: len(gold.OrderBy) > 0 || gold.Search != "" && objects})
	return v.Equal, v.Reason
}

// flat writes a result as rows that have the keys and the columns of like, and the
// aggregations that are at places: a row for each object of each group, and for
// each value of each aggregation. It reports false if the result lacks any of them.
func flat(r, like *query.Result, places []int) ([][]value.Value, bool) {
	keys, ok := indexes(r.Keys, like.Keys)
	columns, also := indexes(r.Columns, like.Columns)
	if !ok || !also || len(r.Keys) != len(like.Keys) || (len(r.Aggregations) > 0) != (len(like.Aggregations) > 0) {
		return nil, false
	}
	groups := r.Groups
	if len(r.Keys) == 0 {
		groups = []query.Group{{Objects: r.Objects, Values: r.Values}}
	}
	var out [][]value.Value
	for _, g := range groups {
		key := pick(g.Key, keys)
		for _, o := range g.Objects {
			out = append(out, slices.Concat(key, pick(o, columns)))
		}
		for i, at := range places {
			if at < 0 || at >= len(g.Values) {
				return nil, false
			}
			v := g.Values[at]
			number := value.Int(int64(i))
			if v.Occurrences == nil {
				out = append(out, slices.Concat(key, []value.Value{number, v.Value, value.NullValue()}))
			}
			for _, one := range v.Occurrences {
				out = append(out, slices.Concat(key, []value.Value{number, one.Value, value.Int(one.Count)}))
			}
		}
	}
	return out, true
}

// indexes returns where each of some names is in a list.
func indexes(list, names []string) ([]int, bool) {
	out := make([]int, len(names))
	for i, name := range names {
		if out[i] = slices.IndexFunc(list, func(one string) bool { return spelling.Same(one, name) }); out[i] < 0 {
			return nil, false
		}
	}
	return out, true
}

func pick(row []value.Value, at []int) []value.Value {
	out := make([]value.Value, len(at))
	for i, j := range at {
		out[i] = row[j]
	}
	return out
}
