package sqlfunc

import (
	"maps"
	"slices"
)

// All returns SQLite's functions.
func All() []Function { return slices.Collect(maps.Values(sqlite)) }
