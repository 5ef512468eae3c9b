package randsql

import (
	"fmt"
	"slices"
	"strings"
)

// kind is what an expression is mostly made of.
type kind int

const (
	number kind = iota
	text
	date
	anything
	kinds // how many there are
)

// database is a random database, as the SQL that builds it.
type database struct{ tables []*table }

type table struct {
	name string
	cols []*column
	rows [][]string // SQL literals
	view string     // the SELECT that it is a view of, or ""
}

type column struct {
	name, decl string
	kind       kind
	key        bool     // holds a different value in each row
	tame       bool     // its numbers add up exactly in any order
	values     []string // SQL literals it may hold
}

// columnKinds are the columns that tables are made of: one for each affinity
// (datatype3.html, section 3.1), with values that fit it badly.
var columnKinds = []column{
	{decl: "INTEGER", kind: number, tame: true, values: []string{"1", "0", "2", "3", "7", "-1", "'NA'", "''"}},
	{decl: "TEXT", kind: text, tame: true, values: []string{"'a'", "'b'", "'A'", "'abc'", "''", "'007'", "'7'", "'NA'", "' 1'", "'1e3'", "'éa_%'", "2"}},
	{decl: "REAL", kind: number, tame: true, values: []string{"1", "0.5", "2.5", "-1.5", "7", "0", "'NA'"}},
	{decl: "TEXT COLLATE NOCASE", kind: text, tame: true, values: []string{"'a'", "'B'", "'Abc'", "''", "'NA'", "'007'"}},
	{decl: "DATE", kind: date, values: []string{"'2020-01-31'", "'2019-12-31'", "'2020-02-29'", "'2020-01-31 10:20:30'", "'2020-01-31 10:20:30.0'", "''", "'NA'", "2020"}},
	{decl: "NUMERIC", kind: number, tame: true, values: []string{"1", "2.5", "'007'", "'1e3'", "'NA'", "''", "' 1'", "x'61'"}},
	{decl: "", kind: anything, tame: true, values: []string{"1", "'a'", "2.5", "'1'", "''", "x'61'", "x''", "'007'"}},
	{decl: "INTEGER", kind: number, values: []string{"1", "9007199254740993", "9007199254740992", "9223372036854775807", "-9223372036854775808", "-1"}},
	{decl: "REAL", kind: number, values: []string{"1", "9007199254740993", "1e300", "-1e-5", "0.1", "9223372036854775807"}},
	{decl: "VARCHAR(10)", kind: date, values: []string{"'2020-01-31'", "'2021-06-15'", "'2020-02-29 23:59:59'", "'10:20:30'", "2459000.5", "'now then'"}},
	{decl: "BLOB", kind: anything, values: []string{"x'61'", "x'4142'", "'a'", "1", "''", "x''"}},
}

// Few names, so that tables share some of them.
var (
	tableNames  = []string{"t", "People", "order items", "Group"}
	columnNames = []string{"a", "Code", "full name", "b", "order", "vAlue", "Select", "year-1"}
	keyNames    = []string{"id", "Code", "no."}
)

// database draws two to four tables.
func (g *gen) database() *database {
	d := &database{}
	for i := range 2 + g.n(3) {
		d.tables = append(d.tables, g.table(tableNames[i]))
	}
	if g.chance(25) {
		d.tables = append(d.tables, g.view(d.tables[0]))
	}
	return d
}

// view draws a view of a table's columns and an expression.
func (g *gen) view(t *table) *table {
	v := &table{name: "v"}
	var names []string
	for _, c := range t.cols {
		names = append(names, quote(c.name))
		v.cols = append(v.cols, &column{name: c.name, kind: c.kind, tame: c.tame})
	}
	names = append(names, "'made'")
	v.cols = append(v.cols, &column{name: "made", kind: text})
	v.view = fmt.Sprintf("SELECT %s || %s AS made FROM %s WHERE %s IS NOT 2",
		strings.Join(names, ", "), names[0], quote(t.name), pick(g, names...))
	return v
}

func (g *gen) table(name string) *table {
	t := &table{name: name}
	switch g.n(5) {
	case 0, 1:
		t.cols = append(t.cols, &column{name: pick(g, keyNames...), decl: "INTEGER PRIMARY KEY", kind: number, key: true, tame: true})
	case 2:
		t.cols = append(t.cols, &column{name: pick(g, keyNames...), decl: "INTEGER NOT NULL UNIQUE", kind: number, key: true, tame: true})
	case 3:
		t.cols = append(t.cols, &column{name: pick(g, keyNames...), decl: "TEXT PRIMARY KEY", kind: text, key: true})
	}
	for range 2 + g.n(4) {
		c := columnKinds[g.n(len(columnKinds))]
		c.name = pick(g, columnNames...)
		if !slices.ContainsFunc(t.cols, func(o *column) bool { return strings.EqualFold(o.name, c.name) }) {
			t.cols = append(t.cols, &c)
		}
	}
	if len(t.cols) == 1 { // a name came twice
		t.cols = append(t.cols, &column{name: "rest", decl: "TEXT", kind: text, values: []string{"'a'", "'b'"}})
	}
	for i := range pick(g, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 2, 1, 0) {
		var row []string
		for _, c := range t.cols {
			row = append(row, g.cell(c, i))
		}
		t.rows = append(t.rows, row)
	}
	return t
}

func (g *gen) cell(c *column, row int) string {
	switch {
	case c.key && c.kind == text:
		return fmt.Sprintf("'k%d'", row)
	case c.key:
		return fmt.Sprint(row + 1)
	case g.chance(30):
		return "NULL"
	}
	return pick(g, c.values...)
}

// script is the SQL that builds the database. In reverse, the rows come in
// reverse, and no key is the rowid, which would sort them.
func (d *database) script(reverse bool) string {
	var b strings.Builder
	for _, t := range d.tables {
		if t.view != "" {
			fmt.Fprintf(&b, "CREATE VIEW %s AS %s;\n", quote(t.name), t.view)
			continue
		}
		var cols, rows []string
		for _, c := range t.cols {
			decl := c.decl
			if reverse {
				decl = strings.Replace(decl, "PRIMARY KEY", "UNIQUE", 1)
			}
			cols = append(cols, strings.TrimSpace(quote(c.name)+" "+decl))
		}
		fmt.Fprintf(&b, "CREATE TABLE %s (%s);\n", quote(t.name), strings.Join(cols, ", "))
		for _, r := range t.rows {
			rows = append(rows, "("+strings.Join(r, ", ")+")")
		}
		if reverse {
			slices.Reverse(rows)
		}
		if len(rows) > 0 {
			fmt.Fprintf(&b, "INSERT INTO %s VALUES %s;\n", quote(t.name), strings.Join(rows, ", "))
		}
	}
	return b.String()
}

func quote(name string) string { return `"` + name + `"` }

// shrink takes tables, columns, rows and values away as long as it fails.
func (d *database) shrink(fails func(*database) bool) *database {
	for progress := true; progress; {
		progress = false
		for _, smaller := range d.smaller() {
			if fails(smaller) {
				d, progress = smaller, true
				break
			}
		}
	}
	return d
}

// smaller lists the databases that lack one thing.
func (d *database) smaller() []*database {
	var out []*database
	change := func(i int, t *table) {
		c := &database{tables: slices.Clone(d.tables)}
		if c.tables[i] = t; t == nil {
			c.tables = slices.Delete(c.tables, i, i+1)
		}
		out = append(out, c)
	}
	for i, t := range d.tables {
		change(i, nil)
		for r := range t.rows {
			change(i, &table{name: t.name, cols: t.cols, rows: slices.Delete(slices.Clone(t.rows), r, r+1)})
		}
	}
	for i, t := range d.tables {
		if t.view != "" {
			continue
		}
		for c := range t.cols {
			less := &table{name: t.name, cols: slices.Delete(slices.Clone(t.cols), c, c+1)}
			for _, r := range t.rows {
				less.rows = append(less.rows, slices.Delete(slices.Clone(r), c, c+1))
			}
			change(i, less)
		}
		for r, row := range t.rows {
			for c, cell := range row {
				if cell != "NULL" {
					less := &table{name: t.name, cols: t.cols, rows: slices.Clone(t.rows)}
					less.rows[r] = slices.Clone(row)
					less.rows[r][c] = "NULL"
					change(i, less)
				}
			}
		}
	}
	return out
}
