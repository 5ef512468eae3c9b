package tools

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/pkg/value"
)

// FromSQL returns the rows of a query of any database/sql driver that are still
// to be read, and leaves them closed where nothing fails. The columns keep
// their names and declared types, as far as the driver reports them; a name that
// is used twice gets _1, _2, ... appended. Values are as value.Of has them,
// except that bytes are text or a number where the declared type says so, as
// some drivers hand out all values as bytes. Errors are those of the driver,
// and name a column whose value has no equal in SQLite.
func FromSQL(rows *sql.Rows) (*Table, error) {
	if rows == nil {
		return nil, errors.New("from SQL: the rows are nil; run a query first")
	}
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, fmt.Errorf("from SQL: %w", err)
	}
	names := make([]string, len(types))
	for i, c := range types {
		names[i] = c.Name()
	}
	fields := make([]Field, len(types))
	for i, key := range headerKeys(names) {
		declared := types[i].DatabaseTypeName()
		fields[i] = Field{Key: key, Type: declared}
		if declared != "" {
			fields[i].Affinity = value.AffinityOf(declared)
		}
	}
	builders := make([]ColumnBuilder, len(fields))
	cells, targets := make([]any, len(fields)), make([]any, len(fields))
	for i := range cells {
		targets[i] = &cells[i]
	}
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return nil, fmt.Errorf("from SQL: %w", err)
		}
		for i, cell := range cells {
			v, err := columnValue(cell, fields[i])
			if err != nil {
				return nil, fmt.Errorf("from SQL: column %s: %w", fields[i].Key, err)
			}
			builders[i].Append(v)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("from SQL: %w", err)
	}
	columns := make([]*Column, len(fields))
	for i := range builders {
		columns[i] = builders[i].Column()
	}
	return NewTable(fields, columns)
}

// columnValue returns what a driver gave as a value of its column.
func columnValue(cell any, f Field) (value.Value, error) {
	v, err := value.Of(cell)
	if v.Kind() == value.Blob && f.Type != "" && f.Affinity != value.AffinityBlob && !strings.Contains(strings.ToUpper(f.Type), "BINARY") && !strings.EqualFold(f.Type, "BYTEA") {
		v = f.Affinity.Apply(value.Str(v.Raw()))
	}
	return v, err
}
