package value_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/birdcall/birdcall/pkg/value"
)

type (
	code  string
	count uint8
	loop  struct{ *loop }
)

// TestOf shows what each Go type becomes.
func TestOf(t *testing.T) {
	seven := 7
	noon := time.Date(2024, 2, 29, 13, 0, 0, 0, time.FixedZone("CET", 3600))
	for _, test := range []struct {
		in   any
		want value.Value
	}{
		{nil, value.NullValue()},
		{(*int)(nil), value.NullValue()},
		{[]byte(nil), value.NullValue()},
		{math.NaN(), value.NullValue()},
		{sql.NullString{}, value.NullValue()},
		{(*sql.NullString)(nil), value.NullValue()},
		{true, value.Int(1)},
		{int8(-3), value.Int(-3)},
		{count(3), value.Int(3)},
		{&seven, value.Int(7)},
		{uint64(math.MaxInt64), value.Int(math.MaxInt64)},
		{json.Number("12"), value.Int(12)},
		{sql.NullInt64{Int64: 4, Valid: true}, value.Int(4)},
		{float32(0.5), value.Float(0.5)},
		{json.Number("1.0"), value.Float(1)},
		{json.Number("9223372036854775808"), value.Float(9223372036854775808)},
		{"", value.Str("")},
		{code("x"), value.Str("x")},
		{[]byte{}, value.Bytes("")},
		{json.RawMessage("{}"), value.Bytes("{}")},
		{noon, value.Str("2024-02-29 12:00:00")},
		{noon.Add(1500 * time.Millisecond), value.Str("2024-02-29 12:00:01.500")},
		{value.Float(1), value.Float(1)},
	} {
		if got, err := value.Of(test.in); got != test.want || err != nil {
			t.Errorf("Of(%#v) = %s, %v, want %s", test.in, got, err, test.want)
		}
	}
}

// TestOfErrors shows what has no value.
func TestOfErrors(t *testing.T) {
	deep := any(1)
	for range 20 {
		inner := deep
		deep = &inner
	}
	for _, in := range []any{uint64(math.MaxUint64), 1i, []int{1}, map[string]int{}, struct{}{}, json.Number("x"), loop{}, deep, make(chan int)} {
		if got, err := value.Of(in); err == nil {
			t.Errorf("Of(%T) = %s, want an error", in, got)
		}
	}
}

func ExampleOf() {
	for _, v := range []any{42, 2.5, "text", []byte{0, 255}, nil, time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)} {
		x, err := value.Of(v)
		fmt.Println(x.Kind(), x, err)
	}
	// Output:
	// integer 42 <nil>
	// real 2.5 <nil>
	// text text <nil>
	// blob x'00ff' <nil>
	// null NULL <nil>
	// text 2024-02-29 00:00:00 <nil>
}

func ExampleValue_Any() {
	pages := value.Int(412).Any()
	fmt.Printf("%T %v\n", pages, pages)
	// Output: int64 412
}
