package querygrid

import (
	"os"
	"testing"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/pkg/bird"
)

// prove makes the queries of all databases and proves their results.
func prove(t *testing.T, d *bird.Dataset) {
	t.Helper()
	for _, info := range d.Databases {
		t.Run(info.ID, func(t *testing.T) {
			db, proof := open(t, info)
			items, impossible, err := Grid(t.Context(), db, info, Options{})
			if err != nil {
				t.Fatal(err)
			}
			reasons := map[string]int{}
			for _, i := range impossible {
				reasons[i.Reason]++
			}
			t.Logf("%d queries; impossible: %v", len(items), reasons)
			for _, item := range items {
				t.Log(item.Question)
				result, err := db.Run(t.Context(), item.Query)
				if err != nil {
					t.Fatalf("%s: %v", item.Question, err)
				}
				if err := proof.Verify(t.Context(), item.Query, result); err != nil {
					t.Errorf("%s: %v", item.Question, err)
				}
			}
			if len(items)+len(impossible) != 63 {
				t.Errorf("%d queries and %d impossible combinations are not 63", len(items), len(impossible))
			}
		})
	}
}

func TestSample(t *testing.T) {
	d, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	prove(t, d)
}

// TestFolder does the same for the dataset in the folder BIRDCALL_DATASET.
func TestFolder(t *testing.T) {
	dir := os.Getenv("BIRDCALL_DATASET")
	if dir == "" {
		t.Skip("BIRDCALL_DATASET names no dataset")
	}
	d, err := bird.Load(bird.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	prove(t, d)
}
