package query

import (
	"context"
	"errors"
	"fmt"

	"github.com/birdcall/birdcall/internal/querytool/fts"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Searcher finds the objects of a collection that a text is about. Several
// goroutines may use it at once.
type Searcher interface {
	// Search returns the numbers of the rows, from 0 in the order of the table, the
	// best first and none of them twice.
	Search(ctx context.Context, collection, text string) (rows []int, err error)
}

// search finds rows of a collection.
func (d *Database) search(ctx context.Context, collection, text string) ([]int, error) {
	if d.options.Searcher != nil {
		return d.options.Searcher.Search(ctx, collection, text)
	}
	rows, err := d.index.Search(ctx, collection, text)
	switch {
	case errors.Is(err, fts.ErrNoWords):
		return nil, mistake(argSearch, "has no words in "+quoted(text), "give words of letters or digits, or leave it out")
	case errors.Is(err, fts.ErrTooLong):
		return nil, mistake(argSearch, err.Error(), fmt.Sprintf("give at most %d words and %d bytes", fts.MaxWords, fts.MaxBytes))
	case errors.Is(err, fts.ErrTooLarge):
		return nil, mistake(argSearch, collection+" cannot be searched: "+err.Error(), "use filters instead")
	case errors.Is(err, fts.ErrNoTexts):
		return nil, mistake(argSearch, collection+" has no text property", "leave it out, and use filters")
	}
	return rows, err
}

// texts reads the properties of a collection that are searched.
func (d *Database) texts(ctx context.Context, collection string) ([]fts.Column, error) {
	t, err := tools.FromDatabase(ctx, d.store, collection)
	if err != nil {
		return nil, err
	}
	var out []fts.Column
	for i, p := range Find(d.Collections(), collection).Properties {
		if p.Type != Text {
			continue
		}
		v, err := t.Column(ctx, i)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// take returns the rows of a base table that a search found, in its order.
func take(ctx context.Context, t *tools.Table, rows []int) (*tools.Table, error) {
	var b tools.ColumnBuilder
	b.Grow(len(rows))
	seen := make([]bool, t.Len())
	for _, row := range rows {
		if row < 0 || row >= len(seen) || seen[row] {
			return nil, fmt.Errorf("query: the searcher gave row %d, which is there twice or none of %d", row, len(seen))
		}
		seen[row] = true
		b.Append(value.Int(int64(row) + 1))
	}
	found := free(t)
	t, err := tools.WindowData(ctx, t, tools.WindowArgs{Function: tools.RowNumber, OutputKey: found})
	if err != nil {
		return nil, err
	}
	number := free(t)
	order, err := tools.NewTable([]tools.Field{{Key: number}}, []*tools.Column{b.Column()})
	if err != nil {
		return nil, err
	}
	return tools.JoinData(ctx, order, t, tools.JoinArgs{Keys: []string{number}, OtherKeys: []string{found}})
}
