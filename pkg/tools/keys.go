package tools

import (
	"slices"
	"strconv"
)

// UniqueKeys returns the keys that a table gives its columns when they are
// wanted under these names: a name that is taken gets the first of _1, _2, ...
// appended that is free. Starting tables, retrieve_data and join_data name
// their columns so.
func UniqueKeys(names []string) []string {
	n := newNames()
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = n.add(name)
	}
	return out
}

// headerKeys makes keys of the names in a header, which may be empty.
func headerKeys(header []string) []string {
	keys := slices.Clone(header)
	for i, key := range keys {
		if key == "" {
			keys[i] = "column"
		}
	}
	return UniqueKeys(keys)
}

// names makes keys unique within a table.
type names struct {
	taken map[string]bool
	last  map[string]int // the number that a name was given last
}

func newNames() *names { return &names{taken: map[string]bool{}, last: map[string]int{}} }

// add returns the key itself, or with the first of _1, _2, ... that is free.
func (n *names) add(key string) string {
	free := key
	for i := n.last[key] + 1; n.taken[free]; i++ {
		free = key + "_" + strconv.Itoa(i)
		n.last[key] = i
	}
	n.taken[free] = true
	return free
}
