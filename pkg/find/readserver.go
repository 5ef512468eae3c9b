package find

import (
	"context"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/postgres"
	"github.com/birdcall/birdcall/internal/search/valueindex"
	"github.com/birdcall/birdcall/pkg/value"
)

// mostServerTexts is how many different texts of a column of a server are read. There
// is no file that keeps them, so that each start reads them again.
const mostServerTexts = 100_000

// serverReaderOf returns the reader of a database of a Postgres server: texts, dates
// and enums as texts, and integers. hidden tells the columns that are not to be
// read.
func serverReaderOf(ctx context.Context, db *postgres.DB, hidden func(table, column string) bool) (*valueReader, error) {
	schema, err := db.Schema(ctx)
	if err != nil {
		return nil, err
	}
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
			texts, partial, err := db.Texts(ctx, s.table.Name, s.column.Name, valueindex.MaxBytes, mostServerTexts)
			if err != nil {
				return err
			}
			if partial != "" {
				r.partial[column] = partial
			}
			for _, text := range texts {
				if err := yield(value.Str(text)); err != nil {
					return err
				}
			}
			return nil
		}
		values, err := db.Distinct(ctx, s.table.Name, s.column.Name, mostNumbers)
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
	return r, nil
}

// isText reports whether a column of Postgres has texts or dates. Instants and UUIDs
// are texts in SQLite's types too, but nobody asks for them by name.
func isText(c *engine.Column) bool {
	return c.Affinity == value.AffinityText && !slices.ContainsFunc([]string{"time", "interval", "uuid"}, func(prefix string) bool {
		return strings.HasPrefix(c.Type, prefix)
	})
}
