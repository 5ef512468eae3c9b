package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
)

// counts are how many mutants had each outcome.
type counts struct{ killed, own, survived, equivalent int }

func (c *counts) add(r result) {
	switch r.Outcome {
	case equivalent:
		c.equivalent++
	case survived:
		c.survived++
	default:
		c.killed++
		if r.byOwn() {
			c.own++
		}
	}
}

// byOwn reports whether the tests of the mutant's own package killed it.
func (r result) byOwn() bool {
	var by string
	_, _ = fmt.Sscan(r.By, &by) // without it, by is ""
	return by == r.pkg.under()
}

// row writes the line of a table: those that matter are all but the equivalents.
func (c *counts) row(w io.Writer, class string) {
	matter := c.killed + c.survived
	share := "-"
	if matter > 0 {
		share = fmt.Sprintf("%.1f %%", 100*float64(c.killed)/float64(matter))
	}
	fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%s\t\n", class, matter, c.killed, c.own, c.equivalent, share)
}

// report prints what survived, and how many of each class were killed.
func report(w io.Writer, all []result) error {
	slices.SortFunc(all, func(a, b result) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.start, b.start), cmp.Compare(a.Class, b.Class))
	})
	byClass := map[string]*counts{}
	var total counts
	for _, r := range all {
		c := byClass[r.Class]
		if c == nil {
			c = &counts{}
			byClass[r.Class] = c
		}
		c.add(r)
		total.add(r)
	}
	if total.survived > 0 {
		fmt.Fprintf(w, "\nsurvived:\n")
		for _, r := range all {
			if r.Outcome == survived {
				fmt.Fprintf(w, "%s\n", r.mutant)
			}
		}
	}
	fmt.Fprintln(w)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "class\tmatter\tkilled\tby own tests\tequivalent\tshare\t\n")
	for _, class := range slices.Sorted(maps.Keys(byClass)) {
		byClass[class].row(table, class)
	}
	total.row(table, "all")
	return table.Flush()
}
