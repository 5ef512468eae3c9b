package multi

import (
	"fmt"

	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/tools"
)

// The words that labels of CompareTool and of endpoints begin with.
const (
	CompareLabel  = "COMPARISON"
	endpointLabel = "RESULT"
)

// Labels gives results their labels by the rules that the tools' descriptions
// state: those of tools.Labels for the tools of tables, RESULT_0 and RESULT_1 for
// endpoints, and COMPARISON, then COMPARISON_1, for CompareTool. The zero Labels is at
// the first call.
type Labels struct {
	tables              tools.Labels
	endpoints, compared int
}

// Next returns the label of a call's result.
func (l *Labels) Next(c tools.Call) string {
	if c.Name == CompareTool {
		l.compared++
		if l.compared == 1 {
			return CompareLabel
		}
		return fmt.Sprintf("%s_%d", CompareLabel, l.compared-1)
	}
	if label := l.tables.Next(c); label != "" {
		return label
	}
	l.endpoints++
	return fmt.Sprintf("%s_%d", endpointLabel, l.endpoints-1)
}

// relabel gives the calls of a part the labels that they have among all calls of a
// record. starts are the part's starting tables, from is the record that they had
// other names in; nil is for endpoints.
func (l *Labels) relabel(calls []tools.Call, from *record.Slot, starts []tools.Start) []tools.Call {
	to := map[string]string{}
	for i, s := range starts {
		to[labelOf(from.Starts()[i])] = s.Label
	}
	out := make([]tools.Call, len(calls))
	for i, c := range calls {
		out[i] = tools.Call{Name: c.Name, Arguments: renameLabels(c.Arguments, to).(tools.Arguments), Label: l.Next(c)}
		to[c.Label] = out[i].Label
	}
	return out
}

// renameLabels returns a value with other labels. What is under literal is
// a text, whatever it looks like.
func renameLabels(v any, to map[string]string) any {
	switch v := v.(type) {
	case string:
		if n := len(v); n > 2 && v[0] == '$' && v[n-1] == '$' {
			if label, ok := to[v[1:n-1]]; ok {
				return "$" + label + "$"
			}
		}
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = renameLabels(item, to)
		}
		return out
	case tools.Arguments:
		out := make(tools.Arguments, len(v))
		for i, a := range v {
			if a.Name != toolname.ArgLiteral {
				a.Value = renameLabels(a.Value, to)
			}
			out[i] = a
		}
		return out
	}
	return v
}
