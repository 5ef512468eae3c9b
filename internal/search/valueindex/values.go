package valueindex

import "github.com/birdcall/birdcall/pkg/value"

// Values returns the values of a column, texts first, then integers, then reals, each
// in ascending order; most at most.
func (x *Index) Values(column, limit int) []value.Value {
	c := &x.columns[column]
	var out []value.Value
	for at := range min(c.size(), limit) {
		v, ok := x.value(c, at)
		if !ok {
			break
		}
		out = append(out, v)
	}
	return out
}
