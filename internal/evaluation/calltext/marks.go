package calltext

import (
	"regexp"
	"strings"

	"github.com/birdcall/birdcall/pkg/tools"
)

// marks are what families of models write before a call. What follows is read
// by the function next to the mark.
var marks = []struct {
	begin string
	read  func(*block)
}{
	{"<tool_call>", (*block).body},
	{"<tool_calls>", (*block).body},
	{"<function_call>", (*block).body},
	{"<function_calls>", (*block).body},
	{"<functioncall>", (*block).body},
	{"<TOOLCALL>", (*block).body},
	{"<|tool_call|>", (*block).body},
	{"<|tool_calls|>", (*block).body},
	{"<|tool_call_start|>", (*block).body},
	{"<|action_start|><|plugin|>", (*block).body},
	{"<|START_ACTION|>", (*block).body},
	{"[TOOL_CALLS]", (*block).body},
	{"<|python_tag|>", (*block).python},
	{"<function=", (*block).function},
	{"<｜tool▁call▁begin｜>", (*block).separated},
	{"<|tool_call_begin|>", (*block).separated},
}

var markBegins = func() (out []string) {
	for _, m := range marks {
		out = append(out, m.begin)
	}
	return out
}()

// block is the text after a mark, up to the next one.
type block struct {
	text     string
	pos, end int
	found
	// far is how far the reader came, whether or not it found a call.
	far int
}

// marked reads what follows the marks of a text. What is broken counts only
// next to what is not.
func marked(text string) ([]Call, bool) {
	calls, ok := []Call{}, false
	tries := effort * len(text)
	for pos := 0; tries >= 0; {
		at, mark := next(text, pos, markBegins)
		if mark < 0 {
			break
		}
		b := block{text: text, pos: at + len(markBegins[mark])}
		begin := b.pos
		b.end, _ = next(text, b.pos, markBegins)
		marks[mark].read(&b)
		calls = append(calls, b.all()...)
		ok = ok || b.whole()
		tries -= max(b.far-b.pos, 0)
		pos = max(b.pos, begin)
	}
	return calls, ok
}

// rest is what is left of the block. It is "" if a string of a call went on
// beyond the next mark.
func (b *block) rest() string { return b.text[min(b.pos, b.end):b.end] }

// reader returns a reader of the text from the block's place on, behind space
// and the line that begins a fenced block.
func (b *block) reader() *reader {
	r := &reader{text: b.text, pos: b.pos}
	r.space()
	if atFence(r.text[r.pos:]) {
		r.pos += 3
		r.pos += info(r.text[r.pos:])
		r.space()
	}
	return r
}

// body reads calls as objects, lists or f(a=1), as a name with arguments, or as
// GLM writes them.
func (b *block) body() {
	r := b.reader()
	values := r.statements()
	b.reach(r.far)
	for _, v := range values {
		b.addMarked(v)
	}
	if len(values) > 0 {
		b.pos = r.pos
	} else if b.keyed() || b.named() {
		return
	}
	if rest := strings.TrimLeft(b.rest(), " \t\r\n,;"); strings.HasPrefix(rest, "{") || strings.HasPrefix(rest, "[") {
		b.pieces(rest)
	}
}

func (b *block) reach(far int) { b.far = max(b.far, far) }

// addMarked adds a value that was marked as a call.
func (b *block) addMarked(v any) {
	if isScalar(v) {
		v = []any{v}
	}
	b.add(v)
}

// pieces finds the calls in a list or object that cannot be read as a whole.
func (b *block) pieces(text string) {
	b.pos = b.end
	n := len(b.groups)
	if b.search(text); len(b.groups) == n {
		b.addBrokenCall(malformed("", ""), unending)
	}
}

// python reads the body after <|python_tag|>, where Llama writes name.call(a=1)
// for tools that it was trained on.
func (b *block) python() {
	b.body()
	for _, group := range b.groups {
		for i := range group.calls {
			group.calls[i].Name = strings.TrimSuffix(group.calls[i].Name, ".call")
		}
	}
}

// toolName is a name before its arguments. Mistral has [ARGS] between them, and
// an id before that.
var toolName = regexp.MustCompile(`^\s*([\pL_][\pL\pN_.\\/-]*)\s*(?:\[CALL_ID\][^\[{]*)?(?:\[ARGS\])?\s*`)

// named reads names with the arguments behind them: f {"a": 1}.
func (b *block) named() bool {
	ok := false
	for {
		m := toolName.FindStringSubmatch(b.rest())
		if m == nil {
			return ok
		}
		at := b.pos
		if b.pos += len(m[0]); !b.arguments(m[1]) {
			b.pos = at
			return ok
		}
		ok = true
	}
}

// arguments reads an object as the arguments of the function of that name.
func (b *block) arguments(name string) bool {
	r := b.reader()
	if !r.is('{') {
		return false
	}
	v, ok := r.value(0)
	b.reach(r.far)
	if ok {
		b.pos = r.pos
		b.addCall(name, v.(tools.Arguments))
	}
	return ok
}

// separated reads a call of DeepSeek: function, a separator, the name, and the
// arguments in a fenced block; in newer versions the name, a separator and the
// arguments. Kimi's name is functions.NAME:0.
func (b *block) separated() {
	for _, separator := range []string{"<｜tool▁sep｜>", "<|tool_sep|>", "<|tool_call_argument_begin|>"} {
		name, rest, ok := strings.Cut(b.rest(), separator)
		if !ok {
			continue
		}
		b.pos = b.end - len(rest)
		if line, after, ok := strings.Cut(rest, "\n"); ok && strings.TrimSpace(name) == "function" && !strings.HasPrefix(strings.TrimSpace(line), "{") {
			name = line
			b.pos = b.end - len(after)
		}
		name = strings.TrimPrefix(strings.TrimSpace(name), "functions.")
		name, _, _ = strings.Cut(name, ":")
		if !b.arguments(name) {
			b.addBrokenCall(malformed(trimName(name), ""), unending)
		}
		return
	}
}

// function reads <function=f>{"a": 1}</function> of Llama, and of Qwen3-Coder
// <function=f><parameter=a>1</parameter></function>.
func (b *block) function() {
	name, rest, ok := strings.Cut(b.rest(), ">")
	if !ok || strings.ContainsAny(name, "\n<{") {
		return
	}
	b.pos = b.end - len(rest)
	if b.arguments(name) {
		return
	}
	if strings.HasPrefix(strings.TrimSpace(rest), "{") {
		b.addBrokenCall(malformed(trimName(name), ""), unending)
		return
	}
	rest, _, _ = strings.Cut(rest, "</function>")
	o := object{args: tools.Arguments{}}
	for _, part := range strings.Split(rest, "<parameter=")[1:] {
		if key, v, ok := strings.Cut(part, ">"); ok {
			v, _, _ = strings.Cut(v, "</parameter>")
			o.set(cleanName(strings.TrimSpace(key)), unquoted(v))
		}
	}
	b.addCall(name, o.args)
}

// keyed reads a call of GLM: the name, then <arg_key>a</arg_key> and
// <arg_value>1</arg_value> for each argument.
func (b *block) keyed() bool {
	rest, _, _ := strings.Cut(b.rest(), "</tool_call>")
	parts := strings.Split(rest, "<arg_key>")
	if len(parts) < 2 {
		return false
	}
	o := object{args: tools.Arguments{}}
	for _, part := range parts[1:] {
		key, v, _ := strings.Cut(part, "</arg_key>")
		_, v, _ = strings.Cut(v, "<arg_value>")
		v, _, _ = strings.Cut(v, "</arg_value>")
		o.set(cleanName(strings.TrimSpace(key)), unquoted(v))
	}
	b.addCall(parts[0], o.args)
	b.pos = b.end
	return true
}

// unquoted returns the value of a parameter that is written without quotes.
func unquoted(text string) any {
	text = strings.TrimSuffix(strings.TrimPrefix(text, "\n"), "\n")
	r := reader{text: text}
	r.space()
	if v, ok := r.value(0); ok && strings.TrimSpace(text[r.pos:]) == "" {
		if _, call := v.(invoked); !call {
			return v
		}
	}
	return text
}
