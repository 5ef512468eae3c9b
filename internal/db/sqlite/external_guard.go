package sqlite

import (
	"cmp"
	"fmt"
	"strings"

	lib "modernc.org/sqlite/lib"
)

// checkCompiled fails if a compiled statement reads a table of the file that is
// hidden. The authorizer does not get the right database where an alias stands for
// a column, and is not asked about the columns by which NATURAL and USING join:
//
//	SELECT a.x AS y FROM a, main.b WHERE y > 0
//	SELECT count(*) FROM main.a NATURAL JOIN main.b
//
// The program of a statement (https://www.sqlite.org/opcode.html) opens each table
// and index by the number of its root page.
func (x *external) checkCompiled(c *session, handle uintptr, sql string) error {
	if lib.Xsqlite3_stmt_isexplain(c.tls, handle) != 0 {
		return nil // it reads nothing
	}
	hidden, err := x.roots(c)
	if err != nil || len(hidden) == 0 {
		return err
	}
	const opcode, rootPage, database = 1, 3, 4 // columns of EXPLAIN: opcode, p2 and p3
	var name string
	err = c.each("EXPLAIN "+sql, func(row *Row) {
		// 0 is main; temporary tables have another number.
		if text := string(row.Raw(opcode)); text != "OpenRead" && text != "ReopenIdx" || row.Value(database).Int64() != 0 {
			return
		}
		if t := hidden[row.Value(rootPage).Int64()]; t != "" {
			name = t
		}
	})
	if err == nil && name != "" {
		err = fmt.Errorf("%w: %w", ErrForbidden, cmp.Or(x.suspect, fmt.Errorf("a table of an API has taken the place of main.%s; leave main out", name)))
	}
	return err
}

// roots returns the names of the tables that are hidden by the root pages of them
// and of their indexes.
func (x *external) roots(c *session) (map[int64]string, error) {
	if len(x.tables) == 0 {
		return nil, nil
	}
	names := make([]string, len(x.tables))
	for i, t := range x.tables {
		names[i] = "'" + strings.ReplaceAll(t.Name, "'", "''") + "'"
	}
	roots := map[int64]string{}
	err := c.each("SELECT rootpage, tbl_name FROM main.sqlite_schema WHERE rootpage > 0 AND tbl_name COLLATE NOCASE IN ("+strings.Join(names, ", ")+")", func(row *Row) {
		roots[row.Value(0).Int64()] = string(row.Raw(1))
	})
	return roots, err
}

// each runs a statement of this package's own.
func (c *session) each(sql string, yield func(*Row)) error {
	h, err := c.compile(sql)
	if err != nil {
		return err
	}
	defer lib.Xsqlite3_finalize(c.tls, h)
	row := Row{tls: c.tls, handle: h}
	for {
		switch rc := lib.Xsqlite3_step(c.tls, h); rc {
		case lib.SQLITE_ROW:
			yield(&row)
		case lib.SQLITE_DONE:
			return nil
		default:
			return c.failure(rc)
		}
	}
}
