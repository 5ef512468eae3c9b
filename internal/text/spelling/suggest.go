package spelling

import (
	"slices"
	"strings"
)

// Suggest says what could be used instead of an unknown name: the known
// names, or those that are spelled most like it where there are many.
func Suggest(name string, known []string) string {
	const maxNames = 12
	if len(known) == 0 {
		return "there are none"
	}
	if len(known) <= maxNames {
		return "use one of " + strings.Join(known, ", ")
	}
	type candidate struct {
		name     string
		distance int
	}
	list := make([]candidate, len(known))
	for i, k := range known {
		list[i] = candidate{k, Distance(strings.ToLower(name), strings.ToLower(k))}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return a.distance - b.distance })
	near := make([]string, maxNames/2)
	for i := range near {
		near[i] = list[i].name
	}
	return "the nearest are " + strings.Join(near, ", ")
}

// Unknown says of an unknown name which name is meant, or what could be used in
// its place.
func Unknown(name string, known []string) string {
	if nearest, ok := Nearest(name, known); ok {
		return "did you mean " + nearest + "?"
	}
	return Suggest(name, known)
}
