package paper

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"github.com/birdcall/birdcall/pkg/tools"
)

// REST reads an answer about REST. What the model's name contains says how; the
// first that fits counts, so that a distilled deepseek-llama is a llama.
func REST(text, model string) ([]any, error) {
	model = strings.ToLower(model)
	text = strip(text)
	switch has := func(name string) bool { return strings.Contains(model, name) }; {
	case has("llama"), has("watt"):
		return functions(text)
	case has("mixtral"):
		return list(text)
	case has("deepseek"):
		return fence(text, "```json")
	case has("hammer"):
		return fence(text, "```")
	case has("qwen"):
		return tag(text)
	case has("gpt"):
		return fence(text, "```json")
	}
	return granite(text)
}

var function = regexp.MustCompile(`^([\pL\pN_]+)\((.*)\)$`)

// functions reads [f(a=1), g(b=2)] by cutting it at "),", then at every comma,
// also one in a string.
//
// A part that is no call is left out: prose is no calls and no error. A value
// is read as JSON, and is text without its single quotes if it is none; so True
// stays a text. Digits are a number, also with zeros before them.
func functions(text string) ([]any, error) {
	out := []any{}
	for part := range strings.SplitSeq(strings.Trim(text, "[]"), "),") {
		part = strip(part)
		if !strings.HasSuffix(part, ")") {
			part += ")"
		}
		m := function.FindStringSubmatch(part)
		if m == nil {
			continue
		}
		args := newObject()
		for pair := range strings.SplitSeq(m[2], ",") {
			key, value, ok := strings.Cut(pair, "=")
			if !ok {
				continue
			}
			v, err := valueOf(strip(value))
			if err != nil {
				return nil, err
			}
			args.set(strip(key), v)
		}
		out = append(out, call(m[1], args.args))
	}
	return out, nil
}

// maxDigits is the length up to which Python makes a number of a text.
const maxDigits = 4300

func valueOf(text string) (any, error) {
	if text != "" && strings.Trim(text, "0123456789") == "" {
		if len(text) > maxDigits {
			return nil, errors.New("a number in it has too many digits for Python")
		}
		n := strings.TrimLeft(text, "0")
		if n == "" {
			n = "0"
		}
		return json.Number(n), nil
	}
	if v, err := loads(text); err == nil {
		return v, nil
	}
	return strings.ReplaceAll(text, "'", ""), nil
}

// wrapped adds the brackets of a list that are missing, behind a quote that is
// dropped from the end.
func wrapped(text string) string {
	text = strings.TrimSuffix(text, "'")
	if !strings.HasPrefix(text, "[") {
		text = "[" + text
	}
	if !strings.HasSuffix(text, "]") {
		text += "]"
	}
	return text
}

// list reads a list in JSON. Anything else is no calls, and no error.
func list(text string) ([]any, error) {
	if v, err := loads(wrapped(text)); err == nil {
		return v.([]any), nil
	}
	return []any{}, nil
}

// fence reads the list in the first fenced block that begins so. A block is
// needed, even around pure JSON, and no other is looked at.
//
// ``` finds a block of json too, which then begins with the word json and is no
// JSON. A block with one object is an error, but an empty one is no calls. A
// list is no calls if its first element is no object, and if it is, the others
// may be what they like.
func fence(text, begin string) ([]any, error) {
	_, after, ok := strings.Cut(wrapped(text), begin)
	body, _, closed := strings.Cut(after, "```")
	if !ok || !closed {
		return nil, errors.New("it has no block between " + begin + " and ```")
	}
	body = strip(body)
	v, err := loads(body)
	if err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case []any:
		if len(v) > 0 {
			if _, ok := v[0].(tools.Arguments); ok {
				return v, nil
			}
		}
		return []any{}, nil
	case string:
		if body[0] == '"' { // and not NaN
			return []any{}, nil
		}
	case tools.Arguments:
		if len(v) == 0 {
			return []any{}, nil
		}
	}
	return nil, errors.New("its block is no list")
}

// tag reads what is between the first <tool_call> and the next
// </tool_call>, and nothing else. If it is no JSON it is an entry all the same,
// a text.
func tag(text string) ([]any, error) {
	_, after, ok := strings.Cut(strings.TrimSuffix(text, "'"), "<tool_call>")
	body, _, closed := strings.Cut(after, "</tool_call>")
	if !ok || !closed {
		return nil, errors.New("it has no <tool_call>...</tool_call>")
	}
	if v, err := loads(strip(body)); err == nil {
		return []any{v}, nil
	}
	return []any{strip(body)}, nil
}
