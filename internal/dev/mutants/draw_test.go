package main

import (
	"maps"
	"slices"
	"testing"
)

// thirty returns thirty mutants of each class.
func thirty() []*mutant {
	var out []*mutant
	for i, class := range shares {
		if slices.Index(shares, class) != i {
			continue // it has come before
		}
		for line := range 30 {
			out = append(out, &mutant{Class: class, File: "x.go", Line: line})
		}
	}
	return out
}

// drawn returns all that a draw gives; those on lines that reject says do not compile.
func drawn(d *draw, reject func(*mutant) bool) map[string]bool {
	out := map[string]bool{}
	for m := d.next(); m != nil; m = d.next() {
		if reject(m) {
			d.again(m)
		} else {
			out[m.String()] = true
		}
	}
	return out
}

func none(*mutant) bool    { return false }
func third(m *mutant) bool { return m.Line%3 == 0 }

func TestDraw(t *testing.T) {
	for _, test := range []struct {
		name   string
		number int
		reject func(*mutant) bool
		want   int
	}{
		{"each class its share", 20, none, 20},
		{"a number that is no multiple", 33, none, 33},
		{"one", 1, none, 1},
		{"others instead of those that do not compile", 40, third, 40},
		{"fewer where a class has no more", 2000, none, 300},
	} {
		t.Run(test.name, func(t *testing.T) {
			first := drawn(newDraw(thirty(), 1, test.number), test.reject)
			if len(first) != test.want {
				t.Errorf("%d are drawn, want %d", len(first), test.want)
			}
			if again := drawn(newDraw(thirty(), 1, test.number), test.reject); !maps.Equal(first, again) {
				t.Error("the same seed draws others")
			}
			if other := drawn(newDraw(thirty(), 2, test.number), test.reject); test.number > 1 && test.number < 300 && maps.Equal(first, other) {
				t.Error("another seed draws the same")
			}
		})
	}
}

// TestDrawShares says that two fifths are bounds and returned errors.
func TestDrawShares(t *testing.T) {
	d, count := newDraw(thirty(), 1, 100), map[string]int{}
	for m := d.next(); m != nil; m = d.next() {
		count[m.Class]++
	}
	want := map[string]int{
		classError: 20, classBound: 20, classCondition: 10, classEquality: 10, classLogic: 10, classLiteral: 10,
		classArithmetic: 5, classNegation: 5, classBoolean: 5, classJump: 5,
	}
	if !maps.Equal(count, want) {
		t.Errorf("got %v, want %v", count, want)
	}
}
