package paper

import (
	"encoding/json"
	"errors"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/birdcall/birdcall/pkg/tools"
)

var errPython = errors.New("it is no list of calls as Python writes them")

// fromPython reads a list of calls, from the first [ to the last ].
//
// Brackets and single quotes are removed from the ends first, so that a text
// which is [f(a=1)] and nothing else has no list any more. Arguments without
// names are dropped. A word without quotes is a text, so true is "true", and
// every sign is a minus.
func fromPython(text string) ([]any, error) {
	text = strings.Trim(text, "[]'")
	begin, end := strings.IndexByte(text, '['), strings.LastIndexByte(text, ']')
	if begin < 0 || end <= begin {
		return nil, errPython
	}
	p := python{scanner{text: text[begin : end+1]}}
	v, ok := p.expression(0)
	p.space()
	calls, isList := v.(pyList)
	if !ok || !isList || calls.tuple || p.pos < len(p.text) {
		return nil, errPython
	}
	out := []any{}
	for _, item := range calls.items {
		c, ok := item.(*pyCall)
		if !ok {
			return nil, errPython
		}
		out = append(out, c.json())
	}
	return out, nil
}

// python reads expressions: constants, names, lists, tuples, dicts, calls.
type python struct{ scanner }

type pyName string

type pyList struct {
	items []any
	tuple bool
}

type pyCall struct {
	name       string
	args       *object
	positional []string // as Python prints them
}

func (c *pyCall) json() tools.Arguments { return call(c.name, c.args.args) }

// plain returns an expression as a value of JSON. A call without named arguments
// is its text.
func plain(v any) any {
	switch v := v.(type) {
	case pyName:
		return string(v)
	case pyList:
		for i, item := range v.items {
			v.items[i] = plain(item)
		}
		return v.items
	case *pyCall:
		if len(v.args.args) == 0 {
			return v.name + "(" + strings.Join(v.positional, ", ") + ")"
		}
		return v.json()
	}
	return v
}

// keywords cannot be names.
var keywords = strings.Fields(`and as assert async await break class continue def del elif else except finally for from
	global if import in is lambda nonlocal not or pass raise return try while with yield`)

func (p *python) expression(depth int) (any, bool) {
	p.space()
	switch {
	case depth > maxDepth || p.pos == len(p.text):
		return nil, false
	case p.take("..."):
		return "...", true
	case p.take("["):
		items, _, ok := p.items("]", depth)
		return pyList{items: items}, ok
	case p.take("("):
		items, comma, ok := p.items(")", depth)
		if len(items) == 1 && !comma {
			return items[0], ok
		}
		return pyList{items, true}, ok
	case p.take("{"):
		return p.dict(depth)
	case p.take("-"), p.take("+"), p.take("~"):
		p.space()
		n, ok := p.number()
		return negative(n), ok
	}
	if v, ok, is := p.quoted(); is {
		return v, ok
	}
	if n, ok := p.number(); ok {
		return n, true
	}
	return p.word(depth)
}

// items reads expressions up to a closing bracket, and says whether a comma
// is before it.
func (p *python) items(closing string, depth int) (items []any, comma, ok bool) {
	items = []any{}
	for p.space(); !p.take(closing); p.space() {
		v, ok := p.expression(depth + 1)
		if !ok {
			return nil, false, false
		}
		items = append(items, v)
		p.space()
		if comma = p.take(","); !comma && !strings.HasPrefix(p.text[p.pos:], closing) {
			return nil, false, false
		}
	}
	return items, comma, true
}

func (p *python) dict(depth int) (any, bool) {
	o := newObject()
	for p.space(); !p.take("}"); p.space() {
		k, ok := p.expression(depth + 1)
		if p.space(); !ok || !p.take(":") {
			return nil, false
		}
		v, ok := p.expression(depth + 1)
		if !ok {
			return nil, false
		}
		name, ok := key(plain(k))
		if !ok {
			return nil, false
		}
		o.set(name, plain(v))
		if p.space(); !p.take(",") && !strings.HasPrefix(p.text[p.pos:], "}") {
			return nil, false
		}
	}
	return o.args, true
}

// key is the key of a dict as json.dumps writes it.
func key(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	case bool:
		if v {
			return "true", true
		}
		return "false", true
	case nil:
		return "null", true
	}
	return "", false
}

// word reads a name, a constant or a call.
func (p *python) word(depth int) (any, bool) {
	name := p.identifier()
	switch name {
	case "":
		return nil, false
	case "True":
		return true, true
	case "False":
		return false, true
	case "None":
		return nil, true
	}
	dotted := false
	for p.space(); p.take("."); p.space() {
		p.space()
		part := p.identifier()
		if part == "" {
			return nil, false
		}
		name += "." + part
		dotted = true
	}
	if p.take("(") {
		return p.call(name, depth)
	}
	return pyName(name), !dotted
}

func (p *python) call(name string, depth int) (any, bool) {
	c := &pyCall{name: name, args: newObject()}
	for p.space(); !p.take(")"); p.space() {
		begin := p.pos
		arg := p.identifier()
		p.space()
		named := arg != "" && !slices.Contains([]string{"True", "False", "None"}, arg) && p.take("=")
		if !named {
			p.pos = begin
		}
		v, ok := p.expression(depth + 1)
		switch {
		case !ok || !named && len(c.args.args) > 0:
			return nil, false
		case named:
			c.args.set(arg, plain(v))
		default:
			c.positional = append(c.positional, printed(p.text[begin:p.pos], v))
		}
		if p.space(); !p.take(",") && !strings.HasPrefix(p.text[p.pos:], ")") {
			return nil, false
		}
	}
	return c, true
}

// printed returns an expression as Python prints it, which is how it was
// written but for the quotes of texts.
func printed(source string, v any) string {
	if s, ok := v.(string); ok && s != "..." && !strings.ContainsAny(s, `'\`) {
		return "'" + s + "'"
	}
	return strip(source)
}

// identifier reads a name that is no keyword, "" if there is none.
func (p *python) identifier() string {
	begin := p.pos
	for p.pos < len(p.text) {
		c, size := utf8.DecodeRuneInString(p.text[p.pos:])
		if c != '_' && !unicode.IsLetter(c) && (p.pos == begin || !unicode.IsDigit(c)) {
			break
		}
		p.pos += size
	}
	if name := p.text[begin:p.pos]; !slices.Contains(keywords, name) {
		return name
	}
	p.pos = begin
	return ""
}

var numeral = regexp.MustCompile(`^(?:(0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)|((?:[0-9](?:_?[0-9])*)?)(?:(\.)((?:[0-9](?:_?[0-9])*)?))?([eE][-+]?[0-9]+)?)`)

// number reads a number, and writes it as JSON does.
func (p *python) number() (any, bool) {
	m := numeral.FindStringSubmatch(p.text[p.pos:])
	whole, fraction := strings.ReplaceAll(m[2], "_", ""), strings.ReplaceAll(m[4], "_", "")
	next, _ := utf8.DecodeRuneInString(p.text[p.pos+len(m[0]):])
	if m[1] == "" && whole+fraction == "" || next == '_' || unicode.IsLetter(next) || unicode.IsDigit(next) {
		return nil, false
	}
	integer := m[3] == "" && m[5] == ""
	if integer && m[1] == "" && strings.HasPrefix(whole, "0") && strings.Trim(whole, "0") != "" {
		return nil, false
	}
	p.pos += len(m[0])
	if m[1] != "" {
		n, ok := new(big.Int).SetString(m[1], 0)
		return json.Number(n.String()), ok
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if m[3] != "" {
		if fraction == "" {
			fraction = "0"
		}
		whole += "." + fraction
	}
	return json.Number(whole + m[5]), true
}

// negative is a number under a sign, whichever it is.
func negative(v any) any {
	if n, ok := v.(json.Number); ok && n != "0" {
		return "-" + n
	}
	return v
}

// quoted reads strings one after the other, which are one. is says whether there
// is any. Those of bytes and those with expressions in them are not read.
func (p *python) quoted() (v any, ok, is bool) {
	var b strings.Builder
	for {
		begin := p.pos
		raw := p.take("r") || p.take("R")
		if !raw {
			_ = p.take("u") || p.take("U")
		}
		if !strings.HasPrefix(p.text[p.pos:], "'") && !strings.HasPrefix(p.text[p.pos:], `"`) {
			p.pos = begin
			return b.String(), true, is
		}
		is = true
		if !p.oneString(&b, raw) {
			return nil, false, true
		}
		p.space()
	}
}

func (p *python) oneString(b *strings.Builder, raw bool) bool {
	quote := p.text[p.pos : p.pos+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(p.text[p.pos:], triple) {
		quote = triple
	}
	p.pos += len(quote)
	for p.pos < len(p.text) {
		switch {
		case p.take(quote):
			return true
		case p.text[p.pos] == '\\' && raw:
			end := min(p.pos+2, len(p.text))
			b.WriteString(p.text[p.pos:end])
			p.pos = end
		case p.text[p.pos] == '\\':
			s, n, ok := escape(p.text[p.pos+1:])
			if !ok {
				return false
			}
			b.WriteString(s)
			p.pos += 1 + n
		default:
			b.WriteByte(p.text[p.pos])
			p.pos++
		}
	}
	return false
}
