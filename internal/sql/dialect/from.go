package dialect

import (
	"strings"

	"github.com/sqlc-dev/meyer/token"
)

// from reads a FROM clause. SQLite groups its joins strictly from left to
// right, the comma among them (lang_select.html, section 2.1). Each item joins
// what is before it, the first one a table that stands for nothing; the
// kind of the join, which the two grammars write differently, is a marker
// around its condition.
func (l *lowerer) from() string {
	var b strings.Builder
	b.WriteString("dual")
	join := &Join{Kind: Inner}
	for tables := 1; ; tables++ {
		item, args := l.tableFactor()
		switch {
		case l.accept(token.ON):
			join.On = true
			args = append(args, l.expr())
		case l.accept(token.USING):
			l.expect(token.LP, "'('")
			join.Using = l.names("a column name")
			l.expect(token.RP, "')'")
		}
		b.WriteString(" join " + item + " on " + l.call(join, args...))
		next, ok := l.joinOp()
		if !ok {
			return b.String()
		}
		if tables == MaxTables {
			l.fail("join", "more than %d tables in one FROM clause", MaxTables)
		}
		join = next
	}
}

func (l *lowerer) joinOp() (*Join, bool) {
	join := &Join{Kind: Inner}
	if l.accept(token.COMMA) || l.accept(token.JOIN) {
		return join, true
	}
	if !l.at(token.JOIN_KW) {
		return nil, false
	}
	sides := map[JoinKind]bool{}
	for l.at(token.JOIN_KW) {
		switch word := strings.ToUpper(l.advance().Text(l.src)); word {
		case "NATURAL":
			join.Natural = true
		case "LEFT", "RIGHT", "FULL":
			sides[JoinKind(word)] = true
		}
	}
	l.expect(token.JOIN, "JOIN")
	switch {
	case sides[Full] || sides[Left] && sides[Right]:
		join.Kind = Full
	case sides[Left]:
		join.Kind = Left
	case sides[Right]:
		join.Kind = Right
	}
	return join, true
}

// tableFactor reads one item of a FROM clause. args are the arguments of a
// table-valued function.
func (l *lowerer) tableFactor() (item string, args []string) {
	l.enter()
	defer l.leave()
	t := &Table{}
	start := l.cur().Pos
	if l.accept(token.LP) {
		if l.startsQuery() {
			t.Query = l.subquery()
			l.expect(token.RP, "')'")
			t.Alias, t.AliasSpan = l.alias()
			t.Span = l.since(start)
			return l.marks.add(t), nil
		}
		inner := l.from()
		l.expect(token.RP, "')'")
		if l.at(token.AS) || token.IsIDS(l.cur().Kind) {
			// SQLite takes the join as a subquery then.
			core := Core{Select: l.parseCore("select 1 from " + inner), Columns: []ResultColumn{{Star: true}}, From: true}
			t.Query = &Statement{Cores: []Core{core}, marks: l.marks}
			t.Alias, t.AliasSpan = l.alias()
			t.Span = l.since(start)
			return l.marks.add(t), nil
		}
		return "(" + inner + ")", nil
	}
	t.Name = l.name("a table")
	args = l.table(t, start)
	t.Alias, t.AliasSpan = l.alias()
	if l.accept(token.INDEXED) {
		l.expect(token.BY, "BY")
		l.name("an index")
	} else if l.at(token.NOT) && l.peek(1) == token.INDEXED {
		l.advance()
		l.advance()
	}
	return l.marks.add(t), args
}

// table reads what follows the first name of a table, which begins at start:
// its name in a schema, and the arguments of a table-valued function.
func (l *lowerer) table(t *Table, start int) (args []string) {
	if l.accept(token.DOT) {
		t.Schema, t.Name = t.Name, l.name("a table")
	}
	if t.Function = l.accept(token.LP); t.Function {
		if !l.at(token.RP) {
			args = l.exprs()
		}
		t.Args = len(args)
		l.expect(token.RP, "')'")
	}
	t.Span = l.since(start)
	return args
}
