package value_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/birdcall/birdcall/pkg/value"
)

func TestPrintf(t *testing.T) {
	o := newOracle(t)
	verbs := strings.Split("d i u x X o p r e E f g G c s z q Q w j J n % k T S", " ")
	flags := []string{"", "-", "+", " ", "#", "!", "0", ",", "5", "08", "-8", "+8", "20.3", "-20.3", "020.4", "!20.3", "#20.3", ",20.12", "0,20", ".0", "!.0", "#.0", ".1", ".17", "!.17", "!.20", ".25", "+.3", "*", "-*", ".*", "l", "ll", "5l", ".2l", "!#", "#!0", "-0", "+ ", " +", "!5.2"}
	values := []value.Value{
		value.NullValue(), value.Int(0), value.Int(1), value.Int(12), value.Int(113), value.Int(-1234567), value.Int(math.MaxInt64), value.Int(math.MinInt64),
		value.Float(0), value.Float(math.Copysign(0, -1)), value.Float(-0.0004), value.Float(3.14159265358979), value.Float(-12345678.9), value.Float(1e-10), value.Float(1e22), value.Float(123456789012), value.Float(9.995), value.Float(0.5),
		value.Float(math.Inf(1)), value.Float(math.Inf(-1)), value.Float(math.MaxFloat64), value.Float(5e-324), value.Float(49.47),
		value.Str(""), value.Str("it's"), value.Str("日本語'\"\\x"), value.Str("tab\tnew\nline\x01\x1f"), value.Str("a\x80\xc3b"), value.Str("12.5kg"), value.Bytes("bl'ob"),
	}
	for _, flag := range flags {
		for _, verb := range verbs {
			format := value.Str("<%" + flag + verb + "|%s>")
			for _, v := range values {
				args := []value.Value{format, v, value.Int(7)}
				if strings.Contains(flag, "*") {
					args = []value.Value{format, value.Int(12), v, value.Int(7)}
				}
				o.checkCall("format", args, false)
			}
		}
	}
	for _, c := range [][]value.Value{
		{value.Str("100%")},
		{value.Str("%5")},
		{value.Str("%-")},
		{value.Str("%d %s %f"), value.Int(1)},
		{value.Str("%.999999999s|%.999999999Q"), value.Str("text"), value.Str("text")},
		{value.Str("%*d"), value.Int(-6), value.Int(1)},
		{value.Str("%*d"), value.Int(math.MinInt32), value.Int(1)},
		{value.Str("%.*f"), value.Int(-2), value.Float(1.5)},
		{value.Str("%.*f"), value.Int(math.MinInt32), value.Float(1.5)},
		{value.Str("%*.*f"), value.Int(9), value.Int(2), value.Float(1.5)},
		{value.Str("%.5c"), value.Str("日")},
		{value.Str("%-9.3c|"), value.Str("xyz")},
		{value.Str("%9.3c|"), value.Str("é")},
		{value.Str("a%sb\x00c"), value.Str("x\x00y")},
		{value.Str("%r %r %r %r %r"), value.Int(1), value.Int(2), value.Int(3), value.Int(11), value.Int(-22)},
		{value.Bytes("%d"), value.Int(5)},
		{value.Int(5)},
	} {
		o.checkCall("printf", c, false)
	}
}

// formatText draws texts that are mostly valid formats, without a width that
// takes long to fill.
func formatText() *rapid.Generator[string] {
	return rapid.StringMatching(`([a%é]|%[-+ #!0,]{0,3}([1-9][0-9]?)?(\.[0-9]{0,2})?l{0,2}[diuxXoprfeEgGcszqQwjJ%n]){0,4}`)
}

func TestPrintfProperty(t *testing.T) {
	o := newOracle(t)
	small := rapid.OneOf(rapid.Map(rapid.Int64Range(-40, 40), value.Int), rapid.Map(rapid.Float64(), value.Float), rapid.Map(rapid.String(), value.Str))
	rapid.Check(t, func(rt *rapid.T) {
		args := []value.Value{value.Str(formatText().Draw(rt, "format"))}
		args = append(args, rapid.SliceOfN(small, 0, 5).Draw(rt, "args")...)
		want, err := o.eval("format("+strings.TrimSuffix(strings.Repeat("?,", len(args)), ",")+")", args...)
		if err != nil {
			rt.Fatal(err)
		}
		if got, err := value.Call("format", args, now); err != nil || !same(got, want) {
			rt.Errorf("%s = %s, %v, want %s", showCall("format", args), show(got), err, show(want))
		}
	})
}

// Reals of all sizes have the text that SQLite gives them, and are read back
// as it reads them.
func TestRealTextProperty(t *testing.T) {
	o := newOracle(t)
	rapid.Check(t, func(rt *rapid.T) {
		f := rapid.OneOf(
			rapid.Float64(),
			rapid.Map(rapid.Uint64(), math.Float64frombits),
			rapid.Map(rapid.Int64Range(-1e9, 1e9), func(i int64) float64 { return float64(i) / 100 }),
			rapid.Map(rapid.Int64(), func(i int64) float64 { return float64(i) }),
		).Draw(rt, "f")
		digits := rapid.IntRange(0, 30).Draw(rt, "digits")
		v := value.Float(f)
		rows := o.query("SELECT CAST(?1 AS TEXT), CAST(CAST(?1 AS TEXT) AS REAL), round(?1, ?2)", bound(v), digits)
		text := value.Cast(v, value.AffinityText)
		if !same(text, rows[0][0]) || !same(value.Cast(text, value.AffinityReal), rows[0][1]) {
			rt.Errorf("%s becomes %s and %s, want %s and %s", show(v), show(text), show(value.Cast(text, value.AffinityReal)), show(rows[0][0]), show(rows[0][1]))
		}
		if rounded, err := value.Call("round", []value.Value{v, value.Int(int64(digits))}, now); err != nil || !same(rounded, rows[0][2]) {
			rt.Errorf("round(%s, %d) = %s, %v, want %s", show(v), digits, show(rounded), err, show(rows[0][2]))
		}
	})
}

// Texts that look like numbers are read as SQLite reads them.
func TestNumericTextProperty(t *testing.T) {
	o := newOracle(t)
	o.query("CREATE TABLE n(x NUMERIC)")
	rapid.Check(t, func(rt *rapid.T) {
		v := value.Str(rapid.StringMatching(`[ \t]{0,2}[+-]?[0-9]{0,24}\.?[0-9]{0,24}([eE][+-]?[0-9]{0,3})?[ x]{0,2}`).Draw(rt, "text"))
		o.query("DELETE FROM n")
		o.query("INSERT INTO n VALUES (?)", bound(v))
		rows := o.query("SELECT CAST(?1 AS REAL), CAST(?1 AS INTEGER), CAST(?1 AS NUMERIC), ?1 + 0, x FROM n", bound(v))
		got := []value.Value{
			value.Cast(v, value.AffinityReal), value.Cast(v, value.AffinityInteger), value.Cast(v, value.AffinityNumeric),
			value.Add(v, value.Int(0)), value.AffinityNumeric.Apply(v),
		}
		for i, g := range got {
			if !same(g, rows[0][i]) {
				rt.Errorf("%s, column %d: %s, want %s", show(v), i, show(g), show(rows[0][i]))
			}
		}
	})
}

func FuzzPrintf(f *testing.F) {
	o := newOracle(f)
	f.Add("%+08.3f|%-5d", "x", int64(5), 2.5)
	f.Add("%!.20g %,d %Q", "it's", int64(-1234567), 49.47)
	f.Fuzz(func(t *testing.T, format, s string, i int64, r float64) {
		args := []value.Value{value.Str(format), value.Float(r), value.Int(i), value.Str(s), value.Float(r)}
		got, err := value.Call("printf", args, now)
		if err != nil || len(got.Raw()) > 1<<16 {
			return // SQLite would take long to fill the text
		}
		if want, err := o.eval("printf(?, ?, ?, ?, ?)", args...); err != nil || !same(got, want) {
			t.Errorf("%s = %s, want %s, %v", showCall("printf", args), show(got), show(want), err)
		}
	})
}
