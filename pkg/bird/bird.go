package bird

import (
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/birdcall/birdcall/internal/text/spelling"
)

// DefaultAsOf is the default instant that replaces 'now' in the SQL of questions.
var DefaultAsOf = time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC)

// Layout names the arrangement of files by which a dataset was recognized.
type Layout string

// The layouts; see the package documentation.
const (
	BIRDDev     Layout = "BIRD dev"
	BIRDTrain   Layout = "BIRD train"
	BIRDMiniDev Layout = "BIRD mini-dev"
	Spider      Layout = "Spider"
	Plain       Layout = "plain"
)

// License returns the licence under which the authors of the layout's datasets publish
// them, in the notation of the Hugging Face Hub, or "" if none is known. Other people's
// data in the same layout have their own licences.
func (l Layout) License() string {
	switch l {
	case BIRDDev, BIRDTrain, BIRDMiniDev, Spider:
		return "cc-by-sa-4.0"
	}
	return ""
}

// Dataset is what Load found.
type Dataset struct {
	Layout    Layout
	Split     string      // "dev", "train", "mini_dev", "train_spider", ...
	Questions []Question  // in the order of the file
	Databases []*Database // databases that a question uses, in the order of first use
	Warnings  []Warning   // oddities in the files, in a fixed order
	// Missing are the databases that questions use but whose files do not exist.
	// Questions about these databases are left out of Questions.
	Missing []MissingDatabase
}

// MissingDatabase is a database that is missing from a dataset.
type MissingDatabase struct {
	ID  string
	Err error // why
}

// Without returns the dataset without the missing databases and the questions about
// them.
func (d *Dataset) Without(missing ...MissingDatabase) *Dataset {
	isMissing := func(id string) bool {
		return slices.ContainsFunc(missing, func(m MissingDatabase) bool { return m.ID == id })
	}
	out := *d
	out.Questions = slices.DeleteFunc(slices.Clone(d.Questions), func(q Question) bool { return isMissing(q.DB) })
	out.Databases = slices.DeleteFunc(slices.Clone(d.Databases), func(db *Database) bool { return isMissing(db.ID) })
	out.Missing = slices.Concat(d.Missing, missing)
	return &out
}

// IsMissing reports whether the database with that id is missing from the dataset.
func (d *Dataset) IsMissing(id string) bool {
	return slices.ContainsFunc(d.Missing, func(m MissingDatabase) bool { return m.ID == id })
}

// Database returns the database of that id, or nil.
func (d *Dataset) Database(id string) *Database {
	for _, db := range d.Databases {
		if db.ID == id {
			return db
		}
	}
	return nil
}

// IDs returns the ids of the databases, in their order.
func (d *Dataset) IDs() []string {
	out := make([]string, len(d.Databases))
	for i, db := range d.Databases {
		out[i] = db.ID
	}
	return out
}

// Question is one record of a question file.
type Question struct {
	ID         ID
	DB         string // id of the database
	Text       string // the question in natural language
	Evidence   string // a hint on the meaning of the question's words; may be ""
	SQL        string // the reference answer
	Difficulty string // as the dataset rates it; may be ""
	File       string // base name of the question file
	Record     int    // 0-based position in that file
	Split      string // of the dataset
	// DuplicateOf is the first question on the same database whose SQL is the same,
	// apart from white space, comments and semicolons at its end. It is the zero ID if
	// no earlier question has the same SQL.
	DuplicateOf ID
}

// Database says where a database is and what the dataset says about it. The database is
// the file Path on disk, or the file Name inside FS if FS is not nil. It is neither if
// the database is elsewhere: see Options.NoFiles.
type Database struct {
	ID     string
	Path   string
	FS     fs.FS
	Name   string
	Tables []*Table // as the dataset describes them; the database may differ
	// APIs are tables and functions that statements can use in addition to those of the
	// file; nil means none.
	APIs APIs
}

// HasFile reports whether the database is a file.
func (d *Database) HasFile() bool { return d.FS != nil || d.Path != "" }

// Table is what a dataset says about one table.
type Table struct {
	Name     string // the table's name in the database
	Readable string // a name in plain words; may be ""
	Columns  []*Column
}

// Column is what a dataset says about one column.
type Column struct {
	Name string // the column's name in the database
	Description
}

// Description explains a column. Any part may be "".
type Description struct {
	Readable         string // a name in plain words
	Description      string // what the column holds
	ValueDescription string // what its values mean
	DataFormat       string // the kind of its values, such as "integer"
}

// Warning is an oddity in a dataset's files that does not prevent its use.
type Warning struct {
	File string
	Line int // 1-based; 0 when it concerns the whole file
	Text string
}

// String returns the warning on one line.
func (w Warning) String() string {
	if w.Line == 0 {
		return w.File + ": " + w.Text
	}
	return fmt.Sprintf("%s:%d: %s", w.File, w.Line, w.Text)
}

// Table returns the described table of that name, or nil. Case of ASCII
// letters does not matter, as in SQLite.
func (d *Database) Table(name string) *Table {
	for _, t := range d.Tables {
		if spelling.Same(t.Name, name) {
			return t
		}
	}
	return nil
}

// Column returns the described column of that name, or nil. Case of ASCII
// letters does not matter, as in SQLite.
func (t *Table) Column(name string) *Column {
	for _, c := range t.Columns {
		if spelling.Same(c.Name, name) {
			return c
		}
	}
	return nil
}

// Describe returns the description of a column, or the zero Description if there is
// none. Case of ASCII letters does not matter.
func (d *Database) Describe(table, column string) Description {
	if t := d.Table(table); t != nil {
		if c := t.Column(column); c != nil {
			return c.Description
		}
	}
	return Description{}
}
