package fts

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// hit is an object that was found. Its score is that of bm25(), which is the less
// the better.
type hit struct {
	row   int
	score float64
}

// Search returns the rows of a collection, counted from 0, whose texts have all
// words of text, the best first. Errors are those that have a name here, which
// say what is wrong with the text or the collection, and those of the source and
// of the context.
func (x *Index) Search(ctx context.Context, collection, text string) ([]int, error) {
	hits, err := x.search(ctx, collection, text)
	if err != nil {
		return nil, err
	}
	rows := make([]int, len(hits))
	for i, h := range hits {
		rows[i] = h.row
	}
	return rows, nil
}

func (x *Index) search(ctx context.Context, collection, text string) ([]hit, error) {
	if len(text) > MaxBytes {
		return nil, fmt.Errorf("%w: it has %d bytes, and may have %d", ErrTooLong, len(text), MaxBytes)
	}
	select {
	case x.turn <- struct{}{}:
		defer func() { <-x.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if err := x.open(ctx); err != nil {
		return nil, err
	}
	words, err := x.words(ctx, text)
	if err != nil {
		return nil, err
	}
	t, err := x.table(ctx, collection)
	if err != nil {
		return nil, err
	}
	// Words next to each other must all occur.
	match := `"` + strings.Join(words, `" "`) + `"`
	rows, err := x.db.QueryContext(ctx, fmt.Sprintf("SELECT rowid, bm25(%[1]s) FROM %[1]s WHERE %[1]s MATCH ? ORDER BY 2, 1", t.name), match)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var hits []hit
	for rows.Next() {
		var h hit
		if err := rows.Scan(&h.row, &h.score); err != nil {
			return nil, err
		}
		hits = append(hits, h)
	}
	return hits, errors.Join(rows.Err(), ctx.Err())
}

// words returns the words of a text in their order, as the tokenizer itself finds
// them: it puts them into an index, which lists them again. They are letters and
// digits only.
func (x *Index) words(ctx context.Context, text string) ([]string, error) {
	tx, err := x.db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback() }() // which the context's end may have done
	if _, err := tx.ExecContext(ctx, "INSERT INTO words(rowid, text) VALUES (0, ?)", text); err != nil {
		return nil, err
	}
	rows, err := tx.QueryContext(ctx, "SELECT term FROM word ORDER BY offset")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var words []string
	for rows.Next() {
		var word string
		if err := rows.Scan(&word); err != nil {
			return nil, err
		}
		words = append(words, word)
	}
	switch err := errors.Join(rows.Err(), ctx.Err()); {
	case err != nil:
		return nil, err
	case len(words) == 0:
		return nil, ErrNoWords
	case len(words) > MaxWords:
		return nil, fmt.Errorf("%w: it has %d words, and may have %d", ErrTooLong, len(words), MaxWords)
	}
	return words, nil
}
