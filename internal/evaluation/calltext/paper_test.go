package calltext_test

import (
	"errors"
	"testing"

	"github.com/birdcall/birdcall/internal/evaluation/calltext"
	"github.com/birdcall/birdcall/internal/text/jsontext"
)

func TestPaper(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"JSON", `[{"name": "f", "arguments": {"a": 1.50}, "label": "$L$"}]`, `[{"name":"f","arguments":{"a":1.50},"label":"$L$"}]`},
		{"an object is a list of one", `The call: {"name": "f", "parameters": {}}.`, `[{"name":"f","parameters":{}}]`},
		{"line breaks are dropped, and so is the backslash of Markdown", "[{\"na\nme\": \"get\\_x\"}]", `[{"name":"get_x"}]`},
		{"JSON lines are one line by then", "{\"name\": \"f\"}\n{\"name\": \"g\"}", "error"},
		{"the last of two values", `[{"name": "f", "name": "g"}]`, `[{"name":"g"}]`},
		{"numbers that JSON does not have", `[{"a": NaN, "b": [Infinity, -Infinity]}]`, `[{"a":"nan","b":["inf","-inf"]}]`},
		{"a comma too many", `[{"name": "f"},]`, "error"},
		{"a bracket in the text before", `See [1]: {"name": "f"}`, `[1]`},
		{"a list of texts is no JSON", `["get_x"]`, "error"},
		{"an empty list is no JSON", `[]`, "error"},
		{"a list that is not closed is an empty object", `[{"name": "f", "arguments": {}}`, `[{}]`},
		{"an object that is not closed ends at the last brace", `{"name": "f", "arguments": {}`, "error"},

		{"calls in a text", `Calls: [f(a=1, b=True, c=true, d=None), g.h(e=['x', (1, 2)])].`,
			`[{"name":"f","arguments":{"a":1,"b":true,"c":"true","d":null}},{"name":"g.h","arguments":{"e":["x",[1,2]]}}]`},
		{"arguments without names", `Calls: [f(1, b=2)].`, `[{"name":"f","arguments":{"b":2}}]`},
		{"calls as arguments", `Calls: [f(a=g(1, "x"), b=g(c=1), d=now())].`,
			`[{"name":"f","arguments":{"a":"g(1, 'x')","b":{"name":"g","arguments":{"c":1}},"d":"now()"}}]`},
		{"every sign is a minus", `Calls: [f(a=+1, b=-2, c=~3)].`, `[{"name":"f","arguments":{"a":-1,"b":-2,"c":-3}}]`},
		{"texts, numbers and names of Python", `Calls: [f(a='x' "y", b=r'\d', c=0x1F, d=1_000, e=.5, f={1: ...})].`,
			`[{"name":"f","arguments":{"a":"xy","b":"\\d","c":31,"d":1000,"e":0.5,"f":{"1":"..."}}}]`},
		{"no number of Python, and no name", `Calls: [f(a=007), g(class=1)].`, "error"},
		{"a dot", `Calls: [f(a=b.c)].`, "error"},

		{"nothing but the list loses its brackets, and all values are texts", `[f(a=1, b="x, y", c=true)]`,
			`[{"name":"f","arguments":{"a":"1","b":"x, y","c":"true"}}]`},
		{"the second name has a space, and a value ends at =", `[f(a='x'), g(b="c=d")]`,
			`[{"name":"f","arguments":{"a":"x"}},{"name":" g","arguments":{"b":"c"}}]`},
		{"the character after a comma is dropped", `[f(a=1,b=2, c=3)]`, `[{"name":"f","arguments":{"a":"1","":"2","c":"3"}}]`},
		{"no arguments", `[f()]`, "error"},
		{"a comma between single quotes", `[f(a='x, y')]`, "error"},
		{"quotes within quotes", `[f(a="x"y")]`, `[{"name":"f","arguments":{"a":"x'y"}}]`},

		{"one tag is read as an object in a text", `<tool_call>{"name": "f"}`, `[{"name":"f"}]`},
		{"several tags", "<tool_call>\n{\"name\": \"f\"}\n</tool_call>\n<tool_call>\n{\"name\": \"g\"}\n</tool_call>", `[{"name":"f"},{"name":"g"}]`},
		{"what stands around the tags counts, and what is broken is left out", `{"a": 1} <tool_call>{"b": }</tool_call> {"c": 2}`, `[{"a":1},{"c":2}]`},
		{"lists between tags", `<tool_call>[{"name": "f"}]</tool_call><tool_call>[{"name": "g"}]</tool_call>`, `[]`},
		{"several tags without ends", `<tool_call>{"name": "f"}<tool_call>{"name": "g"}`, "error"},
		{"prose", "I cannot.", "error"},
	} {
		calls, err := calltext.Paper(c.text)
		check(t, c.name, calls, err, c.want)
	}
}

func TestPaperREST(t *testing.T) {
	for _, c := range []struct{ model, name, text, want string }{
		{"Llama-3.3-70b", "calls", `[f(a=1, b='x'), g(c=true, d=True)]`, `[{"name":"f","arguments":{"a":1,"b":"x"}},{"name":"g","arguments":{"c":true,"d":"True"}}]`},
		{"watt-tool-8b", "a comma in a text", `[f(a="x, y")]`, `[{"name":"f","arguments":{"a":"\"x"}}]`},
		{"watt-tool-8b", "an argument without a name", `[f(x, a=1)]`, `[{"name":"f","arguments":{"a":1}}]`},
		{"watt-tool-8b", "zeros", `f(a=007, b=1.50)`, `[{"name":"f","arguments":{"a":7,"b":1.50}}]`},
		{"llama", "a dotted name, and JSON", `[f.g(a=1)]`, `[]`},
		{"llama", "prose", `I cannot.`, `[]`},
		{"DeepSeek-R1-Distill-Llama", "is a llama", "```json\n[]\n```", `[]`},
		{"Mixtral-8x22B", "a list", `[{"name": "f"}]`, `[{"name":"f"}]`},
		{"Mixtral-8x22B", "brackets are added and a quote is dropped", `{"name": "f"}, {"name": "g"}'`, `[{"name":"f"},{"name":"g"}]`},
		{"Mixtral-8x22B", "invented turns", "[{\"name\": \"f\"}]\n\nUSER: x\nASSISTANT:\n[{\"name\": \"g\"}]", `[]`},
		{"deepseek-v3", "the first block", "Do\n```json\n[{\"name\": \"f\"}, 5]\n```\n```json\n[{\"name\": \"g\"}]\n```", `[{"name":"f"},5]`},
		{"deepseek-v3", "one object", "```json\n{\"name\": \"f\"}\n```", "error"},
		{"deepseek-v3", "an empty object", "```json\n{}\n```", `[]`},
		{"deepseek-v3", "texts", "```json\n[\"get_x\"]\n```", `[]`},
		{"gpt-4o", "pure JSON", `[{"name": "f"}]`, "error"},
		{"Hammer-7b", "a block", "```\n[{\"name\": \"f\"}]\n```", `[{"name":"f"}]`},
		{"Hammer-7b", "a block of json", "```json\n[{\"name\": \"f\"}]\n```", "error"},
		{"Hammer-7b", "NaN", "```NaN```", "error"},
		{"Qwen2.5-72b", "the first tag", "x<tool_call>\n{\"name\": \"f\"}\n</tool_call><tool_call>{}</tool_call>", `[{"name":"f"}]`},
		{"Qwen2.5-72b", "no JSON", "<tool_call> f(a=1) </tool_call>", `["f(a=1)"]`},
		{"Qwen2.5-72b", "not closed", "<tool_call>{}", "error"},
		{"granite-3.1", "the mark", `[<tool_call>[{"name": "f", "arguments": {"a": "b"}}, {"name": "g", "arguments": {}}]`,
			`[{"name":"f","arguments":{"a":"b"}},{"name":"g","arguments":{}}]`},
		{"granite-3.1", "backslashes, and letters beyond ASCII", `<tool_call>[{\"name\": \"f\", \"arguments\": {\"a\": \"\u00e9é\"}}]`,
			`[{"name":"f","arguments":{"a":"éÃ©"}}]`},
		{"granite-3.1", "an object in the arguments", `<tool_call>[{"name": "f", "arguments": {"a": {"b": 1}}}]`, `[]`},
		{"granite-3.1", "a call in the arguments", `<tool_call>[{"name": "f", "arguments": {"a": {"name": "g", "arguments": {}}}}]`,
			`[{"name":"f","arguments":{"a":{"name":"g","arguments":{}}}}]`},
		{"granite-3.1", "arguments that are no JSON", `<tool_call>[{"name": "f", "arguments": {a}}]`, `[{"name":"f","arguments":"{a}"}]`},
		{"granite-3.1", "the mark in an earlier line", "<tool_call>[{\"name\": \"f\",\n\"arguments\": {}}]", `[]`},
		{"granite-3.1", "a backslash at the wrong place", `<tool_call>[\x]`, "error"},
		{"granite-3.1", "prose", `I cannot.`, `[]`},
	} {
		calls, err := calltext.PaperREST(c.text, c.model)
		check(t, c.model+": "+c.name, calls, err, c.want)
	}
}

func TestPaperArguments(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"a": 1}`, `{"a":1}`},
		{`so {"a": 1} it is`, `{"a":1}`},
		{"{\"a\": 1}\n{\"b\": 2}", `[{"a":1},{"b":2}]`},
		{`[{"a": 1}]`, `[{"a":1}]`},
		{`[{"a": 1}`, `{}`},
		{``, "error"},
	} {
		v, err := calltext.PaperArguments(c.text)
		check(t, c.text, v, err, c.want)
	}
}

func check(t *testing.T, name string, v any, err error, want string) {
	t.Helper()
	got := "error"
	if err == nil {
		text, err := jsontext.Marshal(v, "")
		if err != nil {
			t.Fatal(err)
		}
		got = string(text)
	}
	var e *calltext.Error
	if err != nil && !errors.As(err, &e) {
		t.Errorf("%s: %T is no *Error", name, err)
	}
	if got != want {
		t.Errorf("%s: got %s, want %s", name, got, want)
	}
}
