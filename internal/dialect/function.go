package dialect

import (
	"strings"

	"github.com/sqlc-dev/meyer/token"
)

// windowDef is a window's lowered PARTITION BY, ORDER BY and frame.
type windowDef struct {
	partition, order string // argument lists, or ""
	frame            [4]string
}

// maxCopied bounds what the uses of named windows add to the lowered text:
// each use writes the whole definition, and definitions may use others.
const maxCopied = 4 * MaxSize

// function reads name([DISTINCT] args) [FILTER (...)] [OVER ...].
func (l *lowerer) function() lowered {
	name := l.name("a function")
	l.expect(token.LP, "'('")
	args := ""
	switch {
	case l.accept(token.STAR):
		args = "*"
	case !l.at(token.RP):
		if l.accept(token.DISTINCT) {
			args = "distinct "
		} else {
			l.accept(token.ALL)
		}
		args += l.exprList()
		if l.at(token.ORDER) {
			l.fail("ORDER BY in an aggregate", "%s(... ORDER BY ...) is not supported", name)
		}
	}
	l.expect(token.RP, "')'")
	out := quote(name) + "(" + args + ")"
	if l.accept(token.FILTER) {
		l.expect(token.LP, "'('")
		l.expect(token.WHERE, "WHERE")
		out = call(fnFilter, out, l.expr())
		l.expect(token.RP, "')'")
	}
	if l.accept(token.OVER) {
		w := l.over()
		out = call(fnOver, out, call(fnPartition, w.partition), call(fnOrder, w.order), call(fnFrame,
			literal(w.frame[0]), literal(w.frame[1]), literal(w.frame[2]), literal(w.frame[3])))
	}
	return atom(out)
}

// over reads what follows OVER: a window's name or its definition.
func (l *lowerer) over() windowDef {
	if l.at(token.LP) {
		return l.windowDef()
	}
	return l.named(l.name("a window"))
}

func (l *lowerer) named(name string) windowDef {
	w, ok := l.windows[strings.ToLower(name)]
	if !ok {
		l.fail("window", "there is no window named %q", name)
	}
	if l.copied += len(w.partition) + len(w.order); l.copied > maxCopied {
		l.fail("window", "the definitions of named windows are too long for how often they are used")
	}
	return w
}

func (l *lowerer) windowDef() windowDef {
	l.expect(token.LP, "'('")
	var w windowDef
	if token.IsID(l.cur().Kind) && !l.at(token.PARTITION) && !l.at(token.RANGE) && !l.at(token.ROWS) && !l.at(token.GROUPS) {
		w = l.named(l.name("a window"))
	}
	if l.accept(token.PARTITION) {
		l.expect(token.BY, "BY")
		w.partition = l.exprList()
	}
	if l.accept(token.ORDER) {
		l.expect(token.BY, "BY")
		w.order = l.orderTerms(func(e string, desc bool) string {
			if desc {
				return call(fnDesc, e)
			}
			return e
		})
	}
	if l.at(token.RANGE) || l.at(token.ROWS) || l.at(token.GROUPS) {
		w.frame = l.frame()
	}
	l.expect(token.RP, "')'")
	return w
}

// frame reads unit, start, end and exclusion as upper-case words; an offset
// stays the text that was written.
func (l *lowerer) frame() [4]string {
	f := [4]string{strings.ToUpper(l.advance().Text(l.src))}
	if l.accept(token.BETWEEN) {
		f[1] = l.frameBound()
		l.expect(token.AND, "AND")
		f[2] = l.frameBound()
	} else {
		f[1], f[2] = l.frameBound(), "CURRENT ROW"
	}
	if l.accept(token.EXCLUDE) {
		f[3] = l.exclusion()
	}
	return f
}

func (l *lowerer) exclusion() string {
	switch {
	case l.accept(token.NO):
		l.expect(token.OTHERS, "OTHERS")
		return "NO OTHERS"
	case l.accept(token.CURRENT):
		l.expect(token.ROW, "ROW")
		return "CURRENT ROW"
	case l.accept(token.GROUP):
		return "GROUP"
	}
	l.expect(token.TIES, "NO OTHERS, CURRENT ROW, GROUP or TIES")
	return "TIES"
}

func (l *lowerer) frameBound() string {
	start := l.cur().Pos
	if l.accept(token.CURRENT) {
		l.expect(token.ROW, "ROW")
		return "CURRENT ROW"
	}
	if !l.accept(token.UNBOUNDED) {
		l.exprAt(bindBit)
	}
	if !l.accept(token.PRECEDING) && !l.accept(token.FOLLOWING) {
		l.fail("syntax", "expected PRECEDING or FOLLOWING, found %s", l.found())
	}
	return strings.ToUpper(l.src[start:l.toks[l.i-1].End])
}

// namedWindows looks ahead for the WINDOW clause of the core that starts at
// the cursor, because its names are used before it is written.
func (l *lowerer) namedWindows() map[string]windowDef {
	at, depth := -1, 0
	for j := l.i; j < len(l.toks) && at < 0; j++ {
		switch l.toks[j].Kind {
		case token.LP:
			depth++
		case token.RP:
			depth--
		case token.WINDOW:
			if depth == 0 {
				at = j
			}
		case token.UNION, token.INTERSECT, token.EXCEPT:
			if depth == 0 {
				return nil
			}
		}
		if depth < 0 {
			return nil
		}
	}
	if at < 0 {
		return nil
	}
	back := l.i
	defer func() { l.i = back }()
	l.i = at + 1
	l.windows = map[string]windowDef{}
	for {
		name := l.name("a window")
		l.expect(token.AS, "AS")
		l.windows[strings.ToLower(name)] = l.windowDef()
		if !l.accept(token.COMMA) {
			return l.windows
		}
	}
}

// skipWindows passes the WINDOW clause that namedWindows has read.
func (l *lowerer) skipWindows() {
	for depth := 0; !l.at(token.EOF); l.advance() {
		switch l.cur().Kind {
		case token.LP:
			depth++
		case token.RP:
			if depth == 0 {
				return
			}
			depth--
		case token.ORDER, token.LIMIT, token.SEMI, token.UNION, token.INTERSECT, token.EXCEPT:
			if depth == 0 {
				return
			}
		}
	}
}
