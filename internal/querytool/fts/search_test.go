package fts

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/birdcall/birdcall/pkg/value"
)

// books are objects with a title and a text.
func books() map[string][]Column {
	return map[string][]Column{
		"book": {
			texts("The Old Sea", "Running AND NOT jumping", "Café col:umn", "東京 NEAR 大阪", "", "order", "sea \x00 salt", "bad \xff\xfe utf"),
			append(texts("a fisherman at sea", "shoes", "coffee; naïve", "(trains)", "state-of-the-art"), value.NullValue(), value.Bytes("sea"), value.Int(42)),
		},
		"order":    {texts("one table", "called order")},
		"empty":    {list{}},
		"no texts": {},
	}
}

func TestSearch(t *testing.T) {
	index := New(of(books()), Options{})
	defer index.Close()
	for _, c := range []struct {
		collection, text string
		want             []int
	}{
		{"book", "sea", []int{0, 6}},
		{"book", "SEAS", []int{0, 6}},             // stems, and no case
		{"book", "fisherman old", []int{0}},       // in two columns
		{"book", "old running", nil},              // not all of them
		{"book", "cafe", []int{2}},                // no diacritics
		{"book", "naive", []int{2}},               //
		{"book", "salt", []int{6}},                // behind a NUL, and a BLOB is no text
		{"book", "sea\x00salt", []int{6}},         //
		{"book", "42", []int{7}},                  // a number
		{"book", "utf\xff", []int{7}},             //
		{"book", "art state", []int{4}},           // words in any order
		{"book", "state-of-the-art", []int{4}},    //
		{"book", "run AND jumps", []int{1}},       // AND is a word
		{"book", "sea AND old", nil},              //
		{"book", "sea OR shoes", nil},             //
		{"book", "NOT sea", nil},                  //
		{"book", "NEAR(trains)", []int{3}},        // NEAR too
		{"book", "col:umn", []int{2}},             // no filter by a column
		{"book", "c0:sea", nil},                   //
		{"book", "{c0 c1}: sea", nil},             //
		{"book", "- c0 : sea", nil},               //
		{"book", "^sea", []int{0, 6}},             // no start of a column
		{"book", "se*", nil},                      // no prefix
		{"book", "sea*", []int{0, 6}},             //
		{"book", `"sea`, []int{0, 6}},             //
		{"book", `""sea""`, []int{0, 6}},          //
		{"book", `sea" OR "shoes`, nil},           //
		{"book", "sea + fisherman", []int{0}},     // no phrase
		{"book", "'; DROP TABLE t1; -- sea", nil}, //
		{"book", "sea ?1 :a @b $c", nil},          //
		{"book", "☃ sea", []int{0, 6}},            // a sign is no word
		{"book", "🙂 sea", nil},                    // but one that came after Unicode 6.1 is
		{"book", "東京", []int{3}},                  //
		{"book", strings.Repeat("sea ", MaxWords), []int{0, 6}},
		{"book", strings.Repeat("x", 10_000), nil},
		{"book", strings.Repeat("sea(", MaxWords-1), []int{0, 6}},
		{"order", "order", []int{1}},
		{"order", "table", []int{0}},
		{"empty", "sea", nil},
	} {
		got, err := index.Search(t.Context(), c.collection, c.text)
		slices.Sort(got)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s, %.40q: %v %v, want %v", c.collection, c.text, got, err, c.want)
		}
	}
}

func TestSearchFails(t *testing.T) {
	failure := errors.New("the source fails")
	index := New(func(ctx context.Context, name string) ([]Column, error) {
		if name == "failing" {
			return nil, failure
		}
		return of(books())(ctx, name)
	}, Options{})
	done, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		ctx              context.Context
		collection, text string
		want             error
	}{
		{t.Context(), "book", "", ErrNoWords},
		{t.Context(), "book", " \t\n", ErrNoWords},
		{t.Context(), "book", `"" * ^ () 🙂 \x00`[:12], ErrNoWords},
		{t.Context(), "book", "\x00", ErrNoWords},
		{t.Context(), "book", "\xff\xfe", ErrNoWords},
		{t.Context(), "book", strings.Repeat("a ", MaxWords+1), ErrTooLong},
		{t.Context(), "book", strings.Repeat("a", MaxBytes+1), ErrTooLong},
		{t.Context(), "no texts", "a", ErrNoTexts},
		{t.Context(), "failing", "a", failure},
		{done, "book", "sea", context.Canceled},
		{t.Context(), "book", "sea", nil}, // the index is none the worse for it
	} {
		if _, err := index.Search(c.ctx, c.collection, c.text); !errors.Is(err, c.want) {
			t.Errorf("%s, %.40q: %v, want %v", c.collection, c.text, err, c.want)
		}
	}
	if err := errors.Join(index.Close(), index.Close()); err != nil {
		t.Error(err)
	}
	if _, err := index.Search(t.Context(), "book", "sea"); err == nil {
		t.Error("a closed index is searched")
	}
}

// words are many different words.
func words(n int, prefix string) list {
	var l list
	for i := range n {
		l = append(l, value.Str(fmt.Sprintf("%s%d common", prefix, i)))
	}
	return l
}

// TestMemory checks that a table takes the place of another one where there is no
// room for both, and that one which never fits is named.
func TestMemory(t *testing.T) {
	reads := map[string]int{}
	collections := map[string][]Column{"a": {words(20_000, "a")}, "b": {words(20_000, "b")}, "large": {words(120_000, "l")}}
	index := New(func(ctx context.Context, name string) ([]Column, error) {
		reads[name]++
		return of(collections)(ctx, name)
	}, Options{Bytes: 700 << 10})
	defer index.Close()
	for _, c := range []struct {
		collection string
		want       error
		reads      int
	}{
		{"a", nil, 1}, {"a", nil, 1}, {"b", nil, 1}, {"a", nil, 2}, {"large", ErrTooLarge, 1}, {"large", ErrTooLarge, 1}, {"b", nil, 2},
	} {
		rows, err := index.Search(t.Context(), c.collection, "common")
		if !errors.Is(err, c.want) || c.want == nil && len(rows) != 20_000 || reads[c.collection] != c.reads {
			t.Errorf("%s: %d rows, %v, read %d times; want %v, %d times", c.collection, len(rows), err, reads[c.collection], c.want, c.reads)
		}
	}
	if n := index.Bytes(); n < 100_000 || n > 700<<10 {
		t.Errorf("the tables take %d bytes", n)
	}
	if err := index.Forget(); err != nil || index.Bytes() != 0 {
		t.Errorf("%v, %d bytes", err, index.Bytes())
	}
	if rows, err := index.Search(t.Context(), "a", "common"); err != nil || len(rows) != 20_000 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

// cancelling is a column that ends a context while it is read.
type cancelling struct {
	list
	cancel func()
}

func (c cancelling) At(row int) value.Value {
	if row == 300 {
		c.cancel()
	}
	return c.list.At(row)
}

// TestCancelledTableIsMadeAgain checks that the end of one search's context costs
// no other search its table.
func TestCancelledTableIsMadeAgain(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	index := New(of(map[string][]Column{"a": {cancelling{words(2000, "a"), cancel}}}), Options{})
	defer index.Close()
	if _, err := index.Search(ctx, "a", "common"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
	if rows, err := index.Search(t.Context(), "a", "common"); err != nil || len(rows) != 2000 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

// TestManySearchers searches two indexes, which must not share their tables, from
// several goroutines.
func TestManySearchers(t *testing.T) {
	one := New(of(map[string][]Column{"a": {texts("one", "two")}, "b": {texts("one")}}), Options{})
	defer one.Close()
	two := New(of(map[string][]Column{"a": {texts("two", "one", "one")}}), Options{})
	defer two.Close()
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for range 20 {
				index, want := one, []int{0}
				if i%2 == 1 {
					index, want = two, []int{1, 2}
				}
				if rows, err := index.Search(context.Background(), "a", "one"); err != nil || !slices.Equal(rows, want) {
					t.Errorf("%v %v, want %v", rows, err, want)
				}
			}
		})
	}
	group.Wait()
}

// FuzzSearch checks that any text is searched for by its words alone: what is found
// is what has the stems of the text.
func FuzzSearch(f *testing.F) {
	for _, text := range vocabulary {
		f.Add(text, "the sea "+text)
	}
	f.Add("NEAR(a b, 2)", "a b")
	f.Add("İ ǆ Å é", "i\u0307 å e\u0301")
	f.Fuzz(func(t *testing.T, text, document string) {
		columns := []Column{texts(document, "sea", text+document)}
		index := New(of(map[string][]Column{"c": columns}), Options{})
		defer index.Close()
		got, err := index.search(t.Context(), "c", text)
		s := newStemmer(t)
		stems := s.stems(text)
		switch {
		case len(text) > MaxBytes || len(stems) > MaxWords:
			if !errors.Is(err, ErrTooLong) {
				t.Errorf("%q: %v", text, err)
			}
		case len(stems) == 0:
			if !errors.Is(err, ErrNoWords) {
				t.Errorf("%q: %v", text, err)
			}
		case err != nil:
			t.Errorf("%q: %v", text, err)
		default:
			same(t, text, got, s.documents(columns).find(stems))
		}
	})
}
