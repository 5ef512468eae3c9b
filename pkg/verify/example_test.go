package verify_test

import (
	"fmt"

	"github.com/birdcall/birdcall/pkg/value"
	"github.com/birdcall/birdcall/pkg/verify"
)

func ExampleCompare() {
	want := [][]value.Value{{value.Str("a"), value.Float(0.3)}, {value.Str("b"), value.Int(2)}}
	got := [][]value.Value{{value.Str("b"), value.Int(3)}, {value.Str("a"), value.Float(0.1 + 0.2)}}
	fmt.Println(verify.Compare(want, got, verify.Options{}).Reason)
	// Output: row 2, column 2: got integer 3, want integer 2
}

func ExampleOneOf() {
	// SELECT name FROM player ORDER BY score DESC LIMIT 1, two players leading.
	c := verify.Candidates{
		Rows:   [][]value.Value{{value.Str("Ann")}, {value.Str("Bo")}, {value.Str("Cy")}},
		Groups: []int{0, 0, 1},
		Limit:  1,
	}
	fmt.Println(verify.OneOf([][]value.Value{{value.Str("Bo")}}, c))
	fmt.Println(verify.OneOf([][]value.Value{{value.Str("Cy")}}, c))
	// Output:
	// true
	// false
}

func ExampleOneOfEach() {
	// SELECT city, name FROM person GROUP BY city: any name of each city.
	groups := [][][]value.Value{
		{{value.Str("Oslo"), value.Str("Ann")}, {value.Str("Oslo"), value.Str("Bo")}},
		{{value.Str("Rome"), value.Str("Cy")}},
	}
	got := [][]value.Value{{value.Str("Rome"), value.Str("Cy")}, {value.Str("Oslo"), value.Str("Bo")}}
	fmt.Println(verify.OneOfEach(got, groups, false))
	// Output: true
}
