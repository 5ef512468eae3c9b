package value

import "math"

// Batch is an aggregate function that takes the numbers of many rows at once:
// count, sum, total, avg, min, max and std are. The results are those of Step,
// to the last bit.
type Batch interface {
	Aggregate
	// StepInts takes INTEGERs, in the order of their rows.
	StepInts(values []int64)
	// StepReals takes REALs, in the order of their rows. None is NaN, which
	// would be NULL.
	StepReals(values []float64)
	// Reset forgets all rows, so that one Batch serves many groups.
	Reset()
}

func (c *counter) StepInts(values []int64)    { c.n += int64(len(values)) }
func (c *counter) StepReals(values []float64) { c.n += int64(len(values)) }
func (c *counter) Reset()                     { *c = counter{} }

func (e *extreme) StepInts(values []int64) {
	if len(values) > 0 {
		e.Step(Int(firstExtreme(values, e.sign)))
	}
}

func (e *extreme) StepReals(values []float64) {
	if len(values) > 0 {
		e.Step(Float(firstExtreme(values, e.sign)))
	}
}

func (e *extreme) Reset() { e.best = Value{} }

// firstExtreme returns the first of the values that are least, or greatest
// where sign is 1. That 0.0 and -0.0 are equal is why it matters which.
func firstExtreme[T int64 | float64](values []T, sign int) T {
	best := values[0]
	if sign < 0 {
		for _, v := range values {
			if v < best {
				best = v
			}
		}
		return best
	}
	for _, v := range values {
		if v > best {
			best = v
		}
	}
	return best
}

// sumBlock is how many integers are added at a time. As many of less than 53
// bits, and their sign, add up to less than 63.
const sumBlock = 1 << 10

// StepInts adds integers without a look at each where none of a block is so
// large that the sum could overflow on the way.
func (s *sum) StepInts(values []int64) {
	const small = 1 << 52
	for len(values) > 0 {
		block := values[:min(len(values), sumBlock)]
		values = values[len(block):]
		total, size := s.whole, uint64(0)
		for _, v := range block {
			total += v
			size |= uint64(v + small)
		}
		if !s.isReal && size < 2*small && -1<<62 < s.whole && s.whole < 1<<62 {
			s.whole = total
			s.n += int64(len(block))
			continue
		}
		for _, v := range block {
			s.Step(Int(v))
		}
	}
}

// StepReals is addReal for many. What is lost by an addition is computed from
// the larger and the smaller number, which are chosen by their bits and so
// without a jump: where the signs of the values vary, no processor foresees it.
func (s *sum) StepReals(values []float64) {
	if len(values) == 0 {
		return
	}
	s.n += int64(len(values))
	s.toReal()
	s.overflow = false
	total, lost := s.real, s.lost
	for _, f := range values {
		t := total + f
		large, small := math.Float64bits(total), math.Float64bits(f)
		if large<<1 <= small<<1 { // without their signs
			large, small = small, large
		}
		lost += math.Float64frombits(large) - t + math.Float64frombits(small)
		total = t
	}
	s.real, s.lost = total, lost
}

func (s *sum) Reset() { *s = sum{} }

func (d *deviation) StepInts(values []int64) {
	for _, v := range values {
		d.add(float64(v))
	}
}

func (d *deviation) StepReals(values []float64) {
	for _, v := range values {
		d.add(v)
	}
}

func (d *deviation) Reset() { *d = deviation{} }
