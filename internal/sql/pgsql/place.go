package pgsql

import (
	"sort"
	"strings"

	"github.com/birdcall/birdcall/internal/sql/sqltree"
)

// region is a run of tokens, from one up to another, that an expression lies in
// with the parentheses around it. Parentheses that the grammar asks for, such as
// those of a call, are not in the region of what they hold.
type region struct{ from, to int }

func (r *reader) all() region { return region{0, len(r.tokens)} }

// index returns the token that begins at a place, or the next one.
func (r *reader) index(at int) int {
	return sort.Search(len(r.tokens), func(i int) bool { return r.tokens[i].Start >= at })
}

// after returns the token after a place.
func (r *reader) after(s sqltree.Span) int { return r.index(s.End) }

// text returns a token as it was written, or "" where there is none.
func (r *reader) text(i int) string {
	if i < 0 || i >= len(r.tokens) {
		return ""
	}
	return r.sql[r.tokens[i].Start:r.tokens[i].End]
}

// word returns a token in lower case.
func (r *reader) word(i int) string { return strings.ToLower(r.text(i)) }

// closing returns the token after the bracket that closes the first one from a
// token on, and that first one.
func (r *reader) closing(i int) (open, after int) {
	for open = i; open < len(r.tokens); open++ {
		if text := r.text(open); (text == "(" || text == "[") && r.pair[open] > open {
			return open, r.pair[open] + 1
		}
	}
	return len(r.tokens), len(r.tokens)
}

// span returns the bytes of tokens from one up to another.
func (r *reader) span(from, to int) sqltree.Span {
	if from < 0 || to > len(r.tokens) || from >= to {
		return sqltree.Span{}
	}
	return sqltree.Span{Start: r.tokens[from].Start, End: r.tokens[to-1].End}
}

// place gives an expression its tokens, with the parentheses around them in a
// region.
func (r *reader) place(e sqltree.Expr, from, to int, in region) sqltree.Expr {
	span := r.span(from, to)
	for from > in.from && to < in.to && r.text(from-1) == "(" && r.pair[from-1] == to {
		from, to = from-1, to+1
	}
	return sqltree.Place(e, span, r.span(from, to))
}

// over places an expression over its operands.
func (r *reader) over(e, first, last sqltree.Expr, in region) sqltree.Expr {
	return r.place(e, r.index(first.Outer().Start), r.after(last.Outer()), in)
}

// other makes an expression that is known by its text only.
func (r *reader) other(from, to int, in region, args ...sqltree.Expr) *sqltree.Other {
	o := &sqltree.Other{Args: args}
	r.place(o, from, to, in)
	o.Text = r.sql[o.Span().Start:o.Span().End]
	return o
}

// typeEnd returns the token after the type that begins at a token
// (https://www.postgresql.org/docs/current/datatype.html).
func (r *reader) typeEnd(i int) int {
	next := func(words ...string) bool {
		for n, w := range words {
			if r.word(i+n) != w {
				return false
			}
		}
		i += len(words)
		return true
	}
	next("setof")
	first := r.word(i)
	for i++; r.text(i) == "."; i += 2 {
		first = ""
	}
	switch first {
	case "double":
		next("precision")
	case "national":
		i++
		next("varying")
	case "character", "char", "nchar", "bit":
		next("varying")
	}
	if r.text(i) == "(" {
		i = r.pair[i] + 1
	}
	switch first {
	case "time", "timestamp":
		if !next("with", "time", "zone") {
			next("without", "time", "zone")
		}
	case "interval":
		i = r.fieldsEnd(i)
	}
	next("array")
	for r.text(i) == "[" {
		i = r.pair[i] + 1
	}
	return i
}

// fieldsEnd returns the token after the fields of an interval: YEAR TO MONTH.
func (r *reader) fieldsEnd(i int) int {
	for {
		switch r.word(i) {
		case "year", "month", "day", "hour", "minute", "second":
			i++
			if r.text(i) == "(" {
				i = r.pair[i] + 1
			}
			if r.word(i) != "to" {
				return i
			}
			i++
			continue
		}
		return i
	}
}
