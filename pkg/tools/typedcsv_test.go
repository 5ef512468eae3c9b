package tools

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/birdcall/birdcall/pkg/value"
)

// TestTypedCSV shows the two files and that every awkward value survives them.
func TestTypedCSV(t *testing.T) {
	ctx := context.Background()
	cells := []value.Value{
		value.NullValue(), value.Str(""), value.Str("NA"), value.Str("NaN"), value.Str("007"), value.Float(1), value.Int(1),
		value.Int(9007199254740993), value.Float(1e20), value.Float(math.Inf(-1)), value.Float(0.1), value.Bytes(""), value.Bytes("\x00\xff"),
		value.Str("a\nb"), value.Str("a\r\nb"), value.Str("\xff"), value.Str(`"`), value.Str(","), value.Str(" x "), value.Str(`\.`), value.Str("\x00"),
	}
	fields := []Field{{Key: "a, b", Type: "DECIMAL(5,2)", Affinity: value.AffinityNumeric, Collation: value.NoCase, Computed: true}}
	table, err := NewTable(fields, []*Column{NewColumn(cells...)})
	if err != nil {
		t.Fatal(err)
	}
	var text, types bytes.Buffer
	if err := WriteTypedCSV(ctx, &text, &types, table); err != nil {
		t.Fatal(err)
	}
	if want := "\"a, b\"\n\"\"\n\"\"\nNA\nNaN\n007\n1.0\n1\n"; !strings.HasPrefix(text.String(), want) {
		t.Errorf("CSV is %q", text.String())
	}
	if want := `{"columns":[{"key":"a, b","type":"DECIMAL(5,2)","affinity":"NUMERIC","collation":"NOCASE","computed":true,"classes":"n1t4r1i2r3b2t1q2t5"}]}` + "\n"; types.String() != want {
		t.Errorf("types are %s", types.String())
	}
	got, err := ReadTypedCSV(ctx, bytes.NewReader(text.Bytes()), &types)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(fields, got.Fields()); d != "" {
		t.Error(d)
	}
	if d := diff(rows(t, table), rows(t, got)); d != "" {
		t.Error(d)
	}
}

// TestTypedCSVErrors shows what is said about files that do not fit.
func TestTypedCSVErrors(t *testing.T) {
	const types = `{"columns":[{"key":"a","affinity":"NONE","collation":"BINARY","classes":"i2"}]}`
	for _, test := range []struct{ text, types, want string }{
		{"a,b\n", types, "1 columns, the CSV has 2"},
		{"b\n1\n2\n", types, "does not fit"},
		{"a\n1\nx\n", types, `row 2, column "a"`},
		{"a\n1\n", types, "of more rows"},
		{"a\n1\n2\n3\n", types, "row 3"},
		{"a\n", "{", "unexpected EOF"},
	} {
		_, err := ReadTypedCSV(context.Background(), strings.NewReader(test.text), strings.NewReader(test.types))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: error %v, want %q in it", test.text, err, test.want)
		}
	}
}

// anyValue draws values of all storage classes.
func anyValue() *rapid.Generator[value.Value] {
	return rapid.OneOf(
		rapid.Just(value.NullValue()),
		rapid.Map(rapid.Int64(), value.Int),
		rapid.Map(rapid.Int64Range(-3, 3), value.Int),
		rapid.Map(rapid.Float64(), value.Float),
		rapid.Map(rapid.SampledFrom([]float64{-1, 0, 0.5, 1, 2}), value.Float),
		rapid.Map(rapid.String(), value.Str),
		rapid.Map(rapid.StringMatching(`[abAB 01"\r\n,]{0,3}`), value.Str),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 3), func(b []byte) value.Value { return value.Bytes(string(b)) }),
	)
}

// TestTypedCSVRoundTrip checks that any table survives.
func TestTypedCSVRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, 3).Draw(t, "width")
		length := rapid.IntRange(0, 8).Draw(t, "length")
		fields, columns := make([]Field, width), make([]*Column, width)
		for i := range fields {
			fields[i] = Field{Key: strings.Repeat("k", i+1)}
			columns[i] = NewColumn(rapid.SliceOfN(anyValue(), length, length).Draw(t, "column")...)
		}
		table, err := NewTable(fields, columns)
		if err != nil {
			t.Fatal(err)
		}
		var text, types bytes.Buffer
		if err := WriteTypedCSV(context.Background(), &text, &types, table); err != nil {
			t.Fatal(err)
		}
		got, err := ReadTypedCSV(context.Background(), &text, &types)
		if err != nil {
			t.Fatal(err)
		}
		want, err := table.Rows(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		read, err := got.Rows(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if d := diff(want, read); d != "" {
			t.Fatal(d)
		}
	})
}
