package engine

import (
	"cmp"
	"slices"

	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/value"
)

// Schema describes the tables and views of a database, in the order of their
// creation.
type Schema struct {
	Tables []*Table
	// LeftOut lists the tables and views of the database that no statement can read.
	LeftOut []LeftOut
}

// LeftOut is a table or view that no statement can read.
type LeftOut struct {
	Name string
	Err  error // why not
}

// Table returns the table or view of that name, or nil. Case of ASCII letters
// does not matter.
func (s *Schema) Table(name string) *Table {
	for _, t := range s.Tables {
		if spelling.Same(t.Name, name) {
			return t
		}
	}
	return nil
}

// Table describes one table or view.
type Table struct {
	Name        string
	Columns     []Column
	ForeignKeys []ForeignKey // in the order of their declaration
	View        bool
	SQL         string // of a view: the statement that made it
	Comment     string // in the database itself; "" where there is none or the engine has none
	// RowID is true for a table of SQLite that has a rowid
	// (https://www.sqlite.org/rowidtable.html); false for views too.
	RowID bool
	// IntegerPrimaryKey names the column that is an alias of the rowid
	// (lang_createtable.html, section 5), or is "".
	IntegerPrimaryKey string
	// API names the API that provides the rows; "" if the database has them. Required
	// lists the columns for which a statement must give values.
	API      string
	Required []string
}

// Column returns the column of that name, or nil. Case of ASCII letters does
// not matter.
func (t *Table) Column(name string) *Column {
	if i := t.Place(name); i >= 0 {
		return &t.Columns[i]
	}
	return nil
}

// Key returns the names of the columns of the primary key, in its order.
func (t *Table) Key() []string {
	var key []Column
	for _, c := range t.Columns {
		if c.PrimaryKey > 0 {
			key = append(key, c)
		}
	}
	slices.SortFunc(key, func(a, b Column) int { return cmp.Compare(a.PrimaryKey, b.PrimaryKey) })
	names := make([]string, len(key))
	for i, c := range key {
		names[i] = c.Name
	}
	return names
}

// Place returns the index in Columns of the column of that name, or -1. Case of ASCII
// letters does not matter.
func (t *Table) Place(name string) int {
	return slices.IndexFunc(t.Columns, func(c Column) bool { return spelling.Same(c.Name, name) })
}

// Column describes one column.
type Column struct {
	Name       string
	Type       string         // as declared; "" when there is none
	Affinity   value.Affinity // of SQLite's types: datatype3.html, section 3.1; of other types: the nearest
	Collation  string         // upper case; "BINARY" when none is declared, and in views: see sqltree.Schema
	NotNull    bool
	PrimaryKey int // 1-based position in the primary key; 0 when not in it
	Hidden     bool
	Generated  bool
	Comment    string // in the database itself; "" where there is none or the engine has none
}

// ForeignKey says that Columns refer to the columns To of the table Table. To
// is nil when the declaration names none, which means Table's primary key.
type ForeignKey struct {
	Columns []string
	Table   string
	To      []string
}
