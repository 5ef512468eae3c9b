package tools

import (
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/value"
)

// TestFootprint lists results of calls with what each adds to the memory that the
// ones before it take.
func TestFootprint(t *testing.T) {
	const rows = 1000
	numbers, texts := make([]value.Value, rows), make([]value.Value, rows)
	for i := range rows {
		numbers[i], texts[i] = value.Int(int64(i)), value.Str([]string{"a", strings.Repeat("b", 100)}[i%2])
	}
	start, err := NewTable([]Field{{Key: "n"}, {Key: "s"}}, []*Column{NewColumn(numbers...), NewColumn(texts...)})
	if err != nil {
		t.Fatal(err)
	}
	session := NewSession(nil, Options{})
	if err := session.Put(StartLabel, start); err != nil {
		t.Fatal(err)
	}
	ref := func(label string) Argument { return Argument{toolname.ArgDataSource, "$" + label + "$"} }
	var f Footprint
	f.Add(start)
	if want := int64(rows*8 + rows*4 + 2*16 + 101); f.Bytes() < want || f.Bytes() > want+1000 {
		t.Errorf("the starting table takes %d bytes, want %d and little more", f.Bytes(), want)
	}
	for _, c := range []struct {
		call        Call
		least, most int64
	}{
		{Call{Name: toolname.Filter, Label: "HALF", Arguments: Arguments{ref(StartLabel), {toolname.ArgKeyName, "n"}, {toolname.ArgCondition, "less_than"}, {toolname.ArgValue, rows / 2}}}, rows / 2 * 4, rows*4 + 1000},
		{Call{Name: toolname.Sort, Label: "SORTED", Arguments: Arguments{ref("HALF"), {toolname.ArgKeyName, "s"}, {toolname.ArgAscending, true}}}, rows / 2 * 4, rows*8 + 1000},
		{Call{Name: toolname.Group, Label: "GROUPED", Arguments: Arguments{ref(StartLabel), {toolname.ArgKeyName, "s"}}}, rows * 4, rows*4 + 1000},
		{Call{Name: toolname.Retrieve, Label: "COLUMN", Arguments: Arguments{ref("HALF"), {toolname.ArgKeyName, "n"}}}, 0, 500}, // shares all
	} {
		table, err := session.Run(t.Context(), c.call)
		if err != nil {
			t.Fatal(err)
		}
		before := f.Bytes()
		f.Add(table)
		f.Add(table) // counts once
		if more := f.Bytes() - before; more < c.least || more > c.most {
			t.Errorf("%s takes %d bytes more, want %d to %d", c.call.Label, more, c.least, c.most)
		}
	}
	f.Add(nil)
}
