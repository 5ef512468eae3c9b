package dialect

import (
	"errors"

	"github.com/sqlc-dev/meyer/token"
	"github.com/xwb1989/sqlparser"
)

// SetOp is how an arm of a compound SELECT combines with what is before it.
type SetOp string

// The set operators of lang_select.html, section 3.
const (
	UnionAll  SetOp = "UNION ALL"
	Union     SetOp = "UNION"
	Intersect SetOp = "INTERSECT"
	Except    SetOp = "EXCEPT"
)

// Statement is one SELECT: its common table expressions, its arms, and the
// ORDER BY and LIMIT over all of them. The trees hold markers: see Mark.
type Statement struct {
	With    []CTE
	Cores   []Core
	OrderBy sqlparser.OrderBy
	Terms   []Term         // of OrderBy
	Limit   sqlparser.Expr // nil without LIMIT
	Offset  sqlparser.Expr // nil without OFFSET
	// LimitSpan is where the LIMIT clause is.
	LimitSpan Span

	marks *marks
}

// Core is one arm of a statement. The first has no Op. A row of VALUES is an
// separate arm.
type Core struct {
	Op      SetOp
	Select  *sqlparser.Select
	Columns []ResultColumn // one for each of Select.SelectExprs
	From    bool           // has a FROM clause
	Values  bool           // is a row of VALUES
}

// CTE is one common table expression.
type CTE struct {
	Name    string
	Columns []string // explicit column names, or none
	Query   *Statement
}

// Parse lowers one SQLite SELECT statement and parses it. A trailing semicolon
// is allowed. The error is an *Error.
func Parse(sql string) (stmt *Statement, err error) {
	if err := CheckSize(sql); err != nil {
		return nil, err
	}
	l := newLowerer(sql)
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(failure)
			if !ok {
				panic(r)
			}
			stmt, err = nil, f.err
		}
	}()
	stmt = l.statement()
	for l.accept(token.SEMI) {
	}
	if !l.at(token.EOF) {
		l.fail("syntax", "expected the end of the statement, found %s", l.found())
	}
	return stmt, nil
}

// parseCore hands lowered text to the MySQL grammar.
func (l *lowerer) parseCore(text string) *sqlparser.Select {
	tree, err := sqlparser.Parse(text)
	if err != nil {
		l.fail("grammar", "the parser does not take the lowered statement: %v", err)
	}
	sel, ok := tree.(*sqlparser.Select)
	if !ok {
		l.fail("grammar", "expected a SELECT, the parser read a %T", tree)
	}
	return sel
}

// Construct returns the construct that err says is not understood, or "" when
// err is of another kind.
func Construct(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Construct
	}
	return ""
}

// subquery reads the subquery at the cursor, up to but without the closing
// parenthesis.
func (l *lowerer) subquery() *Statement {
	windows := l.windows
	stmt := l.statement()
	l.windows = windows
	return stmt
}

// startsQuery reports whether a subquery begins at the cursor.
func (l *lowerer) startsQuery() bool {
	return l.at(token.SELECT) || l.at(token.WITH) || l.at(token.VALUES)
}
