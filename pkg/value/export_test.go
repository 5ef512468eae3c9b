package value

import (
	"maps"
	"slices"
)

// Builtins returns the names of the functions that Call computes.
func Builtins() []string { return slices.Collect(maps.Keys(builtins)) }
