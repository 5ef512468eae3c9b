package execute

import (
	"errors"
	"strings"
	"testing"
	"time"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/tools"
)

func open(t *testing.T, opts Options) *Databases {
	t.Helper()
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	d := Open(dataset, opts)
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func books() *evaluate.Sample {
	return &evaluate.Sample{Variant: record.SLOT, DB: "city_library", Start: &record.Slot{
		Initialization: tools.Start{Label: tools.StartLabel, Tables: []tools.StartTable{{Alias: "T1", Original: "book"}}},
	}}
}

// TestCalls says that a call that fails says why and leaves the others alone.
func TestCalls(t *testing.T) {
	e, err := open(t, Options{}).Episode(t.Context(), books())
	if err != nil {
		t.Fatal(err)
	}
	count := func(from string) tools.Call {
		return tools.Call{Name: toolname.Aggregate, Label: "COUNT", Arguments: tools.Arguments{{Name: toolname.ArgDataSource, Value: from}, {Name: toolname.ArgAggregationType, Value: "count"}}}
	}
	if r := e.Call(t.Context(), count("$BOOKS$")); r.Err == nil || !strings.Contains(r.Err.Error(), "unknown label") {
		t.Errorf("a label that is not there: %v", r.Err)
	}
	r := e.Call(t.Context(), count("$"+tools.StartLabel+"$"))
	if r.Err != nil || r.RowCount != 1 || r.Columns != 1 {
		t.Fatalf("%+v", r)
	}
	if text, err := r.Show(t.Context()); err != nil || !strings.Contains(text, `"label":"COUNT"`) {
		t.Errorf("%s %v", text, err)
	}
}

// TestTime says that no call has more time than there is left for all.
func TestTime(t *testing.T) {
	e, err := open(t, Options{Timeout: time.Nanosecond}).Episode(t.Context(), books())
	if err != nil {
		t.Fatal(err)
	}
	r := e.Call(t.Context(), tools.Call{Name: toolname.Sort, Arguments: tools.Arguments{
		{Name: toolname.ArgDataSource, Value: "$" + tools.StartLabel + "$"}, {Name: toolname.ArgKeyName, Value: "book_title"}, {Name: toolname.ArgAscending, Value: true},
	}})
	if r.Err == nil || !strings.Contains(r.Err.Error(), "too long") {
		t.Errorf("%v", r.Err)
	}
}

// TestQuery says which errors are a statement's own.
func TestQuery(t *testing.T) {
	d := open(t, Options{})
	wrong := (*evaluate.StatementError)(nil)
	for _, sql := range []string{"SELECT 1 FROM nothing", "DELETE FROM book", "SELECT 1; SELECT 2", "PRAGMA query_only = 0", "", strings.Repeat("x", 70_000)} {
		if _, err := d.Query(t.Context(), books(), sql); !errors.As(err, &wrong) {
			t.Errorf("%.30s: %v", sql, err)
		}
	}
	if rows, err := d.Query(t.Context(), books(), "SELECT count(*) FROM book"); err != nil || len(rows) != 1 {
		t.Errorf("%v %v", rows, err)
	}
	if _, err := d.Query(t.Context(), &evaluate.Sample{DB: "none"}, "SELECT 1"); err == nil || errors.As(err, &wrong) {
		t.Errorf("a database that is not there: %v", err)
	}
}
