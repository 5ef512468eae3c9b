package mixed

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
)

// Moved draws which tables of a database are behind the API when a share of them,
// in percent, is, and returns their places in ascending order. The same seed draws
// the same, and a table that is moved at a share is so at all greater ones.
func Moved(db string, tables, share int, seed uint64) []bool {
	h := fnv.New64a()
	_, _ = h.Write([]byte(db)) // a hash takes anything
	order := rand.New(rand.NewPCG(seed, h.Sum64())).Perm(tables)
	moved := make([]bool, tables)
	for _, i := range order[:int(math.Round(float64(share)*float64(tables)/100))] {
		moved[i] = true
	}
	return moved
}
