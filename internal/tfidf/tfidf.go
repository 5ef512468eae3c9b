package tfidf

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
)

// Index holds the words of documents. It does not change, and any number of
// goroutines may ask it at once.
type Index struct {
	postings map[string][]posting
	count    int // of documents
}

// posting is a word's weight in a document whose vector has the length 1.
type posting struct {
	doc    int
	weight float64
}

// New indexes documents, which are known by their place from then on. It takes
// time in proportion to their text.
func New(docs []string) *Index {
	x := &Index{postings: map[string][]posting{}, count: len(docs)}
	texts := make([][]term, len(docs))
	for i, doc := range docs {
		texts[i] = count(doc)
		for _, t := range texts[i] {
			x.postings[t.word] = append(x.postings[t.word], posting{doc: i, weight: t.times})
		}
	}
	lengths := make([]float64, len(docs))
	for i, terms := range texts {
		for _, t := range terms {
			w := t.times * x.rarity(t.word)
			lengths[i] += w * w
		}
	}
	for word, list := range x.postings {
		rarity := x.rarity(word)
		for i, p := range list {
			list[i].weight = p.weight * rarity / math.Sqrt(lengths[p.doc])
		}
	}
	return x
}

// term is a word and how many times it is there.
type term struct {
	word  string
	times float64
}

// count returns the words of a text in the singular, each once, in the order in
// which they first come.
func count(text string) []term {
	var out []term
	at := map[string]int{}
	for _, w := range Words(text) {
		w = singular(w)
		i, known := at[w]
		if !known {
			i = len(out)
			at[w] = i
			out = append(out, term{word: w})
		}
		out[i].times++
	}
	return out
}

// rarity is the inverse document frequency: above 0 for a word of every document
// too, so that nothing divides by 0.
func (x *Index) rarity(word string) float64 {
	return 1 + math.Log(float64(1+x.count)/float64(1+len(x.postings[word])))
}

// Rank returns the places of the documents nearest to a query, the nearest
// first, n at most; equally near ones are in the order of their places. Those
// that share no word with the query are left out.
func (x *Index) Rank(query string, n int) []int {
	scores := map[int]float64{}
	for _, t := range count(query) {
		weight := t.times * x.rarity(t.word)
		for _, p := range x.postings[t.word] {
			scores[p.doc] += weight * p.weight
		}
	}
	best := make(worst, 0, max(0, min(n, len(scores))))
	for doc, score := range scores {
		s := scored{doc, score}
		switch {
		case len(best) < n:
			heap.Push(&best, s)
		case n > 0 && nearer(s, best[0]) < 0:
			best[0] = s
			heap.Fix(&best, 0)
		}
	}
	slices.SortFunc(best, nearer)
	out := make([]int, len(best))
	for i, s := range best {
		out[i] = s.doc
	}
	return out
}

type scored struct {
	doc   int
	score float64
}

// nearer orders documents, the nearest first. No two compare as equal.
func nearer(a, b scored) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.doc, b.doc))
}

// worst is a heap of the best documents so far with the worst of them on top.
type worst []scored

func (w worst) Len() int           { return len(w) }
func (w worst) Less(i, j int) bool { return nearer(w[i], w[j]) > 0 }
func (w worst) Swap(i, j int)      { w[i], w[j] = w[j], w[i] }

// Push adds a document, as container/heap asks it to.
func (w *worst) Push(x any) { *w = append(*w, x.(scored)) }

// Pop takes the last document away, as container/heap asks it to.
func (w *worst) Pop() any {
	last := (*w)[len(*w)-1]
	*w = (*w)[:len(*w)-1]
	return last
}
