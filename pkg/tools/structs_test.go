package tools

import (
	"database/sql"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/birdcall/birdcall/pkg/value"
)

type shelf struct {
	Row  int `tools:"shelf_row"`
	Name string
}

type copied struct {
	*shelf
	time.Time `tools:"-"`
	Title     string  `json:"title,omitempty"`
	Price     float32 `tools:"price" json:"-"`
	Pages     *int
	Bought    time.Time
	Lent      sql.NullBool
	Cover     []byte
	Size      json.Number
	Any       any
	Skipped   map[string]int `tools:"-"`
	hidden    int
}

// TestFromStructs shows the columns that fields become.
func TestFromStructs(t *testing.T) {
	pages := 412
	day := time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)
	got, err := FromStructs([]*copied{
		{shelf: &shelf{2, "top"}, Title: "Dune", Price: 9.5, Pages: &pages, Bought: day, Lent: sql.NullBool{Bool: true, Valid: true}, Cover: []byte{1}, Size: "1.5", Any: int8(3), hidden: 1},
		{},
		nil,
	})
	if err != nil {
		t.Fatal(err)
	}
	var declared []string
	for _, f := range got.Fields() {
		declared = append(declared, strings.TrimSpace(f.Key+" "+f.Type))
	}
	const want = "shelf_row INTEGER, Name TEXT, title TEXT, price REAL, Pages INTEGER, Bought TEXT, Lent, Cover BLOB, Size NUMERIC, Any"
	if fields := strings.Join(declared, ", "); fields != want {
		t.Errorf("columns %s, want %s", fields, want)
	}
	null := value.NullValue()
	cells := [][]value.Value{
		{value.Int(2), value.Str("top"), value.Str("Dune"), value.Float(9.5), value.Int(412), value.Str("2024-02-29 00:00:00"), value.Int(1), value.Bytes("\x01"), value.Float(1.5), value.Int(3)},
		{null, null, value.Str(""), value.Float(0), null, value.Str("0001-01-01 00:00:00"), null, null, null, null},
		{null, null, null, null, null, null, null, null, null, null},
	}
	if d := diff(cells, rows(t, got)); d != "" {
		t.Error(d)
	}
	empty, err := FromStructs([]shelf(nil))
	if err != nil || empty.Len() != 0 || len(empty.Keys()) != 2 {
		t.Errorf("no structs give %v, %v", empty, err)
	}
}

// TestFromStructsErrors shows what is said about types that are no rows.
func TestFromStructsErrors(t *testing.T) {
	try := func(_ *Table, err error) string { return errorText(err) }
	for _, test := range []struct{ got, want string }{
		{try(FromStructs([]int{1})), "int is no struct"},
		{try(FromStructs([]any{1})), "is no struct"},
		{try(FromStructs([]struct{ a int }{})), "no exported field"},
		{try(FromStructs([]struct{ A []int }{})), "field A"},
		{try(FromStructs([]struct{ A struct{ B int } }{})), "field A"},
		{try(FromStructs([]struct{ A uint64 }{{1 << 63}})), "row 0, A"},
		{try(FromStructs([]struct{ A any }{{1}, {[]int{}}})), "row 1, A"},
		{try(FromStructs([]struct {
			A int `tools:"x"`
			B int `json:"x"`
		}{})), `"x" is empty or used twice`},
	} {
		if !strings.Contains(test.got, test.want) {
			t.Errorf("%q, want %q in it", test.got, test.want)
		}
	}
}
