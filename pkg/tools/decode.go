package tools

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/value"
)

// decoder reads the arguments of one call. It keeps the first error; what it
// returns after that means nothing.
type decoder struct {
	session *Session
	tool    *tool
	args    Arguments
	err     error
}

// check compares the names of the arguments with the tool's parameters.
func (d *decoder) check() {
	names := parameterNames(d.tool.Parameters)
	for _, a := range d.args {
		if !slices.Contains(names, a.Name) {
			d.fail("", "unknown argument "+quoted(a.Name), takes(names))
		}
	}
	for _, p := range d.tool.Parameters {
		if _, given := d.args.Get(p.Name); p.Required && !given {
			d.fail(p.Name, "is missing", "give "+p.Description)
		}
	}
}

func (d *decoder) fail(argument, reason, hint string) {
	if d.err == nil {
		d.err = &ToolError{Tool: d.tool.Name, Argument: argument, Reason: reason, Hint: hint}
	}
}

// get returns an argument; null counts as not given.
func (d *decoder) get(name string) (any, bool) {
	v, _ := d.args.Get(name)
	return v, v != nil
}

// textOf returns a text, which a program may write as a Condition or another
// named string.
func textOf(v any) (string, bool) {
	switch v := v.(type) {
	case nil, json.Number:
		return "", false
	case string:
		return v, true
	}
	r := reflect.ValueOf(v)
	return r.String(), r.Kind() == reflect.String
}

func (d *decoder) text(name string) string {
	v, given := d.get(name)
	s, ok := textOf(v)
	if given && !ok {
		d.fail(name, "is not a text", "give a text in quotes")
	}
	return s
}

func (d *decoder) boolean(name string) bool {
	v, given := d.get(name)
	b, ok := v.(bool)
	if given && !ok {
		d.fail(name, "is not a boolean", "give true or false")
	}
	return b
}

func (d *decoder) integer(name string, otherwise int) int {
	v, given := d.get(name)
	if !given {
		return otherwise
	}
	literal, ok := scalar(v)
	if !ok || literal.Kind() != value.Integer || literal.Int64() > math.MaxInt32 || literal.Int64() < math.MinInt32 {
		d.fail(name, "is not a whole number of 32 bits", "give one, as in 10")
	}
	return int(literal.Int64())
}

// limit returns the optional limit, as RetrieveArgs and AggregateArgs have it:
// in a call, negative numbers are all rows and 0 is none.
func (d *decoder) limit() int {
	n := d.integer(toolname.ArgLimit, -1)
	if n == 0 {
		return NoRows
	}
	return max(n, 0)
}

// texts returns a text or a list of texts, nil if there is none.
func (d *decoder) texts(name string) []string {
	v, given := d.get(name)
	if !given {
		return nil
	}
	list, ok := textList(v)
	if !ok {
		d.fail(name, "is neither a text nor a list of texts", `give "key" or ["key1", "key2"]`)
	}
	return list
}

// separator returns the optional separator of concat.
func (d *decoder) separator() *string {
	if _, given := d.get(toolname.ArgSeparator); !given {
		return nil
	}
	text := d.text(toolname.ArgSeparator)
	return &text
}

// descending returns the opposites of the optional argument ascending, which
// is a boolean or a list of booleans; nil if it is not given.
func (d *decoder) descending() []bool {
	const name = toolname.ArgAscending
	v, given := d.get(name)
	list, ok := v.([]any)
	if !ok && given {
		list = []any{v}
	}
	var out []bool
	for _, item := range list {
		flag, ok := item.(bool)
		if !ok {
			d.fail(name, "is neither a boolean nor a list of booleans", "give true, false or [true, false]")
		}
		out = append(out, !flag)
	}
	return out
}

// frame reads the frame of a window function, nil if there is none.
func (d *decoder) frame(name string) *Frame {
	const hint = `write it as {"unit": "rows", "start": -1, "end": "current"}`
	v, given := d.get(name)
	if !given {
		return nil
	}
	object, ok := v.(Arguments)
	f := &Frame{}
	for _, a := range object {
		var valid bool
		switch a.Name {
		case toolname.ArgUnit:
			var unit string
			unit, valid = textOf(a.Value)
			f.Unit = FrameUnit(unit)
		case toolname.ArgStart:
			f.Start, valid = frameBound(a.Value)
		case toolname.ArgEnd:
			f.End, valid = frameBound(a.Value)
		}
		ok = ok && valid
	}
	if !ok || len(object) != 3 {
		d.fail(name, "is not a frame", hint)
	}
	return f
}

// frameBound reads "unbounded", "current" or a number.
func frameBound(v any) (Bound, bool) {
	switch v {
	case toolname.BoundUnbounded:
		return Bound{Unbounded: true}, true
	case toolname.BoundCurrent:
		return Bound{}, true
	}
	offset, ok := scalar(v)
	if offset.Kind() == value.Real {
		return Bound{Real: offset.Float64()}, ok
	}
	return Bound{Offset: offset.Int64()}, ok && offset.Kind() == value.Integer
}

// table returns the result that "$LABEL$" names.
func (d *decoder) table(name string) *Table {
	label, ok := labelOf(d.text(name))
	if !ok {
		d.fail(name, fmt.Sprintf("%s names no result", quoted(d.text(name))), `write the label between dollar signs, as in "$`+StartLabel+`$"`)
		return nil
	}
	t, ok := d.session.tables[label]
	if !ok {
		d.fail(name, "unknown label "+quoted(label), spelling.Suggest(label, d.session.labels))
	}
	return t
}

// operand reads an argument that is a value or a list of values.
func (d *decoder) operand(name string) Operand {
	v, given := d.args.Get(name)
	if !given {
		return Operand{}
	}
	return d.operandOf(name, v)
}

func (d *decoder) operandOf(name string, v any) Operand {
	if list, ok := v.([]any); ok {
		items := make([]Operand, len(list))
		for i, item := range list {
			if _, nested := item.([]any); nested {
				d.fail(name, "is a list of lists", "give a list of values")
				return Operand{}
			}
			items[i] = d.operandOf(name, item)
		}
		return Operand{kind: operandList, list: items}
	}
	if text, ok := textOf(v); ok {
		if label, ok := labelOf(text); ok {
			if t := d.session.tables[label]; t != nil {
				return Result(t)
			}
			d.fail(name, "unknown label "+quoted(label), spelling.Suggest(label, d.session.labels)+`; write {"literal": `+quoted(text)+`} for the text itself`)
			return Operand{}
		}
	}
	if object, ok := v.(Arguments); ok && len(object) == 1 {
		switch a := object[0]; a.Name {
		case toolname.ArgKeyName:
			if key, ok := a.Value.(string); ok {
				return Col(key)
			}
		case toolname.ArgLiteral:
			if literal, ok := scalar(a.Value); ok {
				return Literal(literal)
			}
		case toolname.ArgBlob:
			if text, ok := a.Value.(string); ok {
				if bytes, err := hex.DecodeString(text); err == nil {
					return Literal(value.Bytes(string(bytes)))
				}
			}
		}
	} else if literal, ok := scalar(v); ok {
		return Literal(literal)
	}
	d.fail(name, "is not a value", `give a literal, "$LABEL$", {"key_name": "other"}, {"literal": "text"} or {"blob": "hex digits"}`)
	return Operand{}
}

// operands reads an object of operands by name.
func (d *decoder) operands(name string) map[string]Operand {
	v, given := d.get(name)
	object, ok := v.(Arguments)
	if given && !ok {
		d.fail(name, "is not an object", `give an object, as in {"value": 1}`)
	}
	out := make(map[string]Operand, len(object))
	for _, a := range object {
		out[a.Name] = d.operandOf(name+"."+a.Name, a.Value)
	}
	return out
}

// noKeys refuses texts in an object of operands that are keys of a table: who writes
// "price" among numbers means the column, and a text that is no number counts as 0.
func (d *decoder) noKeys(t *Table, name string) {
	v, _ := d.get(name)
	object, _ := v.(Arguments)
	for _, a := range object {
		text, ok := textOf(a.Value)
		if _, isKey := t.index[text]; ok && isKey {
			d.fail(name+"."+a.Name, "is the text "+quoted(text)+", which is a key of the table",
				`write {"key_name": `+quoted(text)+`} for the column, or {"literal": `+quoted(text)+`} for the text itself`)
		}
	}
}

// labelOf returns the label in "$LABEL$", and whether the text is of that form.
func labelOf(text string) (string, bool) {
	label, ok := strings.CutPrefix(text, "$")
	if !ok {
		return "", false
	}
	label, ok = strings.CutSuffix(label, "$")
	return label, ok && isLabel(label)
}

// isLabel reports whether s is made of ASCII letters, digits and underscores.
func isLabel(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_') {
			return false
		}
	}
	return s != ""
}

// scalar returns the value of a JSON scalar. A number with neither point nor
// exponent is an INTEGER if it fits into 64 bits, any other one is a REAL, as
// with literals in SQLite (https://www.sqlite.org/lang_expr.html, section 2).
func scalar(v any) (value.Value, bool) {
	switch v := v.(type) {
	case nil:
		return value.NullValue(), true
	case bool:
		return value.Bool(v), true
	case int:
		return value.Int(int64(v)), true
	case int64:
		return value.Int(v), true
	case float64:
		return value.Float(v), true
	case json.Number:
		if i, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
			return value.Int(i), true
		}
		// A number out of range is infinite, as it is in SQLite.
		f, err := strconv.ParseFloat(v.String(), 64)
		if err != nil && !math.IsInf(f, 0) {
			return value.NullValue(), false
		}
		return value.Float(f), true
	}
	text, ok := textOf(v)
	return value.Str(text), ok
}

// LiteralJSON returns the argument that Session.Run reads as the value v, of
// the same storage class. Text that is not UTF-8 has no JSON form and becomes
// a BLOB.
func LiteralJSON(v value.Value) any {
	switch v.Kind() {
	case value.Integer:
		return json.Number(strconv.FormatInt(v.Int64(), 10))
	case value.Real:
		return json.Number(realJSON(v.Float64()))
	case value.Text:
		if !utf8.ValidString(v.Raw()) {
			return Arguments{{Name: toolname.ArgBlob, Value: hex.EncodeToString([]byte(v.Raw()))}}
		}
		if _, ok := labelOf(v.Raw()); ok {
			return Arguments{{Name: toolname.ArgLiteral, Value: v.Raw()}}
		}
		return v.Raw()
	case value.Blob:
		return Arguments{{Name: toolname.ArgBlob, Value: hex.EncodeToString([]byte(v.Raw()))}}
	}
	return nil
}

// realJSON writes a real so that it is read as a real again.
func realJSON(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "1e999"
	case math.IsInf(f, -1):
		return "-1e999"
	}
	format := byte('f')
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	s := strconv.FormatFloat(f, format, -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

// LiteralValue returns the value that LiteralJSON wrote, of the same storage
// class. It reports false for what is no literal, such as a list.
func LiteralValue(v any) (value.Value, bool) {
	if object, ok := v.(Arguments); ok && len(object) == 1 {
		text, ok := object[0].Value.(string)
		switch object[0].Name {
		case toolname.ArgLiteral:
			return value.Str(text), ok
		case toolname.ArgBlob:
			bytes, err := hex.DecodeString(text)
			return value.Bytes(string(bytes)), ok && err == nil
		}
	}
	return scalar(v)
}
