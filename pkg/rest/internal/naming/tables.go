package naming

import (
	"fmt"
	"iter"
)

// Table yields names for what gives the rows of a table, as Endpoint.Names does.
// segment stands for the table's database.
func Table(name, segment string) iter.Seq[string] {
	of := append([]string{"rows", "of"}, words(name)...)
	return numbered(of, append(of[:len(of):len(of)], append([]string{"in"}, words(segment)...)...))
}

// Tables yields names for what lists the tables of a database.
func Tables(segment string) iter.Seq[string] {
	return numbered(append([]string{"tables", "of"}, words(segment)...))
}

// numbered yields names of those words, and then the last of them with numbers.
func numbered(names ...[]string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, list := range names {
			if !yield(snake(list, maxName)) {
				return
			}
		}
		for i := 2; ; i++ {
			suffix := fmt.Sprintf("_%d", i)
			if !yield(snake(names[len(names)-1], maxName-len(suffix)) + suffix) {
				return
			}
		}
	}
}
