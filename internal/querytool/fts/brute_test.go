package fts

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/db/columns"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/pkg/value"

	sample "github.com/birdcall/birdcall/data/bird"
)

// list is a column of a test.
type list []value.Value

func (l list) Len() int               { return len(l) }
func (l list) At(row int) value.Value { return l[row] }
func texts(texts ...string) (out list) {
	for _, s := range texts {
		out = append(out, value.Str(s))
	}
	return out
}

// of is the source of collections that are there already.
func of(collections map[string][]Column) Source {
	return func(_ context.Context, name string) ([]Column, error) { return collections[name], nil }
}

// stemmer splits texts into stems by FTS5's own tokenizer and nothing else of it.
type stemmer struct {
	t  testing.TB
	db *sql.DB
}

func newStemmer(t testing.TB) stemmer {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	s := stemmer{t, db}
	s.exec("CREATE VIRTUAL TABLE texts USING fts5(body, tokenize = 'porter unicode61')")
	s.exec("CREATE VIRTUAL TABLE stem USING fts5vocab(texts, instance)")
	return s
}

func (s stemmer) exec(statement string, args ...any) {
	s.t.Helper()
	if _, err := s.db.Exec(statement, args...); err != nil {
		s.t.Fatalf("%s: %v", statement, err)
	}
}

func (s stemmer) stems(text any) []string {
	s.t.Helper()
	s.exec("DELETE FROM texts")
	s.exec("INSERT INTO texts VALUES (?)", text)
	rows, err := s.db.Query("SELECT term FROM stem ORDER BY offset")
	if err != nil {
		s.t.Fatal(err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var term string
		if err := rows.Scan(&term); err != nil {
			s.t.Fatal(err)
		}
		out = append(out, term)
	}
	if err := rows.Err(); err != nil {
		s.t.Fatal(err)
	}
	return out
}

// documents are the stems of each object, of all of its columns.
type documents struct {
	count []map[string]int // how often an object has a stem
	size  []int            // how many stems it has
	total int
}

func (s stemmer) documents(columns []Column) documents {
	var d documents
	for row := range columns[0].Len() {
		count, size := map[string]int{}, 0
		for _, c := range columns {
			for _, stem := range s.stems(textOf(c.At(row))) {
				count[stem]++
				size++
			}
		}
		d.count, d.size, d.total = append(d.count, count), append(d.size, size), d.total+size
	}
	return d
}

// find computes the objects that have all stems, and their BM25 as FTS5 defines it
// (https://www.sqlite.org/fts5.html, section 5.1.1, and for the least idf its source).
func (d documents) find(stems []string) []hit {
	const k1, b = 1.2, 0.75
	n := float64(len(d.count))
	var hits []hit
	for row, count := range d.count {
		score, all := 0.0, true
		for _, stem := range stems {
			with := 0.0
			for _, other := range d.count {
				if other[stem] > 0 {
					with++
				}
			}
			idf := max(math.Log((n-with+0.5)/(with+0.5)), 0)
			if idf == 0 {
				idf = 1e-6
			}
			f := float64(count[stem])
			all = all && f > 0
			score += idf * f * (k1 + 1) / (f + k1*(1-b+b*float64(d.size[row])/(float64(d.total)/n)))
		}
		if all {
			hits = append(hits, hit{row, -score})
		}
	}
	return hits
}

// same fails unless hits are those that were computed, in the order of their own
// scores and then of their rows.
func same(t *testing.T, name string, got, want []hit) {
	t.Helper()
	if !slices.IsSortedFunc(got, func(a, b hit) int {
		switch {
		case a.score != b.score && a.score < b.score:
			return -1
		case a.score != b.score:
			return 1
		}
		return a.row - b.row
	}) {
		t.Errorf("%s: %v are not in order", name, got)
	}
	got = slices.Clone(got)
	slices.SortFunc(got, func(a, b hit) int { return a.row - b.row })
	if len(got) != len(want) {
		t.Fatalf("%s: %v, want %v", name, got, want)
	}
	for i := range got {
		if got[i].row != want[i].row || math.Abs(got[i].score-want[i].score) > 1e-9 {
			t.Fatalf("%s: %v, want %v", name, got[i], want[i])
		}
	}
}

// vocabulary has words with one stem, in several cases and alphabets, and what is
// no word.
var vocabulary = strings.Fields(`run runs running Runner RUN generous general generously café cafe CAFÉ
	naïve Straße strasse ÆØ ß 東京 日本 слово Слова ein eine 42 4.2 007 a b c AND OR NOT NEAR
	state-of-the-art foo_bar don't "quoted" (bracket) * ^ col:word 🙂 ﬁne e-mail x²`)

// draw returns a few words, the first ones of the vocabulary more often.
func draw(r *rand.Rand, most int) string {
	var out []string
	for range r.IntN(most + 1) {
		out = append(out, vocabulary[r.IntN(1+r.IntN(len(vocabulary)))])
	}
	return strings.Join(out, []string{" ", "  ", ", ", "\n", "—"}[r.IntN(5)])
}

func TestSearchIsBM25(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 1))
	s := newStemmer(t)
	searches := 0
	for number := range 40 {
		columns := make([]Column, 1+r.IntN(3))
		rows := 1 + r.IntN(30)
		for i := range columns {
			var l list
			for range rows {
				switch r.IntN(8) {
				case 0:
					l = append(l, value.NullValue())
				case 1:
					l = append(l, value.Int(int64(r.IntN(50))))
				default:
					l = append(l, value.Str(draw(r, 8)))
				}
			}
			columns[i] = l
		}
		index := New(of(map[string][]Column{"c": columns}), Options{})
		d := s.documents(columns)
		for range 25 {
			text := draw(r, 3)
			stems := s.stems(text)
			if len(stems) == 0 {
				text += " run"
				stems = s.stems(text)
			}
			got, err := index.search(t.Context(), "c", text)
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			same(t, fmt.Sprintf("collection %d, %q", number, text), got, d.find(stems))
			searches++
		}
		if err := index.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d searches", searches)
}

// TestSearchOfSample searches the embedded sample for words of its own texts.
func TestSearchOfSample(t *testing.T) {
	ctx := t.Context()
	db, err := sqlite.Open(ctx, sqlite.Location{FS: sample.FS(), Name: "dev_databases/city_library/city_library.sqlite"}, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	schema, err := db.Schema(ctx)
	if err != nil {
		t.Fatal(err)
	}
	store := columns.New(db, schema)
	collections := map[string][]Column{}
	for _, table := range schema.Tables {
		for _, c := range table.Columns {
			if c.Affinity != value.AffinityText {
				continue
			}
			column, err := store.Column(ctx, table.Name, c.Name)
			if err != nil {
				t.Fatal(err)
			}
			l := make(list, column.Len())
			for i := range l {
				l[i] = column.Value(i)
			}
			collections[table.Name] = append(collections[table.Name], l)
		}
	}
	index := New(of(collections), Options{})
	defer index.Close()
	r := rand.New(rand.NewPCG(15, 2))
	s := newStemmer(t)
	for _, name := range slices.Sorted(maps.Keys(collections)) {
		columns := collections[name]
		d := s.documents(columns)
		for range 50 {
			words := strings.Fields(value.AsText(columns[r.IntN(len(columns))].At(r.IntN(columns[0].Len()))))
			if len(words) == 0 {
				continue
			}
			at := r.IntN(len(words))
			text := strings.Join(words[at:min(len(words), at+1+r.IntN(2))], " ")
			stems := s.stems(text)
			if len(stems) == 0 {
				continue
			}
			got, err := index.search(ctx, name, text)
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			same(t, name+": "+text, got, d.find(stems))
			if len(got) == 0 {
				t.Errorf("%s: %q is in a text, but not found", name, text)
			}
		}
	}
}
