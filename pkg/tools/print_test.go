package tools

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rivo/uniseg"
	"pgregory.net/rapid"

	"github.com/birdcall/birdcall/pkg/value"
)

// TestPrint shows how tables are laid out.
func TestPrint(t *testing.T) {
	null := value.NullValue()
	table := func(keys string, columns ...*Column) *Table {
		var fields []Field
		for _, k := range strings.Fields(keys) {
			fields = append(fields, Field{Key: k})
		}
		out, err := NewTable(fields, columns)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	long := strings.Repeat("long ", 10)
	for _, test := range []struct {
		name    string
		table   *Table
		options PrintOptions
		want    string
	}{
		{"numbers to the right", table("title pages price", NewColumn(value.Str("Dune"), value.Str("Emma")), NewColumn(value.Int(412), null), NewColumn(value.Float(9), value.Float(12.5))), PrintOptions{}, `
title  pages  price
Dune     412    9.0
Emma    NULL   12.5
`},
		{"reals", table("x", NewColumn(value.Float(24.380000000000003), value.Float(-1), value.Float(1e20), value.Float(0.00001), value.Float(2.0/3), value.Float(0))), PrintOptions{}, `
       x
   24.38
    -1.0
 1.0e+20
 1.0e-05
0.666667
     0.0
`},
		{"a mixed column to the left", table("a b", NewColumn(value.Int(1), value.Str("x")), NewColumn(value.Bytes("\x00\xff"), null)), PrintOptions{}, `
a  b
1  x'00ff'
x  NULL
`},
		{"wide and joined characters", table("name n", NewColumn(value.Str("東京"), value.Str("é"), value.Str("👩‍🚀")), NewColumn(value.Int(1), value.Int(2), value.Int(3))), PrintOptions{}, `
name  n
東京  1
é     2
👩‍🚀    3
`},
		{"control characters", table("a", NewColumn(value.Str("line\nline"), value.Str("\x1b[31m"), value.Str("\xff"), value.Str("\u202e"))), PrintOptions{}, `
a
line\nline
\x1b[31m
` + "\uFFFD\n\\u202e\n"},
		{"rows", table("n", NewColumn(value.Int(1), value.Int(2), value.Int(3))), PrintOptions{Rows: 1}, "\nn\n1\n… 2 more rows\n"},
		{"all rows", table("n", NewColumn(value.Int(1), value.Int(2))), PrintOptions{Rows: -1}, "\nn\n1\n2\n"},
		{"no rows", table("n m", NewColumn(), NewColumn()), PrintOptions{}, "\nn  m\n"},
		{"the widest is cut", table("a b", NewColumn(value.Str("short")), NewColumn(value.Str(long))), PrintOptions{Width: 20}, `
a      b
short  long long lo…
`},
		{"the last are left out", table("first second third", NewColumn(value.Str(long)), NewColumn(value.Str(long)), NewColumn(value.Str(long))), PrintOptions{Width: 20}, `
first      second
long lon…  long lon…
… 1 more column
`},
		{"rows and columns", table("first second", NewColumn(value.Str(long), null), NewColumn(value.Str(long), null)), PrintOptions{Width: 5, Rows: 1}, `
first
long…
… 1 more row and 1 more column
`},
		{"any width", table("a", NewColumn(value.Str(long))), PrintOptions{Width: -1}, "\na\n" + strings.TrimRight(long, " ") + "\n"},
	} {
		var b bytes.Buffer
		if err := test.table.Print(context.Background(), &b, test.options); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(strings.TrimPrefix(test.want, "\n"), b.String()); d != "" {
			t.Errorf("%s: %s", test.name, d)
		}
	}
}

// TestPrintWidth checks that no line is longer than asked for.
func TestPrintWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var columns []*Column
		var fields []Field
		for i := range rapid.IntRange(1, 4).Draw(t, "columns") {
			columns = append(columns, NewColumn(rapid.SliceOfN(anyValue(), 3, 3).Draw(t, "cells")...))
			fields = append(fields, Field{Key: strings.Repeat("key", i+1)})
		}
		table, err := NewTable(fields, columns)
		if err != nil {
			t.Fatal(err)
		}
		width := rapid.IntRange(20, 60).Draw(t, "width")
		var b strings.Builder
		if err := table.Print(context.Background(), &b, PrintOptions{Width: width}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if w := uniseg.StringWidth(strings.TrimSuffix(line, "\n")); w > width && !strings.HasPrefix(line, "…") {
				t.Fatalf("a line of %d columns, not %d: %q", w, width, line)
			}
		}
	})
}

// TestPrintLong shows that a huge cell costs no more than what is shown of it.
func TestPrintLong(t *testing.T) {
	table, err := NewTable([]Field{{Key: "a"}}, []*Column{NewColumn(value.Str(strings.Repeat("x", 1<<24)), value.Bytes(strings.Repeat("x", 1<<24)))})
	if err != nil {
		t.Fatal(err)
	}
	if s := table.String(); len(s) > 3*maxPrinted {
		t.Errorf("%d bytes", len(s))
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

// TestPrintErrors shows what is said where nothing can be printed.
func TestPrintErrors(t *testing.T) {
	table, err := NewTable([]Field{{Key: "a"}}, []*Column{NewColumn(value.Int(math.MaxInt64))})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ got, want string }{
		{errorText(table.Print(context.Background(), brokenWriter{}, PrintOptions{})), "disk full"},
		{errorText(table.Print(context.Background(), nil, PrintOptions{})), "the writer is nil"},
		{(*Table)(nil).String(), "there is no table"},
	} {
		if !strings.Contains(test.got, test.want) {
			t.Errorf("%q, want %q in it", test.got, test.want)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
