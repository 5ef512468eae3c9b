package value

import (
	"math"
	"strings"

	"github.com/birdcall/birdcall/internal/text/spelling"
)

// DefaultSeparator is what group_concat puts between values by default.
const DefaultSeparator = ","

// Aggregate is an aggregate function (lang_aggfunc.html) on its way through
// the rows of one group. It is not safe for concurrent use.
type Aggregate interface {
	// Step takes the argument's value of one row. NULLs count for nothing.
	Step(v Value)
	// Result returns the value for the rows so far. The error is a
	// *FunctionError: SQLite's integer overflow of sum, or a text that is longer
	// than MaxLength.
	Result() (Value, error)
}

// NewAggregate returns an aggregate function that has seen no row: count, sum,
// total, avg, min, max, group_concat or its other name string_agg, in any
// case, and std, which SQLite has not: the sample standard deviation of the
// numbers, NULL for less than two.
//
// separator is for group_concat alone (DefaultSeparator if the call names
// none), and order, by which texts are compared, for min and max alone. For
// count(*), step a value that is not NULL for every row; for DISTINCT, step
// only the first of the values that have the same Key. The error is an
// *UnknownFunctionError.
func NewAggregate(name, separator string, order Collation) (Aggregate, error) {
	switch spelling.Lower(name) {
	case "count":
		return &counter{}, nil
	case "sum":
		return &sum{}, nil
	case "total":
		return &total{}, nil
	case "avg":
		return &average{}, nil
	case "min":
		return &extreme{order: order, sign: -1}, nil
	case "max":
		return &extreme{order: order, sign: 1}, nil
	case "group_concat", "string_agg":
		return &joined{separator: separator}, nil
	case "std":
		return &deviation{}, nil
	}
	return nil, &UnknownFunctionError{Name: name, Args: -1}
}

type counter struct{ n int64 }

func (c *counter) Step(v Value) {
	if v.kind != Null {
		c.n++
	}
}

func (c *counter) Result() (Value, error) { return Int(c.n), nil }

// extreme keeps the first of the values that are least or greatest.
type extreme struct {
	order Collation
	sign  int // 1 for the greatest
	best  Value
}

func (e *extreme) Step(v Value) {
	if v.kind == Null {
		return
	}
	if e.best.kind == Null || Compare(v, e.best, e.order) == e.sign {
		e.best = v
	}
}

func (e *extreme) Result() (Value, error) { return e.best, nil }

// joined is group_concat.
type joined struct {
	separator string
	text      strings.Builder
	any       bool
	tooBig    bool
}

func (j *joined) Step(v Value) {
	if v.kind == Null || j.tooBig {
		return
	}
	s := AsText(v)
	if j.any {
		s = j.separator + s
	}
	j.any = true
	if j.tooBig = j.text.Len()+len(s) > MaxLength; !j.tooBig {
		j.text.WriteString(s)
	}
}

func (j *joined) Result() (Value, error) {
	switch {
	case j.tooBig:
		return Value{}, tooBig("group_concat")
	case !j.any:
		return Value{}, nil
	}
	return Str(j.text.String()), nil
}

// sum adds integers as integers, until the first value that is none or the
// first overflow, and reals with Kahan's and Neumaier's correction.
type sum struct {
	n        int64
	whole    int64
	real     float64
	lost     float64 // what real is too small by
	isReal   bool
	overflow bool // of integers; forgiven once a real comes
}

func (s *sum) Step(v Value) {
	if v.kind == Null {
		return
	}
	s.n++
	number := textToNumber(v)
	if number.kind != Integer {
		s.toReal()
		s.overflow = false
		s.addReal(ToFloat64(v))
		return
	}
	i := number.Int64()
	if s.isReal {
		s.addInt(i)
		return
	}
	total := s.whole + i
	if (s.whole < 0) == (i < 0) && (total < 0) != (i < 0) {
		s.overflow = true
		s.toReal()
		s.addInt(i)
		return
	}
	s.whole = total
}

// Integers of this size are split, so that each part is exact as a real.
const splitFrom, splitAt = 1 << 52, 1 << 14

// split returns two reals that together are exactly i; the second is 0 where
// one will do.
func split(i int64) (large, small float64) {
	if i > -splitFrom && i < splitFrom {
		return float64(i), 0
	}
	rest := i % splitAt
	return float64(i - rest), float64(rest)
}

func (s *sum) toReal() {
	if !s.isReal {
		s.isReal = true
		s.real, s.lost = split(s.whole)
	}
}

func (s *sum) addInt(i int64) {
	large, small := split(i)
	s.addReal(large)
	s.addReal(small)
}

func (s *sum) addReal(f float64) {
	t := s.real + f
	if math.Abs(s.real) > math.Abs(f) {
		s.lost += s.real - t + f
	} else {
		s.lost += f - t + s.real
	}
	s.real = t
}

// float returns the sum as a real.
func (s *sum) float() float64 {
	switch {
	case !s.isReal:
		return float64(s.whole)
	case math.IsInf(s.lost, 0) || math.IsNaN(s.lost):
		return s.real
	}
	return s.real + s.lost
}

func (s *sum) Result() (Value, error) {
	switch {
	case s.n == 0:
		return Value{}, nil
	case s.overflow:
		return Value{}, &FunctionError{"sum", "integer overflow"}
	case s.isReal:
		return Float(s.float()), nil
	}
	return Int(s.whole), nil
}

// total is sum, but always a real and 0.0 for no rows.
type total struct{ sum }

func (t *total) Result() (Value, error) { return Float(t.float()), nil }

type average struct{ sum }

func (a *average) Result() (Value, error) {
	if a.n == 0 {
		return Value{}, nil
	}
	return Float(a.float() / float64(a.n)), nil
}

// deviation keeps Welford's running mean and sum of squares.
type deviation struct {
	n             float64
	mean, squares float64
}

func (d *deviation) Step(v Value) {
	if v.kind != Null {
		d.add(ToFloat64(v))
	}
}

func (d *deviation) add(x float64) {
	d.n++
	off := x - d.mean
	d.mean += off / d.n
	d.squares += float64(off * (x - d.mean))
}

func (d *deviation) Result() (Value, error) {
	if d.n < 2 {
		return Value{}, nil
	}
	return Float(math.Sqrt(d.squares / (d.n - 1))), nil
}
