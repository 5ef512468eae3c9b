package tfidf

import (
	"math"
	"slices"
	"sort"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "",
		"Number of pages":           "number of pages",
		"get_lapTimes_milliseconds": "get lap times milliseconds",
		"CDSCode, userIDs (K-12)":   "cds code user ids k 12",
		"SQLText2Go":                "sql text2go",
		"Größe des Café's":          "größe des café s",
		"日本 東京":                     "日本 東京",
		"\xff_\xfe":                 "",
	} {
		if got := strings.Join(Words(text), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestRank(t *testing.T) {
	docs := []string{
		"names of drivers by race",
		"names of races by year",
		"names of circuits by country",
		"names of drivers by race",
		"",
	}
	x := New(docs)
	for _, c := range []struct {
		query string
		n     int
		want  []int
	}{
		{"which circuits are in this country", 5, []int{2}},
		{"year of theRace", 3, []int{1, 0, 3}}, // the rarer word counts more
		{"drivers", 5, []int{0, 3}},            // equal ones by their place
		{"drivers", 1, []int{0}},
		{"drivers", 0, []int{}},
		{"drivers", -1, []int{}},
		{"names", 2, []int{0, 3}},            // their other words are the least rare
		{"a country's circuit", 5, []int{2}}, // plurals find singulars and the other way round
		{"countries", 5, []int{2}},
		{"nothing here", 5, []int{}},
		{"", 5, []int{}},
	} {
		if got := x.Rank(c.query, c.n); !slices.Equal(got, c.want) {
			t.Errorf("%q, %d: %v, want %v", c.query, c.n, got, c.want)
		}
	}
	if got := New(nil).Rank("names", 5); len(got) > 0 {
		t.Errorf("no documents: %v", got)
	}
}

// Rank finds what comparing the query with every document finds.
func TestRankIsTheCosine(t *testing.T) {
	word := rapid.SampledFrom(strings.Fields("a b c d e f g"))
	text := rapid.Map(rapid.SliceOfN(word, 0, 6), func(w []string) string { return strings.Join(w, " ") })
	rapid.Check(t, func(t *rapid.T) {
		docs := rapid.SliceOfN(text, 0, 12).Draw(t, "docs")
		query := text.Draw(t, "query")
		n := rapid.IntRange(0, 14).Draw(t, "n")
		rarity := map[string]float64{}
		for _, w := range strings.Fields("a b c d e f g") {
			with := 0
			for _, d := range docs {
				if slices.Contains(strings.Fields(d), w) {
					with++
				}
			}
			rarity[w] = 1 + math.Log(float64(1+len(docs))/float64(1+with))
		}
		dot := func(a, b string) float64 {
			sum := 0.0
			for w, r := range rarity {
				sum += float64(strings.Count(a, w)) * r * float64(strings.Count(b, w)) * r
			}
			return sum
		}
		score := func(d int) float64 {
			if dot(query, docs[d]) == 0 {
				return 0
			}
			return dot(query, docs[d]) / math.Sqrt(dot(docs[d], docs[d]))
		}
		var scores []float64
		for d := range docs {
			if s := score(d); s > 0 {
				scores = append(scores, s)
			}
		}
		sort.Sort(sort.Reverse(sort.Float64Slice(scores)))
		got := New(docs).Rank(query, n)
		if len(got) != min(n, len(scores)) {
			t.Fatalf("%d documents, want %d", len(got), min(n, len(scores)))
		}
		for i, d := range got {
			if math.Abs(score(d)-scores[i]) > 1e-9 {
				t.Fatalf("place %d: document %d with %v, want %v", i, d, score(d), scores[i])
			}
		}
	})
}
