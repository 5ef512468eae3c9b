package calltext

import (
	"strings"

	"github.com/birdcall/birdcall/internal/evaluation/calltext/internal/paper"
)

// Paper returns the calls that the evaluator of Elder et al. reads in an answer
// about SLOT or SEL. They are values of JSON, with objects as tools.Arguments
// and numbers as json.Number, and need not look like calls at all. Labels are
// as they are, and arguments may be under parameters. The error is an *Error
// where the evaluator counts an error of parsing, as with an empty list.
//
// Numbers keep their digits: Python's 100000.0 is still 1e5.
func Paper(text string) ([]any, error) {
	return reading(text, paper.Calls)
}

// PaperREST returns the calls that the evaluator of Elder et al. reads in an
// answer about REST, which depends on the model's name. A text without calls is
// an *Error for some models and no calls for others.
func PaperREST(text, model string) ([]any, error) {
	return reading(text, func(text string) ([]any, error) { return paper.REST(text, model) })
}

// PaperArguments returns what the evaluator of Elder et al. reads in the
// arguments of a native tool call. It need not be an object.
func PaperArguments(text string) (any, error) {
	return reading(text, paper.Arguments)
}

func reading[T any](text string, read func(string) (T, error)) (T, error) {
	var none T
	if len(text) > maxText {
		return none, tooLong(text)
	}
	out, err := read(strings.ToValidUTF8(text, "\uFFFD"))
	if err != nil {
		return none, &Error{err.Error()}
	}
	return out, nil
}
