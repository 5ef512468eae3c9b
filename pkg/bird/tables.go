package bird

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
)

// schema is one record of a tables file. Columns are pairs of a table's
// position (-1 for *) and a name.
type schema struct {
	DB              string   `json:"db_id"`
	Tables          []string `json:"table_names_original"`
	ReadableTables  []string `json:"table_names"`
	Columns         []pair   `json:"column_names_original"`
	ReadableColumns []pair   `json:"column_names"`
	Types           []string `json:"column_types"`
}

type pair struct {
	table int
	name  string
}

func (p *pair) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&p.table, &p.name})
}

// readTables reads the tables file, if there is one, into the dataset's databases. A
// plain dataset need not have a tables file.
func (s root) readTables(d *Dataset, from split) error {
	name := s.display(from.tables)
	data, err := s.read(from.tables)
	if errors.Is(err, fs.ErrNotExist) {
		if from.layout != Plain {
			d.warn(name, 0, "there is no such file, so readable names are missing")
		}
		return nil
	}
	if err != nil {
		return unread(name, err, "make the file readable")
	}
	last := 0
	err = arrayRecords(data, func(i int, record json.RawMessage) error {
		last = i
		var described schema
		if err := json.Unmarshal(record, &described); err != nil {
			return fmt.Errorf("%w: %w", ErrRecord, err)
		}
		if db := d.Database(described.DB); db != nil {
			return described.fill(db)
		}
		return nil
	})
	if err != nil {
		return &Error{Op: "read", File: name, Record: last, Err: err, Hint: "correct the record or remove the file"}
	}
	return nil
}

// fill describes the database's tables and columns.
func (t schema) fill(db *Database) error {
	db.Tables = nil
	for i, name := range t.Tables {
		table := &Table{Name: name}
		if i < len(t.ReadableTables) {
			table.Readable = t.ReadableTables[i]
		}
		db.Tables = append(db.Tables, table)
	}
	for i, c := range t.Columns {
		if c.table < 0 {
			continue
		}
		if c.table >= len(db.Tables) {
			return fmt.Errorf("%w: column %q belongs to table %d of %d", ErrRecord, c.name, c.table, len(db.Tables))
		}
		column := &Column{Name: c.name}
		if i < len(t.ReadableColumns) {
			column.Readable = t.ReadableColumns[i].name
		}
		if i < len(t.Types) {
			column.DataFormat = t.Types[i]
		}
		table := db.Tables[c.table]
		table.Columns = append(table.Columns, column)
	}
	return nil
}
