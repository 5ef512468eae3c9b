package calltext

import (
	"fmt"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/pkg/tools"
)

// maxText bounds a text in bytes.
const maxText = 1 << 20

// maxStrings bounds how often a string of JSON holds a string of JSON.
const maxStrings = 3

// Call is a call as far as it could be read.
type Call struct {
	tools.Call
	// Malformed says why the entry is no call, as in "has no name". It is "" for
	// a call.
	Malformed string `json:"malformed,omitempty"`
}

// Error says why no calls, or no arguments, could be read.
type Error struct {
	Reason string
}

func (e *Error) Error() string { return "reading calls: " + e.Reason }

// Parse returns the calls in a text, in their order. The error is an *Error if
// there are none, but an empty list in the text is no calls and no error.
func Parse(text string) ([]Call, error) {
	if len(text) > maxText {
		return nil, tooLong(text)
	}
	return parse(strings.ToValidUTF8(text, "\uFFFD"), 0)
}

func tooLong(text string) error {
	return &Error{fmt.Sprintf("the text has %d bytes; %d are read at most", len(text), maxText)}
}

// parse reads a text that is in so many strings.
func parse(text string, strs int) ([]Call, error) {
	if strings.TrimSpace(text) == "" {
		return nil, &Error{"the text is empty"}
	}
	if calls, ok, err := readWhole(text, strs); ok {
		return calls, err
	}
	answer, ends := withoutReasoning(text)
	answer = firstTurn(answer)
	if strings.TrimSpace(answer) == "" {
		return nil, &Error{"the text has nothing but reasoning and marks of turns"}
	}
	notations := []func(string) ([]Call, bool){marked, fenced, inProse, inLines}
	if !ends {
		notations = notations[:1]
	} else if calls, ok, err := readWhole(answer, strs); ok {
		return calls, err
	}
	for _, notation := range notations {
		if calls, ok := notation(answer); ok {
			return calls, nil
		}
	}
	if plain := strings.NewReplacer(`\"`, `"`, `\n`, "\n", `\\`, `\`).Replace(text); plain != text && strs < maxStrings {
		return parse(plain, strs+1)
	}
	if !ends {
		return nil, &Error{"the reasoning does not end, and no call in it has a mark such as <tool_call>"}
	}
	return nil, &Error{"the text has no call in any notation that is known"}
}

// readWhole reads a text that is made of values: of lists, objects and calls, or
// of one string that holds such a text.
func readWhole(text string, strs int) ([]Call, bool, error) {
	values, ok := whole(text)
	if !ok {
		return nil, false, nil
	}
	if inner, ok := values[0].(string); ok && len(values) == 1 && strs < maxStrings {
		calls, err := parse(inner, strs+1)
		return calls, true, err
	}
	if slices.ContainsFunc(values, isScalar) {
		return nil, false, nil
	}
	return entries(values), true, nil
}

// whole returns the values that a text is made of, if it is made of values.
func whole(text string) ([]any, bool) {
	r := reader{text: text}
	values := r.statements()
	return values, len(values) > 0 && r.pos == len(text)
}

// ParseArguments returns the arguments that the text of a tool call holds: an
// object in JSON, or as Python writes it. "" and "null" are no arguments. The
// error is an *Error.
func ParseArguments(text string) (tools.Arguments, error) {
	if len(text) > maxText {
		return nil, tooLong(text)
	}
	args, reason := argumentsIn(strings.ToValidUTF8(text, "\uFFFD"), 0)
	if reason != "" {
		return nil, &Error{"the arguments " + reason}
	}
	return args, nil
}

// argumentsIn returns the arguments in a text, or why there are none.
func argumentsIn(text string, strs int) (tools.Arguments, string) {
	if strings.TrimSpace(text) == "" {
		return tools.Arguments{}, ""
	}
	r := reader{text: text}
	r.space()
	v, ok := r.value(0)
	r.space()
	if !ok || r.pos < len(text) {
		return nil, fmt.Sprintf("are no JSON from byte %d on", r.pos)
	}
	return argumentsOf(v, strs)
}

// argumentsOf returns a value as arguments, or why it is none.
func argumentsOf(v any, strs int) (tools.Arguments, string) {
	switch v := v.(type) {
	case nil:
		return tools.Arguments{}, ""
	case []any:
		if len(v) == 0 {
			return tools.Arguments{}, ""
		}
	case string:
		if strs < maxStrings {
			return argumentsIn(v, strs+1)
		}
	case tools.Arguments:
		args, deep := plain(v, 0)
		if deep {
			return nil, fmt.Sprintf("are more than %d deep", maxDepth)
		}
		return args.(tools.Arguments), ""
	}
	return nil, "are no object"
}
