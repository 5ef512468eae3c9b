package rest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/slot"
)

func TestMayBeOpen(t *testing.T) {
	for sql, want := range map[string]bool{
		"SELECT a, b FROM t WHERE a = 1":          false,
		"SELECT a FROM t ORDER BY a":              false,
		"SELECT count(*), avg(a) + sum(b) FROM t": false,
		"SELECT 1": false,
		"SELECT a FROM t WHERE b = (SELECT count(b) FROM t)":       false,
		"SELECT a FROM t WHERE b IN (SELECT b FROM u)":             false,
		"SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u)":           false,
		"WITH RECURSIVE n(i) AS (SELECT 1) SELECT count(*) FROM n": false,
		"SELECT a FROM t ORDER BY a LIMIT 3":                       true,
		"SELECT a FROM (SELECT a FROM t LIMIT 2)":                  true,
		"SELECT a FROM t UNION ALL SELECT a FROM u":                false,
		"SELECT count(DISTINCT a) FROM t":                          false,
		"SELECT max(b) FROM t":                                     true,
		"SELECT sum(DISTINCT b) FROM t":                            true,
		"SELECT a FROM t ORDER BY count(*)":                        true,
		"SELECT a FROM t HAVING count(*) > 1":                      true,
		"SELECT a FROM t WHERE (a, b) = (SELECT a, b FROM u)":      true,
		"SELECT a, count(b) FROM t":                                true,
		"SELECT *, max(b) FROM t":                                  true,
		"SELECT a, count(*) FROM t GROUP BY a":                     true,
		"SELECT DISTINCT a FROM t":                                 true,
		"SELECT a FROM t UNION SELECT a FROM u":                    true,
		"SELECT group_concat(a) FROM t":                            true,
		"SELECT a, row_number() OVER (ORDER BY b) FROM t":          true,
		"SELECT a FROM t WHERE b = (SELECT b FROM u)":              true,
		"this is no SQL":                                           true,
	} {
		if got := mayBeOpen(sql); got != want {
			t.Errorf("%s: %v, want %v", sql, got, want)
		}
	}
}

// TestFlagsAreThoseOfSlot says that a question's record in REST tells the same of
// it and of its answer as the one in SLOT.
func TestFlagsAreThoseOfSlot(t *testing.T) {
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	x, err := NewConverter(t.Context(), dataset, ConverterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	tied := 0
	for _, info := range dataset.Databases {
		db, err := slot.Open(t.Context(), info)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		converter := slot.NewConverter(db, slot.Options{})
		for i := range dataset.Questions {
			q := &dataset.Questions[i]
			if q.DB != info.ID {
				continue
			}
			want, err := converter.Convert(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			got, err := x.Convert(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			if got.TieDependent {
				tied++
				want.Gold.Rows = got.Gold.Rows // either's is a right one
			}
			if diff := cmp.Diff(want.Facts, got.Facts, cmp.Comparer(func(a, b bird.ID) bool { return a == b })); diff != "" {
				t.Errorf("%v (-slot +rest):\n%s", q.ID, diff)
			}
		}
		if err := x.Release(info.ID); err != nil {
			t.Error(err)
		}
	}
	if tied == 0 {
		t.Error("no answer of the sample is open")
	}
}
