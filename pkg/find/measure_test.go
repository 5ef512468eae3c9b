package find

import (
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/value"
)

// The lines of the table.
const (
	lineDatabase = iota
	lineTables
	lineColumns
	lineTool
	lineTools
	lineValue
	lineTypo
	lineLongTypo
	lines
)

// tally counts what was found of what is gold.
type tally struct{ found, of float64 }

func (t *tally) add(other tally) { t.found, t.of = t.found+other.found, t.of+other.of }

func (t tally) share() float64 { return t.found / t.of }

// measured has a tally by line, for questions alone and with evidence.
type measured [lines][2]tally

func (m *measured) add(other measured) {
	for l := range lines {
		for e := range 2 {
			m[l][e].add(other[l][e])
		}
	}
}

// bench is a dataset with its gold, and the questions as they were read.
type bench struct {
	dataset *bird.Dataset
	gold    []gold      // by question
	asked   [2][]*asked // by question, without evidence and with it
	values  []measured  // by question: lineValue and what follows it
}

// prepare reads the questions, and measures what does not depend on names.
func (b *bench) prepare(x *Index) {
	b.asked = [2][]*asked{make([]*asked, len(b.gold)), make([]*asked, len(b.gold))}
	b.values = make([]measured, len(b.gold))
	b.each(func(i int) {
		g, q := &b.gold[i], &b.dataset.Questions[i]
		for e, evidence := range []string{"", q.Evidence} {
			b.asked[e][i] = x.ask(Query{Text: q.Text, Evidence: evidence}, -1)
			for k := range g.literals {
				at := x.placeOf(b.asked[e][i].values[g.db], &g.literals[k])
				b.values[i][lineValue][e].add(tally{count(at >= 0 && at < 5), 1})
			}
		}
		random := rand.New(rand.NewPCG(uint64(i), 17))
		for k := range g.literals {
			l := &g.literals[k]
			at := strings.Index(strings.ToLower(q.Text), strings.ToLower(l.text))
			if at < 0 || len(strings.ToLower(q.Text)) != len(q.Text) {
				continue
			}
			typo, long := withTypo(random, q.Text[at:at+len(l.text)])
			if typo == "" {
				continue
			}
			a := x.ask(Query{Text: q.Text[:at] + typo + q.Text[at+len(l.text):]}, g.db)
			place := x.placeOf(a.values[g.db], l)
			b.values[i][lineTypo][0].add(tally{count(place >= 0 && place < 10), 1})
			if long {
				b.values[i][lineLongTypo][0].add(tally{count(place >= 0 && place < 10), 1})
			}
		}
	})
}

// each calls f for each question, on two processors.
func (b *bench) each(f func(i int)) {
	var wait sync.WaitGroup
	next := make(chan int)
	for range 2 {
		wait.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	for i := range b.gold {
		next <- i
	}
	close(next)
	wait.Wait()
}

// measure asks all questions, and returns the tallies by database.
func (b *bench) measure(x *Index) []measured {
	out := make([]measured, len(x.parts))
	var mu sync.Mutex
	b.each(func(i int) {
		m := b.one(x, i)
		mu.Lock()
		defer mu.Unlock()
		out[b.gold[i].db].add(m)
	})
	return out
}

// one ranks everything for a question.
func (b *bench) one(x *Index, i int) (out measured) {
	g := &b.gold[i]
	for e := range 2 {
		a := *b.asked[e][i]
		x.rank(&a)
		databases, tables, columns := order(a.ranking.database), order(a.ranking.table), order(a.ranking.column)
		out[lineDatabase][e] = tally{count(len(databases) > 0 && databases[0] == g.db), 1}
		all := len(g.tables)
		for _, t := range first(tables, 5) {
			if p := x.names.tables[t]; p.db == g.db && slices.Contains(g.tables, strings.ToLower(x.tableName(p))) {
				all--
			}
		}
		out[lineTables][e] = tally{count(all == 0), 1}
		if len(g.columns) > 0 {
			for _, c := range first(columns, 20) {
				if p := x.names.columns[c]; p.db == g.db && slices.Contains(g.columns, Column{strings.ToLower(x.tableName(p)), strings.ToLower(x.columnName(p))}) {
					out[lineColumns][e].found += 1 / float64(len(g.columns))
				}
			}
			out[lineColumns][e].of = 1
		}
		at := -1
		if g.tool >= 0 && len(x.tools.list) > 0 {
			at = slices.Index(order(x.toolScores(&a, bestValues(a.values))), g.tool)
		}
		out[lineTool][e], out[lineTools][e] = tally{count(at == 0), 1}, tally{count(at >= 0 && at < 10), 1}
	}
	out.add(b.values[i])
	return out
}

func count(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// placeOf returns where a literal is among values, with one of its columns, or -1.
func (x *Index) placeOf(list []meant, l *literal) int {
	return slices.IndexFunc(list, func(m meant) bool {
		p := x.names.columns[m.column]
		return value.AsText(m.value) == l.text && slices.Contains(l.columns, Column{strings.ToLower(x.tableName(p)), strings.ToLower(x.columnName(p))})
	})
}

// withTypo changes one letter of a text, in a word of at least four letters if there
// is one. It returns "" where there is no letter.
func withTypo(random *rand.Rand, s string) (typo string, long bool) {
	runes := []rune(s)
	var places, longPlaces []int
	for i := 0; i < len(runes); {
		end := i
		for end < len(runes) && unicode.IsLetter(runes[end]) {
			end++
		}
		for k := i; k < end; k++ {
			places = append(places, k)
			if end-i >= 4 {
				longPlaces = append(longPlaces, k)
			}
		}
		i = end + 1
	}
	if len(longPlaces) > 0 {
		places, long = longPlaces, true
	}
	if len(places) == 0 {
		return "", false
	}
	for {
		at := places[random.IntN(len(places))]
		letter := rune('a' + random.IntN(26))
		out := slices.Clone(runes)
		switch random.IntN(4) {
		case 0:
			out = slices.Insert(out, at, letter)
		case 1:
			out = slices.Delete(out, at, at+1)
		case 2:
			out[at] = letter
		case 3:
			if at+1 == len(out) || !unicode.IsLetter(out[at+1]) {
				continue
			}
			out[at], out[at+1] = out[at+1], out[at]
		}
		if string(out) != s {
			return string(out), long
		}
	}
}

var _ bird.Dataset
