package dialect

import (
	"fmt"
	"strings"

	"github.com/sqlc-dev/meyer/token"
	"github.com/xwb1989/sqlparser"
)

// from reads a FROM clause. SQLite groups its joins strictly from left to
// right, the comma among them (lang_select.html, section 2.1); parentheses
// make the other grammar do the same. FULL JOIN, which MySQL lacks, travels
// as STRAIGHT_JOIN, which SQLite lacks.
func (l *lowerer) from() string {
	left := l.tableFactor()
	for tables := 1; ; tables++ {
		op, ok := l.joinOp()
		if !ok {
			return left
		}
		if tables == MaxTables {
			l.fail("join", "more than %d tables in one FROM clause", MaxTables)
		}
		right := l.tableFactor()
		cond := ""
		switch {
		case l.accept(token.ON):
			cond = " on " + l.expr()
		case l.at(token.USING):
			if op == "straight_join" {
				l.fail("FULL JOIN USING", "write the condition of the FULL JOIN with ON")
			}
			cond = " using (" + l.columnList() + ")"
		case op != "join" && !strings.HasPrefix(op, "natural"):
			cond = " on (1)"
		}
		left = fmt.Sprintf("(%s %s %s%s)", left, op, right, cond)
	}
}

func (l *lowerer) columnList() string {
	l.expect(token.USING, "USING")
	l.expect(token.LP, "'('")
	var names []string
	for {
		names = append(names, quote(l.name("a column name")))
		if !l.accept(token.COMMA) {
			break
		}
	}
	l.expect(token.RP, "')'")
	return strings.Join(names, ", ")
}

func (l *lowerer) joinOp() (string, bool) {
	if l.accept(token.COMMA) {
		return "join", true
	}
	if l.accept(token.JOIN) {
		return "join", true
	}
	if !l.at(token.JOIN_KW) {
		return "", false
	}
	natural, side := false, "join"
	for l.at(token.JOIN_KW) {
		switch strings.ToUpper(l.advance().Text(l.src)) {
		case "NATURAL":
			natural = true
		case "LEFT":
			side = "left join"
		case "RIGHT":
			side = "right join"
		case "FULL":
			side = "straight_join"
		}
	}
	l.expect(token.JOIN, "JOIN")
	if natural {
		if side == "straight_join" {
			l.fail("NATURAL FULL JOIN", "write the condition of the FULL JOIN with ON")
		}
		side = "natural " + side
	}
	return side, true
}

func (l *lowerer) tableFactor() string {
	l.enter()
	defer l.leave()
	if l.accept(token.LP) {
		if l.at(token.SELECT) || l.at(token.WITH) || l.at(token.VALUES) {
			m := l.split()
			l.expect(token.RP, "')'")
			return quote(m) + asAlias(l.alias())
		}
		inner := l.from()
		l.expect(token.RP, "')'")
		if l.at(token.AS) {
			l.fail("alias of a join", "a parenthesized join cannot take an alias here")
		}
		return "(" + inner + ")"
	}
	table := quote(l.name("a table"))
	if l.accept(token.DOT) {
		table += "." + quote(l.name("a table"))
	}
	if l.at(token.LP) {
		l.fail("table-valued function", "%s(...) in FROM is not supported", table)
	}
	table += asAlias(l.alias())
	if l.accept(token.INDEXED) {
		l.expect(token.BY, "BY")
		l.name("an index")
	} else if l.at(token.NOT) && l.peek(1) == token.INDEXED {
		l.advance()
		l.advance()
	}
	return table
}

// reads reports whether the statement's own FROM clauses, subqueries
// included, name the table.
func (s *Statement) reads(table string) bool {
	found := false
	for _, c := range s.Cores {
		_ = sqlparser.Walk(func(n sqlparser.SQLNode) (bool, error) {
			if t, ok := n.(sqlparser.TableName); ok {
				name := t.Name.String()
				if strings.EqualFold(name, table) {
					found = true
				} else if sub := s.subs[name]; sub != nil && sub.reads(table) {
					found = true
				}
			}
			return !found, nil
		}, c.Select.From)
		if found {
			return true
		}
	}
	return false
}
