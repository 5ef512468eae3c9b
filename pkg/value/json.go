package value

import (
	"slices"
	"strings"
	"time"

	"github.com/birdcall/birdcall/internal/text/spelling"
)

// The functions on JSON (https://www.sqlite.org/json1.html). Texts are read as
// JSON5 and written as SQLite writes them: numbers and strings as they were
// where plain JSON has them, labels in their order, also those that occur twice.
//
// A BLOB that looks like JSONB is refused; any other is read as a text, as
// SQLite does.

// subtypeJSON is the kind of a text that is taken for JSON. Only CallJSON makes
// such values, and no function returns them.
const subtypeJSON = Blob + 1

// CallJSON is Call where some arguments are JSON and not mere text: those that
// a function on JSON has returned. json says which; it is as long as args.
// Only the values that json_array, json_object, json_quote, json_set,
// json_insert and json_replace put into JSON make a difference
// (https://www.sqlite.org/json1.html, section 3.5).
func CallJSON(name string, args []Value, json []bool, now time.Time) (Value, error) {
	marked := slices.Clone(args)
	for i, v := range args {
		if json[i] && v.kind == Text && TakesJSON(name, i) {
			marked[i].kind = subtypeJSON
		}
	}
	return Call(name, marked, now)
}

// TakesJSON reports whether a function, its name in any case, puts the argument
// at a place, counted from 0, into JSON.
func TakesJSON(name string, place int) bool {
	switch spelling.Lower(name) {
	case "json_array", "json_quote":
		return true
	case "json_object":
		return place%2 == 1
	case "json_set", "json_insert", "json_replace":
		return place > 0 && place%2 == 0
	}
	return false
}

// jsonFunction is a function that reads JSON in its first argument, which makes
// it NULL where that is. used is the number of arguments below which it reads
// nothing and is NULL as well.
func jsonFunction(name string, minArgs, used, maxArgs int, f func(c *jsonCall, args []Value) (Value, error)) builtin {
	return builtin{minArgs, maxArgs, func(args []Value, _ time.Time) (Value, error) {
		if len(args) < used || args[0].kind == Null {
			return Value{}, nil
		}
		root, err := parseArgument(name, args[0])
		if err != nil {
			return Value{}, err
		}
		return f(&jsonCall{name: name, root: root}, args)
	}}
}

// jsonCall is one call of such a function.
type jsonCall struct {
	name string
	root *jsonNode
}

func (c *jsonCall) malformed() error { return malformedJSON(c.name) }

func malformedJSON(name string) error { return &FunctionError{name, "malformed JSON"} }

// parseArgument reads the JSON in an argument that is not NULL.
func parseArgument(name string, v Value) (*jsonNode, error) {
	if looksLikeJSONB(v) {
		return nil, &FunctionError{name, "JSONB is not read here; give the JSON as a text"}
	}
	root, _, ok := parseJSON(AsText(v))
	if !ok {
		return nil, malformedJSON(name)
	}
	return root, nil
}

// text is the call's result, JSON in minimal form.
func (c *jsonCall) text(n *jsonNode) (Value, error) { return c.textAt(n, 0) }

// textAt is text of an element that is nested so deep.
func (c *jsonCall) textAt(n *jsonNode, depth int) (Value, error) {
	var b strings.Builder
	if !n.write(&b, depth) {
		return Value{}, c.malformed()
	}
	return Str(b.String()), nil
}

// value is the SQL value of an element: arrays and objects are their text.
func (c *jsonCall) value(n *jsonNode) (Value, error) {
	if n.kind >= jsonArray {
		return c.text(n)
	}
	v, ok := n.value()
	if !ok {
		return v, c.malformed()
	}
	return v, nil
}

// jsonExtract is json_extract(), which makes an array of several paths.
func jsonExtract(c *jsonCall, args []Value) (Value, error) {
	list := &jsonNode{kind: jsonArray}
	for _, path := range args[1:] {
		if path.kind == Null {
			return Value{}, nil
		}
		n, err := c.find(AsText(path))
		switch {
		case err != nil:
			return Value{}, err
		case len(args) > 2 && n == nil:
			n = &jsonNode{kind: jsonNull}
		case len(args) > 2:
		case n == nil:
			return Value{}, nil
		default:
			return c.value(n)
		}
		list.kids = append(list.kids, n)
	}
	return c.textAt(list, -1) // SQLite does not count this array
}

// jsonArrow is the operators -> and ->>, which take a label or an index for a
// path.
func jsonArrow(result func(*jsonCall, *jsonNode) (Value, error)) func(*jsonCall, []Value) (Value, error) {
	return func(c *jsonCall, args []Value) (Value, error) {
		if args[1].kind == Null {
			return Value{}, nil
		}
		n, err := c.find(arrowPath(args[1]))
		if err != nil || n == nil {
			return Value{}, err
		}
		return result(c, n)
	}
}

// arrowPath writes the second operand of -> as a path.
func arrowPath(v Value) string {
	text := cstring(AsText(v))
	word := strings.Trim(text, "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
	switch {
	case strings.HasPrefix(text, "$"):
		return text
	case v.kind == Integer && v.Int64() < 0:
		return "$[#" + text + "]"
	case v.kind == Integer:
		return "$[" + text + "]"
	case word:
		return "$." + text
	case len(text) >= 3 && text[0] == '[' && text[len(text)-1] == ']':
		return "$" + text
	}
	return `$."` + text + `"`
}

func jsonType(c *jsonCall, args []Value) (Value, error) {
	n, err := c.optional(args)
	if err != nil || n == nil {
		return Value{}, err
	}
	return Str(n.kind.String()), nil
}

func jsonArrayLength(c *jsonCall, args []Value) (Value, error) {
	n, err := c.optional(args)
	switch {
	case err != nil || n == nil:
		return Value{}, err
	case n.kind == jsonArray:
		return Int(int64(len(n.kids))), nil
	}
	return Int(0), nil
}

// optional finds the element of the path in the second argument, or the whole
// without one.
func (c *jsonCall) optional(args []Value) (*jsonNode, error) {
	switch {
	case len(args) == 1:
		return c.root, nil
	case args[1].kind == Null:
		return nil, nil
	}
	return c.find(AsText(args[1]))
}

// jsonValid checks for plain JSON, or for what bits in a second argument allow:
// 1 is plain JSON, 2 JSON5, 4 and 8 JSONB.
func jsonValid(args []Value) (Value, error) {
	const name = "json_valid"
	allowed := int64(1)
	if len(args) == 2 {
		if allowed = ToInt64(args[1]); allowed < 1 || allowed > 15 {
			return Value{}, &FunctionError{name, "FLAGS parameter to json_valid() must be between 1 and 15"}
		}
	}
	switch {
	case args[0].kind == Null:
		return Value{}, nil
	case looksLikeJSONB(args[0]):
		_, err := parseArgument(name, args[0])
		return Value{}, err
	}
	_, plain, ok := parseJSON(AsText(args[0]))
	return Bool(ok && (plain && allowed&3 != 0 || allowed&2 != 0)), nil
}

func jsonQuote(args []Value) (Value, error) {
	n, err := jsonOf("json_quote", args[0])
	if err != nil {
		return Value{}, err
	}
	return (&jsonCall{name: "json_quote"}).text(n)
}

func jsonMakeArray(args []Value) (Value, error) {
	const name = "json_array"
	list := &jsonNode{kind: jsonArray}
	for _, v := range args {
		n, err := jsonOf(name, v)
		if err != nil {
			return Value{}, err
		}
		list.kids = append(list.kids, n)
	}
	return (&jsonCall{name: name}).text(list)
}

func jsonMakeObject(args []Value) (Value, error) {
	const name = "json_object"
	if len(args)%2 != 0 {
		return Value{}, &FunctionError{name, "json_object() requires an even number of arguments"}
	}
	object := &jsonNode{kind: jsonObject}
	for i := 0; i < len(args); i += 2 {
		if args[i].kind != Text {
			return Value{}, &FunctionError{name, "json_object() labels must be TEXT"}
		}
		n, err := jsonOf(name, args[i+1])
		if err != nil {
			return Value{}, err
		}
		object.kids = append(object.kids, &jsonNode{kind: jsonTextRaw, text: args[i].str}, n)
	}
	return (&jsonCall{name: name}).text(object)
}

// jsonOf makes an element of an SQL value. A text stands for itself, also where
// it could be read as JSON.
func jsonOf(name string, v Value) (*jsonNode, error) {
	switch v.kind {
	case Null:
		return &jsonNode{kind: jsonNull}, nil
	case Integer:
		return &jsonNode{kind: jsonInt, text: AsText(v)}, nil
	case Real:
		text, err := printf([]Value{Str("%!0.17g"), v})
		return &jsonNode{kind: jsonFloat, text: text.str}, err
	case Text:
		return &jsonNode{kind: jsonTextRaw, text: v.str}, nil
	case subtypeJSON:
		return parseArgument(name, Str(v.str))
	}
	if looksLikeJSONB(v) {
		_, err := parseArgument(name, v)
		return nil, err
	}
	return nil, &FunctionError{name, "JSON cannot hold BLOB values"}
}
