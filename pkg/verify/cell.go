package verify

import (
	"encoding/hex"
	"math"
	"strconv"

	"github.com/birdcall/birdcall/pkg/value"
)

// closeReals allows for a different order of additions.
func closeReals(a, b float64) bool {
	const relative, absolute = 1e-9, 1e-12
	if a == b || math.IsInf(a, 0) || math.IsInf(b, 0) {
		return a == b
	}
	return math.Abs(a-b) <= max(absolute, relative*max(math.Abs(a), math.Abs(b)))
}

func sameCell(a, b value.Value, loose bool) bool {
	switch {
	case a.Kind() == value.Real && b.Kind() == value.Real:
		return closeReals(a.Float64(), b.Float64())
	case loose && isNumber(a) && isNumber(b):
		return value.Compare(a, b, value.Binary) == 0
	}
	return a == b
}

func isNumber(v value.Value) bool { return v.Kind() == value.Integer || v.Kind() == value.Real }

func sameRow(a, b []value.Value, loose bool) bool { return firstDifference(a, b, loose) < 0 }

// firstDifference returns the first column where rows differ, the shorter
// length if one row is longer, and -1 if they are the same.
func firstDifference(a, b []value.Value, loose bool) int {
	n := min(len(a), len(b))
	for i := range n {
		if !sameCell(a[i], b[i], loose) {
			return i
		}
	}
	if len(a) != len(b) {
		return n
	}
	return -1
}

// differences counts the columns where rows differ.
func differences(a, b []value.Value, loose bool) int {
	n := max(len(a), len(b)) - min(len(a), len(b))
	for i := range min(len(a), len(b)) {
		if !sameCell(a[i], b[i], loose) {
			n++
		}
	}
	return n
}

// difference names a cell, counting rows and columns from 1.
func difference(row int, want, got []value.Value, column int) Verdict {
	if len(want) != len(got) {
		return differ("row %d: got %d columns, want %d", row+1, len(got), len(want))
	}
	return differ("row %d, column %d: got %s, want %s", row+1, column+1, describe(got[column]), describe(want[column]))
}

// describe writes a value with its storage class, a long one shortened.
func describe(v value.Value) string {
	const maxShown = 40
	short := func(s string) string {
		if len(s) > maxShown {
			return s[:maxShown]
		}
		return s
	}
	text := ""
	switch v.Kind() {
	case value.Null:
		return "NULL"
	case value.Integer, value.Real:
		return v.Kind().String() + " " + value.AsText(v)
	case value.Text:
		text = strconv.Quote(short(v.Raw()))
	case value.Blob:
		text = "x'" + hex.EncodeToString([]byte(short(v.Raw()))) + "'"
	}
	if len(v.Raw()) > maxShown {
		text += " and " + strconv.Itoa(len(v.Raw())-maxShown) + " bytes more"
	}
	return v.Kind().String() + " " + text
}
