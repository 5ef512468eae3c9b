package pgtest

import (
	"strconv"
	"strings"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/pkg/value"
)

// Copy makes a schema with the tables of a SQLite database and their rows. Names
// are in lower case, as statements without quotation marks find them, but for
// those that such statements could not write. Columns of numbers have types for
// numbers, and all others are text.
func (s *Server) Copy(db *sqlite.DB, schema string) {
	s.t.Helper()
	described, err := db.Schema(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("CREATE SCHEMA " + quoted(schema) + ";\n")
	for _, t := range described.Tables {
		if t.View {
			continue
		}
		var names, columns, key []string
		for _, c := range t.Columns {
			names = append(names, `"`+strings.ReplaceAll(c.Name, `"`, `""`)+`"`)
			if c.PrimaryKey > 0 {
				key = append(key, quoted(c.Name))
			}
		}
		rows, err := db.Query(s.t.Context(), "SELECT "+strings.Join(names, ", ")+` FROM "`+strings.ReplaceAll(t.Name, `"`, `""`)+`"`)
		if err != nil {
			s.t.Fatal(err)
		}
		for i, c := range t.Columns {
			columns = append(columns, quoted(c.Name)+" "+typeOf(rows.Rows, i))
		}
		if len(key) > 0 {
			columns = append(columns, "PRIMARY KEY ("+strings.Join(key, ", ")+")")
		}
		name := quoted(schema) + "." + quoted(t.Name)
		b.WriteString("CREATE TABLE " + name + " (" + strings.Join(columns, ", ") + ");\n")
		insert(&b, name, rows.Rows)
	}
	s.Exec(b.String() + "ANALYZE;")
}

// typeOf returns the type of a column by its values.
func typeOf(rows [][]value.Value, column int) string {
	kinds := map[value.Kind]bool{}
	for _, row := range rows {
		kinds[row[column].Kind()] = true
	}
	delete(kinds, value.Null)
	switch {
	case len(kinds) == 1 && kinds[value.Integer]:
		return "bigint"
	case len(kinds) > 0 && !kinds[value.Text] && !kinds[value.Blob]:
		return "double precision"
	}
	return "text"
}

// insert writes a statement that inserts the rows, if there are any.
func insert(b *strings.Builder, table string, rows [][]value.Value) {
	for i, row := range rows {
		if i == 0 {
			b.WriteString("INSERT INTO " + table + " VALUES\n")
		} else {
			b.WriteString(",\n")
		}
		b.WriteByte('(')
		for j, v := range row {
			if j > 0 {
				b.WriteString(", ")
			}
			b.WriteString(literal(v))
		}
		b.WriteByte(')')
	}
	if len(rows) > 0 {
		b.WriteString(";\n")
	}
}

// literal returns a value as SQL has it. Postgres has no texts with a NUL.
func literal(v value.Value) string {
	switch v.Kind() {
	case value.Null:
		return "NULL"
	case value.Integer:
		return strconv.FormatInt(v.Int64(), 10)
	case value.Real:
		return strconv.FormatFloat(v.Float64(), 'g', -1, 64)
	}
	return "'" + strings.NewReplacer("'", "''", "\x00", "").Replace(v.Raw()) + "'"
}

// quoted returns a name as an identifier.
func quoted(name string) string {
	if strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789_") == "" {
		name = strings.ToLower(name)
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}
