package session

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/convert/multi"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// compare runs a call of multi.CompareTool. number returns the only value of the result that
// a label names.
func compare(c tools.Call, number func(argument, label string) (value.Value, error)) (*tools.Table, error) {
	wrong := func(argument, reason, hint string) error {
		return &tools.ToolError{Tool: multi.CompareTool, Argument: argument, Reason: reason, Hint: hint}
	}
	known := []string{multi.ArgFirst, multi.ArgSecond, multi.ArgWhich}
	for _, a := range c.Arguments {
		if !slices.Contains(known, a.Name) {
			return nil, wrong(a.Name, "is no argument of this tool", "it takes "+strings.Join(known, ", "))
		}
	}
	which, _ := c.Arguments.Get(multi.ArgWhich)
	if which != string(multi.Larger) && which != string(multi.Smaller) {
		return nil, wrong(multi.ArgWhich, "is none of the comparisons", "use larger or smaller")
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
			return nil, wrong(argument, "names no result", `write the label of the result between dollar signs, as in "$`+multi.CompareLabel+`$"`)
		}
		if v.Kind() != value.Integer && v.Kind() != value.Real {
			return nil, wrong(argument, "is no number", "give the result of a call that returns one number")
		}
		numbers = append(numbers, v)
	}
	answer := multi.Which(which.(string)).Of(numbers[0], numbers[1])
	return tools.NewTable([]tools.Field{{Key: multi.AnswerColumn}}, []*tools.Column{tools.NewColumn(value.Str(answer))})
}

// notOne says that a result cannot be compared as it is not one value.
func notOne(argument string, rows, columns int) error {
	return &tools.ToolError{
		Tool: multi.CompareTool, Argument: argument, Reason: fmt.Sprintf("is a result of %d rows and %d columns", rows, columns),
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
	return &tools.ToolError{Tool: multi.CompareTool, Argument: argument, Reason: "unknown label " + string(text), Hint: hint}
}

// one returns the only value of a table.
func one(ctx context.Context, argument string, t *tools.Table) (value.Value, error) {
	if columns := len(t.Keys()); t.Len() != 1 || columns != 1 {
		return value.Value{}, notOne(argument, t.Len(), columns)
	}
	return t.Scalar(ctx)
}
