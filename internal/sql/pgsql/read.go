package pgsql

import (
	"strings"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/sql/dialect"
	"github.com/birdcall/birdcall/internal/sql/pgsql/parse"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
)

// Statement is a statement with its tree and tokens.
type Statement struct {
	SQL    string
	Tokens []parse.Token
	Query  *sqltree.Query
}

// Read parses a statement and binds its names. The error is a *dialect.Error.
func Read(sql string, schema *engine.Schema) (*Statement, error) {
	s, err := Parse(sql)
	if err != nil {
		return nil, err
	}
	return s, sqltree.Bind(s.Query, schema)
}

// Parse reads one SELECT statement. The names of its tree are not resolved yet:
// see Read. The error is a *dialect.Error.
func Parse(sql string) (*Statement, error) {
	list, tokens, err := parse.Parse(sql)
	if err != nil {
		return nil, err
	}
	switch {
	case len(list) != 1:
		return nil, &dialect.Error{Construct: "statements", Reason: "there has to be exactly one; leave the others out"}
	case list[0].Kind != "SelectStmt":
		return nil, &dialect.Error{Construct: construct(list[0].Kind), Reason: "only a SELECT is taken"}
	}
	r := newReader(sql, tokens)
	q := r.query(list[0])
	if r.err != nil {
		return nil, r.err
	}
	return &Statement{SQL: sql, Tokens: tokens, Query: q}, nil
}

// construct returns the words for a kind of node: InsertStmt is INSERT.
func construct(kind string) string { return strings.ToUpper(strings.TrimSuffix(kind, "Stmt")) }

// reader turns Postgres' trees into those of package sqltree.
type reader struct {
	sql     string
	tokens  []parse.Token
	pair    []int        // of a bracket, the token of its partner
	windows []parse.Node // the named windows of the SELECT that is read
	err     error        // the first one
}

func newReader(sql string, tokens []parse.Token) *reader {
	r := &reader{sql: sql, tokens: tokens, pair: make([]int, len(tokens))}
	var open []int
	for i := range tokens {
		r.pair[i] = -1
		switch r.text(i) {
		case "(", "[":
			open = append(open, i)
		case ")", "]":
			if len(open) > 0 {
				at := open[len(open)-1]
				open = open[:len(open)-1]
				r.pair[at], r.pair[i] = i, at
			}
		}
	}
	return r
}

// refuse notes that a construct at a place is not taken.
func (r *reader) refuse(at int, construct, reason string) {
	if r.err != nil {
		return
	}
	e := &dialect.Error{Construct: construct, Reason: reason}
	if at >= 0 && at <= len(r.sql) {
		before := r.sql[:at]
		e.Line = 1 + strings.Count(before, "\n")
		e.Col = 1 + len([]rune(before[strings.LastIndexByte(before, '\n')+1:]))
	}
	r.err = e
}
