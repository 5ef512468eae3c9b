package gotaframe_test

import (
	"context"
	"fmt"
	"log"

	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/tools/gotaframe"
)

// A table goes to gota for what gota does better, here the quartiles of its
// columns, and comes back.
func Example() {
	type book struct {
		Pages int
		Price float64
	}
	table, err := tools.FromStructs([]book{{412, 9.5}, {474, 7}, {704, 12.5}})
	if err != nil {
		log.Fatal(err)
	}
	df, err := gotaframe.ToDataFrame(context.Background(), table)
	if err != nil {
		log.Fatal(err)
	}
	described, err := gotaframe.FromDataFrame(df.Describe())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(described)
	// Output:
	// column       Pages     Price
	// mean         530.0  9.666667
	// median       474.0       9.5
	// stddev  153.844077  2.753785
	// min          412.0       7.0
	// 25%          412.0       7.0
	// 50%          474.0       9.5
	// 75%          704.0      12.5
	// max          704.0      12.5
}
