package multi

import (
	"math/rand/v2"
	"slices"

	"github.com/birdcall/birdcall/pkg/value"
	"github.com/birdcall/birdcall/pkg/verify"
)

// Pair is two questions to compare, by their places among those that qualify, and
// how it is asked.
type Pair struct {
	First, Second int
	Which         Which
	Template      int // the wording; any number stands for one
}

// Candidate is a question that qualifies.
type Candidate struct {
	Database string
	Number   value.Value
}

// Draw chooses n pairs of candidates, all of them different, of different databases
// and with different answers. Each candidate is drawn as often as any other, as far
// as that can be: at least once where n is their number. Which of the two is the
// first, what is asked for, and the wording are drawn, too. There are fewer pairs
// where there are no more. The draw depends on the seed and the candidates only.
func Draw(candidates []Candidate, n int, seed uint64) []Pair {
	d := &drawing{
		candidates: candidates, random: rand.New(rand.NewPCG(seed, 17)), uses: make([]int, len(candidates)),
		closed: make([]bool, len(candidates)), made: map[[2]int]bool{},
	}
	var out []Pair
	for len(out) < n {
		a := d.first()
		if a < 0 {
			break
		}
		b := d.partner(a)
		if b < 0 {
			d.closed[a] = true // there is no partner left, nor will there be one
			continue
		}
		d.made[[2]int{min(a, b), max(a, b)}] = true
		d.uses[a]++
		d.uses[b]++
		p := Pair{First: a, Second: b, Which: Larger, Template: d.random.IntN(len(templates))}
		if d.random.IntN(2) == 1 {
			p.First, p.Second = b, a
		}
		if d.random.IntN(2) == 1 {
			p.Which = Smaller
		}
		out = append(out, p)
	}
	return out
}

// drawing is what has been drawn.
type drawing struct {
	candidates []Candidate
	random     *rand.Rand
	uses       []int
	closed     []bool // candidates that no pair is left for
	made       map[[2]int]bool
}

// first draws one of the least used candidates: of the database that has the most of
// them, as these are the hardest to find partners for among each other. It is -1
// where all are closed.
func (d *drawing) first() int {
	least := d.least(func(i int) bool { return !d.closed[i] })
	counts, most := map[string]int{}, 0
	for _, i := range least {
		db := d.candidates[i].Database
		counts[db]++
		most = max(most, counts[db])
	}
	return d.draw(slices.DeleteFunc(least, func(i int) bool { return counts[d.candidates[i].Database] < most }))
}

// partner draws one of the least used candidates that a makes a pair with.
func (d *drawing) partner(a int) int {
	return d.draw(d.least(func(b int) bool {
		return d.candidates[a].Database != d.candidates[b].Database && !d.made[[2]int{min(a, b), max(a, b)}] && !d.same(a, b)
	}))
}

// least returns the candidates that do, of those that were used the least.
func (d *drawing) least(does func(i int) bool) []int {
	var out []int
	for i, uses := range d.uses {
		switch {
		case len(out) > 0 && uses > d.uses[out[0]] || !does(i):
		case len(out) > 0 && uses < d.uses[out[0]]:
			out = []int{i}
		default:
			out = append(out, i)
		}
	}
	return out
}

// draw returns one of places, or -1 if there is none.
func (d *drawing) draw(places []int) int {
	if len(places) == 0 {
		return -1
	}
	return places[d.random.IntN(len(places))]
}

// same reports whether two answers are the same number, or would be but for a
// rounding error: then it would be an error that decides.
func (d *drawing) same(a, b int) bool {
	row := func(i int) [][]value.Value { return [][]value.Value{{d.real(i)}} }
	return value.Compare(d.candidates[a].Number, d.candidates[b].Number, value.Binary) == 0 ||
		verify.Compare(row(a), row(b), verify.Options{}).Equal
}

func (d *drawing) real(i int) value.Value {
	if v := d.candidates[i].Number; v.Kind() == value.Integer {
		return value.Float(float64(v.Int64()))
	}
	return d.candidates[i].Number
}
