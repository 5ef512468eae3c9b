package dialect

import (
	"strings"

	"github.com/sqlc-dev/meyer/token"
)

// statement reads: [WITH ...] core {setop core} [ORDER BY ...] [LIMIT ...].
func (l *lowerer) statement() *Statement {
	l.enter()
	defer l.leave()
	s := &Statement{marks: l.marks}
	if l.at(token.WITH) {
		s.With = l.with()
	}
	for op := SetOp(""); ; {
		if l.at(token.VALUES) {
			s.Cores = append(s.Cores, l.values(op)...)
		} else {
			s.Cores = append(s.Cores, l.core(op))
		}
		next, compound := l.setOp()
		if !compound {
			break
		}
		op = next
	}
	if l.at(token.ORDER) || l.at(token.LIMIT) {
		// These clauses belong to none of the arms: they are parsed on an arm of
		// their own, which is then dropped.
		tail := l.parseCore("select 1" + l.orderLimit(s))
		s.OrderBy = tail.OrderBy
		if tail.Limit != nil {
			s.Limit, s.Offset = tail.Limit.Rowcount, tail.Limit.Offset
		}
	}
	return s
}

func (l *lowerer) with() []CTE {
	l.expect(token.WITH, "WITH")
	l.accept(token.RECURSIVE)
	var out []CTE
	for {
		c := CTE{Name: l.name("the name of a common table expression")}
		if l.accept(token.LP) {
			c.Columns = l.names("a column name")
			l.expect(token.RP, "')'")
		}
		l.expect(token.AS, "AS")
		l.accept(token.NOT)
		l.accept(token.MATERIALIZED)
		l.expect(token.LP, "'('")
		c.Query = l.subquery()
		l.expect(token.RP, "')'")
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

// core reads one SELECT arm.
func (l *lowerer) core(op SetOp) Core {
	l.expect(token.SELECT, "SELECT")
	l.windows = l.namedWindows()
	c := Core{Op: op}
	var b strings.Builder
	b.WriteString("select ")
	if l.accept(token.DISTINCT) {
		b.WriteString("distinct ")
	} else {
		l.accept(token.ALL)
	}
	for {
		text, column := l.resultColumn()
		c.Columns = append(c.Columns, column)
		b.WriteString(text)
		if !l.accept(token.COMMA) {
			break
		}
		b.WriteString(", ")
	}
	if c.From = l.accept(token.FROM); c.From {
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
	c.Select = l.parseCore(b.String())
	return c
}

// values reads VALUES, whose rows are arms (lang_select.html, section 5).
func (l *lowerer) values(op SetOp) []Core {
	l.expect(token.VALUES, "VALUES")
	var cores []Core
	for {
		l.expect(token.LP, "'('")
		c := Core{Op: op, Values: true}
		var texts []string
		for {
			start := l.cur().Pos
			texts = append(texts, l.expr())
			c.Columns = append(c.Columns, ResultColumn{Span: l.since(start), Alias: columnName(len(texts))})
			if !l.accept(token.COMMA) {
				break
			}
		}
		l.expect(token.RP, "')'")
		c.Select = l.parseCore("select " + strings.Join(texts, ", "))
		cores = append(cores, c)
		op = UnionAll
		if !l.accept(token.COMMA) {
			return cores
		}
	}
}

// resultColumn reads an expression with its alias, or a star.
func (l *lowerer) resultColumn() (string, ResultColumn) {
	start := l.cur().Pos
	if l.accept(token.STAR) {
		return "1", ResultColumn{Span: l.since(start), Star: true}
	}
	if token.IsName(l.cur().Kind) && l.peek(1) == token.DOT && l.peek(2) == token.STAR {
		c := ResultColumn{Star: true, Table: l.name("a table")}
		l.advance()
		l.advance()
		c.Span = l.since(start)
		return "1", c
	}
	text := l.expr()
	c := ResultColumn{Span: l.since(start)}
	c.Alias, c.AliasSpan = l.alias()
	return text, c
}

func (l *lowerer) exprs() []string {
	var out []string
	for {
		out = append(out, l.expr())
		if !l.accept(token.COMMA) {
			return out
		}
	}
}

func (l *lowerer) exprList() string { return strings.Join(l.exprs(), ", ") }

// orderLimit reads the clauses that close a statement.
func (l *lowerer) orderLimit(s *Statement) string {
	var b strings.Builder
	if l.accept(token.ORDER) {
		l.expect(token.BY, "BY")
		texts, terms := l.orderTerms()
		s.Terms = terms
		b.WriteString(" order by " + strings.Join(texts, ", "))
	}
	start := l.cur().Pos
	if l.accept(token.LIMIT) {
		count := l.expr()
		switch {
		case l.accept(token.OFFSET):
			b.WriteString(" limit " + l.expr() + ", " + count)
		case l.accept(token.COMMA): // LIMIT offset, count
			b.WriteString(" limit " + count + ", " + l.expr())
		default:
			b.WriteString(" limit " + count)
		}
		s.LimitSpan = l.since(start)
	}
	return b.String()
}

// orderTerms reads the terms of an ORDER BY.
func (l *lowerer) orderTerms() (texts []string, terms []Term) {
	for {
		texts = append(texts, l.expr())
		t := Term{Desc: l.accept(token.DESC)}
		if !t.Desc {
			l.accept(token.ASC)
		}
		t.NullsFirst = !t.Desc
		if l.accept(token.NULLS) {
			switch {
			case l.accept(token.FIRST):
				t.NullsFirst = true
			case l.accept(token.LAST):
				t.NullsFirst = false
			default:
				l.fail("syntax", "expected FIRST or LAST, found %s", l.found())
			}
		}
		terms = append(terms, t)
		if !l.accept(token.COMMA) {
			return texts, terms
		}
	}
}
