package bm25_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/birdcall/birdcall/internal/search/bm25"
)

// TestWords lists texts with their words and stems.
func TestWords(t *testing.T) {
	for _, c := range []struct {
		text          string
		folded, stems []string
	}{
		{"", nil, nil},
		{" ... ", nil, nil},
		{"How many schools?", []string{"how", "many", "schools"}, []string{"how", "mani", "school"}},
		{"Free Meal Count (K-12)", []string{"free", "meal", "count", "k", "12"}, []string{"free", "meal", "count", "k", "12"}},
		{"eye_colour_id", []string{"eye", "colour", "id"}, []string{"eye", "colour", "id"}},
		{"CustomerIDs of SQLText", []string{"customer", "ids", "of", "sql", "text"}, []string{"custom", "id", "of", "sql", "text"}},
		{"2nd DÉJÀ VU", []string{"2nd", "deja", "vu"}, []string{"2nd", "deja", "vu"}},
		{"De\u0301ja\u0300", []string{"deja"}, []string{"deja"}},
		{"Straße", []string{"strasse"}, []string{"strass"}},
		{"the city's cities", []string{"the", "city", "s", "cities"}, []string{"the", "citi", "s", "citi"}},
	} {
		if got := bm25.Folded(c.text); !slices.Equal(got, c.folded) {
			t.Errorf("%q: words %q, want %q", c.text, got, c.folded)
		}
		if got := bm25.Stems(c.text); !slices.Equal(got, c.stems) {
			t.Errorf("%q: stems %q, want %q", c.text, got, c.stems)
		}
	}
}

// FuzzWords says that words are pieces of the text, in their order and apart.
func FuzzWords(f *testing.F) {
	for _, s := range []string{"", "Aé_B c12", "\xff\xfe", "ǅ İstanbul", "a\u0301b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, w := range bm25.Words(text) {
			if w.Start < end || w.End <= w.Start || w.End > len(text) {
				t.Fatalf("%q: word %+v after byte %d", text, w, end)
			}
			if got := bm25.Fold(text[w.Start:w.End]); got != w.Text {
				t.Fatalf("%q: word %+v, and its piece is %q", text, w, got)
			}
			end = w.End
		}
	})
}

// TestSearch ranks three documents.
func TestSearch(t *testing.T) {
	x := bm25.New(bm25.Text(), [][][]string{
		{bm25.Stems("the colour of a superhero's eyes")},
		{bm25.Stems("the superhero's power, the power")},
		{bm25.Stems("the publisher")},
	})
	for _, c := range []struct {
		query string
		n     int
		want  []int
	}{
		{"", 3, []int{}},
		{"planets", 3, []int{}},
		{"eye colours of superheroes", 3, []int{0, 1}},
		{"superhero", 3, []int{1, 0}},
		{"superhero powers", 3, []int{1, 0}},
		{"the publishers", 3, []int{2, 1, 0}},
		{"the publishers", 1, []int{2}},
		{"the", 0, []int{}},
		{"the", -1, []int{}},
	} {
		if got := x.Rank(bm25.Stems(c.query), c.n); !slices.Equal(got, c.want) {
			t.Errorf("%q, %d: %v, want %v", c.query, c.n, got, c.want)
		}
	}
	if x.Len() != 3 || !x.Has("publish") || x.Has("publisher") {
		t.Error("the index does not have what was put into it")
	}
}

// TestFormula holds the scores of random documents against the formula of BM25F, computed
// document by document.
func TestFormula(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	words := []string{"a", "b", "c", "d", "e", "f"}
	fields := []bm25.Field{{Weight: 3, Length: .5}, {Weight: 1, Length: 0}, {Weight: .5, Length: 1}}
	for range 200 {
		docs := make([][][]string, 1+random.IntN(8))
		for i := range docs {
			docs[i] = make([][]string, len(fields))
			for f := range fields {
				for range random.IntN(6) {
					docs[i][f] = append(docs[i][f], words[random.IntN(len(words))])
				}
			}
		}
		query := []string{words[random.IntN(6)], words[random.IntN(6)], "g"}
		want := map[int]float64{}
		for i := range docs {
			if s := score(fields, docs, i, query); s > 0 {
				want[i] = s
			}
		}
		got := bm25.New(fields, docs).Search(query, len(docs))
		if len(got) != len(want) {
			t.Fatalf("%v for %v: %v, want %v", docs, query, got, want)
		}
		for _, s := range got {
			if math.Abs(s.Score-want[s.Doc]) > 1e-9 {
				t.Fatalf("%v for %v: %v, want %v", docs, query, got, want)
			}
		}
		if !slices.IsSortedFunc(got, func(a, b bm25.Scored) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Doc, b.Doc)) }) {
			t.Fatalf("%v are not in order", got)
		}
	}
}

// score computes what a document scores (Robertson and Zaragoza 2009, section 3.6).
func score(fields []bm25.Field, docs [][][]string, doc int, query []string) float64 {
	sum := 0.
	slices.Sort(query)
	for _, w := range slices.Compact(slices.Clone(query)) {
		having := 0.
		for _, d := range docs {
			if slices.Contains(slices.Concat(d...), w) {
				having++
			}
		}
		frequency := 0.
		for f, field := range fields {
			average := 0.
			for _, d := range docs {
				average += float64(len(d[f])) / float64(len(docs))
			}
			for _, s := range docs[doc][f] {
				if s == w {
					frequency += field.Weight / (1 - field.Length + field.Length*float64(len(docs[doc][f]))/average)
				}
			}
		}
		sum += math.Log(1+(float64(len(docs))-having+.5)/(having+.5)) * frequency / (1.2 + frequency)
	}
	return sum
}
