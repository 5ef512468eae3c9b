package value_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/birdcall/birdcall/pkg/value"
)

// jsonTexts are texts that are JSON, JSON5 or neither.
var jsonTexts = []string{
	"", " ", "null", "true", "false", "nul", "truex", "tru", "1", "-1", "0", "-0", "01", "1.5", "1.", ".5", "-.5", "+.5", "+5", "+", "-", ".", "-.", "1e5", "1E+5", "1e", "1e5.", "1.e5", "1..2", "1.5.", "1e5e5", ".e5",
	"0x1F", "-0x1f", "+0X10", "0x", "0xg", "0xFFFFFFFFFFFFFFFF", "0x8000000000000000", "-0x8000000000000000", "0x1FFFFFFFFFFFFFFFF", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
	"123456789012345678901234567890", "1e400", "-1e400", "Infinity", "-Infinity", "+inf", "inf", "INF", "-infx", "NaN", "nan", "QNaN", "snan", "nanx", "Infinityx",
	`"abc"`, `'abc'`, `"a'b"`, `'a"b'`, `"a\"b"`, `"\u0041\u00e9\ud83d\ude00"`, `"\ud800"`, `"\ud800\u0041"`, `"\x41"`, `"\x4"`, `"\0"`, `"\01"`, `"\v\b\f\n\r\t\/\\"`, `"\q"`, `"\u00g0"`, `"abc`, "\"a\tb\"", "\"a\nb\"", "\"a\\\nb\"", "\"a\\\r\nb\"", "\"ab\\\n\"", "\"\\\u2028x\"", "\"\\\n\\\nx\"", "\"\\\n\\u0041\"", "\"é日😀\"", "\"\xff\"", "\"\x01\"", "\"a\x00b\"",
	"[]", "[1]", "[1,2]", "[ 1 , 2 ]", "[1,]", "[,]", "[1,,2]", "[", "]", "[1", "[1 2]", "[[],[[]],{}]", `[1,"a",null,true,1.5,{"a":[1]}]`,
	"{}", `{"a":1}`, `{"a":1,}`, "{,}", `{"a"}`, `{"a":}`, `{"a":1 "b":2}`, `{a:1}`, `{a b:1}`, `{$_a1:1,é:2}`, `{\u0041b:1}`, `{true:1}`, `{trueish:1}`, `{nan:1}`, `{1:2}`, `{'a':1}`, `{"a" : 1 , "a":2}`, `{"a":{"b":{"c":[1,2,{"d":null}]}}}`, `{"":0," ":1,"a.b":2,"a\"b":3,"\u0061c":4}`, `{a:1,/*x*/b:2}`, `{"a":1}x`, `{"a":1}/*x*/`, `{"a":1}//x`, "// x\n[1]", "/* [1]", "/**/1", "/*/1", "\u00a01\u3000", "\ufeff{}", "1\x00x", "\x001",
	`{"x":+1,"y":.5,"z":0x10,"w":[5.,-.5e3]}`, strings.Repeat("[", 1000) + strings.Repeat("]", 1000), strings.Repeat("[", 1001) + strings.Repeat("]", 1001),
}

// jsonPaths are paths and what is none.
var jsonPaths = []string{
	"$", "$.a", "$.b", `$."a"`, `$."a.b"`, `$."a\"b"`, `$."\u0061"`, `$."\u0061c"`, `$.ac`, `$." "`, `$.""`, "$.a.b", "$.a.b.c[2].d", "$.a.b.c[#-1]", "$[0]", "$[1]", "$[5]", "$[#]", "$[#-1]", "$[#-9]", "$[-1]", "$[#-]", "$[#1]", "$[#-1a]", "$[", "$[]", "$[a]", "$[1", "$[0][0]", "$[1][0]", "$[5].a[0]",
	"$[99999999999999999999]", "$.", "$..a", "$a", "a", "", "0", "-1", "[0]", "[]", "[#-1]", "a.b", "b c", `"a"`, "é", "$.é", "$.a[0]", "$.x.y[0].z", "$.x[1]", "$.w[1]", "$ ", "$.a ", "$.a\x00b",
}

func TestJSONFunctions(t *testing.T) {
	o := newOracle(t)
	all := []value.Value{value.NullValue(), value.Int(5), value.Float(1.5), value.Bytes(`{"a":1}`), value.Bytes("[1]"), value.Bytes("5"), value.Bytes("x"), value.Bytes("")}
	for _, text := range jsonTexts {
		all = append(all, value.Str(text))
	}
	for _, v := range all {
		for _, name := range []string{"json", "json_type", "json_valid", "json_array_length", "json_quote", "json_array", "json_extract", "json_remove", "json_set", "json_insert", "json_replace"} {
			o.checkCall(name, []value.Value{v}, false)
		}
		for _, flags := range []int64{-1, 0, 1, 2, 3, 6, 10, 16} {
			o.checkCall("json_valid", []value.Value{v, value.Int(flags)}, false)
		}
		for _, path := range jsonPaths {
			p := value.Str(path)
			for _, name := range []string{"json_extract", `->`, `->>`, "json_type", "json_array_length", "json_remove"} {
				o.checkJSON(name, []value.Value{v, p})
			}
			o.checkJSON("json_extract", []value.Value{v, p, value.Str("$.a")})
			for _, name := range []string{"json_set", "json_insert", "json_replace"} {
				o.checkJSON(name, []value.Value{v, p, value.Str("x")})
			}
		}
		for _, p := range []value.Value{value.NullValue(), value.Int(0), value.Int(-1), value.Int(7), value.Float(1), value.Bytes("$.a")} {
			for _, name := range []string{"json_extract", `->`, `->>`, "json_type", "json_remove"} {
				o.checkJSON(name, []value.Value{v, p})
			}
		}
		for _, patch := range jsonTexts {
			o.checkCall("json_patch", []value.Value{v, value.Str(patch)}, false)
		}
	}
}

// checkJSON is checkCall for names that are in quotes.
func (o *oracle) checkJSON(name string, args []value.Value) {
	o.t.Helper()
	want, wantErr := o.eval(`"`+name+`"(`+strings.TrimSuffix(strings.Repeat("?,", len(args)), ",")+")", args...)
	got, err := value.Call(name, args, now)
	if (err != nil) != (wantErr != nil) || err == nil && !same(got, want) {
		o.t.Errorf("%s = %s, %v, want %s, %v", showCall(name, args), show(got), err, show(want), wantErr)
	}
}

func TestJSONOfValues(t *testing.T) {
	o := newOracle(t)
	for _, v := range awkward() {
		if v == value.Bytes("\x00") {
			continue // JSONB
		}
		o.checkCall("json_quote", []value.Value{v}, false)
		o.checkCall("json_array", []value.Value{v, value.Int(1), v}, false)
		o.checkCall("json_object", []value.Value{value.Str("a"), v}, false)
		o.checkCall("json_object", []value.Value{v, value.Int(1)}, false)
		o.checkCall("json_set", []value.Value{value.Str("[1,2]"), value.Str("$[1]"), v, value.Str("$[#]"), v}, false)
		o.checkCall("json", []value.Value{v}, false)
	}
	o.checkCall("json_array", nil, false)
	o.checkCall("json_object", nil, false)
	o.checkCall("json_object", []value.Value{value.Str("a")}, false)
	o.checkCall("json_set", []value.Value{value.Str("{}"), value.Str("$.a")}, false)
	o.checkCall("json_set", []value.Value{value.Str("{}"), value.Str("$.a.b"), value.Int(1), value.Str("$.a.c[0]"), value.Int(2), value.NullValue(), value.Int(3)}, false)
	o.checkCall("json_extract", nil, false)
	o.checkCall("json_remove", nil, false)
}

// TestCallJSON nests functions, whose results are JSON.
func TestCallJSON(t *testing.T) {
	o := newOracle(t)
	inner := []value.Value{value.Str(`{"a":[1,"x"]}`), value.Str("[ 1 ]"), value.Str(`"t"`), value.Str("1.50"), value.NullValue()}
	for _, c := range []struct {
		name, sql string
		args      func(v value.Value) []value.Value
		json      []bool
	}{
		{"json_array", "json_array(?1, json(?1), json(?1))", func(v value.Value) []value.Value { return []value.Value{v, minified(t, v), minified(t, v)} }, []bool{false, true, true}},
		{"json_object", "json_object('k', json(?1), 'l', ?1)", func(v value.Value) []value.Value {
			return []value.Value{value.Str("k"), minified(t, v), value.Str("l"), v}
		}, []bool{true, true, true, false}},
		{"json_quote", "json_quote(json(?1))", func(v value.Value) []value.Value { return []value.Value{minified(t, v)} }, []bool{true}},
		{"json_set", "json_set('[0]', '$[0]', json(?1), '$[#]', ?1)", func(v value.Value) []value.Value {
			return []value.Value{value.Str("[0]"), value.Str("$[0]"), minified(t, v), value.Str("$[#]"), v}
		}, []bool{true, true, true, true, false}},
		{"upper", "upper(json(?1))", func(v value.Value) []value.Value { return []value.Value{minified(t, v)} }, []bool{true}},
	} {
		for _, v := range inner {
			want, wantErr := o.eval(c.sql, v)
			if got, err := value.CallJSON(c.name, c.args(v), c.json, now); err != nil || wantErr != nil || !same(got, want) {
				t.Errorf("%s with %s = %s, %v, want %s, %v", c.sql, show(v), show(got), err, show(want), wantErr)
			}
		}
	}
}

func minified(t *testing.T, v value.Value) value.Value {
	t.Helper()
	out, err := value.Call("json", []value.Value{v}, now)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestJSONBIsRefused says what is not read, rather than read it as a text.
func TestJSONBIsRefused(t *testing.T) {
	var failed *value.FunctionError
	for _, name := range []string{"json", "json_type", "json_valid", "json_quote"} {
		for _, blob := range []string{"\x00", "\x131", "\xc3\x011"} {
			if _, err := value.Call(name, []value.Value{value.Bytes(blob)}, now); !errors.As(err, &failed) {
				t.Errorf("%s(%x): %v", name, blob, err)
			}
		}
	}
}

// anyJSON draws a text that is mostly JSON5.
func anyJSON() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		parts := []string{"{", "}", "[", "]", ",", ":", `"a"`, `"b"`, "1", "-2.5", "null", "true", "a", `'c'`, " ", `"\u0041"`, `"\n"`, ".5", "0x1", "/*c*/", "inf", "\\", "\"", "é"}
		var element func(depth int)
		element = func(depth int) {
			if rapid.IntRange(0, 29).Draw(t, "junk") == 0 {
				b.WriteString(rapid.SampledFrom(parts).Draw(t, "part"))
			}
			kind := rapid.IntRange(0, 9).Draw(t, "kind")
			if depth == 0 && kind < 5 {
				kind = 9
			}
			switch {
			case kind < 3:
				b.WriteByte('{')
				for i := range rapid.IntRange(0, 3).Draw(t, "members") {
					if i > 0 {
						b.WriteByte(',')
					}
					b.WriteString(rapid.SampledFrom([]string{`"a"`, `"b"`, `a`, `'c'`, `"a"`, `"\u0061"`, `"x y"`}).Draw(t, "label") + ":")
					element(depth - 1)
				}
				b.WriteByte('}')
			case kind < 5:
				b.WriteByte('[')
				for i := range rapid.IntRange(0, 3).Draw(t, "items") {
					if i > 0 {
						b.WriteByte(',')
					}
					element(depth - 1)
				}
				b.WriteByte(']')
			default:
				b.WriteString(rapid.SampledFrom([]string{"1", "null", "true", "-2.5", `"t"`, `'u'`, `"\u00e9\n"`, ".5", "0xA", "12345678901234567890", `"a'\"b"`, "1e3"}).Draw(t, "scalar"))
			}
		}
		element(4)
		return b.String()
	})
}

func TestJSONProperty(t *testing.T) {
	o := newOracle(t)
	rapid.Check(t, func(rt *rapid.T) {
		doc, other := value.Str(anyJSON().Draw(rt, "json")), value.Str(anyJSON().Draw(rt, "other"))
		path := func() value.Value {
			text := "$"
			for range rapid.IntRange(0, 3).Draw(rt, "steps") {
				text += rapid.SampledFrom([]string{".a", ".b", "[0]", "[1]", "[#-1]", "[#]", `."x y"`, `."\u0061"`, ".new"}).Draw(rt, "step")
			}
			return value.Str(text)
		}
		for _, args := range [][]value.Value{{doc}, {doc, path()}, {doc, path(), path()}, {doc, path(), other}, {doc, other}, {doc, path(), value.Int(7), path(), value.Str("[1]")}} {
			for _, name := range []string{"json", "json_extract", "->", "->>", "json_remove", "json_set", "json_insert", "json_replace", "json_patch", "json_type", "json_array_length", "json_array"} {
				if value.Known(name, len(args)) {
					o.checkJSON(name, args)
				}
			}
		}
		if o.t.Failed() {
			rt.FailNow()
		}
	})
}

// checkElements compares the rows of json_each() and json_tree().
func (o *oracle) checkElements(doc, path value.Value) {
	o.t.Helper()
	for name, each := range map[string]func(doc, path value.Value) ([]value.JSONElement, error){"json_each": value.JSONEach, "json_tree": value.JSONTree} {
		want, wantErr := o.tryQuery("SELECT key, value, type, atom, id, parent, fullkey, path FROM "+name+"(?, ?)", bound(doc), bound(path))
		got, err := each(doc, path)
		if (err != nil) != (wantErr != nil) || err == nil && len(got) != len(want) {
			o.t.Errorf("%s(%s, %s): %d rows, %v, want %d, %v", name, show(doc), show(path), len(got), err, len(want), wantErr)
			continue
		}
		for i, e := range got {
			if wantErr != nil {
				break
			}
			for j, v := range []value.Value{e.Key, e.Value, value.Str(e.Type), e.Atom, e.ID, e.Parent, e.FullKey, e.Path} {
				if !same(v, want[i][j]) {
					o.t.Errorf("%s(%s, %s): row %d, column %d: %s, want %s", name, show(doc), show(path), i, j, show(v), show(want[i][j]))
				}
			}
		}
	}
}

func TestJSONElements(t *testing.T) {
	o := newOracle(t)
	docs := []value.Value{value.NullValue(), value.Int(5), value.Bytes("[1]"), value.Str(`{"a":"` + strings.Repeat("x", 300) + `","b":[1]}`), value.Str(`["` + strings.Repeat("x", 70000) + `",[2]]`)}
	for _, text := range jsonTexts {
		if len(text) < 1000 {
			docs = append(docs, value.Str(text))
		}
	}
	for _, doc := range docs {
		o.checkElements(doc, value.NullValue())
		o.checkElements(doc, value.Int(1))
		for _, path := range jsonPaths {
			o.checkElements(doc, value.Str(path))
		}
	}
}

func TestJSONElementsProperty(t *testing.T) {
	o := newOracle(t)
	rapid.Check(t, func(rt *rapid.T) {
		doc, path := value.Str(anyJSON().Draw(rt, "json")), "$"
		for range rapid.IntRange(0, 3).Draw(rt, "steps") {
			path += rapid.SampledFrom([]string{".a", ".b", "[0]", "[1]", "[#-1]", `."x y"`, `."\u0061"`, ".c"}).Draw(rt, "step")
		}
		o.checkElements(doc, value.Str(path))
		if o.t.Failed() {
			rt.FailNow()
		}
	})
}
