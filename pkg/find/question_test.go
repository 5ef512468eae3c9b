package find

import (
	"slices"
	"strings"
	"testing"
)

// TestClauses lists questions with the pieces that they are taken apart into.
func TestClauses(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"How many books are there?", []string{"How many books are there"}},
		{"How many books are there? List their titles.", []string{"How many books are there", "List their titles"}},
		{"Which question has a larger number as its answer. Q1: How many books are there?; Q2: How many birds were seen?", []string{"How many books are there", "How many birds were seen"}},
		{"Books: 3; birds: 4", []string{"Books", "birds"}},
		{"How many are there? Which ones?", nil},
		{"books\nbirds", []string{"books", "birds"}},
		{"books!!! birds???", []string{"books", "birds"}},
		{"the book v1.2 of 10:30", []string{"the book v1.2 of 10:30"}},
		{"", nil},
		{"?!", nil},
		{"12. 34", nil},
	} {
		list := clauses(stemmer{}, c.text)
		var got []string
		for _, one := range list {
			got = append(got, one.text)
			if strings.TrimSpace(c.text[one.start:one.end]) != one.text {
				t.Errorf("%q: the clause %q is at %q", c.text, one.text, c.text[one.start:one.end])
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// TestTermsOf says that a word counts once, as one of the question where it is in
// both.
func TestTermsOf(t *testing.T) {
	for _, c := range []struct {
		text, evidence string
		weight         float64
		want           []term
	}{
		{"Birds of birding", "", .5, []term{{"bird", 1}, {"of", 1}}},
		{"Birds", "bird songs", .5, []term{{"bird", 1}, {"song", .5}}},
		{"", "songs", .5, []term{{"song", .5}}},
		{"Birds", "songs", 0, []term{{"bird", 1}}},
		{"CAFÉ café", "", 1, []term{{"cafe", 1}}},
		{"?", "", 1, nil},
	} {
		if got := termsOf(stemmer{}, c.text, c.evidence, c.weight); !slices.Equal(got, c.want) {
			t.Errorf("%q, %q: %v, want %v", c.text, c.evidence, got, c.want)
		}
	}
}
