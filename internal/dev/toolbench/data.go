// Package toolbench has the table and the calls that the speed of package tools is
// measured with: by its own benchmark, against other libraries (internal/dev/peers), and
// against the record of an earlier version (internal/dev/toolbench/record).
package toolbench

import (
	"strconv"

	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Rows is the number of rows that all numbers in the documentation are about.
const Rows = 1_000_000

// Table returns a table with an integer key (id), an integer of 1024 values (group),
// a real of a million and one of 512 texts. Reals are multiples of 1/16, so that sums
// of them have no rounding, in whatever order they are made.
func Table(rows int) (*tools.Table, error) {
	builders := make([]tools.ColumnBuilder, 4)
	for i := range builders {
		builders[i].Grow(rows)
	}
	x := uint64(1)
	for i := range rows {
		x = x*6364136223846793005 + 1442695040888963407
		builders[0].Append(value.Int(int64(i)))
		builders[1].Append(value.Int(int64(x >> 54)))
		builders[2].Append(value.Float(float64(x>>40) / 16))
		builders[3].Append(value.Str("text " + strconv.Itoa(int(x>>55))))
	}
	columns := make([]*tools.Column, len(builders))
	for i := range builders {
		columns[i] = builders[i].Column()
	}
	return tools.NewTable([]tools.Field{
		{Key: "id", Affinity: value.AffinityInteger},
		{Key: "group", Affinity: value.AffinityInteger},
		{Key: "real", Affinity: value.AffinityReal},
		{Key: "text", Affinity: value.AffinityText},
	}, columns)
}
