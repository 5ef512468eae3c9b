package dialect

import (
	"fmt"
	"strings"

	"github.com/sqlc-dev/meyer/lexer"
	"github.com/sqlc-dev/meyer/token"
)

// maxDepth bounds the nesting of expressions and subqueries, as SQLite's own
// expression depth limit does; deeper input is refused, not recursed into.
const maxDepth = 190

// Error is a statement that cannot be lowered.
type Error struct {
	Construct string // what is not understood, in SQL's words: "REGEXP", "syntax", ...
	Reason    string // a sentence for people
	Line, Col int    // 1-based place in the statement; 0 where it is the whole
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Construct + ": " + e.Reason
	}
	return fmt.Sprintf("%s at line %d, column %d: %s", e.Construct, e.Line, e.Col, e.Reason)
}

// lowerer walks the tokens of one statement and collects its marks.
type lowerer struct {
	src     string
	toks    []token.Token
	i       int
	depth   int // how deep the cursor is nested
	height  int // of the highest expression read so far at this depth
	marks   *marks
	windows map[string]window // named windows of the core being lowered
	copied  int               // bytes that uses of named windows have written
}

func newLowerer(src string) *lowerer {
	return &lowerer{src: src, toks: lexer.Lex(src), marks: &marks{}}
}

func (l *lowerer) cur() token.Token { return l.toks[l.i] }

// peek returns the kind of the token n places ahead; past the end it is EOF.
func (l *lowerer) peek(n int) token.Kind {
	if l.i+n >= len(l.toks) {
		return token.EOF
	}
	return l.toks[l.i+n].Kind
}

func (l *lowerer) at(k token.Kind) bool { return l.cur().Kind == k }

func (l *lowerer) text() string { return l.cur().Text(l.src) }

func (l *lowerer) advance() token.Token {
	t := l.cur()
	if t.Kind != token.EOF {
		l.i++
	}
	return t
}

func (l *lowerer) accept(k token.Kind) bool {
	if !l.at(k) {
		return false
	}
	l.advance()
	return true
}

// failure carries an *Error up through the recursive descent; Parse turns it
// back into an ordinary error.
type failure struct{ err *Error }

func (l *lowerer) fail(construct, format string, args ...any) {
	panic(failure{l.errorAt(l.cur().Pos, construct, format, args...)})
}

func (l *lowerer) errorAt(pos int, construct, format string, args ...any) *Error {
	before := l.src[:min(pos, len(l.src))]
	line := 1 + strings.Count(before, "\n")
	col := len(before) - strings.LastIndexByte(before, '\n')
	return &Error{Construct: construct, Reason: fmt.Sprintf(format, args...), Line: line, Col: col}
}

func (l *lowerer) expect(k token.Kind, what string) {
	if !l.accept(k) {
		l.fail("syntax", "expected %s, found %s", what, l.found())
	}
}

func (l *lowerer) found() string {
	if l.at(token.EOF) {
		return "the end of the statement"
	}
	return fmt.Sprintf("%q", l.text())
}

func (l *lowerer) enter() {
	if l.depth++; l.depth > maxDepth {
		l.fail("nesting", "more than %d levels of nesting", maxDepth)
	}
}

func (l *lowerer) leave() { l.depth-- }
