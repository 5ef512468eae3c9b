package vocabulary

import (
	"github.com/birdcall/birdcall/internal/db/sqlfunc"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/tools"
)

// aggregate is an aggregate or window function of SQL in the tools' words.
type aggregate struct {
	function    string // by its canonical name
	aggregation tools.Aggregation
	window      tools.WindowFunction
	// arguments are the names of what follows the first argument of the window function.
	arguments []string
}

// aggregates has the aggregate functions first, then those that are window functions
// only.
var aggregates = []aggregate{
	{"count", tools.Count, tools.WindowCount, nil},
	{"sum", tools.Sum, tools.WindowSum, nil},
	{"total", tools.Total, tools.WindowTotal, nil},
	{"avg", tools.Mean, tools.WindowMean, nil},
	{"min", tools.Min, tools.WindowMin, nil},
	{"max", tools.Max, tools.WindowMax, nil},
	{"group_concat", tools.Concat, tools.WindowConcat, []string{toolname.ArgSeparator}},

	{"row_number", "", tools.RowNumber, nil},
	{"rank", "", tools.Rank, nil},
	{"dense_rank", "", tools.DenseRank, nil},
	{"percent_rank", "", tools.PercentRank, nil},
	{"cume_dist", "", tools.CumeDist, nil},
	{"ntile", "", tools.NTile, nil},
	{"lag", "", tools.Lag, []string{toolname.ArgOffset, toolname.ArgDefault}},
	{"lead", "", tools.Lead, []string{toolname.ArgOffset, toolname.ArgDefault}},
	{"first_value", "", tools.FirstValue, nil},
	{"last_value", "", tools.LastValue, nil},
	{"nth_value", "", tools.NthValue, []string{toolname.ArgOffset}},
}

var (
	byAggregation = index(aggregates, func(a *aggregate) tools.Aggregation { return a.aggregation })
	byAggregate   = index(aggregates, func(a *aggregate) string { return a.function })
)

// Aggregation returns the aggregation that an aggregate function of SQL is, or "".
func Aggregation(function string) tools.Aggregation {
	if a := byAggregate[sqlfunc.Canonical(function)]; a != nil {
		return a.aggregation
	}
	return ""
}

// Window returns the window function that a function of SQL is, or "", and the names of
// what follows its first argument.
func Window(function string) (fn tools.WindowFunction, arguments []string) {
	if a := byAggregate[sqlfunc.Canonical(function)]; a != nil {
		return a.window, a.arguments
	}
	return "", nil
}

// SkipsNull reports whether an aggregation is one of SQL's that depends on neither NULL
// nor the order of the rows.
func SkipsNull(a tools.Aggregation) bool {
	known := byAggregation[a]
	return known != nil && sqlfunc.SQLite(known.function).Aggregate != sqlfunc.Collecting
}
