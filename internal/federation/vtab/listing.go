package vtab

import (
	"slices"
	"strconv"
	"sync"

	"github.com/birdcall/birdcall/pkg/value"
)

// listing is all rows of a table, with an index for each set of columns that rows
// were looked up by.
type listing struct {
	rows [][]value.Value
	keys []keyer

	mu      sync.Mutex
	indexes map[string]map[string][]int32
}

func newListing(rows [][]value.Value, keys []keyer) *listing {
	return &listing{rows: rows, keys: keys, indexes: map[string]map[string][]int32{}}
}

// index returns the rows' numbers by the loose texts of their values in columns.
func (l *listing) index(columns []int) map[string][]int32 {
	name := setName(columns)
	l.mu.Lock()
	defer l.mu.Unlock()
	if one, ok := l.indexes[name]; ok {
		return one
	}
	one := make(map[string][]int32, len(l.rows))
	var key []byte
	for i, row := range l.rows {
		key = key[:0]
		isNull := false
		for _, c := range columns {
			isNull = isNull || row[c].IsNull()
			key = l.keys[c].loose(key, row[c])
		}
		if !isNull { // NULL equals nothing
			one[string(key)] = append(one[string(key)], int32(i))
		}
	}
	l.indexes[name] = one
	return one
}

// find returns the numbers of the rows whose columns may equal one of the tuples.
func (l *listing) find(columns []int, tuples [][]value.Value) []int32 {
	index := l.index(columns)
	found := []int32{}
	var key []byte
	for _, tuple := range tuples {
		key = key[:0]
		for i, c := range columns {
			key = l.keys[c].loose(key, tuple[i])
		}
		found = append(found, index[string(key)]...)
	}
	if len(tuples) > 1 {
		slices.Sort(found)
		found = slices.Compact(found)
	}
	return found
}

// setName names a list of columns.
func setName(columns []int) string {
	var b []byte
	for _, c := range columns {
		b = append(strconv.AppendInt(b, int64(c), 10), ',')
	}
	return string(b)
}
