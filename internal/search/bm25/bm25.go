package bm25

import (
	"cmp"
	"math"
	"slices"
)

// Field is what documents have a text of each in common.
type Field struct {
	Weight float64 // of a word in it
	// Length says how much less a word counts in a text that is longer than others:
	// from 0 for not at all to 1 for in proportion. BM25 calls it b.
	Length float64
}

// saturation is the frequency of a word at which it counts half of what it can; BM25
// calls it k1.
const saturation = 1.2

// Index holds the words of documents. It does not change, and any number of
// goroutines may ask it at once.
type Index struct {
	postings map[string][]posting // by stem, in the order of the documents
	count    int                  // of documents
}

// posting is how much a word counts in a document, from 0 to 1.
type posting struct {
	doc    int
	weight float64
}

// New indexes documents, which are known by their place from then on. Each has the
// stems of its fields' texts, as many as there are fields.
func New(fields []Field, docs [][][]string) *Index {
	x := &Index{postings: map[string][]posting{}, count: len(docs)}
	average := make([]float64, len(fields))
	for _, doc := range docs {
		for f, stems := range doc {
			average[f] += float64(len(stems)) / float64(len(docs))
		}
	}
	for i, doc := range docs {
		var order []string
		frequency := map[string]float64{}
		for f, stems := range doc {
			if len(stems) == 0 {
				continue
			}
			length := 1 - fields[f].Length + fields[f].Length*float64(len(stems))/average[f]
			for _, s := range stems {
				if _, seen := frequency[s]; !seen {
					order = append(order, s)
				}
				frequency[s] += fields[f].Weight / length
			}
		}
		for _, s := range order {
			if w := frequency[s]; w > 0 {
				x.postings[s] = append(x.postings[s], posting{i, w / (saturation + w)})
			}
		}
	}
	return x
}

// Len returns the number of documents.
func (x *Index) Len() int { return x.count }

// Rarity returns the inverse document frequency of a stem. It is above 0, and highest
// for one that no document has.
func (x *Index) Rarity(stem string) float64 {
	n := float64(len(x.postings[stem]))
	return math.Log(1 + (float64(x.count)-n+0.5)/(n+0.5))
}

// Each calls yield for each document that has a stem, in their order, with how much
// the stem counts in it, from 0 to 1.
func (x *Index) Each(stem string, yield func(doc int, weight float64)) {
	for _, p := range x.postings[stem] {
		yield(p.doc, p.weight)
	}
}

// Text is the one field of documents that have no others.
func Text() []Field { return []Field{{Weight: 1, Length: .75}} }

// Rank returns the places of the documents that Search returns.
func (x *Index) Rank(stems []string, n int) []int {
	found := x.Search(stems, n)
	out := make([]int, len(found))
	for i, s := range found {
		out[i] = s.Doc
	}
	return out
}

// Scored is a document and its score, which is above 0.
type Scored struct {
	Doc   int
	Score float64
}

// Search returns the documents that have one of the stems, the best first, n at most;
// equally good ones are in the order of their places. A stem that is there twice
// counts once.
func (x *Index) Search(stems []string, n int) []Scored {
	scores := map[int]float64{}
	seen := map[string]bool{}
	for _, s := range stems {
		if seen[s] {
			continue
		}
		seen[s] = true
		rarity := x.Rarity(s)
		x.Each(s, func(doc int, weight float64) { scores[doc] += rarity * weight })
	}
	out := make([]Scored, 0, len(scores))
	for doc, score := range scores {
		out = append(out, Scored{doc, score})
	}
	slices.SortFunc(out, func(a, b Scored) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Doc, b.Doc)) })
	return out[:min(max(n, 0), len(out))]
}

// Has reports whether a document has a stem.
func (x *Index) Has(stem string) bool { return len(x.postings[stem]) > 0 }
