package value_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/birdcall/birdcall/pkg/value"
)

func TestCompareIsSQLitesOrder(t *testing.T) {
	for _, name := range []string{"BINARY", "NOCASE", "RTRIM"} {
		t.Run(name, func(t *testing.T) {
			c, ok := value.CollationNamed(name)
			if !ok || c.String() != name {
				t.Fatalf("CollationNamed(%q) = %v, %v", name, c, ok)
			}
			// NULL is equal to NULL in Compare, as IS has it.
			expr := fmt.Sprintf(`CASE WHEN a.x IS b.x COLLATE %[1]s THEN 0
				WHEN a.x IS NULL THEN -1 WHEN b.x IS NULL THEN 1
				WHEN a.x < b.x COLLATE %[1]s THEN -1 ELSE 1 END`, name)
			checkBinary(t, expr, func(a, b value.Value) value.Value {
				order := value.Compare(a, b, c)
				if (order == 0) != (value.Key(a, c) == value.Key(b, c)) {
					t.Errorf("Key disagrees with Compare on %s and %s", show(a), show(b))
				}
				return value.Int(int64(order))
			})
		})
	}
}

func TestCollationNamed(t *testing.T) {
	if c, ok := value.CollationNamed("nocase"); !ok || c != value.NoCase {
		t.Errorf("nocase: %v, %v", c, ok)
	}
	if _, ok := value.CollationNamed("UNICODE"); ok {
		t.Error("UNICODE is no built-in collation")
	}
}

// anyValue draws values that collide often enough to be equal now and then.
func anyValue() *rapid.Generator[value.Value] {
	return rapid.OneOf(
		rapid.Just(value.NullValue()),
		rapid.Map(rapid.Int64Range(-3, 3), value.Int),
		rapid.Map(rapid.Int64(), value.Int),
		rapid.Map(rapid.Float64(), value.Float),
		rapid.Map(rapid.Int64(), func(i int64) value.Value { return value.Float(float64(i)) }),
		rapid.Map(rapid.StringMatching(`[aAbB_ ]{0,3}`), value.Str),
		rapid.Map(rapid.String(), value.Str),
		rapid.Map(rapid.StringMatching(`[ab]{0,2}`), value.Bytes),
		rapid.SampledFrom(awkward()),
	)
}

func TestCompareIsTotalOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom([]value.Collation{value.Binary, value.NoCase, value.RTrim}).Draw(t, "collation")
		x, y, z := anyValue().Draw(t, "x"), anyValue().Draw(t, "y"), anyValue().Draw(t, "z")
		xy, yx := value.Compare(x, y, c), value.Compare(y, x, c)
		if xy != -yx {
			t.Errorf("Compare(x, y) = %d, Compare(y, x) = %d", xy, yx)
		}
		if xy <= 0 && value.Compare(y, z, c) <= 0 && value.Compare(x, z, c) > 0 {
			t.Error("x <= y <= z but x > z")
		}
		if (xy == 0) != (value.Key(x, c) == value.Key(y, c)) {
			t.Errorf("Compare is %d but keys are %s and %s", xy, show(value.Key(x, c)), show(value.Key(y, c)))
		}
	})
}

func BenchmarkCompare(b *testing.B) {
	values := awkward()
	for i := 0; b.Loop(); i++ {
		value.Compare(values[i%len(values)], values[(i*7+3)%len(values)], value.NoCase)
	}
}

func BenchmarkKey(b *testing.B) {
	values := awkward()
	for i := 0; b.Loop(); i++ {
		value.Key(values[i%len(values)], value.NoCase)
	}
}
