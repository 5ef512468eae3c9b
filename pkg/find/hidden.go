package find

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/bird"
)

// CheckHidden returns the error that Open has for Options.Hidden, and reads no values.
// The other errors are those of opening the databases.
func CheckHidden(ctx context.Context, dataset *bird.Dataset, opts Options) error {
	if len(opts.Hidden) == 0 {
		return nil
	}
	o := opener{opts: opts}
	connections, err := o.connectAll(ctx, dataset)
	if err == nil {
		err = o.close(connections)
	}
	if err != nil {
		return fmt.Errorf("find: %w", err)
	}
	return nil
}

// pattern is a text of Options.Hidden. A part of it may be *.
type pattern struct{ text, db, table, column string }

func (p *pattern) fits(db, table, column string) bool {
	same := func(part, name string) bool { return part == "*" || spelling.Same(part, name) }
	return (p.db == "*" || p.db == db) && same(p.table, table) && same(p.column, column)
}

type patterns []pattern

// fit reports whether one of the patterns fits a column.
func (list patterns) fit(db, table, column string) bool {
	return slices.ContainsFunc(list, func(p pattern) bool { return p.fits(db, table, column) })
}

// parsePatterns fails for a pattern that is not complete, or names no database of the
// dataset.
func parsePatterns(texts []string, dataset *bird.Dataset) (patterns, error) {
	var list patterns
	for _, text := range texts {
		fields := strings.Split(text, ".")
		switch {
		case slices.Contains(fields, ""):
			return nil, fmt.Errorf("the hidden column %q is not complete; write table.column, database.table.column, table.* or *", text)
		case text == "*":
			list = append(list, pattern{text, "*", "*", "*"})
		case len(fields) == 2:
			list = append(list, pattern{text, "*", fields[0], fields[1]})
		case len(fields) == 3 && (fields[0] == "*" || dataset.Database(fields[0]) != nil):
			list = append(list, pattern{text, fields[0], fields[1], fields[2]})
		default:
			return nil, fmt.Errorf("the hidden column %q is of no database; write table.column, database.table.column, table.* or *", text)
		}
	}
	return list, nil
}

// check fails for a pattern that fits no column of the databases, and would hide
// nothing.
func (list patterns) check(databases []*connection) error {
	for _, p := range list {
		var known []string // what patterns of all forms could be
		found := false
		for _, db := range databases {
			for _, t := range db.schema.Tables {
				known = append(known, t.Name+".*", db.info.ID+"."+t.Name+".*")
				for _, c := range t.Columns {
					known = append(known, t.Name+"."+c.Name, db.info.ID+"."+t.Name+"."+c.Name)
					found = found || p.fits(db.info.ID, t.Name, c.Name)
				}
			}
		}
		if !found {
			hint := spelling.Suggest(p.text, known)
			if near, ok := spelling.Nearest(p.text, known); ok {
				hint = "did you mean " + near + "?"
			}
			return fmt.Errorf("the hidden column %q fits no column, so that nothing would be hidden; %s", p.text, hint)
		}
	}
	return nil
}
