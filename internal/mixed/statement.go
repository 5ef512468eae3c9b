package mixed

import (
	"strconv"

	"github.com/sqlc-dev/meyer/lexer"
	"github.com/sqlc-dev/meyer/token"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/federation/scalars"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/internal/text/spelling"
)

// The reasons why nothing is added to a statement, or to a column of it.
const (
	Unread     = "the statement cannot be read"
	Compound   = "several SELECTs are put together"
	WithCTE    = "there is a common table expression"
	NoTable    = "there is no table of the database in FROM"
	OuterJoin  = "there is an outer join"
	StarItem   = "a star stands for the columns"
	OpenOrder  = "LIMIT without ORDER BY takes any rows"
	NameTaken  = "an unqualified name is that of a function's column"
	Subquery   = "a subquery computes a part of the answer"
	SelfJoin   = "the table is there twice"
	NoColumn   = "no column is fit for a function and has clear words"
	NotSplit   = "no condition holds for some rows and not for others"
	Grouped    = "the answer is of groups, of all rows or of different rows only"
	FailedScan = "the rows cannot be read"
)

// statement is one SELECT with the places where it can be changed.
type statement struct {
	sql   string
	query *sqltree.Query
	arm   *sqltree.Select

	items      int           // where the result columns end
	from       [2]int        // the FROM clause without the word
	where      [2]int        // the condition, empty without one
	names      []string      // that an alias must not have
	subqueries bool          // besides those in FROM
	grouped    bool          // a row of the answer is none of FROM
	fixed      []equalColumn // by the joins' conditions
}

type equalColumn [2]*sqltree.Column

// read reads a statement, or says why nothing can be added to it.
func read(sql string, schema *engine.Schema) (*statement, string) {
	q, err := sqltree.Read(sql, schema)
	switch {
	case err != nil:
		return nil, Unread
	case len(q.With) > 0:
		return nil, WithCTE
	case len(q.Arms) > 1:
		return nil, Compound
	}
	s := &statement{sql: sql, query: q, arm: q.Arms[0]}
	switch {
	case s.arm.From == nil:
		return nil, NoTable
	case !s.arm.From.OnlyInner():
		return nil, OuterJoin
	case len(s.arm.Stars) > 0:
		return nil, StarItem
	case q.Limit != nil && len(q.OrderBy) == 0:
		return nil, OpenOrder
	case !s.place():
		return nil, Unread
	case s.look():
		return nil, NameTaken
	}
	s.grouped = s.arm.Distinct || len(s.arm.GroupBy) > 0 || len(s.arm.Aggregates) > 0
	return s, ""
}

// place finds where the clauses are, by the tokens outside of parentheses, and
// reports whether the tree has them at the same places.
func (s *statement) place() bool {
	depth, clause, last := 0, token.SELECT, 0
	end := func(next token.Kind) {
		switch clause {
		case token.SELECT:
			s.items = last
		case token.FROM:
			s.from[1] = last
		case token.WHERE:
			s.where[1] = last
		}
		clause = next
	}
	for _, t := range lexer.Lex(s.sql) {
		switch t.Kind {
		case token.LP:
			depth++
		case token.RP:
			depth--
		case token.FROM, token.WHERE, token.GROUP, token.HAVING, token.ORDER, token.LIMIT, token.WINDOW, token.SEMI, token.EOF:
			if depth > 0 {
				break
			}
			end(t.Kind)
			switch t.Kind {
			case token.FROM:
				s.from[0] = t.End
			case token.WHERE:
				s.where[0] = t.End
			}
		}
		if t.Kind != token.SEMI {
			last = t.End
		}
	}
	first := s.arm.Sources[0].Span.Start
	fits := s.items < s.from[0] && s.from[0] <= first && first < s.from[1] && (s.arm.Where != nil) == (s.where[1] > 0)
	if s.arm.Where != nil {
		at := s.arm.Where.Outer()
		fits = fits && s.from[1] < s.where[0] && s.where[0] <= at.Start && at.End <= s.where[1]
	}
	return fits
}

// look gathers the names in the statement, and reports whether one of them would
// mean another thing next to the functions' tables.
func (s *statement) look() (clash bool) {
	columns := map[string]bool{"rowid": true, "oid": true, "_rowid_": true}
	for _, f := range scalars.Functions() {
		columns[f.Result.Name] = true
		for _, a := range f.Args {
			columns[a.Name] = true
		}
	}
	queries := 0
	s.query.WalkAll(func(q *sqltree.Query) {
		queries++
		for _, arm := range q.Arms {
			for _, src := range arm.Sources {
				s.names = append(s.names, src.Name, src.TableName)
			}
		}
	}, func(e sqltree.Expr) {
		switch e := e.(type) {
		case *sqltree.Column:
			s.names = append(s.names, e.Table)
			clash = clash || e.Table == "" && columns[spelling.Lower(e.Name)]
		case *sqltree.Literal:
			clash = clash || e.Quoted && columns[spelling.Lower(e.Value.Raw())]
		}
	})
	s.arm.From.Each(func(j *sqltree.Join) {
		for _, e := range append(sqltree.Conjuncts(j.On), s.conditions(j)...) {
			b, ok := e.(*sqltree.Binary)
			if !ok || b.Op != sqltree.Equal {
				continue
			}
			x, ok := b.X.(*sqltree.Column)
			y, ok2 := b.Y.(*sqltree.Column)
			if ok && ok2 {
				s.fixed = append(s.fixed, equalColumn{x, y})
			}
		}
		for _, pair := range j.Equal {
			s.fixed = append(s.fixed, equalColumn(pair))
		}
	})
	s.subqueries = queries > 1
	return clash
}

// conditions returns those of WHERE for the first item of FROM, so that they are
// taken once.
func (s *statement) conditions(j *sqltree.Join) []sqltree.Expr {
	if j.Left != nil {
		return nil
	}
	return sqltree.Conjuncts(s.arm.Where)
}

// equal reports whether two columns of FROM have the same value in each row.
func (s *statement) equal(a, b *sqltree.Source, i, j int) bool {
	is := func(c *sqltree.Column, src *sqltree.Source, at int) bool { return c.Source == src && c.Index == at }
	for _, pair := range s.fixed {
		if is(pair[0], a, i) && is(pair[1], b, j) || is(pair[1], a, i) && is(pair[0], b, j) {
			return true
		}
	}
	return false
}

// fresh returns a name that nothing in the statement has, and keeps it.
func (s *statement) fresh(name string, taken *[]string) string {
	has := func(name string) bool {
		for _, list := range [][]string{s.names, *taken} {
			for _, n := range list {
				if spelling.Same(n, name) {
					return true
				}
			}
		}
		return false
	}
	out := name
	for i := 2; has(out) || token.Lookup(out) != token.ID; i++ {
		out = name + strconv.Itoa(i)
	}
	*taken = append(*taken, out)
	return out
}

// hasOr reports whether the condition has an OR that an AND behind it would bind
// only a part of.
func (s *statement) hasOr() bool {
	depth := 0
	for _, t := range lexer.Lex(s.sql[s.where[0]:s.where[1]]) {
		switch t.Kind {
		case token.LP:
			depth++
		case token.RP:
			depth--
		case token.OR:
			if depth == 0 {
				return true
			}
		}
	}
	return false
}
