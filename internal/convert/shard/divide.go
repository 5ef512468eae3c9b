package shard

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/birdcall/birdcall/pkg/bird"
)

// maxShards bounds into how many shards a conversion is divided.
const maxShards = 10_000

// Number says which shard of how many. The first is 0, as schedulers count.
type Number struct {
	Index int `json:"shard"`
	Of    int `json:"of"`
}

// String returns the number as Parse reads it.
func (n Number) String() string { return fmt.Sprintf("%d/%d", n.Index, n.Of) }

// Parse reads a number such as 0/7, the first of seven.
func Parse(text string) (Number, error) {
	index, of, ok := strings.Cut(text, "/")
	i, err := strconv.Atoi(index)
	n, errOf := strconv.Atoi(of)
	switch {
	case !ok || err != nil || errOf != nil || n < 1 || n > maxShards:
		return Number{}, fmt.Errorf("%q is no shard: write which one, from 0, and of how many, such as 0/7", text)
	case i < 0 || i >= n:
		return Number{}, fmt.Errorf("there is no shard %s: those of %d are 0/%d to %d/%d", text, n, n, n-1, n)
	}
	return Number{i, n}, nil
}

// Part is a range of the questions of a database, which are counted from 0 in
// the order of the dataset: From is the first, To is behind the last.
type Part struct {
	DB   string `json:"db_id"`
	From int    `json:"from"`
	To   int    `json:"to"`
}

// Len returns how many questions the part has.
func (p Part) Len() int { return p.To - p.From }

// Questions returns how many questions parts have.
func Questions(parts []Part) int {
	n := 0
	for _, p := range parts {
		n += p.Len()
	}
	return n
}

// Divide returns the parts of each of n shards. No shard has more than a tenth
// above its equal share of the questions, and within that few databases are cut,
// since each shard that has a part of a database reads it.
//
// Databases are assigned from the largest to the smallest, to the fullest
// shard that has room. One that is larger than a shard is cut into pieces for the
// emptiest ones. So is one that no shard has room for, when all others have their
// place.
func Divide(dataset *bird.Dataset, n int) [][]Part {
	sizes := map[string]int{}
	for _, q := range dataset.Questions {
		sizes[q.DB]++
	}
	share := (len(dataset.Questions) + n - 1) / n
	room := share + share/10
	place := map[string]int{}
	databases := make([]string, len(dataset.Databases))
	for i, db := range dataset.Databases {
		databases[i], place[db.ID] = db.ID, i
	}
	slices.SortStableFunc(databases, func(a, b string) int { return cmp.Compare(sizes[b], sizes[a]) })

	shards, loads := make([][]Part, n), make([]int, n)
	give := func(shard int, p Part) {
		shards[shard] = append(shards[shard], p)
		loads[shard] += p.Len()
	}
	cut := func(db string) {
		for from := 0; from < sizes[db]; {
			emptiest := slices.Index(loads, slices.Min(loads)) // below its share, or nothing would be left
			to := sizes[db]
			if loads[emptiest]+to-from > room {
				to = from + share - loads[emptiest]
			}
			give(emptiest, Part{db, from, to})
			from = to
		}
	}
	var left []string
	for _, db := range databases {
		fullest := -1
		for i, load := range loads {
			if load+sizes[db] <= room && (fullest < 0 || load > loads[fullest]) {
				fullest = i
			}
		}
		switch {
		case fullest >= 0:
			give(fullest, Part{db, 0, sizes[db]})
		case sizes[db] > room:
			cut(db)
		default:
			left = append(left, db)
		}
	}
	for _, db := range left {
		cut(db)
	}
	for _, parts := range shards {
		slices.SortFunc(parts, func(a, b Part) int { return cmp.Compare(place[a.DB], place[b.DB]) })
	}
	return shards
}
