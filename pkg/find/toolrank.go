package find

import (
	"math"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/search/bm25"
)

// ToolIndex ranks tools by the words of their names, descriptions and arguments. It
// does not change, and several goroutines may use it at once.
type ToolIndex struct {
	w     toolWeights
	list  []Tool
	words *bm25.Index
	pairs *bm25.Index
	stems [][]string // of each tool's name and first sentence
	mass  []float64  // of these, and how far it is held against the tool
}

// NewToolIndex indexes tools, which are known by their place from then on.
func NewToolIndex(list []Tool) *ToolIndex { return newToolIndex(list, defaultToolWeights) }

func newToolIndex(list []Tool, w toolWeights) *ToolIndex {
	x := &ToolIndex{w: w, list: list, mass: make([]float64, len(list))}
	words, following := make([][][]string, len(list)), make([][][]string, len(list))
	for i, t := range list {
		first, rest, _ := strings.Cut(t.Description, ". ")
		sentence := bm25.Stems(first)
		words[i] = [][]string{bm25.Stems(t.Name), sentence, bm25.Stems(rest), argumentStems(t)}
		following[i] = [][]string{pairs(sentence)}
	}
	x.words = bm25.New([]bm25.Field{{Weight: w.Name, Length: 1}, {Weight: w.First, Length: .25}, {Weight: w.Rest, Length: .5}, {Weight: w.Arguments, Length: .75}}, words)
	x.pairs = bm25.New([]bm25.Field{{Weight: 1, Length: .3}}, following)
	for i, doc := range words {
		x.stems = append(x.stems, distinct(slices.Concat(doc[0], doc[1])))
		for _, s := range x.stems[i] {
			x.mass[i] += x.words.Rarity(s)
		}
		x.mass[i] = math.Pow(x.mass[i], w.Mass)
	}
	return x
}

// argumentStems returns the stems of the names of a tool's arguments and of what they
// are described by. The values of an enum are not among them: each is one of many that
// the question may mean.
func argumentStems(t Tool) []string {
	var out []string
	properties, _ := t.Parameters["properties"].(map[string]any)
	for _, name := range t.Takes() {
		out = append(out, bm25.Stems(name)...)
		if p, ok := properties[name].(map[string]any); ok {
			description, _ := p["description"].(string)
			out = append(out, bm25.Stems(description)...)
		}
	}
	return out
}

// Rank returns the places of the tools that fit a text best, the best first, n at
// most; equally good ones are in the order of their places. Tools that share no word
// with it are left out.
func (x *ToolIndex) Rank(text string, n int) []int {
	best := order(x.scores(stemmer{}, text, "", nil, nil))
	return best[:max(0, min(n, len(best)))]
}

// scores returns the score of each tool for a question. database says how much of it the
// tool's database leaves it, from 0 to 1, and value what values of the question its
// arguments take; nil where that is not known.
func (x *ToolIndex) scores(stems stemmer, text, evidence string, database, value func(tool int) float64) []float64 {
	out := make([]float64, len(x.list))
	asked := stems.of(text)
	terms := termsOf(stems, text, evidence, x.w.Evidence)
	at := map[string]int{}
	for i, t := range terms {
		at[t.stem] = i
	}
	for _, s := range distinct(asked) {
		for _, other := range synonyms[s] {
			if i, there := at[other]; there {
				terms[i].weight = max(terms[i].weight, x.w.Synonym)
				continue
			}
			at[other] = len(terms)
			terms = append(terms, term{other, x.w.Synonym})
		}
	}
	for _, t := range terms {
		rarity := x.words.Rarity(t.stem) * t.weight
		x.words.Each(t.stem, func(doc int, weight float64) { out[doc] += rarity * weight })
	}
	for _, s := range distinct(slices.Concat(pairs(asked), pairs(stems.of(evidence)))) {
		rarity := x.pairs.Rarity(s) * x.w.Pair
		x.pairs.Each(s, func(doc int, weight float64) { out[doc] += rarity * weight })
	}
	for i := range out {
		if out[i] == 0 {
			continue
		}
		if value != nil {
			out[i] += x.w.Value * value(i)
		}
		out[i] /= x.mass[i]
		if database != nil {
			out[i] *= database(i)
		}
	}
	return out
}
