package multi

import (
	"fmt"

	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/value"
)

// CompareTool is the tool that compares two numbers, and its arguments.
const (
	CompareTool = "compare_numbers"
	ArgFirst    = "q1"
	ArgSecond   = "q2"
	ArgWhich    = "which"
)

// AnswerColumn is the column of its result.
const AnswerColumn = "answer"

// Which says which of two numbers is asked for.
type Which string

// The comparisons.
const (
	Larger  Which = "larger"
	Smaller Which = "smaller"
)

// The answers of the tool.
const (
	first  = "Q1"
	second = "Q2"
	equal  = "equal"
)

// partName returns how a question calls one of its parts.
func partName(part int) string { return []string{first, second}[part] }

// Of returns which of two numbers it is: "Q1", "Q2" or "equal". They are compared as
// SQLite does: an integer and a real exactly, neither being rounded.
func (w Which) Of(a, b value.Value) string {
	c := value.Compare(a, b, value.Binary)
	if w == Smaller {
		c = -c
	}
	return map[int]string{1: first, 0: equal, -1: second}[c]
}

// labelRules say how results are named, by the form of the calls.
var labelRules = map[string]string{
	record.SLOT: "",
	record.REST: `An endpoint's result is $RESULT_n$; n counts the calls of endpoints from 0. `,
}

// Tool describes the tool that compares.
func Tool(form string) spec.Tool {
	number := func(part string) map[string]any {
		return map[string]any{
			"type":        "string",
			"description": fmt.Sprintf(`the answer of %s, as "$LABEL$": the result of the call that returns it, which is one number`, part),
		}
	}
	return spec.Tool{
		Name: CompareTool,
		Description: "Tell which of two questions has the larger or the smaller number as its answer: Q1 or Q2, or equal if neither has. The numbers are compared exactly. " +
			labelRules[form] + "The result is $" + CompareLabel + "$, then $" + CompareLabel + "_1$.",
		Parameters: map[string]any{
			"type": "object",
			"properties": map[string]any{
				ArgFirst: number(first), ArgSecond: number(second),
				ArgWhich: map[string]any{"type": "string", "enum": []string{string(Larger), string(Smaller)}, "description": "which number is asked for"},
			},
			"required": []string{ArgFirst, ArgSecond, ArgWhich}, "additionalProperties": false,
		},
		Order: []string{ArgFirst, ArgSecond, ArgWhich},
	}
}
