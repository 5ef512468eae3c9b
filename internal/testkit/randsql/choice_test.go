package randsql

import "math/rand/v2"

// node is what was drawn for one part of a statement: its own numbers, and its
// parts. The same numbers draw the same part again, whatever is drawn around
// it, and missing ones are 0, which is the simplest choice everywhere. So a
// statement becomes simpler by taking numbers and nodes away.
type node struct {
	label string
	draws []int
	kids  []*node
}

// draws gives numbers at random, or again from a node, and records them.
type draws struct {
	rng *rand.Rand // nil when drawing again
	old *node      // what is drawn again; nil is all 0
	now *node
}

func fresh(database, statement int) *draws {
	return &draws{rng: rand.New(rand.NewPCG(uint64(database), uint64(statement))), now: &node{}}
}

func again(n *node) *draws { return &draws{old: n, now: &node{}} }

// n draws one of 0 to count-1.
func (s *draws) n(count int) int {
	v, at := 0, len(s.now.draws)
	if s.rng != nil {
		v = s.rng.IntN(count)
	} else if s.old != nil && at < len(s.old.draws) {
		v = min(s.old.draws[at], count-1)
	}
	s.now.draws = append(s.now.draws, v)
	return v
}

// part draws one part of a statement in a node for it.
func part[T any](s *draws, label string, draw func() T) T {
	outer := *s
	at := len(s.now.kids)
	s.now = &node{label: label}
	outer.now.kids = append(outer.now.kids, s.now)
	if s.old != nil {
		s.old = nil
		if at < len(outer.old.kids) {
			s.old = outer.old.kids[at]
		}
	}
	out := draw()
	s.now, s.old = outer.now, outer.old
	return out
}

// maxTries bounds how often shrink tries.
const maxTries = 3000

// shrink makes the statement drawn from n smaller as long as it fails. fails
// draws a statement from a node and returns how large it is and what was drawn
// for it, or false if it does not fail in the same way.
func shrink(n *node, size int, fails func(*node) (*node, int, bool)) *node {
	tries := 0
	attempt := func() bool {
		if tries++; tries > maxTries {
			return false
		}
		smaller, s, ok := fails(n)
		if ok && s < size {
			*n, size = *smaller, s
			return true
		}
		return false
	}
	for progress := true; progress && tries <= maxTries; {
		progress = false
		for _, m := range n.all() {
			if m.simplify(attempt) {
				progress = true
				break
			}
		}
	}
	return n
}

// all lists a node and everything below it, the largest parts first.
func (n *node) all() []*node {
	out := []*node{n}
	for i := 0; i < len(out); i++ {
		out = append(out, out[i].kids...)
	}
	return out
}

// simplify changes the node in one way after the other until an attempt is
// successful. What was not is undone.
func (n *node) simplify(attempt func() bool) bool {
	kids, draws := n.kids, n.draws
	for i := range kids {
		n.kids = append(append([]*node{}, kids[:i]...), kids[i+1:]...)
		if attempt() {
			return true
		}
		for _, other := range append([]*node{{}}, kids[i].all()[1:]...) {
			if other.label != "" && other.label != kids[i].label {
				continue
			}
			n.kids = append([]*node{}, kids...)
			n.kids[i] = other
			if attempt() {
				return true
			}
		}
	}
	n.kids = kids
	for i, d := range draws {
		for _, v := range []int{0, d / 2, d - 1} {
			if v < 0 || v >= d {
				continue
			}
			n.draws = append([]int{}, draws...)
			n.draws[i] = v
			if attempt() {
				return true
			}
		}
	}
	n.draws = draws
	return false
}
