package tools

import (
	"context"
	"database/sql"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/birdcall/birdcall/pkg/value"
)

// Shelf is exported, so that a nil pointer that is embedded can be set.
type Shelf struct {
	Row  int `tools:"shelf_row"`
	Name string
}

type bookRow struct {
	*Shelf
	Title   string  `json:"title,omitempty"`
	Price   float32 `tools:"price"`
	Pages   *int
	Bought  time.Time
	Returns *time.Time
	Lent    sql.NullBool
	Due     sql.NullTime
	Cover   []byte
	Size    json.Number
	Any     any
	Cell    value.Value
	New     bool
	Count   uint16
	Skipped map[string]int `tools:"-"`
}

// TestToStructs says that structs come out of tables as they go in.
func TestToStructs(t *testing.T) {
	pages := 412
	day := time.Date(2024, 2, 29, 8, 30, 0, int(250*time.Millisecond), time.UTC)
	want := []*bookRow{
		{
			Shelf: &Shelf{2, "top"}, Title: "Dune", Price: 9.5, Pages: &pages, Bought: day, Returns: &day, Lent: sql.NullBool{Bool: true, Valid: true},
			Due: sql.NullTime{Time: day, Valid: true}, Cover: []byte{1}, Size: "1.5", Any: "x", Cell: value.Int(3), New: true, Count: 65535,
		},
		{Price: float32(math.NaN()), Bought: day, Size: "7", Any: int64(3)},
		nil,
	}
	table, err := FromStructs(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := ToStructs[*bookRow](t.Context(), table)
	if err != nil {
		t.Fatal(err)
	}
	same := cmp.Options{cmpopts.EquateNaNs(), cmp.Comparer(func(x, y value.Value) bool { return x.Kind() == y.Kind() && x.String() == y.String() })}
	if d := cmp.Diff(want, got, same); d != "" {
		t.Error(d)
	}
	values, err := ToStructs[Shelf](t.Context(), structTable(t, []Shelf{{1, "a"}, {2, "b"}}))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]Shelf{{1, "a"}, {2, "b"}}, values); d != "" {
		t.Error(d)
	}
	if none, err := ToStructs[Shelf](t.Context(), structTable(t, []Shelf{})); err != nil || len(none) != 0 {
		t.Errorf("no rows are %v, %v", none, err)
	}
}

func structTable[T any](t *testing.T, rows []T) *Table {
	t.Helper()
	table, err := FromStructs(rows)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestToStructsDates says which texts are dates.
func TestToStructsDates(t *testing.T) {
	type row struct{ At time.Time }
	at := time.Date(2025, 1, 31, 8, 30, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"2025-01-31":                time.Date(2025, 1, 31, 0, 0, 0, 0, time.UTC),
		"2025-01-31 08:30":          at,
		"2025-01-31T08:30:00":       at,
		"2025-01-31 08:30:00.500":   at.Add(500 * time.Millisecond),
		"2025-01-31 08:30:00Z":      at,
		"2025-01-31T09:30:00+01:00": at,
		"31.1.2025":                 {},
		"":                          {},
	} {
		got, err := ToStructs[row](t.Context(), structTable(t, []struct{ At string }{{text}}))
		switch {
		case want.IsZero() && err == nil:
			t.Errorf("%q is %s", text, got[0].At)
		case !want.IsZero() && (err != nil || !got[0].At.Equal(want) || got[0].At.Location() != time.UTC):
			t.Errorf("%q: %v, %v; want %s", text, got, err, want)
		}
	}
}

// TestToStructsErrors shows what is said about rows that do not fit.
func TestToStructsErrors(t *testing.T) {
	cells := func(v any) *Table { return structTable(t, []struct{ A any }{{1}, {v}}) }
	try := func(_ any, err error) string { return errorText(err) }
	ctx := t.Context()
	for _, test := range []struct{ got, want string }{
		{try(ToStructs[int](ctx, cells(1))), "int is no struct"},
		{try(ToStructs[struct{ A int }](ctx, nil)), "there is no table"},
		{try(ToStructs[struct{ B int }](ctx, cells(1))), `no field for the column "A"; use one of B`},
		{try(ToStructs[struct {
			A int
			B int `tools:"A"`
		}](ctx, cells(1))), `two fields of struct`},
		{try(ToStructs[struct{ A int }](ctx, cells(nil))), "row 1, A: NULL is no int; make the field a pointer"},
		{try(ToStructs[struct{ A int8 }](ctx, cells(128))), "row 1, A: INTEGER 128 is no int8"},
		{try(ToStructs[struct{ A uint }](ctx, cells(-1))), "INTEGER -1 is no uint"},
		{try(ToStructs[struct{ A int }](ctx, cells(1.5))), "REAL 1.5 is no int"},
		{try(ToStructs[struct{ A bool }](ctx, cells(2))), "INTEGER 2 is no bool"},
		{try(ToStructs[struct{ A int }](ctx, cells(strings.Repeat("x", 1000)))), "TEXT " + strings.Repeat("x", 40) + "… is no int"},
		{try(ToStructs[struct{ A json.Number }](ctx, cells("7"))), "TEXT 7 is no json.Number"},
		{try(ToStructs[struct{ A error }](ctx, cells(1))), "INTEGER 1 is no error"},
		{try(ToStructs[struct{ A []int }](ctx, cells(1))), "INTEGER 1 is no []int"},
		{try(ToStructs[struct{ A time.Time }](ctx, cells(1))), "INTEGER 1 is no time.Time"},
		{try(ToStructs[struct{ A sql.NullInt64 }](ctx, cells("x"))), "row 1, A: "},
	} {
		if !strings.Contains(test.got, test.want) {
			t.Errorf("%q, want %q in it", test.got, test.want)
		}
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := ToStructs[struct{ A any }](stopped, cells(1)); err == nil {
		t.Error("a context that has ended is no error")
	}
}
