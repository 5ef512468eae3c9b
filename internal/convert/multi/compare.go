package multi

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// CompareTool is the tool that compares two numbers, and its arguments.
const (
	CompareTool = "compare_numbers"
	ArgFirst    = "q1"
	ArgSecond   = "q2"
	ArgWhich    = "which"
)

// answerColumn is the column of its result.
const answerColumn = "answer"

// Which says which of two numbers is asked for.
type Which string

// The comparisons.
const (
	Larger  Which = "larger"
	Smaller Which = "smaller"
)

// The answers of Compare.
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

// labelRules tell how results are named, by the form of the calls.
var labelRules = map[Form]string{
	Slot: "",
	Rest: `An endpoint's result is $RESULT_n$; n counts the calls of endpoints from 0. `,
}

// Tool describes Compare.
func Tool(form Form) spec.Tool {
	number := func(part string) map[string]any {
		return map[string]any{
			"type":        "string",
			"description": fmt.Sprintf(`the answer of %s, as "$LABEL$": the result of the call that returns it, which is one number`, part),
		}
	}
	return spec.Tool{
		Name: CompareTool,
		Description: "Tell which of two questions has the larger or the smaller number as its answer: Q1 or Q2, or equal if neither has. The numbers are compared exactly. " +
			labelRules[form] + "The result is $" + compareLabel + "$, then $" + compareLabel + "_1$.",
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

// compare runs a call of Compare. number returns the only value of the result that
// a label names.
func compare(c tools.Call, number func(argument, label string) (value.Value, error)) (*tools.Table, error) {
	wrong := func(argument, reason, hint string) error {
		return &tools.ToolError{Tool: CompareTool, Argument: argument, Reason: reason, Hint: hint}
	}
	known := []string{ArgFirst, ArgSecond, ArgWhich}
	for _, a := range c.Arguments {
		if !slices.Contains(known, a.Name) {
			return nil, wrong(a.Name, "is no argument of this tool", "it takes "+strings.Join(known, ", "))
		}
	}
	which, _ := c.Arguments.Get(ArgWhich)
	if which != string(Larger) && which != string(Smaller) {
		return nil, wrong(ArgWhich, "is none of the comparisons", "use larger or smaller")
	}
	var numbers []value.Value
	for _, argument := range known[:2] {
		given, _ := c.Arguments.Get(argument)
		text, isText := given.(string)
		v, isNumber := tools.LiteralValue(given)
		if n := len(text); n > 2 && text[0] == '$' && text[n-1] == '$' {
			var err error
			if v, err = number(argument, text[1:n-1]); err != nil {
				return nil, err
			}
		} else if _, isTrue := given.(bool); isText || isTrue || !isNumber || given == nil {
			return nil, wrong(argument, "names no result", `write the label of the result between dollar signs, as in "$`+compareLabel+`$"`)
		}
		if v.Kind() != value.Integer && v.Kind() != value.Real {
			return nil, wrong(argument, "is no number", "give the result of a call that returns one number")
		}
		numbers = append(numbers, v)
	}
	answer := Which(which.(string)).Of(numbers[0], numbers[1])
	return tools.NewTable([]tools.Field{{Key: answerColumn}}, []*tools.Column{tools.NewColumn(value.Str(answer))})
}

// notOne says that a result cannot be compared as it is not one value.
func notOne(argument string, rows, columns int) error {
	return &tools.ToolError{
		Tool: CompareTool, Argument: argument, Reason: fmt.Sprintf("is a result of %d rows and %d columns", rows, columns),
		Hint: "give the result of a call that returns one number",
	}
}

// noResult says that there is no result of a label.
func noResult(argument, label string, labels []string) error {
	hint := "call the tools that answer the question first"
	if len(labels) > 0 {
		hint = "there are " + strings.Join(labels, ", ")
	}
	text, err := json.Marshal(label)
	if err != nil {
		return err
	}
	return &tools.ToolError{Tool: CompareTool, Argument: argument, Reason: "unknown label " + string(text), Hint: hint}
}

// one returns the only value of a table.
func one(ctx context.Context, argument string, t *tools.Table) (value.Value, error) {
	if columns := len(t.Keys()); t.Len() != 1 || columns != 1 {
		return value.Value{}, notOne(argument, t.Len(), columns)
	}
	return t.Scalar(ctx)
}
