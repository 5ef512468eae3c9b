// Package build makes the files of an embedded dataset in BIRD's layout: SQLite
// databases from SQL, and the tables file from the databases. The same SQL gives
// the same bytes.
package build

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	_ "modernc.org/sqlite" // the driver that writes
)

// Database runs a script in a new database, which then takes the file's place.
func Database(file, script string) error {
	return replace(file, func(name string) error {
		db, err := sql.Open("sqlite", name)
		if err != nil {
			return err
		}
		db.SetMaxOpenConns(1) // the pragma belongs to a connection
		for _, step := range []string{"PRAGMA foreign_keys = ON", "BEGIN", script, "COMMIT", "VACUUM"} {
			if _, err := db.Exec(step); err != nil {
				return errors.Join(err, db.Close())
			}
		}
		return db.Close()
	})
}

// Text writes a file in one step.
func Text(file string, data []byte) error {
	return replace(file, func(name string) error { return os.WriteFile(name, data, 0o644) })
}

// replace lets write make a new file and renames it to name.
func replace(name string, write func(name string) error) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	fresh := name + ".new"
	if err := os.Remove(fresh); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := write(fresh); err != nil {
		return errors.Join(err, os.Remove(fresh))
	}
	return os.Rename(fresh, name)
}

// Source is a database that a tables file describes.
type Source struct {
	ID, File string
}

// Tables writes the tables file of databases.
func Tables(file string, databases []Source) error {
	var described []description
	for _, db := range databases {
		d, err := describe(db.ID, db.File)
		if err != nil {
			return err
		}
		described = append(described, d)
	}
	text, err := json.MarshalIndent(described, "", "    ")
	if err != nil {
		return err
	}
	return Text(file, append(text, '\n'))
}

// description is one record of dev_tables.json. Columns are pairs of a
// table's position and a name; keys are positions among all columns, the
// first of which is *.
type description struct {
	DB              string   `json:"db_id"`
	Tables          []string `json:"table_names_original"`
	ReadableTables  []string `json:"table_names"`
	Columns         [][2]any `json:"column_names_original"`
	ReadableColumns [][2]any `json:"column_names"`
	Types           []string `json:"column_types"`
	PrimaryKeys     []any    `json:"primary_keys"`
	ForeignKeys     [][2]int `json:"foreign_keys"`
}

// describe reads the schema of a database file.
func describe(id, file string) (description, error) {
	ctx := context.Background()
	db, err := sqlite.Open(ctx, sqlite.Location{Path: file}, sqlite.Options{})
	if err != nil {
		return description{}, err
	}
	defer db.Close()
	schema, err := db.Schema(ctx)
	if err != nil {
		return description{}, err
	}
	d := description{
		DB: id, Columns: [][2]any{{-1, "*"}}, ReadableColumns: [][2]any{{-1, "*"}}, Types: []string{"text"},
		ForeignKeys: [][2]int{},
	}
	position := map[[2]string]int{}
	for i, t := range schema.Tables {
		d.Tables = append(d.Tables, t.Name)
		d.ReadableTables = append(d.ReadableTables, readable(t.Name))
		var key []int
		for _, c := range t.Columns {
			at := len(d.Columns)
			position[[2]string{t.Name, c.Name}] = at
			d.Columns = append(d.Columns, [2]any{i, c.Name})
			d.ReadableColumns = append(d.ReadableColumns, [2]any{i, readable(c.Name)})
			d.Types = append(d.Types, strings.ToLower(c.Type))
			if c.PrimaryKey > 0 {
				key = append(key, at)
			}
		}
		if len(key) == 1 {
			d.PrimaryKeys = append(d.PrimaryKeys, key[0])
		} else {
			d.PrimaryKeys = append(d.PrimaryKeys, key)
		}
	}
	for _, t := range schema.Tables {
		for _, key := range t.ForeignKeys {
			for i, column := range key.Columns {
				d.ForeignKeys = append(d.ForeignKeys, [2]int{
					position[[2]string{t.Name, column}], position[[2]string{key.Table, key.To[i]}],
				})
			}
		}
	}
	return d, nil
}

// readable makes plain words of a name: CustomerID becomes customer id.
func readable(name string) string {
	var b strings.Builder
	lower := false // whether the last letter was a small one
	for _, r := range name {
		if lower && 'A' <= r && r <= 'Z' {
			b.WriteByte(' ')
		}
		lower = 'a' <= r && r <= 'z'
		b.WriteRune(r)
	}
	return strings.ToLower(strings.NewReplacer("_", " ", "-", " ", "/", " ").Replace(b.String()))
}
