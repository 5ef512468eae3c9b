package chat

import (
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/observation"
)

// answerRule says to a model how to give the answer. result is what names one.
func answerRule(result string) string {
	return `When you have the answer, give it as JSON and nothing else: one value as itself, one column as a list of its values, several columns as a list of rows. Where not all of it was shown to you, tell what returned it and how many rows there are: {"result": "` + result + `", "row_count": 1234}.`
}

// Answer returns the answer as that rule asks for it, where this is what the last
// call returned: whole, in the form of gold_answer, if all of it was shown, and
// else what names the result and how many rows it has.
func Answer(last *observation.Observation, whole any, result string) (string, error) {
	if last.Truncated {
		whole = struct {
			Result   string `json:"result"`
			RowCount int    `json:"row_count"`
		}{result, last.RowCount}
	}
	text, err := jsontext.Marshal(whole, "")
	return string(text), err
}
