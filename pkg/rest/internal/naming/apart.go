package naming

import (
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/search/bm25"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
)

// TellApart adds to descriptions that have the same words what their statements
// differ in: how tables are joined, what is read first, the columns, the
// parameters and how these are compared.
func TellApart(list []*Endpoint) {
	known := map[*Endpoint]details{}
	for level := range len(details{}) {
		for _, group := range EqualWords(list) {
			texts := map[string]bool{}
			for _, i := range group {
				if _, ok := known[list[i]]; !ok {
					known[list[i]] = list[i].distinguish()
				}
				texts[sortedWords(known[list[i]][level])] = true
			}
			for _, i := range group {
				if text := known[list[i]][level]; text != "" && len(texts) > 1 {
					list[i].Description += " " + text
					list[i].Bare += " " + text
				}
			}
		}
	}
}

// details distinguish an endpoint from others of the same words, each on its own.
type details [5]string

// sortedWords returns those of the description, which are found once as long as it
// stays the same.
func (e *Endpoint) sortedWords() string {
	if e.sortedOf != e.Description {
		e.sortedOf, e.sorted = e.Description, sortedWords(e.Description)
	}
	return e.sorted
}

// sortedWords returns the words of a text in alphabetical order.
func sortedWords(text string) string {
	words := bm25.Folded(text)
	slices.Sort(words)
	return strings.Join(words, " ")
}

// EqualWords returns the places of descriptions that have the same words, the
// same number of times, in groups of two and more.
func EqualWords(list []*Endpoint) [][]int {
	places := map[string][]int{}
	var keys []string
	for i, e := range list {
		key := e.sortedWords()
		if places[key] == nil {
			keys = append(keys, key)
		}
		places[key] = append(places[key], i)
	}
	var out [][]int
	for _, key := range keys {
		if len(places[key]) > 1 {
			out = append(out, places[key])
		}
	}
	return out
}

// details returns what distinguishes an endpoint from others of the same words.
func (n *Namer) details(params []Param, columns []string) (out details) {
	w := n.writer(false)
	var joins, tables []string
	n.t.Query.WalkAll(func(q *sqltree.Query) {
		for _, s := range q.Arms {
			if s.Values || len(s.Sources) == 0 {
				continue
			}
			v := *w.view(s)
			v.head = nil // each column with its noun
			for _, edge := range v.edges {
				joins = append(joins, the(w.column(&v, edge.a))+" is "+the(w.column(&v, edge.b)))
			}
			for _, src := range s.Sources {
				if src.Query != nil {
					continue
				}
				tables = append(tables, many(w.sourceNoun(src)))
			}
		}
	}, nil)
	if len(joins) > 0 {
		out[0] = "They belong together where " + Enumerate(joins) + "."
	}
	if len(tables) > 0 {
		out[1] = "It is read from the " + tables[0] + " first."
	}
	if len(columns) > 0 {
		out[2] = "The answer has the columns " + Enumerate(columns) + "."
	}
	if len(params) > 0 {
		out[3] = "The first parameter is the " + strings.ReplaceAll(params[0].Name, "_", " ") + "."
	}
	for _, p := range params {
		if p.Plain != "" {
			out[4] = strings.TrimSpace(out[4] + " In the " + strings.ReplaceAll(p.Name, "_", " ") + ": " + p.Plain)
		}
	}
	return out
}
