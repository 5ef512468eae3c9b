package plan

import (
	"strings"

	"github.com/birdcall/birdcall/internal/dialect"
)

// source is one table, view or subquery of a FROM clause, under its alias.
type source struct {
	alias string
	names []string
	cols  []Col
	rowid string // the column that rowid stands for, or ""
	// hidden are columns of a virtual table that only their names reach.
	hidden []string
	// merged are the columns that USING or NATURAL joined to an earlier
	// source: they answer to a qualified name only, and * leaves them out.
	merged map[string]bool
	// around marks columns of the query around a subquery: they answer to a
	// name that nothing else does.
	around bool
}

// relation is a chain of steps over the sources of one FROM clause.
type relation struct {
	step    StepID
	sources []*source
	derived map[string]Col // derivations made on the chain, by description
}

// find resolves a column name. found counts the matches.
func (r *relation) find(n dialect.Name) (c Col, found int) {
	if c, found = r.findIn(n, false); found == 0 {
		c, found = r.findIn(n, true)
	}
	return c, found
}

func (r *relation) findIn(n dialect.Name, around bool) (c Col, found int) {
	for _, s := range r.sources {
		if s.around != around {
			continue
		}
		if n.Table != "" && !strings.EqualFold(n.Table, s.alias) {
			continue
		}
		col, ok := s.find(n.Column)
		if !ok || n.Table == "" && s.merged[strings.ToLower(n.Column)] {
			continue
		}
		if found == 0 {
			c = col
		}
		found++
	}
	return c, found
}

func (s *source) find(name string) (Col, bool) {
	for i, n := range s.names {
		if strings.EqualFold(n, name) {
			return s.cols[i], true
		}
	}
	if isRowID(name) && s.rowid != "" {
		return s.find(s.rowid)
	}
	return None, false
}

// star lists the columns that * or alias.* stands for.
func (r *relation) star(table string) (cols []Col, names []string) {
	for _, s := range r.sources {
		if s.around || table != "" && !strings.EqualFold(table, s.alias) {
			continue
		}
		for i, n := range s.names {
			if table == "" && s.merged[strings.ToLower(n)] {
				continue
			}
			cols, names = append(cols, s.cols[i]), append(names, n)
		}
	}
	return cols, names
}
