package find

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/rest"
	"github.com/birdcall/birdcall/pkg/value"
)

// invented are the databases of BIRD dev whose rows are made up in the files that were
// measured, so that no number about their values compares with published ones. The others
// are measured apart.
var invented = []string{"toxicology", "card_games", "codebase_community", "european_football_2"}

// newBench reads the gold of a dataset and opens its index, with its endpoints as tools.
func newBench(tb testing.TB) (*bench, *Index) {
	tb.Helper()
	if os.Getenv("BIRDCALL_DATASET") == "" {
		tb.Skip("BIRDCALL_DATASET names no dataset")
	}
	ctx := context.Background()
	b := &bench{dataset: benchmarkDataset(tb)}
	api, list := benchmarkTools(tb, b.dataset)
	defer api.Close()
	start := time.Now()
	x, err := Build(ctx, b.dataset, Options{Tools: list})
	if err != nil {
		tb.Fatal(err)
	}
	fmt.Printf("\n%d databases, %d tables, %d columns, %d endpoints; %d different values, of which the index has %.1f MB, built in %.1f s\n",
		len(x.parts), len(x.names.tables), len(x.names.columns), len(list), x.Values(), float64(x.Bytes())/1e6, time.Since(start).Seconds())
	b.readGold(tb, api, list)
	b.prepare(x)
	return b, x
}

// benchmarkTools returns the endpoints of a dataset, also as tools.
func benchmarkTools(tb testing.TB, dataset *bird.Dataset) (*rest.API, []Tool) {
	tb.Helper()
	api, err := rest.Open(context.Background(), dataset, rest.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	list, err := Endpoints(context.Background(), api)
	if err != nil {
		tb.Fatal(err)
	}
	return api, list
}

// readGold reads what the SQL of all questions reads, and which endpoints are theirs.
func (b *bench) readGold(tb testing.TB, api *rest.API, list []Tool) {
	tb.Helper()
	tools := map[string]int{}
	for i, t := range list {
		tools[t.Name] = i
	}
	b.gold = make([]gold, len(b.dataset.Questions))
	for d, info := range b.dataset.Databases {
		r, err := newReader(context.Background(), info.Path)
		if err != nil {
			tb.Fatal(err)
		}
		for i := range b.dataset.Questions {
			q := &b.dataset.Questions[i]
			if q.DB != info.ID {
				continue
			}
			g, err := r.gold(context.Background(), q)
			if err != nil {
				tb.Fatal(err)
			}
			g.db, g.tool = d, -1
			if call, err := api.Call(q); err == nil {
				g.tool = tools[call.Endpoint.Name]
			}
			b.gold[i] = *g
		}
		r.close()
	}
}

// BenchmarkFind prints how often what the questions of a dataset are about is found. The
// dataset is the folder that BIRDCALL_DATASET names.
func BenchmarkFind(tb *testing.B) {
	b, x := newBench(tb)
	for tb.Loop() {
		list := b.measure(x)
		for _, part := range []struct {
			title string
			take  func(db string) bool
		}{
			{"all databases", func(string) bool { return true }},
			{"databases with real rows", func(db string) bool { return !slices.Contains(invented, db) }},
		} {
			var sum measured
			for d, m := range list {
				if part.take(x.parts[d].id) {
					sum.add(m)
				}
			}
			fmt.Printf("\n%s\n", part.title)
			sum.print()
		}
		doubles := b.doubles(tb)
		b.ofDoubles(x, doubles)
		without := x.without(tb)
		b.foreign(x, without)
		b.selection(x, without, doubles)
	}
}

// print writes the lines of the table: for questions alone, and with evidence.
func (m *measured) print() {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "question\twith evidence\tof\t ")
	for l, name := range [lines]string{
		"database first", "all tables in the first 5", "columns at 20", "endpoint first", "endpoint in the first 10",
		"value with its column in the first 5, database known", "value in the first 10 after one typo", "the same, in a word of four letters or more",
	} {
		q, e := m[l][0], m[l][1]
		if e.of == 0 {
			fmt.Fprintf(w, "%.3f\t\t%.0f\t  %s\n", q.share(), q.of, name)
			continue
		}
		fmt.Fprintf(w, "%.3f\t%.3f\t%.0f\t  %s\n", q.share(), e.share(), q.of, name)
	}
	w.Flush()
}

// double is a question made of two with one number as their answers, as in the paper.
type double struct {
	q   [2]Query // without evidence and with it
	dbs []int
}

// doubles pairs each question whose answer is a number with one on another database.
func (b *bench) doubles(tb testing.TB) []double {
	tb.Helper()
	numbers := b.numbers(tb)
	random := rand.New(rand.NewPCG(1, 1))
	var out []double
	for _, i := range numbers {
		k := i
		for b.gold[k].db == b.gold[i].db {
			k = numbers[random.IntN(len(numbers))]
		}
		p, q := &b.dataset.Questions[i], &b.dataset.Questions[k]
		text := "Which question has a larger number as its answer. Q1: " + p.Text + "; Q2: " + q.Text
		out = append(out, double{[2]Query{{Text: text}, {Text: text, Evidence: p.Evidence + " " + q.Evidence}}, []int{b.gold[i].db, b.gold[k].db}})
	}
	return out
}

// ofDoubles prints how often both databases of a double question are the first two.
func (b *bench) ofDoubles(x *Index, list []double) {
	var found, split, single [2]tally
	for e := range 2 {
		for _, d := range list {
			a := x.ask(d.q[e], -1)
			x.rank(a)
			best := first(order(a.ranking.database), 2)
			found[e].add(tally{count(slices.Contains(best, d.dbs[0]) && slices.Contains(best, d.dbs[1])), 1})
			split[e].add(tally{count(a.ofParts != nil), 1})
		}
		for i := range b.gold {
			a := *b.asked[e][i]
			x.rank(&a)
			single[e].add(tally{count(a.ofParts != nil), 1})
		}
	}
	fmt.Printf("\nquestion  with evidence\n   %.3f          %.3f  both databases of %.0f double questions in the first 2\n   %.3f          %.3f  of them are split into parts\n   %.3f          %.3f  of %.0f single questions are split\n",
		found[0].share(), found[1].share(), found[0].of, split[0].share(), split[1].share(), single[0].share(), single[1].share(), single[0].of)
}

// chosen counts databases that were chosen, and those that are right.
type chosen struct{ right, taken, gold float64 }

func (c *chosen) add(taken, gold []int) {
	c.taken, c.gold = c.taken+float64(len(taken)), c.gold+float64(len(gold))
	for _, d := range taken {
		c.right += count(slices.Contains(gold, d))
	}
}

// String gives precision, recall and their harmonic mean.
func (c chosen) String() string {
	p, r := c.right/c.taken, c.right/c.gold
	return fmt.Sprintf("precision %.2f, recall %.2f, F1 %.2f", p, r, 2*p*r/(p+r))
}

// selection prints the paper's tables 3 and 5 for questions without evidence: what
// choosing databases is worth over taking the first five, and what it is worth to ask
// first whether the question can be answered, where as many foreign ones are among them.
func (b *bench) selection(x *Index, without []*Index, list []double) {
	var five, refined, always, switched chosen
	one := func(x *Index, q Query, gold []int, isForeign bool) {
		a := x.ask(q, -1)
		x.rank(a)
		best := order(a.ranking.database)
		taken := x.about(a)
		if !isForeign {
			five.add(first(best, 5), gold)
			refined.add(taken, gold)
		}
		always.add(taken, gold)
		if x.confidence(a, taken) < .5 {
			taken = nil
		}
		switched.add(taken, gold)
	}
	for i := range b.gold {
		q := Query{Text: b.dataset.Questions[i].Text}
		one(x, q, []int{b.gold[i].db}, false)
		one(without[b.gold[i].db], q, nil, true)
	}
	for _, d := range list {
		one(x, d.q[0], d.dbs, false)
	}
	fmt.Printf("table 3, the first five databases: %s\n         those that are chosen:    %s\ntable 5, without asking whether:   %s\n         with it:                  %s\n", five, refined, always, switched)
}

// numbers returns the questions whose answer is one number.
func (b *bench) numbers(tb testing.TB) []int {
	tb.Helper()
	var out []int
	for d, info := range b.dataset.Databases {
		r, err := newReader(context.Background(), info.Path)
		if err != nil {
			tb.Fatal(err)
		}
		for i := range b.gold {
			if b.gold[i].db == d && r.isNumber(b.dataset.Questions[i].SQL) {
				out = append(out, i)
			}
		}
		r.close()
	}
	return out
}

// without returns the index without each of its databases.
func (x *Index) without(tb testing.TB) []*Index {
	tb.Helper()
	var out []*Index
	for d := range x.parts {
		y, err := newIndex(slices.Concat(x.parts[:d], x.parts[d+1:]), nil, x.w)
		if err != nil {
			tb.Fatal(err)
		}
		out = append(out, y)
	}
	return out
}

// foreign prints how well the confidence distinguishes questions on the databases from
// those on a database that is not there: each question is asked once with its own
// database and once without.
func (b *bench) foreign(x *Index, without []*Index) {
	var line [2]string
	for e := range 2 {
		own, other := make([]float64, len(b.gold)), make([]float64, len(b.gold))
		b.each(func(i int) {
			own[i] = x.confidenceOf(b.asked[e][i].q)
			other[i] = without[b.gold[i].db].confidenceOf(b.asked[e][i].q)
		})
		yes := tally{0, float64(len(own))}
		no := yes
		for i := range own {
			yes.found += count(own[i] >= .5)
			no.found += count(other[i] < .5)
		}
		line[e] = fmt.Sprintf("AUROC %.3f; answerable: %.3f of these, %.3f of foreign ones refused", auroc(own, other), yes.share(), no.share())
	}
	fmt.Printf("answerable against foreign questions: %s\n  with evidence: %s\n", line[0], line[1])
}

func (x *Index) confidenceOf(q Query) float64 {
	a := x.ask(q, -1)
	x.rank(a)
	return x.confidence(a, x.about(a))
}

// auroc returns the share of the pairs of a positive and a negative in which the positive
// is higher; equal ones count half (Mann and Whitney, 1947).
func auroc(positive, negative []float64) float64 {
	type scored struct {
		score float64
		of    float64 // 1 for a positive
	}
	var all []scored
	for _, s := range positive {
		all = append(all, scored{s, 1})
	}
	for _, s := range negative {
		all = append(all, scored{s, 0})
	}
	slices.SortFunc(all, func(a, b scored) int { return cmp.Compare(a.score, b.score) })
	won, below := 0., 0. // negatives so far
	for i := 0; i < len(all); {
		p, n := 0., 0.
		end := i
		for ; end < len(all) && all[end].score == all[i].score; end++ {
			p, n = p+all[end].of, n+1-all[end].of
		}
		won += p * (below + n/2)
		below += n
		i = end
	}
	return won / float64(len(positive)) / float64(len(negative))
}

// BenchmarkFindRepair prints how many statements give the gold answer whose stored texts
// were changed, before and after their repair: one letter of a text, its case, or the
// meaning that the description of the column gives it, instead of the text.
func BenchmarkFindRepair(tb *testing.B) {
	b, x := newBench(tb)
	for tb.Loop() {
		fmt.Println("\n   of  before  after  changed")
		for _, kind := range []string{"one typo", "another case", "a meaning"} {
			var all, before, after tally
			for d, info := range b.dataset.Databases {
				r, err := newReader(context.Background(), info.Path)
				if err != nil {
					tb.Fatal(err)
				}
				for i := range b.gold {
					if b.gold[i].db != d {
						continue
					}
					q := &b.dataset.Questions[i]
					sql := b.spoil(x, i, kind)
					if sql == q.SQL {
						continue
					}
					gold := r.answer(q.SQL)
					if gold == "" {
						continue // it takes too long
					}
					repaired, _, err := x.RepairSQL(context.Background(), info.ID, sql)
					if err != nil {
						repaired = sql
					}
					all.add(tally{1, 1})
					before.add(tally{count(r.answer(sql) == gold), 1})
					after.add(tally{count(repaired == q.SQL || r.answer(repaired) == gold), 1})
				}
				r.close()
			}
			fmt.Printf("%5.0f  %6.3f  %5.3f  %s\n", all.of, before.share(), after.share(), kind)
		}
		kept := tally{}
		for i := range b.gold {
			q := &b.dataset.Questions[i]
			sql, _, err := x.RepairSQL(context.Background(), q.DB, q.SQL)
			kept.add(tally{count(err == nil && sql == q.SQL), 1})
		}
		fmt.Printf("%5.0f  gold statements, of which %.3f stay as they are\n", kept.of, kept.share())
	}
}

// spoil returns a question's SQL with its stored texts changed.
func (b *bench) spoil(x *Index, i int, kind string) string {
	q, g := &b.dataset.Questions[i], &b.gold[i]
	random := rand.New(rand.NewPCG(uint64(i), 3))
	var out strings.Builder
	from := 0
	for _, l := range g.literals {
		text := l.text
		switch kind {
		case "one typo":
			text, _ = withTypo(random, text)
		case "another case":
			if text = strings.ToUpper(l.text); text == l.text {
				text = strings.ToLower(l.text)
			}
		case "a meaning":
			for _, c := range x.values[g.db].codes {
				p := x.names.columns[c.column]
				if value.AsText(c.value) == l.text && slices.Contains(l.columns, Column{strings.ToLower(x.tableName(p)), strings.ToLower(x.columnName(p))}) {
					text = c.meaning
				}
			}
		}
		if text == "" {
			text = l.text
		}
		out.WriteString(q.SQL[from:l.span[0]] + "'" + strings.ReplaceAll(text, "'", "''") + "'")
		from = l.span[1]
		if text == l.text {
			s := out.String()
			out.Reset()
			out.WriteString(s[:len(s)-len(text)-2-strings.Count(text, "'")] + q.SQL[l.span[0]:l.span[1]])
		}
	}
	return out.String() + q.SQL[from:]
}
