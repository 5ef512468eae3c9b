package value

import (
	"math"

	"github.com/birdcall/birdcall/internal/text/spelling"
)

// Moving is an aggregate function over a frame of rows that moves
// (https://www.sqlite.org/windowfunctions.html, section 6). Rows enter it by
// Step and leave it by Inverse, in one order.
type Moving interface {
	Aggregate
	// Inverse takes back the value of the oldest row that is left.
	Inverse(v Value)
}

// NewMoving returns an aggregate function over a frame that moves, by the
// names and with the arguments of NewAggregate. It has no std.
//
// The results are those of SQLite: a sum that has met a REAL remains a REAL
// after that has left, sums of REALs keep what rounding took from them, and min
// and max show the last of equal values, where NewAggregate shows the first.
// The error is an *UnknownFunctionError.
func NewMoving(name, separator string, order Collation) (Moving, error) {
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
		return &movingExtreme{order: order, sign: -1}, nil
	case "max":
		return &movingExtreme{order: order, sign: 1}, nil
	case "group_concat", "string_agg":
		return &movingJoined{separator: separator}, nil
	}
	return nil, &UnknownFunctionError{Name: name, Args: -1}
}

func (c *counter) Inverse(v Value) {
	if v.kind != Null {
		c.n--
	}
}

// Inverse is sumInverse of SQLite's func.c.
func (s *sum) Inverse(v Value) {
	if v.kind == Null {
		return
	}
	s.n--
	number := textToNumber(v)
	if !s.isReal {
		// Only integers have been added, so this is one.
		left, ok := subtractInt(s.whole, number.Int64())
		if ok {
			s.whole = left
			return
		}
		s.overflow = true
		s.toReal()
	}
	switch {
	case number.kind != Integer:
		s.addReal(-ToFloat64(v))
	case number.Int64() == math.MinInt64:
		s.addInt(math.MaxInt64)
		s.addInt(1)
	default:
		s.addInt(-number.Int64())
	}
}

// subtractInt returns a - b, and whether it is an integer of 64 bits.
func subtractInt(a, b int64) (int64, bool) {
	d := a - b
	return d, (a < 0) == (b < 0) || (d < 0) == (a < 0)
}

// movingExtreme keeps the values that may yet be the least or greatest, the
// best one first.
type movingExtreme struct {
	order   Collation
	sign    int // 1 for the greatest
	kept    []placed
	entered int // values that are not NULL
	left    int
}

// placed is a value and how many came before it.
type placed struct {
	value Value
	place int
}

func (e *movingExtreme) Step(v Value) {
	if v.kind == Null {
		return
	}
	n := len(e.kept)
	for n > 0 && Compare(e.kept[n-1].value, v, e.order) != e.sign {
		n--
	}
	e.kept = append(e.kept[:n], placed{v, e.entered})
	e.entered++
}

func (e *movingExtreme) Inverse(v Value) {
	if v.kind == Null {
		return
	}
	e.left++
	if len(e.kept) > 0 && e.kept[0].place < e.left {
		e.kept = e.kept[1:]
	}
}

func (e *movingExtreme) Result() (Value, error) {
	if len(e.kept) == 0 {
		return Value{}, nil
	}
	return e.kept[0].value, nil
}

// movingJoined is group_concat. Its text loses a value and a separator at the
// front; once it is empty, no separator comes before the next value.
type movingJoined struct {
	separator string
	text      string
	values    int
	started   bool
}

func (j *movingJoined) Step(v Value) {
	if v.kind == Null {
		return
	}
	if j.started {
		j.text += j.separator
	}
	j.text += AsText(v)
	j.values++
	j.started = true
}

func (j *movingJoined) Inverse(v Value) {
	if v.kind == Null {
		return
	}
	j.values--
	j.text = j.text[min(len(AsText(v))+len(j.separator), len(j.text)):]
	j.started = j.text != ""
}

func (j *movingJoined) Result() (Value, error) {
	switch {
	case len(j.text) > MaxLength:
		return Value{}, tooBig("group_concat")
	case j.values == 0:
		return Value{}, nil
	}
	return Str(j.text), nil
}
