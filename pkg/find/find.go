package find

import (
	"cmp"
	"context"
	"slices"

	"github.com/birdcall/birdcall/internal/search/bm25"
	"github.com/birdcall/birdcall/internal/search/valueindex"
)

// asked is a question with all that was found out about it.
type asked struct {
	q       Query
	db      int // the only database to look in, or -1
	stems   stemmer
	terms   []term
	weights map[string]float64 // of the terms, by stem
	words   map[string]string  // the question's words, by stem
	values  [][]meant          // by database
	ranking *ranking
	vector  []float32 // of the question, where there is an embedder
	clauses []clause
	ofParts []int // the database of each clause, or nil
}

// Find looks for what a question is about: the databases, tables and columns whose names
// and descriptions have its words, the stored values that its words mean, and the tools
// for it. Errors are ErrText, ErrDatabase, ErrKind, ErrK, the context's, and those of
// the embedder, if there is one.
func (x *Index) Find(ctx context.Context, q Query) (*Result, error) {
	db, err := x.check(&q)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	q.K = cmp.Or(q.K, DefaultK)
	a := x.ask(q, db)
	if x.vectors != nil {
		list, err := x.vectors.ask(ctx, []string{join(q.Text, q.Evidence)})
		if err != nil {
			return nil, err
		}
		a.vector = list[0]
	}
	x.rank(a)
	return x.result(a), nil
}

// ask reads a question, and looks for the values that it means.
func (x *Index) ask(q Query, db int) *asked {
	a := &asked{q: q, db: db, stems: stemmer{}, weights: map[string]float64{}, words: map[string]string{}, values: make([][]meant, len(x.parts))}
	for _, text := range []string{q.Evidence, q.Text} {
		words := bm25.Words(text)
		stems := make([]string, len(words))
		for i, w := range words {
			stems[i], a.words[w.Stem] = w.Stem, text[w.Start:w.End]
		}
		a.stems[text] = stems
	}
	a.terms = termsOf(a.stems, q.Text, q.Evidence, x.w.names.Evidence)
	for _, t := range a.terms {
		a.weights[t.stem] = t.weight
	}
	texts := [2]string{q.Text, q.Evidence}
	text := valueindex.Prepare(q.Text, q.Evidence)
	for d, v := range x.values {
		if db < 0 || d == db {
			a.values[d] = v.find(x.names, x.w.value, texts, text, a.stems, a.weights)
		}
	}
	return a
}

// rank ranks everything for a question, and looks whether it is about several databases,
// which are the first then.
func (x *Index) rank(a *asked) {
	a.ranking = x.names.rank(a.terms, hitsOf(a.values, 0, -1))
	if a.clauses = clauses(a.stems, a.q.Text); a.db >= 0 {
		return
	}
	hits := make([][]hit, len(a.clauses))
	for i, c := range a.clauses {
		hits[i] = hitsOf(a.values, c.start, c.end)
	}
	a.ofParts = x.names.partsOf(a.clauses, hits)
	if a.ofParts == nil {
		return
	}
	top := slices.Max(a.ranking.database)
	for _, d := range distinctInts(a.ofParts) {
		a.ranking.database[d] += top
	}
}

// hitsOf returns what the values that a question means say of their columns, each
// column's best value. With end of 0 or more there are only those whose words are
// between start and end of the question.
func hitsOf(values [][]meant, start, end int) []hit {
	var out []hit
	for _, list := range values {
		at := map[int]bool{}
		for _, m := range list {
			if at[m.column] || end >= 0 && (m.text != 0 || m.start < start || m.end > end) {
				continue
			}
			at[m.column] = true // the best one comes first
			out = append(out, hit{m.column, m.score})
		}
	}
	return out
}

func distinctInts(list []int) []int { return slices.Compact(slices.Sorted(slices.Values(list))) }

// about returns the places of the databases that a question is about, as it seems: those
// of its parts, or the best one; none where no database has a word of it.
func (x *Index) about(a *asked) []int {
	switch {
	case a.ofParts != nil:
		return distinctInts(a.ofParts)
	case a.db >= 0:
		return []int{a.db}
	}
	return first(order(a.ranking.database), 1)
}

// span returns the words that mean a value, "" for a code.
func (a *asked) span(m meant) string {
	switch m.text {
	case 0:
		return a.q.Text[m.start:m.end]
	case 1:
		return a.q.Evidence[m.start:m.end]
	}
	return ""
}
