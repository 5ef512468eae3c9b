package bird

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// describe fills in what the dataset says about tables and columns.
func (s root) describe(d *Dataset, from split) error {
	if err := s.readTables(d, from); err != nil {
		return err
	}
	for _, db := range d.Databases {
		folder := path.Join(from.databases, db.ID, "database_description")
		if !s.isFolder(folder) {
			continue
		}
		entries, err := fs.ReadDir(s.files, folder)
		if err != nil {
			return unread(s.display(folder), err, "make the folder readable")
		}
		known := len(db.Tables) > 0
		for _, entry := range entries {
			name := path.Join(folder, entry.Name())
			if !strings.EqualFold(path.Ext(name), ".csv") {
				continue
			}
			data, err := s.read(name)
			if err != nil {
				return unread(s.display(name), err, "make the file readable")
			}
			file := s.display(name)
			d.attach(d.tableFor(db, file, known), file, decode(data))
		}
	}
	return nil
}

func (d *Dataset) warn(file string, line int, format string, args ...any) {
	d.Warnings = append(d.Warnings, Warning{File: file, Line: line, Text: fmt.Sprintf(format, args...)})
}

// tableFor returns the table that a description file is named after. If there is no
// such table, it adds one, with a warning if the tables are known.
func (d *Dataset) tableFor(db *Database, file string, known bool) *Table {
	name := strings.TrimSpace(stem(baseName(file)))
	tables := index[Table]{}
	for _, t := range db.Tables {
		tables.add(t.Name, t)
	}
	if t := tables.find(name); t != nil {
		return t
	}
	if known {
		d.warn(file, 0, "the database has no table %q", name)
	}
	t := &Table{Name: name}
	db.Tables = append(db.Tables, t)
	return t
}

// attach adds the text of one description file to its table. A text whose column is
// unknown is kept under its own name, with a warning.
func (d *Dataset) attach(table *Table, file, text string) {
	known := len(table.Columns) > 0
	columns := index[Column]{}
	for _, c := range table.Columns {
		columns.add(c.Name, c)
	}
	comma := separator(text)
	records := parseCSV(text, comma, func(line string) bool {
		parts := strings.Split(line, string(rune(comma)))
		return len(parts) >= fieldCount &&
			slices.ContainsFunc(parts[format:], func(s string) bool { return formats[letters(s)] }) &&
			columns.find(parts[original]) != nil
	})
	order := defaultOrder
	if len(records) > 0 {
		if found, ok := headerOrder(records[0].fields); ok {
			order, records = found, records[1:]
		}
	}
	var previous *Column
	var rest []string // lines that continue the texts of column previous
	seen := map[*Column]int{}
	surplus := 0
	for _, r := range records {
		name := strings.TrimSpace(field(r.fields, order[original]))
		column := columns.find(name)
		if column == nil && len(r.fields) < len(order) && known && previous != nil {
			// The rest of a value with a line break and no quotes.
			if seen[previous] <= maxTexts {
				rest = append(rest, strings.Join(r.fields, string(rune(comma))))
			}
			continue
		}
		if column == nil {
			if len(table.Columns) >= maxColumns {
				surplus++
				continue
			}
			if known {
				d.warn(file, r.line, "table %q has no column %q", table.Name, name)
			}
			column = &Column{Name: name}
			table.Columns = append(table.Columns, column)
			columns.add(name, column)
		}
		previous.addAll(rest)
		previous, rest = column, nil
		seen[column]++
		switch n := seen[column]; {
		case n > maxTexts:
			continue
		case n > 1:
			d.warn(file, r.line, "column %q is described again; both texts are kept", column.Name)
		}
		column.merge(r.description(order, comma))
	}
	previous.addAll(rest)
	for _, c := range table.Columns {
		if n := seen[c]; n > maxTexts {
			d.warn(file, 0, "column %q is described %d times; the first %d texts are kept", c.Name, n, maxTexts)
		}
	}
	if surplus > 0 {
		d.warn(file, 0, "table %q has more than %d columns; %d lines about others are left out", table.Name, maxColumns, surplus)
	}
}

// The bounds on what is read about a table.
const (
	maxTexts   = 16     // of one column
	maxColumns = 10_000 // SQLite itself has 2,000
)

// The fields of a description, by their usual position.
const (
	original = iota
	readable
	description
	format
	valueDescription
	fieldCount
)

var defaultOrder = []int{original, readable, description, format, valueDescription}

// headerOrder returns where a header puts each field, and whether the record
// is a header at all.
func headerOrder(fields []string) (order []int, ok bool) {
	order = make([]int, fieldCount)
	for i := range order {
		order[i] = -1
	}
	for i, name := range fields {
		switch letters(name) {
		case "originalcolumnname":
			order[original] = i
		case "columnname":
			order[readable] = i
		case "columndescription", "description":
			order[description] = i
		case "dataformat", "datatype":
			order[format] = i
		case "valuedescription":
			order[valueDescription] = i
		}
	}
	if order[original] < 0 {
		order[original], order[readable] = order[readable], -1
	}
	return order, order[original] >= 0
}

// field returns field i, or "" when there is none.
func field(fields []string, i int) string {
	if i < 0 || i >= len(fields) {
		return ""
	}
	return fields[i]
}

// description returns the record's parts. In the usual order, surplus fields come from
// separators that lack quotes. Surplus fields between the readable name and the data
// format belong to the description. All other surplus fields, and fields with an
// unknown header, go to the value description.
func (r record) description(order []int, comma byte) Description {
	fields := r.fields
	if len(fields) > fieldCount && slices.Equal(order, defaultOrder) {
		at := format
		for i := at; i < len(fields); i++ {
			if formats[letters(fields[i])] {
				at = i
				break
			}
		}
		sep := string(rune(comma))
		fields = []string{
			fields[original], fields[readable],
			strings.Join(fields[description:at], sep),
			fields[at],
			strings.Trim(strings.Join(fields[at+1:], sep), sep+" "),
		}
	}
	d := Description{
		Readable:         field(fields, order[readable]),
		Description:      field(fields, order[description]),
		DataFormat:       field(fields, order[format]),
		ValueDescription: field(fields, order[valueDescription]),
	}
	for i, text := range fields {
		if !slices.Contains(order, i) {
			add(&d.ValueDescription, text)
		}
	}
	return d
}

// formats are the data formats in use. They locate the data format in a record with too
// many fields.
var formats = map[string]bool{
	"text": true, "integer": true, "real": true, "date": true, "datetime": true, "time": true,
	"boolean": true, "float": true, "number": true, "numeric": true, "int": true, "varchar": true, "blob": true,
}

// merge adds a description to the column. It replaces the name and format that the
// tables file gave, and appends to the texts of earlier lines on the same column.
func (c *Column) merge(d Description) {
	if s := strings.TrimSpace(d.Readable); s != "" {
		c.Readable = s
	}
	if s := strings.TrimSpace(d.DataFormat); s != "" {
		c.DataFormat = s
	}
	add(&c.Description.Description, d.Description)
	add(&c.ValueDescription, d.ValueDescription)
}

// addAll adds lines to the description of the column's values. A nil column has none.
func (c *Column) addAll(lines []string) {
	if len(lines) == 0 {
		return
	}
	first := 0
	if strings.TrimSpace(lines[0]) == c.ValueDescription {
		first = 1
	}
	kept := make([]string, 0, len(lines))
	for _, line := range lines[first:] {
		if line = strings.TrimSpace(line); line != "" {
			kept = append(kept, line)
		}
	}
	add(&c.ValueDescription, strings.Join(kept, "\n"))
}

// add appends a text on its own line.
func add(to *string, text string) {
	text = strings.TrimSpace(text)
	switch {
	case text == "" || text == *to:
	case *to == "":
		*to = text
	default:
		*to += "\n" + text
	}
}
