package naming

import (
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/internal/sql/sqltree"
)

// Columns names the columns of an answer as the statement has them, or in words;
// each name is there once. given are SQLite's own names.
func (n *Namer) Columns(given []string) []string {
	names := n.t.ResultNames(given)
	w := n.writer(true)
	for i, name := range names {
		if name == "" {
			list := words(given[i])
			if len(given) == len(n.t.Columns) {
				list = w.resultWords(n.t.Query.Arms[0], n.t.Columns[i])
			}
			name = paramName(list)
		}
		names[i] = strings.ToValidUTF8(name, "\uFFFD")
	}
	return distinct(names)
}

// resultWords puts a column of the result into words: what the statement calls
// it, or what it is.
func (w *writer) resultWords(s *sqltree.Select, it *sqltree.Item) []string {
	if list := words(it.Alias); isTelling(list) {
		return list
	}
	if s.Values {
		return []string{"value"}
	}
	return telling(w.phrase(w.view(s), it.Expr))
}

// distinct returns the names with _2, _3 and so on after those that were there
// before. A name that is there once stays as it is.
func distinct(names []string) []string {
	all, seen := map[string]bool{}, map[string]bool{}
	for _, name := range names {
		all[name] = true
	}
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = name
		for n := 2; seen[name] && all[out[i]]; n++ {
			out[i] = fmt.Sprintf("%s_%d", name, n)
		}
		all[out[i]], seen[name] = true, true
	}
	return out
}
