package slot_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/tools"
)

func openSample(t *testing.T, name string) *slot.Database {
	t.Helper()
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	d, err := slot.Open(t.Context(), dataset.Database(name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// TestStart checks the text for tables without a question, and runs calls on each
// table.
func TestStart(t *testing.T) {
	d := openSample(t, "city_library")
	var b strings.Builder
	for _, names := range [][]string{nil, {d.Tables()[1], d.Tables()[0], strings.ToUpper(d.Tables()[1])}} {
		r, err := d.Start(names...)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString("--- " + strings.Join(names, ", ") + "\n" + slot.System(r) + d.References(r))
		session := slot.NewConverter(d, slot.Options{}).NewSession()
		for _, start := range r.Starts() {
			table, err := session.Init(t.Context(), start)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range r.StartingTables {
				if s.Name == start.Label && strings.Join(s.Keys, " ") != strings.Join(table.Keys(), " ") {
					t.Errorf("%s has the keys %v, and %v are told", s.Name, table.Keys(), s.Keys)
				}
			}
		}
	}
	golden.Equal(t, filepath.Join("testdata", "tables.txt"), b.String())
	_, err := d.Start("branches")
	var unknown *slot.UnknownTableError
	if !errors.As(err, &unknown) || !strings.HasPrefix(err.Error(), `there is no table "branches"; use branch, `) {
		t.Error(err)
	}
}

// TestForget checks that columns are read again after Forget.
func TestForget(t *testing.T) {
	d := openSample(t, "city_library")
	r, err := d.Start()
	if err != nil {
		t.Fatal(err)
	}
	session := slot.NewConverter(d, slot.Options{}).NewSession()
	rows := func() int {
		table, err := session.Init(t.Context(), r.Initialization)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tools.GroupDataBy(t.Context(), table, tools.GroupArgs{Keys: table.Keys()}); err != nil {
			t.Fatal(err)
		}
		return table.Len()
	}
	n, kept := rows(), d.Bytes()
	if d.Forget(); kept == 0 || d.Bytes() != 0 || rows() != n || d.Bytes() != kept {
		t.Errorf("%d bytes were kept, and then %d", kept, d.Bytes())
	}
}
