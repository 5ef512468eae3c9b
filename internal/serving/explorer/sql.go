package explorer

import (
	"strings"

	"github.com/sqlc-dev/meyer/lexer"
	"github.com/sqlc-dev/meyer/token"
)

// span is a part of a statement's text and what it is, "" for what has no colour.
type span struct {
	Text string `json:"text"`
	Kind string `json:"kind,omitempty"`
	// Line is set where a clause begins that reads better on its own line.
	Line bool `json:"line,omitempty"`
}

// The kinds of spans.
const (
	kindKeyword  = "keyword"
	kindString   = "string"
	kindNumber   = "number"
	kindFunction = "function"
	kindName     = "name" // in quotes
	kindComment  = "comment"
)

// colour splits a statement into spans. Their texts together are the statement.
// A text that is no SQL has spans all the same.
func colour(sql string) []span {
	out := []span{}
	add := func(s span) {
		last := len(out) - 1
		if last >= 0 && out[last].Kind == s.Kind && !s.Line {
			out[last].Text += s.Text
			return
		}
		out = append(out, s)
	}
	between := func(text string) { // tokens: space and comments
		switch {
		case text == "":
		case strings.TrimSpace(text) == "":
			add(span{Text: text})
		default:
			add(span{Text: text, Kind: kindComment})
		}
	}
	tokens := lexer.Lex(sql)
	at, depth := 0, 0
	for i, t := range tokens {
		if t.Kind == token.EOF {
			break
		}
		between(sql[at:t.Pos])
		at = t.End
		switch t.Kind {
		case token.LP:
			depth++
		case token.RP:
			depth--
		}
		s := span{Text: sql[t.Pos:t.End], Kind: kindOf(sql, tokens, i)}
		s.Line = s.Kind == kindKeyword && depth == 0 && i > 0 && beginsClause(tokens, i)
		add(s)
	}
	between(sql[at:])
	return out
}

func kindOf(sql string, tokens []token.Token, i int) string {
	t := tokens[i]
	isCalled := i+1 < len(tokens) && tokens[i+1].Kind == token.LP
	switch t.Kind {
	case token.STRING, token.BLOB:
		return kindString
	case token.INTEGER, token.FLOAT, token.QNUMBER:
		return kindNumber
	case token.ID:
		switch {
		case strings.ContainsRune("\"`[", rune(sql[t.Pos])):
			return kindName
		case isCalled:
			return kindFunction
		}
		return ""
	}
	switch {
	case t.Kind < token.ABORT || i > 0 && tokens[i-1].Kind == token.DOT: // T1.key
		return ""
	case t.Kind == token.REPLACE && isCalled:
		return kindFunction
	}
	return kindKeyword
}

// beginsClause reports whether a keyword begins a clause, or a part of FROM.
func beginsClause(tokens []token.Token, i int) bool {
	switch tokens[i].Kind {
	case token.FROM, token.WHERE, token.HAVING, token.GROUP, token.ORDER, token.LIMIT, token.UNION, token.EXCEPT, token.INTERSECT, token.SELECT:
		return true
	case token.JOIN, token.JOIN_KW:
		return tokens[i-1].Kind != token.JOIN_KW
	}
	return false
}
