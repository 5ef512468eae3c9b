package value_test

import (
	"fmt"
	"time"

	"github.com/birdcall/birdcall/pkg/value"
)

func Example() {
	price := value.Str("12.50")
	twice := value.Add(price, price)
	fmt.Println(twice.Kind(), value.AsText(twice))
	fmt.Println(value.AsText(value.Divide(value.Int(7), value.Int(2))))
	fmt.Println(value.Divide(value.Int(7), value.Int(0)).Kind())
	// Output:
	// real 25.0
	// 3
	// null
}

func ExampleCoerce() {
	// In "year = '1999'", where year is an INTEGER column, the text is turned
	// into a number first.
	a, b := value.Coerce(value.Int(1999), value.Str("1999"), value.AffinityInteger, value.AffinityNone)
	fmt.Println(value.Compare(a, b, value.Binary))
	// Output: 0
}

func ExampleKey() {
	groups := map[value.Value]int{}
	for _, v := range []value.Value{value.Int(1), value.Float(1), value.Str("a"), value.Str("A")} {
		groups[value.Key(v, value.NoCase)]++
	}
	fmt.Println(groups[value.Int(1)], groups[value.Str("a")])
	// Output: 2 2
}

func ExampleCall() {
	now := time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)
	v, err := value.Call("strftime", []value.Value{value.Str("%Y-%j"), value.Str("now"), value.Str("start of year")}, now)
	fmt.Println(value.AsText(v), err)
	_, err = value.Call("random", nil, now)
	fmt.Println(err)
	// Output:
	// 2024-001 <nil>
	// no function random with 0 arguments: use a deterministic built-in of SQLite with the arguments it takes
}

func ExampleNewAggregate() {
	a, err := value.NewAggregate("group_concat", "; ", value.Binary)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range []value.Value{value.Str("x"), value.NullValue(), value.Float(1)} {
		a.Step(v)
	}
	v, err := a.Result()
	fmt.Println(value.AsText(v), err)
	// Output: x; 1.0 <nil>
}

func ExampleCompileLike() {
	p := value.CompileLike("%green%", 0)
	fmt.Println(p.Match("Evergreen"), p.Match("blue"))
	// Output: true false
}
