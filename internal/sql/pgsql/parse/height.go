package parse

import (
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/internal/sql/dialect"
)

// maxHeight bounds how many operators and brackets may be nested.
// The parser in WebAssembly has a small stack and does not look where it ends: at
// 600 calls it fails, and the next statement finds it broken.
const maxHeight = 250

// checkHeight refuses a statement whose tree may be too high. A chain of
// operators is as high as it is long; commas, AND and OR make a tree wide, and so
// do the branches of CASE.
func checkHeight(sql string, tokens []Token) error {
	type frame struct {
		height int    // where it begins
		top    int    // the greatest within
		close  string // what ends it
	}
	around := []frame{{}} // what the place is in
	height := 0
	for _, t := range tokens {
		last := around[len(around)-1]
		word := strings.ToUpper(sql[t.Start:t.End])
		switch {
		case word == "(" || word == "[" || word == "CASE":
			height++
			around = append(around, frame{height, height, map[string]string{"(": ")", "[": "]", "CASE": "END"}[word]})
		case word == last.close:
			around = around[:len(around)-1]
			height = max(last.top, height) // what follows may hold it
		case word == "," || word == "AND" || word == "OR":
			height = last.height
		case last.close == "END" && (word == "WHEN" || word == "THEN" || word == "ELSE"):
			height = last.height
		case isHigher(word):
			height++
		}
		at := &around[len(around)-1]
		at.top = max(at.top, height)
		if height > maxHeight {
			return &dialect.Error{Construct: "depth of the statement", Reason: fmt.Sprintf("more than %d operators and brackets stand within one another; split it", maxHeight)}
		}
	}
	return nil
}

// isHigher reports whether a token makes a tree higher: an operator, in signs or
// in words.
func isHigher(word string) bool {
	switch word {
	case "NOT", "IS", "ISNULL", "NOTNULL", "IN", "LIKE", "ILIKE", "SIMILAR", "BETWEEN", "COLLATE", "AT", "OVERLAPS",
		"SELECT", "VALUES", "TABLE", "WITH", "UNION", "INTERSECT", "EXCEPT", "JOIN", "OPERATOR", "ANY", "ALL", "SOME":
		return true
	}
	return strings.ContainsAny(word[:1], "+-*/<>=~!@#%^&|`?:")
}
