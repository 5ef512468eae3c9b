package verify

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/birdcall/birdcall/pkg/value"
)

// cluster labels rows so that rows that are the same have the same label. The
// reverse does not hold for reals: one may be close to the next and that to a
// third. Labels count from 0 and depend on the order of rows alone.
func cluster(rows [][]value.Value, loose bool) []int {
	labels := make([]int, len(rows))
	known := map[string]int{}
	columns := 0
	var key []byte
	for i, row := range rows {
		columns = max(columns, len(row))
		key = appendFixed(key[:0], row, loose)
		label, ok := known[string(key)]
		if !ok {
			label = len(known)
			known[string(key)] = label
		}
		labels[i] = label
	}
	for column := range columns {
		split(rows, labels, column, loose)
	}
	return labels
}

// isRounded reports whether a cell is compared with a tolerance, or, if loose,
// by its number.
func isRounded(v value.Value, loose bool) bool {
	return v.Kind() == value.Real || loose && v.Kind() == value.Integer
}

// appendFixed appends the cells that must be the same to the bit, and marks
// the place of the others.
func appendFixed(key []byte, row []value.Value, loose bool) []byte {
	for _, v := range row {
		if isRounded(v, loose) {
			key = append(key, byte(value.Real))
			continue
		}
		key = append(key, byte(v.Kind()))
		switch v.Kind() {
		case value.Integer:
			key = binary.BigEndian.AppendUint64(key, uint64(v.Int64()))
		case value.Text, value.Blob:
			key = binary.AppendUvarint(key, uint64(len(v.Raw())))
			key = append(key, v.Raw()...)
		}
	}
	return key
}

// split gives rows of the same label new labels where the numbers of a column
// leave a gap that no tolerance bridges.
func split(rows [][]value.Value, labels []int, column int, loose bool) {
	number := func(i int) float64 {
		if column < len(rows[i]) && isRounded(rows[i][column], loose) {
			return rows[i][column].Float64()
		}
		return 0
	}
	order := make([]int, len(rows))
	rounded := false
	for i := range order {
		order[i] = i
		rounded = rounded || column < len(rows[i]) && isRounded(rows[i][column], loose)
	}
	if !rounded {
		return
	}
	slices.SortStableFunc(order, func(i, j int) int {
		if labels[i] != labels[j] {
			return labels[i] - labels[j]
		}
		return cmp.Compare(number(i), number(j))
	})
	next := -1
	last, lastNumber := -1, 0.0
	for _, i := range order {
		f := number(i)
		if labels[i] != last || !closeReals(lastNumber, f) {
			next++
		}
		last, lastNumber = labels[i], f
		labels[i] = next
	}
}
