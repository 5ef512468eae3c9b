package rest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/slot"
)

// TestFlagsAreThoseOfSlot says that a question's record in REST says the same of
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
