package parse

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/wasilibs/go-pgquery/parser"

	"github.com/birdcall/birdcall/internal/sql/dialect"
)

// turn is taken by whoever uses the parser. For each call at the same time it would
// have an instance more, with hundreds of megabytes, that it never lets go.
var turn sync.Mutex

// Parse returns the statements of a text, and its tokens. The error is a
// *dialect.Error.
func Parse(sql string) ([]Node, []Token, error) {
	tokens, err := Scan(sql)
	if err != nil {
		return nil, nil, err
	}
	if err := checkHeight(sql, tokens); err != nil {
		return nil, nil, err
	}
	turn.Lock()
	text, err := parser.ParseToJSON(sql)
	turn.Unlock()
	if err != nil {
		return nil, nil, syntaxError(sql, err)
	}
	var tree struct {
		Stmts []struct {
			Stmt map[string]any `json:"stmt"`
		} `json:"stmts"`
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&tree); err != nil {
		return nil, nil, &dialect.Error{Construct: "statement", Reason: fmt.Sprintf("the parser's tree cannot be read: %v; nest it less", err)}
	}
	var out []Node
	for _, s := range tree.Stmts {
		out = append(out, nodeOf(s.Stmt))
	}
	return out, tokens, nil
}

// check refuses what the parser would misread: it takes a text up to its first
// zero byte.
func check(sql string) error {
	switch {
	case !utf8.ValidString(sql):
		return &dialect.Error{Construct: "encoding", Reason: "the statement is not UTF-8; write it in UTF-8"}
	case strings.ContainsRune(sql, 0):
		return &dialect.Error{Construct: "encoding", Reason: "the statement has a zero byte; leave it out"}
	}
	return dialect.CheckSize(sql)
}

// syntaxError gives an error of the parser its place.
func syntaxError(sql string, err error) error {
	out := &dialect.Error{Construct: "syntax", Reason: err.Error()}
	var at *parser.Error
	if errors.As(err, &at) && at.Cursorpos > 0 {
		// The place is counted in characters, from 1.
		runes := []rune(sql)
		before := string(runes[:min(at.Cursorpos-1, len(runes))])
		out.Line = 1 + strings.Count(before, "\n")
		out.Col = 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	}
	return out
}
