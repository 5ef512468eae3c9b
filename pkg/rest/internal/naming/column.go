package naming

import (
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/internal/sqltree"
	"github.com/birdcall/birdcall/pkg/rest/internal/template"
)

// Column is what a column of an answer is called by.
type Column struct {
	Name  string // as the statement has it, or in words; unique in the answer
	Label string // what it is, in words
}

// Columns names the columns of an answer. given are SQLite's own names.
func (n *Namer) Columns(given []string) []Column {
	names, labels := n.t.ResultNames(given), make([]string, len(given))
	for i, name := range names {
		list := words(given[i])
		if len(given) == len(n.t.Columns) {
			list = n.words.result(n.t.Columns[i])
		}
		labels[i] = paramName(list)
		if names[i] = strings.ToValidUTF8(name, "\uFFFD"); name == "" {
			names[i] = labels[i]
		}
	}
	names, labels = distinct(names), distinct(labels)
	out := make([]Column, len(given))
	for i := range out {
		out[i] = Column{names[i], strings.ReplaceAll(labels[i], "_", " ")}
	}
	return out
}

// result puts a column of the result into words: what the statement calls it,
// or what it is.
func (p phrases) result(it *sqltree.Item) []string {
	if list := words(it.Alias); isTelling(list) {
		return list
	}
	if o := template.OriginOf(it.Expr); it.Star && o.Item != nil {
		return p.expr(o.Item.Expr)
	}
	return p.expr(it.Expr)
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
