package tools

import "slices"

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
