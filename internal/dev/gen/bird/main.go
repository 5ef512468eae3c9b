// Command gen builds the sample's SQLite files and dev_tables.json from
// schema/*.sql, and the indexes that package find has of them. It runs in
// data/bird by go generate. The same SQL gives the same bytes.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/birdcall/birdcall/internal/dev/gen/build"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/find"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run() error {
	scripts, err := filepath.Glob(filepath.Join("schema", "*.sql")) // sorted by name
	if err != nil {
		return err
	}
	if len(scripts) == 0 {
		return errors.New("there is no schema/*.sql; run go generate in data/bird")
	}
	var databases []build.Source
	for _, script := range scripts {
		id := strings.TrimSuffix(filepath.Base(script), ".sql")
		file := filepath.Join("dev_databases", id, id+".sqlite")
		text, err := os.ReadFile(script)
		if err != nil {
			return err
		}
		if err := build.Database(file, string(text)); err != nil {
			return fmt.Errorf("%s: %w", script, err)
		}
		databases = append(databases, build.Source{ID: id, File: file})
	}
	if err := build.Tables("dev_tables.json", databases); err != nil {
		return err
	}
	dataset, err := bird.Load(bird.Options{Dir: "."})
	if err != nil {
		return err
	}
	_, err = find.Open(context.Background(), dataset, find.Options{Rebuild: true, Warn: func(text string) { fmt.Fprintln(os.Stderr, "gen: warning:", text) }})
	return err
}
