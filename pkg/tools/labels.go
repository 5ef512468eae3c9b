package tools

import (
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/internal/text/toolname"
)

// Labels gives results their labels by the rule of the paper's sequences, so
// that a model that cannot name a result knows its label (Elder et al.,
// arXiv:2506.11266, appendix E.1). The zero Labels is at the first call.
//
//	filter_data, transform_data  FILTERED_DF_n, TRANSFORMED_DF_n; n counts both together, from 0
//	retrieve_data                SELECT_COL_n, from 0
//	aggregate_data               the aggregation in capitals: COUNT, then COUNT_1, COUNT_2
//	sort_data                    SORTED_DF, then SORTED_DF_1
//	group_data_by                GROUPED, then GROUPED_1
//	select_unique_values         UNIQUE, then UNIQUE_1
//	combine_data                 COMBINED_DF, then COMBINED_DF_1
//	join_data                    JOINED_DF, then JOINED_DF_1
//	window_data                  WINDOW_DF, then WINDOW_DF_1
//	expand_json                  EXPANDED_DF, then EXPANDED_DF_1
type Labels struct {
	given map[string]int // by word
}

// The words that are counted from 0, and whether two tools share their count.
var (
	numbered = map[string]string{toolname.Filter: "FILTERED_DF", toolname.Transform: "TRANSFORMED_DF", toolname.Retrieve: "SELECT_COL"}
	words    = map[string]string{
		toolname.Sort: "SORTED_DF", toolname.Group: "GROUPED", toolname.Unique: "UNIQUE", toolname.Combine: "COMBINED_DF",
		toolname.Join: "JOINED_DF", toolname.Window: "WINDOW_DF", toolname.Expand: "EXPANDED_DF",
	}
)

// Next returns the label of a call's result. Every call of a sequence counts,
// whatever label it has itself. A call of an unknown tool has the label "".
func (l *Labels) Next(c Call) string {
	if l.given == nil {
		l.given = map[string]int{}
	}
	word, isNumbered := numbered[c.Name]
	count := word
	switch {
	case c.Name == toolname.Filter || c.Name == toolname.Transform:
		count = "DF"
	case c.Name == toolname.Aggregate:
		aggregation, _ := c.Arguments.Get(toolname.ArgAggregationType)
		word = strings.ToUpper(fmt.Sprint(aggregation))
		count = word
	case !isNumbered:
		word = words[c.Name]
		count = word
	}
	if word == "" {
		return ""
	}
	n := l.given[count]
	l.given[count]++
	if n == 0 && !isNumbered {
		return word
	}
	return fmt.Sprintf("%s_%d", word, n)
}

// LabelRule says in a sentence which labels the results of a tool get, "" for a
// tool that is unknown. how is the aggregation of aggregate_data, "" for any.
func LabelRule(tool string, aggregation Aggregation) string {
	word := words[tool]
	if tool == toolname.Aggregate {
		word = strings.ToUpper(string(aggregation))
	}
	switch {
	case tool == toolname.Filter || tool == toolname.Transform:
		return fmt.Sprintf("The result is $%s_n$; n counts filters and transformations together, from 0.", numbered[tool])
	case tool == toolname.Retrieve:
		return "The result is $SELECT_COL_n$; n counts from 0."
	case tool == toolname.Aggregate && aggregation == "":
		return "The result is the aggregation in capitals, such as $COUNT$, then $COUNT_1$."
	case word != "":
		return fmt.Sprintf("The result is $%s$, then $%[1]s_1$.", word)
	}
	return ""
}
