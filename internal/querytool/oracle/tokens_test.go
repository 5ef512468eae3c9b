package oracle

import (
	"database/sql"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	_ "modernc.org/sqlite"
)

// fts is FTS5, whose words this package finds by itself.
type fts struct {
	t  testing.TB
	db *sql.DB
}

func newFTS(t testing.TB, tokenizer string) fts {
	t.Helper()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	f := fts{t, db}
	f.exec("CREATE VIRTUAL TABLE texts USING fts5(body, tokenize = '" + tokenizer + "')")
	f.exec("CREATE VIRTUAL TABLE words USING fts5vocab(texts, instance)")
	return f
}

func (f fts) exec(statement string, args ...any) {
	f.t.Helper()
	if _, err := f.db.Exec(statement, args...); err != nil {
		f.t.Fatalf("%s: %v", statement, err)
	}
}

// words returns the words of texts, each in its place.
func (f fts) words(texts []string) [][]string {
	f.t.Helper()
	f.exec("BEGIN")
	f.exec("DELETE FROM texts")
	for i, s := range texts {
		f.exec("INSERT INTO texts(rowid, body) VALUES (?, ?)", i, s)
	}
	rows, err := f.db.Query("SELECT doc, term FROM words ORDER BY doc, offset")
	if err != nil {
		f.t.Fatal(err)
	}
	defer rows.Close()
	out := make([][]string, len(texts))
	for rows.Next() {
		var doc int
		var term string
		if err := rows.Scan(&doc, &term); err != nil {
			f.t.Fatal(err)
		}
		out[doc] = append(out[doc], term)
	}
	if err := rows.Err(); err != nil {
		f.t.Fatal(err)
	}
	f.exec("COMMIT")
	return out
}

// TestTokensOfEachCharacter holds what becomes of each character of Unicode between
// two letters against FTS5. Of the ideographs there are some.
func TestTokensOfEachCharacter(t *testing.T) {
	var texts []string
	for r := rune(1); r <= 0x1ffff; r++ {
		if r <= 0xd7ff && unicode.Is(unicode.Han, r) && r%64 != 0 || 0xac00 <= r && r < 0xe000 {
			continue
		}
		texts = append(texts, "x"+string(r)+"x")
	}
	for i, words := range newFTS(t, "unicode61").words(texts) {
		if got, want := strings.Join(tokens(texts[i]), " "), strings.Join(words, " "); got != want {
			t.Errorf("%q: got %q, want %q", texts[i], got, want)
		}
	}
}

func TestTokensOfBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 4))
	var texts []string
	for range 20000 {
		b := make([]byte, r.IntN(12))
		for i := range b {
			if b[i] = byte(r.IntN(256)); b[i] >= 0xf0 || b[i] == 0 {
				b[i] = 'x'
			}
		}
		texts = append(texts, string(b))
	}
	for i, words := range newFTS(t, "unicode61").words(texts) {
		// FTS5 writes what is beyond Unicode in five bytes or cuts it off.
		if got, want := tokens(texts[i]), words; len(got) != len(want) || utf8.ValidString(strings.Join(want, "")) && !strings.Contains(strings.Join(got, ""), "\ufffd") && !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", texts[i], got, want)
		}
	}
}

func TestStem(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 3))
	parts := strings.Fields("a e i o u y b c d l s t z w x er ed ing ational tional enci anci izer logi bli alli entli eli ousli ization ation ator alism iveness fulness ousness aliti iviti biliti icate ative alize iciti ical ful ness al ance ence ic able ible ant ement ment ent ion ou ism ate iti ous ive ize sses ies ss s eed at bl iz ll hop pl ee sk fa tr é")
	var words []string
	for range 60000 {
		var b strings.Builder
		for range 1 + r.IntN(6) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		words = append(words, b.String())
	}
	wrong := 0
	for i, stems := range newFTS(t, "porter unicode61").words(words) {
		got := ""
		if found := tokens(words[i]); len(found) == 1 {
			got = stem(found[0])
		}
		if want := strings.Join(stems, " "); got != want {
			if wrong++; wrong < 40 {
				t.Errorf("%s: got %q, want %q", words[i], got, want)
			}
		}
	}
}

// FuzzTokens looks for texts whose words FTS5 finds differently.
func FuzzTokens(f *testing.F) {
	for _, s := range []string{"", "Smoked trout, 42", "naïve CAFÉ", "e\u0301", "x²", "\xdb\x8c", "generalizations"} {
		f.Add(s)
	}
	fts5 := newFTS(f, "porter unicode61")
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) || strings.ContainsRune(s, 0) || len(s) > 10_000 {
			return
		}
		var stems []string
		for _, word := range tokens(s) {
			stems = append(stems, stem(word))
		}
		fts5.t = t
		if want := fts5.words([]string{s})[0]; !slices.Equal(stems, want) {
			t.Errorf("%q: got %q, want %q", s, stems, want)
		}
	})
}
