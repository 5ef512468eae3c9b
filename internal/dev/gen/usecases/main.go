// Command gen writes the fixture's databases, their SQL, the tables file and the
// descriptions of columns. It runs in data/usecases by go generate. The words are
// written by hand, one file for each use case; a generator with a fixed seed puts
// them together.
package main

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/birdcall/birdcall/internal/dev/gen/build"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// useCases returns all use cases in the order of their ids.
func useCases() []useCase {
	return []useCase{artMuseums, coursePlatform, healthClinics, restaurantGuide, travelAgency}
}

func run() error {
	var databases []build.Source
	for _, u := range useCases() {
		folder := filepath.Join("dev_databases", u.id)
		file := filepath.Join(folder, u.id+".sqlite")
		script := u.script()
		if err := build.Text(filepath.Join("schema", u.id+".sql"), []byte(script)); err != nil {
			return err
		}
		if err := build.Database(file, script); err != nil {
			return fmt.Errorf("%s: %w", u.id, err)
		}
		for _, c := range u.collections {
			text, err := c.described()
			if err != nil {
				return err
			}
			if err := build.Text(filepath.Join(folder, "database_description", c.name+".csv"), text); err != nil {
				return err
			}
		}
		databases = append(databases, build.Source{ID: u.id, File: file})
	}
	return build.Tables("dev_tables.json", databases)
}

// described returns the description file of the collection.
func (c collection) described() ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	formats := []string{"text", "text", "integer", "boolean"}
	if c.number.real {
		formats[2] = "real"
	}
	lines := [][]string{{"original_column_name", "column_name", "column_description", "data_format", "value_description"}}
	for i, column := range c.columns() {
		values := column.values
		if i == 1 {
			values = strings.ReplaceAll(c.kinds, "|", ", ")
		}
		lines = append(lines, []string{column.name, cmp.Or(column.readable, strings.ReplaceAll(column.name, "_", " ")), column.description, formats[i], values})
	}
	if err := w.WriteAll(lines); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
