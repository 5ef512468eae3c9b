package dialect

import (
	"fmt"
	"strings"

	"github.com/sqlc-dev/meyer/token"
)

// statement reads: [WITH ...] core {setop core} [ORDER BY ...] [LIMIT ...].
func (l *lowerer) statement() *Statement {
	l.enter()
	defer l.leave()
	s := &Statement{subs: l.subs}
	if l.at(token.WITH) {
		s.With = l.with()
	}
	op := SetOp("")
	for {
		text := l.core()
		next, compound := l.setOp()
		if !compound && op == "" { // a simple SELECT carries its own ORDER BY
			text += l.orderLimit()
			sel := l.parseCore(text)
			s.OrderBy, s.Limit, s.Offset = sel.OrderBy, nil, nil
			if sel.Limit != nil {
				s.Limit, s.Offset = sel.Limit.Rowcount, sel.Limit.Offset
			}
			sel.OrderBy, sel.Limit = nil, nil
			s.Cores = append(s.Cores, Core{Select: sel})
			return s
		}
		s.Cores = append(s.Cores, Core{Op: op, Select: l.parseCore(text)})
		if !compound {
			break
		}
		op = next
	}
	// The clauses of a compound belong to none of its arms: they are parsed
	// on an arm of their own, which is then dropped.
	tail := l.parseCore("select 1" + l.orderLimit())
	s.OrderBy = tail.OrderBy
	if tail.Limit != nil {
		s.Limit, s.Offset = tail.Limit.Rowcount, tail.Limit.Offset
	}
	return s
}

func (l *lowerer) with() []CTE {
	l.expect(token.WITH, "WITH")
	recursive := l.accept(token.RECURSIVE)
	var out []CTE
	for {
		c := CTE{Name: l.name("the name of a common table expression")}
		if l.accept(token.LP) {
			for {
				c.Columns = append(c.Columns, l.name("a column name"))
				if !l.accept(token.COMMA) {
					break
				}
			}
			l.expect(token.RP, "')'")
		}
		l.expect(token.AS, "AS")
		l.accept(token.NOT)
		l.accept(token.MATERIALIZED)
		l.expect(token.LP, "'('")
		c.Query = l.statement()
		l.expect(token.RP, "')'")
		c.Recursive = recursive && c.Query.reads(c.Name)
		out = append(out, c)
		if !l.accept(token.COMMA) {
			return out
		}
	}
}

func (l *lowerer) setOp() (SetOp, bool) {
	switch l.cur().Kind {
	case token.UNION:
		l.advance()
		if l.accept(token.ALL) {
			return UnionAll, true
		}
		return Union, true
	case token.INTERSECT:
		l.advance()
		return Intersect, true
	case token.EXCEPT:
		l.advance()
		return Except, true
	}
	return "", false
}

// core reads one SELECT or VALUES arm and returns its lowered text.
func (l *lowerer) core() string {
	if l.at(token.VALUES) {
		l.fail("VALUES", "VALUES rows are not supported; write SELECT ... UNION ALL SELECT ...")
	}
	l.expect(token.SELECT, "SELECT")
	l.windows = l.namedWindows()
	var b strings.Builder
	b.WriteString("select ")
	if l.accept(token.DISTINCT) {
		b.WriteString("distinct ")
	} else {
		l.accept(token.ALL)
	}
	b.WriteString(l.resultColumns())
	if l.accept(token.FROM) {
		b.WriteString(" from " + l.from())
	}
	if l.accept(token.WHERE) {
		b.WriteString(" where " + l.expr())
	}
	if l.accept(token.GROUP) {
		l.expect(token.BY, "BY")
		b.WriteString(" group by " + l.exprList())
	}
	if l.accept(token.HAVING) {
		b.WriteString(" having " + l.expr())
	}
	if l.at(token.WINDOW) {
		l.skipWindows()
	}
	return b.String()
}

func (l *lowerer) resultColumns() string {
	var cols []string
	for {
		cols = append(cols, l.resultColumn())
		if !l.accept(token.COMMA) {
			return strings.Join(cols, ", ")
		}
	}
}

func (l *lowerer) resultColumn() string {
	if l.accept(token.STAR) {
		return "*"
	}
	if token.IsName(l.cur().Kind) && l.peek(1) == token.DOT && l.peek(2) == token.STAR {
		t := l.name("a table")
		l.advance()
		l.advance()
		return quote(t) + ".*"
	}
	first := l.i
	e := l.expr()
	toks := l.toks[first:l.i]
	a := l.alias()
	if a == "" && !isColumnRef(toks) {
		// SQLite names an unaliased expression by its own text.
		a = l.src[toks[0].Pos:toks[len(toks)-1].End]
		if a[0] == '?' || len(a) > 200 {
			a = ""
		}
	}
	return e + asAlias(a)
}

// isColumnRef reports whether the tokens are nothing but a column's name, which
// then names the result column by itself.
func isColumnRef(toks []token.Token) bool {
	for i, t := range toks {
		if i%2 == 0 && !token.IsName(t.Kind) || i%2 == 1 && t.Kind != token.DOT {
			return false
		}
	}
	return true
}

func (l *lowerer) exprList() string {
	var out []string
	for {
		out = append(out, l.expr())
		if !l.accept(token.COMMA) {
			return strings.Join(out, ", ")
		}
	}
}

// orderLimit reads the clauses that close a statement.
func (l *lowerer) orderLimit() string {
	var b strings.Builder
	if l.accept(token.ORDER) {
		l.expect(token.BY, "BY")
		b.WriteString(" order by " + l.orderTerms(func(e string, desc bool) string {
			if desc {
				return e + " desc"
			}
			return e
		}))
	}
	if l.accept(token.LIMIT) {
		count := l.expr()
		switch {
		case l.accept(token.OFFSET):
			fmt.Fprintf(&b, " limit %s, %s", l.expr(), count)
		case l.accept(token.COMMA): // LIMIT offset, count
			fmt.Fprintf(&b, " limit %s, %s", count, l.expr())
		default:
			b.WriteString(" limit " + count)
		}
	}
	return b.String()
}

// orderTerms reads the terms of an ORDER BY; direction writes one term's
// direction where the term stands.
func (l *lowerer) orderTerms(direction func(e string, desc bool) string) string {
	var out []string
	for {
		e, desc := l.expr(), false
		if l.accept(token.DESC) {
			desc = true
		} else {
			l.accept(token.ASC)
		}
		if l.accept(token.NULLS) {
			switch {
			case l.accept(token.FIRST):
				e = call(fnNullsFirst, e)
			case l.accept(token.LAST):
				e = call(fnNullsLast, e)
			default:
				l.fail("syntax", "expected FIRST or LAST, found %s", l.found())
			}
		}
		out = append(out, direction(e, desc))
		if !l.accept(token.COMMA) {
			return strings.Join(out, ", ")
		}
	}
}
