package main

import (
	"math/rand/v2"
	"sync"
)

// shares are the classes in the order in which they are drawn, over and over.
var shares = []string{
	classError, classBound, classCondition, classEquality, classLogic,
	classError, classBound, classLiteral, classArithmetic, classNegation,
	classError, classBound, classCondition, classEquality, classLogic,
	classError, classBound, classLiteral, classBoolean, classJump,
}

// draw gives mutants in a random order, each class its share.
type draw struct {
	mutex sync.Mutex
	left  map[string][]*mutant // by class, in the order in which they are given
	need  map[string]int       // how many of each class are still to be given
	turn  int                  // the place in shares of the class that is next
}

// newDraw prepares to give a number of mutants by a seed.
func newDraw(found []*mutant, seed uint64, number int) *draw {
	d := &draw{left: map[string][]*mutant{}, need: map[string]int{}}
	for _, m := range found {
		d.left[m.Class] = append(d.left[m.Class], m)
	}
	for i, class := range shares {
		of := d.left[class]
		if d.need[class] == 0 {
			rand.New(rand.NewPCG(seed, uint64(i))).Shuffle(len(of), func(a, b int) { of[a], of[b] = of[b], of[a] })
		}
		d.need[class] += (number + len(shares) - 1 - i) / len(shares)
	}
	return d
}

// next gives a mutant, or nil where none is to be tried any more. Which ones are
// given in all does not depend on when they are asked for.
func (d *draw) next() *mutant {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	for range shares {
		class := shares[d.turn%len(shares)]
		d.turn++
		if of := d.left[class]; d.need[class] > 0 && len(of) > 0 {
			d.need[class]--
			d.left[class] = of[1:]
			return of[0]
		}
	}
	return nil
}

// again asks for another mutant if one does not compile.
func (d *draw) again(m *mutant) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.need[m.Class]++
}
