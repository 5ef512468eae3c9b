package dialect

import (
	"strings"

	"github.com/sqlc-dev/meyer/token"
)

// window is a window as it was written: lowered expressions, and how they are
// meant.
type window struct {
	partition, order []string
	terms            []Term
	frame            *Frame
	offsets          []string // of the frame's ends
}

// maxCopied bounds what the uses of named windows add to the lowered text:
// each use writes the whole definition, and definitions may use others.
const maxCopied = 4 * MaxSize

// function reads name([DISTINCT] args [ORDER BY ...]) [FILTER (...)] [OVER ...].
func (l *lowerer) function() lowered {
	start := l.cur().Pos
	c := &Call{Name: l.name("a function")}
	l.expect(token.LP, "'('")
	var args []string
	switch {
	case l.accept(token.STAR):
		c.Star = true
	case !l.at(token.RP):
		c.Distinct = l.accept(token.DISTINCT)
		if !c.Distinct {
			l.accept(token.ALL)
		}
		if c.Distinct || !l.at(token.ORDER) { // count(ORDER BY a) is count()
			args = l.exprs()
		}
		c.Args = len(args)
		if l.accept(token.ORDER) {
			l.expect(token.BY, "BY")
			texts, terms := l.orderTerms()
			args, c.OrderBy = append(args, texts...), terms
		}
	}
	l.expect(token.RP, "')'")
	if c.Filter = l.accept(token.FILTER); c.Filter {
		l.expect(token.LP, "'('")
		l.expect(token.WHERE, "WHERE")
		args = append(args, l.expr())
		l.expect(token.RP, "')'")
	}
	if l.accept(token.OVER) {
		w := l.over()
		c.Over = &Window{Partition: len(w.partition), Order: w.terms, Frame: w.frame}
		args = append(args, w.partition...)
		args = append(args, w.order...)
		args = append(args, w.offsets...)
	}
	c.Span = l.since(start)
	return atom(l.call(c, args...))
}

// over reads what follows OVER: a window's name or its definition.
func (l *lowerer) over() window {
	if l.at(token.LP) {
		return l.window()
	}
	return l.named(l.name("a window"))
}

func (l *lowerer) named(name string) window {
	w, ok := l.windows[strings.ToLower(name)]
	if !ok {
		l.fail("window", "there is no window named %q", name)
	}
	for _, list := range [][]string{w.partition, w.order} {
		for _, text := range list {
			l.copied += len(text)
		}
	}
	if l.copied > maxCopied {
		l.fail("window", "the definitions of named windows are too long for how often they are used")
	}
	return w
}

func (l *lowerer) window() window {
	l.expect(token.LP, "'('")
	var w window
	if token.IsID(l.cur().Kind) && !l.at(token.PARTITION) && !l.at(token.RANGE) && !l.at(token.ROWS) && !l.at(token.GROUPS) {
		w = l.named(l.name("a window"))
	}
	if l.accept(token.PARTITION) {
		l.expect(token.BY, "BY")
		w.partition = l.exprs()
	}
	if l.accept(token.ORDER) {
		l.expect(token.BY, "BY")
		w.order, w.terms = l.orderTerms()
	}
	if l.at(token.RANGE) || l.at(token.ROWS) || l.at(token.GROUPS) {
		w.frame, w.offsets = l.frame()
	}
	l.expect(token.RP, "')'")
	return w
}

// frame reads a frame and the expressions of its ends.
func (l *lowerer) frame() (*Frame, []string) {
	f := &Frame{Unit: strings.ToUpper(l.advance().Text(l.src))}
	var offsets []string
	if l.accept(token.BETWEEN) {
		f.Start = l.bound(&offsets)
		l.expect(token.AND, "AND")
		f.End = l.bound(&offsets)
	} else {
		f.Start = l.bound(&offsets)
	}
	if l.accept(token.EXCLUDE) {
		f.Exclude = l.exclusion()
	}
	return f, offsets
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

// bound reads one end of a frame; CURRENT ROW is the zero Bound.
func (l *lowerer) bound(offsets *[]string) Bound {
	var b Bound
	switch {
	case l.accept(token.CURRENT):
		l.expect(token.ROW, "ROW")
		return b
	case l.accept(token.UNBOUNDED):
		b.Unbounded = true
	default:
		b.Offset = true
		*offsets = append(*offsets, l.exprAt(bindBit).operand())
	}
	if b.Following = l.accept(token.FOLLOWING); !b.Following {
		l.expect(token.PRECEDING, "PRECEDING or FOLLOWING")
	}
	return b
}

// namedWindows looks ahead for the WINDOW clause of the core that starts at
// the cursor, because its names are used before it is written.
func (l *lowerer) namedWindows() map[string]window {
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
	l.windows = map[string]window{}
	for {
		name := l.name("a window")
		l.expect(token.AS, "AS")
		l.windows[strings.ToLower(name)] = l.window()
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
