package tools

import (
	"fmt"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/text/toolname"
)

// TestLabels labels a sequence of each tool, twice or more.
func TestLabels(t *testing.T) {
	aggregate := func(aggregation string) Call {
		return Call{Name: toolname.Aggregate, Arguments: Arguments{{Name: toolname.ArgAggregationType, Value: aggregation}}}
	}
	calls := []Call{
		{Name: toolname.Filter}, {Name: toolname.Transform}, {Name: toolname.Filter}, {Name: toolname.Retrieve}, {Name: toolname.Retrieve},
		aggregate("count"), aggregate("sum"), aggregate("count"), aggregate("argmax"), {Name: toolname.Sort}, {Name: toolname.Sort},
		{Name: toolname.Group}, {Name: toolname.Unique}, {Name: toolname.Combine}, {Name: toolname.Join}, {Name: toolname.Window}, {Name: toolname.Expand},
		{Name: toolname.Expand}, {Name: "other"},
	}
	var labels Labels
	var got []string
	for _, c := range calls {
		got = append(got, labels.Next(c))
	}
	want := "FILTERED_DF_0 TRANSFORMED_DF_1 FILTERED_DF_2 SELECT_COL_0 SELECT_COL_1 COUNT SUM COUNT_1 ARGMAX SORTED_DF SORTED_DF_1 " +
		"GROUPED UNIQUE COMBINED_DF JOINED_DF WINDOW_DF EXPANDED_DF EXPANDED_DF_1 "
	if strings.Join(got, " ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, " "), want)
	}
}

// TestLabelRule says that the sentence about a tool names the label that its
// first result gets.
func TestLabelRule(t *testing.T) {
	for _, d := range Definitions() {
		var labels Labels
		c := Call{Name: d.Name, Arguments: Arguments{{Name: toolname.ArgAggregationType, Value: "count"}}}
		label := strings.Replace(labels.Next(c), "_0", "_n", 1)
		if rule := LabelRule(d.Name, ""); !strings.Contains(rule, fmt.Sprintf("$%s$", label)) {
			t.Errorf("%s: %q does not name %s", d.Name, rule, label)
		}
	}
	if rule := LabelRule(toolname.Aggregate, Sum); rule != "The result is $SUM$, then $SUM_1$." {
		t.Errorf("got %q", rule)
	}
	if rule := LabelRule("other", ""); rule != "" {
		t.Errorf("got %q", rule)
	}
}
