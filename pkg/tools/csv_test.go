package tools

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/birdcall/birdcall/pkg/value"
)

// TestReadCSV shows which type a column gets and what its cells become.
func TestReadCSV(t *testing.T) {
	null := value.NullValue()
	text := func(texts ...string) []value.Value {
		out := make([]value.Value, len(texts))
		for i, s := range texts {
			out[i] = value.Str(s)
		}
		return out
	}
	for _, test := range []struct {
		cells    string
		declared string // its type, "" to infer it
		wantType string
		want     []value.Value
	}{
		{"1,-2, 3 ", "", "INTEGER", []value.Value{value.Int(1), value.Int(-2), value.Int(3)}},
		{"0,-9223372036854775808", "", "INTEGER", []value.Value{value.Int(0), value.Int(-9223372036854775808)}},
		{"1,,2", "", "INTEGER", []value.Value{value.Int(1), null, value.Int(2)}},
		{"1,2.5,-.5,1e3", "", "REAL", []value.Value{value.Float(1), value.Float(2.5), value.Float(-.5), value.Float(1000)}},
		{"007,8", "", "TEXT", text("007", "8")},
		{"9223372036854775808,1", "", "TEXT", text("9223372036854775808", "1")},
		{"1,x", "", "TEXT", text("1", "x")},
		{"NaN,Inf,0x10,1_000,1e999,+1,-,.", "", "TEXT", text("NaN", "Inf", "0x10", "1_000", "1e999", "+1", "-", ".")},
		{",", "", "TEXT", []value.Value{null, null}},
		{"", "", "TEXT", nil},
		{"1,2", "TEXT", "TEXT", text("1", "2")},
		{"007,x,", "INTEGER", "INTEGER", []value.Value{value.Int(7), value.Str("x"), null}},
		{"1.0,2024-01-01", "DATE", "DATE", []value.Value{value.Int(1), value.Str("2024-01-01")}},
	} {
		file := "a,other\n"
		if test.cells != "" {
			for cell := range strings.SplitSeq(test.cells, ",") {
				file += cell + ",x\n"
			}
		}
		var o CSVOptions
		if test.declared != "" {
			o.Types = map[string]string{"a": test.declared}
		}
		got, err := ReadCSV(context.Background(), strings.NewReader(file), o)
		if err != nil {
			t.Errorf("%q: %v", test.cells, err)
			continue
		}
		if f := got.Fields()[0]; f.Type != test.wantType || f.Affinity != value.AffinityOf(test.wantType) {
			t.Errorf("%q: type %s, affinity %s, want %s", test.cells, f.Type, f.Affinity, test.wantType)
		}
		var cells []value.Value
		for _, row := range rows(t, got) {
			cells = append(cells, row[0])
		}
		if d := diff([][]value.Value{test.want}, [][]value.Value{cells}); d != "" {
			t.Errorf("%q: %s", test.cells, d)
		}
	}
}

// TestReadCSVFile shows what may be odd about a file.
func TestReadCSVFile(t *testing.T) {
	for _, test := range []struct {
		file    string
		options CSVOptions
		keys    []string
		want    [][]value.Value
	}{
		{"\ufeffid,name\r\n1,a\r\n", CSVOptions{}, []string{"id", "name"}, [][]value.Value{{value.Int(1), value.Str("a")}}},
		{"\ufeff\"i,d\"\n\"1\"\n", CSVOptions{}, []string{"i,d"}, [][]value.Value{{value.Int(1)}}},
		{"a;b\n1;2,5", CSVOptions{Comma: ';'}, []string{"a", "b"}, [][]value.Value{{value.Int(1), value.Str("2,5")}}},
		{"a,a,\n1,2,3", CSVOptions{}, []string{"a", "a_1", "column"}, [][]value.Value{{value.Int(1), value.Int(2), value.Int(3)}}},
		{"a\n\"line\nline\"\n", CSVOptions{}, []string{"a"}, [][]value.Value{{value.Str("line\nline")}}},
		{"a\n", CSVOptions{}, []string{"a"}, nil},
	} {
		got, err := ReadCSV(context.Background(), strings.NewReader(test.file), test.options)
		if err != nil {
			t.Errorf("%q: %v", test.file, err)
			continue
		}
		if d := cmp.Diff(test.keys, got.Keys()) + diff(test.want, rows(t, got)); d != "" {
			t.Errorf("%q: %s", test.file, d)
		}
	}
}

// TestReadCSVErrors shows what is said about files that cannot be read.
func TestReadCSVErrors(t *testing.T) {
	for _, test := range []struct {
		file    string
		options CSVOptions
		want    string
	}{
		{"", CSVOptions{}, "no header line"},
		{"a\n\"1", CSVOptions{}, "line 2"},
		{"a,b\n1\n", CSVOptions{}, "line 2: wrong number of fields"},
		{"a\n1\n", CSVOptions{Types: map[string]string{"b": "TEXT"}}, `Types names "b", which is no key; the keys are a`},
		{"a\n1\n", CSVOptions{Comma: '\n'}, "delimiter"},
	} {
		_, err := ReadCSV(context.Background(), strings.NewReader(test.file), test.options)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: error %v, want %q in it", test.file, err, test.want)
		}
	}
}

// TestWriteCSV shows how values are written without their types.
func TestWriteCSV(t *testing.T) {
	table, err := NewTable([]Field{{Key: "a,b"}, {Key: "n"}}, []*Column{
		NewColumn(value.Str(`say "x"`), value.NullValue(), value.Bytes("\x00\xff")), NewColumn(value.Int(1), value.Float(2), value.Str("a\r\nb"))})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := WriteCSV(context.Background(), &b, table); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff("\"a,b\",n\n\"say \"\"x\"\"\",1\n,2.0\n00ff,\"a\r\nb\"\n", b.String()); d != "" {
		t.Error(d)
	}
}
