package queryscore

import (
	"slices"

	"github.com/birdcall/birdcall/pkg/tools"
)

// paperMatch says whether arguments are identical as JSON values. The rationale is
// no part of a query.
func paperMatch(gold, got tools.Arguments) bool {
	return canonical(without(gold, argRationale), false) == canonical(without(got, argRationale), false)
}

// paperAST is the AST score of section 3.3. It is counted in hundredths, so that
// 1 is 1.
func paperAST(gold, got tools.Arguments) float64 {
	if canonical(get(gold, argCollection), false) != canonical(get(got, argCollection), false) {
		return 0
	}
	score := 40
	for _, right := range []bool{
		(text(gold, argSearch) != "") == (text(got, argSearch) != ""),
		slices.Equal(all(gold, paperFilters, argFilters), all(got, paperFilters, argFilters)),
		slices.Equal(all(gold, paperAggregations, argAggregations), all(got, paperAggregations, argAggregations)),
		groups(gold) == groups(got),
	} {
		if right {
			score += 15
		}
	}
	return float64(score) / 100
}
