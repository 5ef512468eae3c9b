package calltext_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/birdcall/birdcall/internal/evaluation/calltext"
	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Each file of testdata is a family of models or of texts. It has cases between
// lines of =, each of them a name, a text, and the calls that are in it.
const (
	newCase = "\n====================\n"
	input   = "\n--------------------\n"
	result  = "\n----------\n"
)

func TestParse(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 4 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var out []string
			for c := range strings.SplitSeq(strings.TrimSuffix(string(data), "\n"), newCase) {
				name, rest, ok := strings.Cut(c, input)
				text, _, found := strings.Cut(rest, result)
				if !ok || !found {
					t.Fatalf("%q has no text and result", c)
				}
				calls, err := calltext.Parse(text)
				out = append(out, name+input+text+result+shown(t, calls, err))
			}
			golden.Equal(t, file, strings.Join(out, newCase)+"\n")
		})
	}
}

// shown returns calls as a reader of the files sees them, one in a line.
func shown(t *testing.T, calls []calltext.Call, err error) string {
	t.Helper()
	if err != nil {
		var e *calltext.Error
		if !errors.As(err, &e) {
			t.Errorf("%T is no *Error", err)
		}
		return "error: " + e.Reason
	}
	lines := []string{}
	for _, c := range calls {
		var b strings.Builder
		if b.WriteString(c.Name); c.Name == "" {
			b.WriteString("?")
		}
		args, err := jsontext.Marshal(c.Arguments, "")
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(" " + string(args))
		if c.Label != "" {
			b.WriteString(" -> " + c.Label)
		}
		if c.Malformed != "" {
			b.WriteString("   malformed: " + c.Malformed)
		}
		lines = append(lines, b.String())
	}
	if len(lines) == 0 {
		return "no calls"
	}
	return strings.Join(lines, "\n")
}

func TestParseArguments(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "{}",
		" null ":                    "{}",
		"None":                      "{}",
		"[]":                        "{}",
		`{"b": 1.50, "a": [1]}`:     `{"b":1.50,"a":[1]}`,
		`{'a': True, 'b': None}`:    `{"a":true,"b":null}`,
		`"{\"a\": 1}"`:              `{"a":1}`,
		`{"a": 1, "a": 2,}`:         `{"a":2}`,
		`{"a": f(b=1), "c": now()}`: `{"a":{"name":"f","arguments":{"b":1}},"c":"now()"}`,
		`{"a": 9007199254740993}`:   `{"a":9007199254740993}`,
		`{"a": 1`:                   "reading calls: the arguments are no JSON from byte 7 on",
		`{"a": 1} and`:              "reading calls: the arguments are no JSON from byte 9 on",
		`[1]`:                       "reading calls: the arguments are no object",
		`"text"`:                    "reading calls: the arguments are no JSON from byte 4 on",
		`5`:                         "reading calls: the arguments are no object",
		strings.Repeat(`{"a":`, 150) + "1" + strings.Repeat("}", 150): "reading calls: the arguments are no JSON from byte 605 on",
		strings.Repeat(`{"a":`, 101) + "1" + strings.Repeat("}", 101): "reading calls: the arguments are more than 100 deep",
		strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 100): strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 100),
		strings.Repeat(`{"a":`, 110) + "1" + strings.Repeat("}", 110): "reading calls: the arguments are more than 100 deep",
		strings.Repeat(" ", 1<<20+1):                                  "reading calls: the text has 1048577 bytes; 1048576 are read at most",
	} {
		args, err := calltext.ParseArguments(text)
		got := ""
		if err != nil {
			got = err.Error()
		} else if b, err := jsontext.Marshal(args, ""); err == nil {
			got = string(b)
		}
		if got != want {
			t.Errorf("%.40s: %s, want %s", text, got, want)
		}
	}
}

// TestHostile has long texts that make a careless reader start
// again and again, or nest without end.
func TestHostile(t *testing.T) {
	for _, unit := range []string{
		"[", "{", "(", "[[{", `{"a":`, `["`, `{"`, "'", `"`, `\`, "```", "```json\n[", "~~~", "~~~“", "`", "<|python_tag|>x\n// ;~~~", "}<arg_key><|python_tag|>“=", "\n", "\nf(", "f(a=", "f(", "-1 ", "\n- ",
		"<tool_call>", "<tool_call>{", `<tool_call>["a",`, `"<tool_call>[",`, "<tool_call>\n<function=f><parameter=a>", "<function=", "<function=f>", "<parameter=",
		"[TOOL_CALLS]", "[TOOL_CALLS]f[ARGS]{", "[TOOL_CALLS]f[ARGS]", "<|python_tag|>f(", "<think>", "</think>", "<think></think>", "[THINK]",
		"<｜tool▁call▁begin｜>", "<｜tool▁call▁begin｜>f<｜tool▁sep｜>{", "<｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n",
		"<tool_call>f<arg_key>", "<tool_call>f<arg_key>a</arg_key><arg_value>", "USER:\n", "\nUSER:", "<|im_end|>", "#", "// ", "[1,", "[1, 2]", "x ", "f(a=b c ",
		`{"name": "f", "arguments": {"a": `, `{"name": "f", "arguments": "`, `\"`, `"\"`, "<|tool_call|>[{", "{}", "f() ", "f()\n", "“",
	} {
		text := strings.Repeat(unit, (1<<18)/len(unit))
		if _, err := calltext.Parse(text); err != nil && !strings.HasPrefix(err.Error(), "reading calls: ") {
			t.Errorf("%q: %v", unit, err)
		}
		_, _ = calltext.ParseArguments(text)
		_, _ = calltext.Paper(text)
		for _, model := range models {
			_, _ = calltext.PaperREST(text, model)
		}
	}
}

var models = []string{"Llama-3.3", "mixtral", "deepseek", "hammer", "qwen", "gpt-4o", "granite"}

func seeds(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for c := range strings.SplitSeq(string(data), newCase) {
			_, rest, _ := strings.Cut(c, input)
			text, _, _ := strings.Cut(rest, result)
			out = append(out, text)
		}
	}
	return out
}

// FuzzParse holds Parse to its word: calls or an *Error, and calls that are read
// again from their JSON as they are.
func FuzzParse(f *testing.F) {
	for _, text := range seeds(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		calls, err := calltext.Parse(text)
		if err != nil {
			var e *calltext.Error
			if !errors.As(err, &e) {
				t.Fatalf("%T is no *Error", err)
			}
			return
		}
		good := []tools.Call{}
		for _, c := range calls {
			if c.Malformed == "" {
				good = append(good, c.Call)
			}
		}
		data, err := json.Marshal(good)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > 1<<20 {
			return
		}
		again, err := calltext.Parse(string(data))
		if err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		back := []tools.Call{}
		for _, c := range again {
			if c.Malformed != "" {
				t.Errorf("%s %s", c.Name, c.Malformed)
			}
			back = append(back, c.Call)
		}
		if diff := cmp.Diff(good, back); diff != "" {
			t.Error(diff)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	texts := seeds(b)
	for b.Loop() {
		for i := range 1500 {
			_, _ = calltext.Parse(texts[i%len(texts)])
		}
	}
}

// FuzzPaper looks for texts that make the paper's own reading panic, and for
// results that are no JSON.
func FuzzPaper(f *testing.F) {
	for _, text := range seeds(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var results []any
		if calls, err := calltext.Paper(text); err == nil {
			results = append(results, calls)
		}
		if args, err := calltext.PaperArguments(text); err == nil {
			results = append(results, args)
		}
		for _, model := range models {
			if calls, err := calltext.PaperREST(text, model); err == nil {
				results = append(results, calls)
			}
		}
		if _, err := json.Marshal(results); err != nil {
			t.Error(err)
		}
	})
}
