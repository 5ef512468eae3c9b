package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/birdcall/birdcall/internal/dev/toolbench"
	"github.com/birdcall/birdcall/pkg/tools"
)

func TestSlower(t *testing.T) {
	for _, test := range []struct {
		ratio, record float64
		want          bool
	}{
		{3, 3, false},
		{2, 3, false},
		{4, 3, false},
		{4.01, 3, true},
		{1, 0, true}, // no record
	} {
		if got := slower(test.ratio, test.record); got != test.want {
			t.Errorf("ratio %v, record %v: got %v", test.ratio, test.record, got)
		}
	}
}

func TestMeasureKeepsTheLeast(t *testing.T) {
	c := &contest{against: &yardstick{run: func() uint64 { return 0 }, least: 1}, least: time.Hour}
	runs := 0
	c.Run = func(context.Context) (*tools.Table, error) {
		runs++
		time.Sleep(turnTime / 2) // takes no time of the processor
		return nil, nil
	}
	if err := c.measure(context.Background()); err != nil {
		t.Fatal(err)
	}
	if runs != turnRuns {
		t.Errorf("%d runs, want %d", runs, turnRuns)
	}
	if c.least == time.Hour || c.against.least > 1 {
		t.Errorf("line %v, yardstick %v", c.least, c.against.least)
	}
}

func TestWriteAndRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "record.json")
	err := write(path, []*contest{
		{Line: toolbench.Line{Name: "sort"}, least: 10, against: &yardstick{least: 3}},
		{Line: toolbench.Line{Name: "add"}, least: 1, against: &yardstick{least: 8}},
	})
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff("{\n  \"add\": 0.12,\n  \"sort\": 3.33\n}\n", string(data)); d != "" {
		t.Error(d)
	}
	got, err := read(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(map[string]float64{"add": 0.12, "sort": 3.33}, got); d != "" {
		t.Error(d)
	}
}

// TestRecord checks that the record has every line, and no other.
func TestRecord(t *testing.T) {
	ctx := context.Background()
	table, err := toolbench.Table(100)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := toolbench.Lines(ctx, table)
	if err != nil {
		t.Fatal(err)
	}
	record, err := read("testdata/record.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines {
		if record[l.Name] <= 0 {
			t.Errorf("%s has no record; run make bench UPDATE=1", l.Name)
		}
	}
	for name := range record {
		if !slices.ContainsFunc(lines, func(l toolbench.Line) bool { return l.Name == name }) {
			t.Errorf("there is no line %s; run make bench UPDATE=1", name)
		}
	}
}
