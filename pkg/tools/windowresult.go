package tools

import (
	"slices"

	"github.com/birdcall/birdcall/pkg/value"
)

// results computes the function for every row.
func (w *window) results() (*Column, error) {
	n := len(w.rows)
	switch f := w.function; {
	case f.whole != nil:
		c := &Column{layout: layoutInt, length: n, ints: make([]int64, n)}
		return c, w.together(func(p *partition) {
			for i, row := range p.rows {
				c.ints[row] = f.whole(w, p, i)
			}
		})
	case f.part != nil:
		c := &Column{layout: layoutReal, length: n, reals: make([]float64, n)}
		return c, w.together(func(p *partition) {
			for i, row := range p.rows {
				c.reals[row] = f.part(p, i)
			}
		})
	}
	values := make([]value.Value, n)
	if err := w.each(span{0, n}, func(p *partition) error { return w.fill(p, values) }); err != nil {
		return nil, err
	}
	var b ColumnBuilder
	b.Grow(n)
	for _, v := range values {
		b.Append(v)
	}
	return b.Column(), nil
}

// together calls f for all partitions, some of them at the same time.
func (w *window) together(f func(p *partition)) error {
	parts := split(len(w.rows))
	for i := range parts[1:] {
		cut := parts[i+1].from
		for cut < len(w.rows) && w.changes[cut] != otherGroup {
			cut++
		}
		parts[i].to, parts[i+1].from = cut, cut
	}
	return together(parts, func(_ int, places span) error {
		return w.each(places, func(p *partition) error {
			f(p)
			return w.ctx.Err()
		})
	})
}

// each calls f for one partition after the other between places at which one
// begins. They share their memory.
func (w *window) each(places span, f func(p *partition) error) error {
	p := w.measure
	for from := places.from; from < places.to; {
		to := from + 1
		for to < places.to && w.changes[to] != otherGroup {
			to++
		}
		p.rows = w.rows[from:to]
		p.number(w.changes[from:to])
		if err := f(&p); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// number finds the groups of peers: rows that are equal in all keys.
func (p *partition) number(changes []change) {
	p.peers, p.starts = slices.Grow(p.peers[:0], len(changes)), p.starts[:0]
	for i, c := range changes {
		if c != unchanged {
			p.starts = append(p.starts, int32(i))
		}
		p.peers = append(p.peers, int32(len(p.starts)-1))
	}
	p.starts = append(p.starts, int32(len(changes)))
}

// fill computes the function for every row of a partition.
func (w *window) fill(p *partition, results []value.Value) error {
	if w.function.of == nil {
		return w.aggregate(p, results)
	}
	for i, row := range p.rows {
		if err := stopped(w.ctx, i); err != nil {
			return err
		}
		results[row] = w.function.of(w, p, i)
	}
	return nil
}

func rowNumber(_ *window, _ *partition, i int) int64 { return int64(i) + 1 }

func rank(_ *window, p *partition, i int) int64 { return int64(p.starts[p.peers[i]]) + 1 }

func denseRank(_ *window, p *partition, i int) int64 { return int64(p.peers[i]) + 1 }

func percentRank(p *partition, i int) float64 {
	if len(p.rows) < 2 {
		return 0
	}
	return float64(p.starts[p.peers[i]]) / float64(len(p.rows)-1)
}

func cumulative(p *partition, i int) float64 {
	return float64(p.starts[p.peers[i]+1]) / float64(len(p.rows))
}

// ntile makes the first parts one row longer where the rows do not divide.
func ntile(w *window, p *partition, i int) int64 {
	size, longer := len(p.rows)/w.offset, len(p.rows)%w.offset
	if i < longer*(size+1) {
		return int64(i/(size+1)) + 1
	}
	return int64(longer+(i-longer*(size+1))/size) + 1
}

func lag(w *window, p *partition, i int) value.Value { return w.neighbour(p, i, i-w.offset) }

func lead(w *window, p *partition, i int) value.Value { return w.neighbour(p, i, i+w.offset) }

func (w *window) neighbour(p *partition, i, at int) value.Value {
	if at < 0 || at >= len(p.rows) {
		return w.fallback.at(int(p.rows[i]))
	}
	return w.view.At(int(p.rows[at]))
}

func firstValue(w *window, p *partition, i int) value.Value { return w.nth(p, i, 1) }

func nthValue(w *window, p *partition, i int) value.Value { return w.nth(p, i, w.offset) }

// nth is the value of the n-th row of the frame, NULL where there is none.
func (w *window) nth(p *partition, i, n int) value.Value {
	from, to := p.bounds(w.frame, i)
	if w.args.Exclude == "" {
		from, n = from+n-1, 1 // all rows before it are in the frame
	}
	for ; from < to; from++ {
		if p.excludes(w.args.Exclude, i, from) {
			continue
		}
		if n--; n == 0 {
			return w.view.At(int(p.rows[from]))
		}
	}
	return value.NullValue()
}

func lastValue(w *window, p *partition, i int) value.Value {
	from, to := p.bounds(w.frame, i)
	for to--; to >= from; to-- {
		if !p.excludes(w.args.Exclude, i, to) {
			return w.view.At(int(p.rows[to]))
		}
	}
	return value.NullValue()
}
