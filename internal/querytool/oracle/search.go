package oracle

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/pkg/value"
)

// hit is a row that a search found.
type hit struct {
	row   int64 // its rowid, or its number where there is none
	score float64
}

// The parameters of BM25 that FTS5 has (https://www.sqlite.org/fts5.html, section
// 5.1.1), and the least weight of a word: one in more than half of the rows would
// have none.
const (
	bm25K1   = 1.2
	bm25B    = 0.75
	leastIDF = 1e-6
	maxKnown = 1 << 17 // words that are kept with their stems
)

// search computes which rows of a table have all words of a text in their text
// properties, the best first.
func (b *builder) search(ctx context.Context, db *sqlite.DB) ([]hit, error) {
	var stems []string
	for _, word := range tokens(b.query.Search) {
		stems = append(stems, stem(word))
	}
	if len(stems) == 0 {
		return nil, fmt.Errorf("the search %q has no words; give words of letters or digits", b.query.Search)
	}
	c := counter{places: map[string]int{}, known: map[string]int{}}
	for _, s := range stems {
		if _, ok := c.places[s]; !ok {
			c.places[s] = len(c.places)
		}
	}
	c.with = make([]int, len(c.places))
	if err := db.Each(ctx, b.texts(), c.add); err != nil {
		return nil, err
	}
	out := make([]hit, len(c.found))
	for i, d := range c.found {
		out[i] = hit{d.row, c.score(d, stems)}
	}
	slices.SortFunc(out, func(x, y hit) int { return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(x.row, y.row)) })
	return out, nil
}

// texts returns the SELECT of each row's place and of the texts that are searched.
func (b *builder) texts() string {
	plain := *b
	plain.query.Search = ""
	plain.begin(false)
	columns := []string{plain.order}
	for _, p := range b.about.Properties {
		if p.Type == query.Text {
			column := plain.column(p.Name)
			columns = append(columns, fmt.Sprintf("CASE WHEN typeof(%s) <> 'blob' THEN CAST(%[1]s AS TEXT) END", column))
		}
	}
	return plain.selected(fmt.Sprintf("SELECT %s FROM %s ORDER BY %s", strings.Join(columns, ", "), plain.from, plain.order))
}

// counter counts the words of rows.
type counter struct {
	places map[string]int // of the stems that are searched
	known  map[string]int // the place of a word's stem, -1 for others

	rows, words int
	with        []int // how many rows have the stem
	found       []document
}

// document is a row that has all words.
type document struct {
	row    int64
	counts []int // how often it has each stem
	words  int
}

// add counts a row: its place, and its texts.
func (c *counter) add(row []value.Value) error {
	d := document{row: row[0].Int64(), counts: make([]int, len(c.places))}
	for _, text := range row[1:] {
		if text.IsNull() {
			continue
		}
		for _, word := range tokens(text.Raw()) {
			d.words++
			at, ok := c.known[word]
			if !ok {
				if at, ok = c.places[stem(word)]; !ok {
					at = -1
				}
				if len(c.known) == maxKnown {
					clear(c.known)
				}
				c.known[word] = at
			}
			if at >= 0 {
				d.counts[at]++
			}
		}
	}
	c.rows++
	c.words += d.words
	all := true
	for i, n := range d.counts {
		if n > 0 {
			c.with[i]++
		}
		all = all && n > 0
	}
	if all {
		c.found = append(c.found, d)
	}
	return nil
}

// score returns BM25 of a row. A word that the search has twice counts twice.
func (c *counter) score(d document, stems []string) float64 {
	mean := float64(c.words) / float64(c.rows)
	score := 0.0
	for _, s := range stems {
		at := c.places[s]
		with := float64(c.with[at])
		idf := math.Log((float64(c.rows) - with + 0.5) / (with + 0.5))
		if idf <= 0 {
			idf = leastIDF
		}
		f := float64(d.counts[at])
		score += idf * (f * (bm25K1 + 1) / (f + bm25K1*(1-bm25B+bm25B*float64(d.words)/mean)))
	}
	return score
}
