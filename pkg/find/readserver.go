package find

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/search/valueindex"
	"github.com/birdcall/birdcall/pkg/value"
)

// maxServerTexts is how many different texts of a column of a server are read. There
// is no file that keeps them, so that each start reads them again.
const maxServerTexts = 100_000

// serverReaderOf returns the reader of a database on a server: texts, dates and enums
// as texts, and integers. hidden reports the columns that are not to be read.
func serverReaderOf(db engine.Database, schema *engine.Schema, hidden func(table, column string) bool) *valueReader {
	var sources []source
	for _, s := range sourcesOf(schema, hidden) {
		isFew := s.column.Affinity == value.AffinityNone || s.numbers && s.column.Affinity == value.AffinityInteger
		if isFew || isText(s.column) {
			sources = append(sources, s)
		}
	}
	r := &valueReader{columns: columnsOf(sources), partial: map[int]string{}}
	r.read = func(ctx context.Context, column int, yield func(value.Value) error) error {
		s := sources[column]
		if isText(s.column) {
			partial, err := readTexts(ctx, db, s, yield)
			if partial != "" {
				r.partial[column] = partial
			}
			return err
		}
		values, err := db.Distinct(ctx, s.table.Name, s.column.Name, maxNumbers)
		if err != nil {
			return err
		}
		for _, v := range values {
			// What has no affinity is an enum here; a boolean says nothing by its values.
			if v.Kind() != value.Text && s.column.Affinity == value.AffinityNone {
				continue
			}
			if err := yield(v); err != nil {
				return err
			}
		}
		return nil
	}
	return r
}

// readTexts calls yield with the texts of a column, and says why values may be missing.
func readTexts(ctx context.Context, db engine.Database, s source, yield func(value.Value) error) (partial string, err error) {
	var values []value.Value
	if reader, ok := db.(engine.TextReader); ok {
		var texts []string
		texts, partial, err = reader.Texts(ctx, s.table.Name, s.column.Name, valueindex.MaxBytes, maxServerTexts)
		for _, text := range texts {
			values = append(values, value.Str(text))
		}
	} else if values, err = db.Distinct(ctx, s.table.Name, s.column.Name, maxServerTexts); err == nil && values == nil {
		partial = fmt.Sprintf("it has more than %d different values, and none is found", maxServerTexts)
	}
	if err != nil {
		return "", err
	}
	for _, v := range values {
		if v.Kind() != value.Text || len(v.Raw()) > valueindex.MaxBytes {
			continue
		}
		if err := yield(v); err != nil {
			return "", err
		}
	}
	return partial, nil
}

// isText reports whether a column of a server has texts or dates. Instants and UUIDs
// are texts in SQLite's types too, but nobody asks for them by name.
func isText(c *engine.Column) bool {
	return c.Affinity == value.AffinityText && !slices.ContainsFunc([]string{"time", "interval", "uuid"}, func(prefix string) bool {
		return strings.HasPrefix(c.Type, prefix)
	})
}
