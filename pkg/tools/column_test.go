package tools

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/birdcall/birdcall/pkg/value"
)

// TestColumnLayout shows which values share a typed layout.
func TestColumnLayout(t *testing.T) {
	null, i, f, s, b := value.NullValue(), value.Int(1), value.Float(1), value.Str("a"), value.Bytes("a")
	for _, test := range []struct {
		values []value.Value
		want   layout
	}{
		{nil, layoutNull},
		{[]value.Value{null, null}, layoutNull},
		{[]value.Value{null, i, null}, layoutInt},
		{[]value.Value{f, null}, layoutReal},
		{[]value.Value{null, s, s}, layoutText},
		{[]value.Value{i, f}, layoutMixed},
		{[]value.Value{s, null, i}, layoutMixed},
		{[]value.Value{b}, layoutMixed},
	} {
		if got := NewColumn(test.values...).layout; got != test.want {
			t.Errorf("%v: layout %d, want %d", test.values, got, test.want)
		}
	}
}

// TestColumnKeepsValues checks that a column gives back what was appended.
func TestColumnKeepsValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		one := rapid.SampledFrom([]*rapid.Generator[value.Value]{
			anyValue(),
			rapid.Map(rapid.Int64(), value.Int),
			rapid.Map(rapid.StringN(0, 2, -1), value.Str),
			rapid.OneOf(rapid.Just(value.NullValue()), rapid.Map(rapid.Float64(), value.Float)),
		}).Draw(t, "generator")
		values := rapid.SliceOfN(one, 0, 200).Draw(t, "values")
		c := NewColumn(values...)
		if c.Len() != len(values) {
			t.Fatalf("%d values, want %d", c.Len(), len(values))
		}
		for i, v := range values {
			if c.Value(i) != v {
				t.Fatalf("value %d is %v, want %v", i, c.Value(i), v)
			}
		}
	})
}
