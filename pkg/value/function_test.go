package value_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/db/sqlfunc"
	"github.com/birdcall/birdcall/pkg/value"
)

// now is any time at all: what 'now' gives is checked against it.
var now = time.Date(2024, 2, 29, 23, 59, 58, 123_456_789, time.UTC)

// checkCall compares one call with SQLite, errors included, and reports
// whether they agree to the last bit. Where close is set, reals may differ in
// their last bits.
func (o *oracle) checkCall(name string, args []value.Value, close bool) {
	o.t.Helper()
	marks := strings.TrimSuffix(strings.Repeat("?,", len(args)), ",")
	want, wantErr := o.eval(name+"("+marks+")", args...)
	got, err := value.Call(name, args, now)
	switch {
	case (err != nil) != (wantErr != nil):
		o.t.Errorf("%s: error %v, want %v", showCall(name, args), err, wantErr)
	case err == nil && !same(got, want) && !(close && near(got, want)):
		o.t.Errorf("%s = %s, want %s", showCall(name, args), show(got), show(want))
	}
}

func showCall(name string, args []value.Value) string {
	var parts []string
	for _, a := range args {
		parts = append(parts, show(a))
	}
	return name + "(" + strings.Join(parts, ", ") + ")"
}

// near allows for the last bits of functions that SQLite takes from the C
// library.
func near(a, b value.Value) bool {
	if a.Kind() != value.Real || b.Kind() != value.Real {
		return false
	}
	x, y := a.Float64(), b.Float64()
	return x == y || math.Abs(x-y) <= 1e-13*math.Max(math.Abs(x), math.Abs(y))
}

func TestFunctionsOfOneValue(t *testing.T) {
	o := newOracle(t)
	for _, name := range []string{
		"abs", "ceil", "ceiling", "char", "concat", "floor", "hex", "length", "likely", "lower", "ltrim", "octet_length",
		"quote", "round", "rtrim", "sign", "soundex", "sqrt", "trim", "trunc", "typeof", "unhex", "unicode", "unistr", "unistr_quote", "unlikely", "upper",
		"date", "time", "datetime", "julianday", "unixepoch", "format", "strftime",
	} {
		for _, v := range awkward() {
			o.checkCall(name, []value.Value{v}, false)
		}
	}
	for _, name := range []string{
		"acos", "acosh", "asin", "asinh", "atan", "atanh", "cosh", "degrees", "exp", "ln", "log", "log10", "log2", "radians", "sinh", "tanh", "pi",
	} {
		for _, v := range awkward() {
			args := []value.Value{v}
			if name == "pi" {
				args = nil
			}
			o.checkCall(name, args, true)
		}
	}
	// Far from zero the C library and Go reduce the angle differently.
	for _, name := range []string{"sin", "cos", "tan"} {
		for _, v := range awkward() {
			if math.Abs(value.ToFloat64(v)) < 1e6 {
				o.checkCall(name, []value.Value{v}, true)
			}
		}
	}
}

func TestFunctionsOfTwoValues(t *testing.T) {
	o := newOracle(t)
	values := awkward()
	for _, name := range []string{"coalesce", "concat", "concat_ws", "glob", "ifnull", "iif", "instr", "like", "ltrim", "max", "min", "mod", "nullif", "round", "rtrim", "substr", "trim", "unhex", "format"} {
		// Every value meets a third of the others.
		for i, a := range values {
			for j := i % 3; j < len(values); j += 3 {
				o.checkCall(name, []value.Value{a, values[j]}, false)
			}
		}
	}
	for _, name := range []string{"atan2", "pow", "log"} {
		for i, a := range values {
			for j := i % 3; j < len(values); j += 3 {
				// A power of a subnormal, or a huge one, loses more than the last bits.
				if x, y := math.Abs(value.ToFloat64(a)), math.Abs(value.ToFloat64(values[j])); name != "pow" || x > 1e-300 && y < 1e6 {
					o.checkCall(name, []value.Value{a, values[j]}, true)
				}
			}
		}
	}
}

func TestFunctionsOfMoreValues(t *testing.T) {
	null, i, f, s, b := value.NullValue(), value.Int, value.Float, value.Str, value.Bytes
	texts := []value.Value{null, s(""), s("abc"), s("日本語"), s("a\x80\x80b"), s("héllo wörld"), b(""), b("\xe6\x97\xa5x"), i(12345), f(1.5), s("a\x00b")}
	numbers := []value.Value{null, i(0), i(1), i(2), i(-1), i(-2), i(3), i(100), i(-100), f(1.9), s("2x"), i(math.MaxInt64), i(math.MinInt64)}
	o := newOracle(t)
	for _, text := range texts {
		for _, start := range numbers {
			for _, count := range numbers {
				o.checkCall("substr", []value.Value{text, start, count}, false)
			}
		}
		for _, old := range texts {
			for _, with := range texts {
				o.checkCall("replace", []value.Value{text, old, with}, false)
			}
		}
	}
	for _, c := range []struct {
		name string
		args []value.Value
	}{
		{"like", []value.Value{s("a!%%"), s("a%bc"), s("!")}},
		{"like", []value.Value{s("a%%b"), s("a%b"), s("%")}},
		{"like", []value.Value{s("a__b"), s("a_b"), s("_")}},
		{"like", []value.Value{s("abc!"), s("abc!"), s("!")}},
		{"like", []value.Value{s("aXX"), s("ax"), s("X")}},
		{"like", []value.Value{s("a"), s("a"), null}},
		{"like", []value.Value{s("a"), s("a"), s("")}},
		{"like", []value.Value{s("a"), s("a"), s("xy")}},
		{"like", []value.Value{s("日!日"), s("日日"), s("日")}},
		{"like", []value.Value{b("a"), s("a"), s("xy")}},
		{"like", []value.Value{s("É%"), s("é")}},
		{"like", []value.Value{s(strings.Repeat("a", 50001)), s("a")}},
		{"glob", []value.Value{s("[]a]*"), s("]x")}},
		{"glob", []value.Value{s("[^]a]"), s("b")}},
		{"glob", []value.Value{s("[a-]"), s("-")}},
		{"glob", []value.Value{s("[a-c-e]"), s("-")}},
		{"glob", []value.Value{s("[^a-c"), s("d")}},
		{"glob", []value.Value{s("*[0-9][0-9]"), s("ab12")}},
		{"glob", []value.Value{s("a*b*c?"), s("aXbYbZcc!")}},
		{"glob", []value.Value{s("[α-γ]"), s("β")}},
		{"glob", []value.Value{s("**?"), s("")}},
		{"iif", []value.Value{i(0), i(1), s("1x"), i(2), i(3)}},
		{"iif", []value.Value{i(0), i(1), null, i(2)}},
		{"if", []value.Value{null, i(1), i(7)}},
		{"coalesce", []value.Value{null, null, i(7)}},
		{"max", []value.Value{i(1), f(1), s("1"), b("")}},
		{"max", []value.Value{i(1), null, i(3)}},
		{"min", []value.Value{i(1), f(1), s("1")}},
		{"min", []value.Value{f(1), i(1), s("1")}},
		{"concat_ws", []value.Value{s(", "), i(1), null, f(2), s(""), b("x")}},
		{"concat_ws", []value.Value{null, i(1)}},
		{"concat", []value.Value{null, null}},
		{"char", []value.Value{i(65), i(0), i(0x20AC), i(0x1F600), i(-1), i(0x110000), i(0xD800), null, s("66")}},
		{"char", nil},
		{"unistr", []value.Value{s(`a\\b\0041\u0042\+000043\U00000044`)}},
		{"unistr", []value.Value{s(`\U7FFFFFFF\UFFFFFFFF\D800`)}},
		{"unistr", []value.Value{s("a\\0041\x00\\0042")}},
		{"unistr", []value.Value{s(`\u12`)}},
		{"unistr", []value.Value{s(`\x12`)}},
		{"unistr", []value.Value{s("\\")}},
		{"unhex", []value.Value{s("12-34 ab"), s("- ")}},
		{"unhex", []value.Value{s("1-2"), s("-")}},
		{"unhex", []value.Value{s("é12"), s("é")}},
		{"zeroblob", []value.Value{i(3)}},
		{"zeroblob", []value.Value{i(-3)}},
		{"zeroblob", []value.Value{i(math.MaxInt64)}},
		{"round", []value.Value{f(2.675), i(2)}},
		{"round", []value.Value{f(1.005), i(2)}},
		{"round", []value.Value{f(-0.5)}},
		{"round", []value.Value{f(-2.45), i(1)}},
		{"round", []value.Value{f(1e-20), i(30)}},
		{"round", []value.Value{f(123456789.123456789), i(6)}},
		{"soundex", []value.Value{s("Tymczak")}},
		{"soundex", []value.Value{s("Pfister")}},
		{"soundex", []value.Value{s("  Honeyman")}},
		{"log10", []value.Value{i(1000)}},
		{"log", []value.Value{f(1e15)}},
		{"log2", []value.Value{i(1 << 40)}},
		{"pow", []value.Value{f(1.05), i(30)}},
		{"pow", []value.Value{i(10), i(-3)}},
		{"pow", []value.Value{i(2), f(0.5)}},
		{"pow", []value.Value{i(-8), i(3)}},
		{"pow", []value.Value{i(-8), f(0.3)}},
	} {
		o.checkCall(c.name, c.args, false)
	}
}

// Every scalar function that SQLite lists and that always gives one answer for
// the same arguments is here, with the same numbers of arguments.
func TestKnownListsSQLitesFunctions(t *testing.T) {
	// What depends on the connection, on chance, or on other modules.
	other := map[string]bool{
		"changes": true, "last_insert_rowid": true, "load_extension": true, "random": true, "randomblob": true, "sqlite_log": true,
		"sqlite_offset": true, "sqlite_source_id": true, "sqlite_version": true, "subtype": true, "total_changes": true,
		"sqlite_compileoption_get": true, "sqlite_compileoption_used": true, "match": true, "snippet": true, "highlight": true, "bm25": true,
		"->": true, "->>": true, "rtreecheck": true, "rtreenode": true, "rtreedepth": true,
	}
	o := newOracle(t)
	for _, row := range o.query("SELECT DISTINCT name FROM pragma_function_list WHERE type = 's' ORDER BY name") {
		name := row[0].Raw()
		if other[name] || strings.HasPrefix(name, "json") || strings.HasPrefix(name, "fts5") || strings.HasPrefix(name, "geopoly") {
			continue
		}
		for nargs := range 6 {
			if nargs == 1 && (name == "max" || name == "min") || strings.HasPrefix(name, "current_") {
				continue // aggregates, and names that take no parentheses
			}
			_, err := o.eval(name + "(" + strings.TrimSuffix(strings.Repeat("1,", nargs), ",") + ")")
			exists := err == nil || !strings.Contains(err.Error(), "wrong number of arguments")
			if value.Known(strings.ToUpper(name), nargs) != exists {
				t.Errorf("Known(%s, %d) = %v: %v", name, nargs, !exists, err)
			}
		}
	}
}

func TestCallErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		args []value.Value
		want string
	}{
		{"frobnicate", nil, "no function frobnicate with 0 arguments: use a deterministic built-in of SQLite with the arguments it takes"},
		{"abs", nil, "no function abs with 0 arguments: use a deterministic built-in of SQLite with the arguments it takes"},
		{"random", nil, "no function random with 0 arguments: use a deterministic built-in of SQLite with the arguments it takes"},
		{"ABS", []value.Value{value.Int(math.MinInt64)}, "abs(): integer overflow"},
		{"Zeroblob", []value.Value{value.Int(1 << 40)}, "zeroblob(): string or blob too big"},
		{"printf", []value.Value{value.Str("%999999999d"), value.Int(1)}, "format(): string or blob too big"},
		{"printf", []value.Value{value.Str("%.999999999f"), value.Int(1)}, "format(): string or blob too big"},
		{"unistr", []value.Value{value.Str(`\q`)}, "unistr(): invalid Unicode escape"},
	} {
		_, err := value.Call(c.name, c.args, now)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: error %v, want %s", c.name, err, c.want)
		}
	}
	var unknown *value.UnknownFunctionError
	if _, err := value.Call("random", nil, now); !errors.As(err, &unknown) || unknown.Name != "random" {
		t.Errorf("error %v is no *UnknownFunctionError", err)
	}
	var failed *value.FunctionError
	if _, err := value.Call("abs", []value.Value{value.Int(math.MinInt64)}, now); !errors.As(err, &failed) {
		t.Errorf("error %v is no *FunctionError", err)
	}
}

// TestTableOfFunctions says that the table of SQL's functions has all that are computed
// here.
func TestTableOfFunctions(t *testing.T) {
	for _, name := range value.Builtins() {
		if sqlfunc.SQLite(name).Name == "" {
			t.Errorf("the table of functions lacks %s", name)
		}
	}
}
