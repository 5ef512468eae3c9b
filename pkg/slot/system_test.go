package slot_test

import (
	"path/filepath"
	"strings"
	"testing"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/slot"
)

// TestSystem checks the text for samples with one starting table, with joined tables,
// and with several starting tables.
func TestSystem(t *testing.T) {
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	d, err := slot.Open(t.Context(), dataset.Database("bird_club"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	converter := slot.NewConverter(d, slot.Options{})
	var b strings.Builder
	for _, sql := range []string{
		"SELECT name FROM site",
		"SELECT T1.name FROM site AS T1 LEFT JOIN sighting AS T2 ON T1.site_id = T2.site_id",
		"SELECT name FROM site WHERE lat > (SELECT avg(\"Mean Weight (g)\") FROM species)",
	} {
		r, err := converter.Convert(t.Context(), &bird.Question{DB: "bird_club", SQL: sql})
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString("--- " + sql + "\n" + slot.System(r))
	}
	golden.Equal(t, filepath.Join("testdata", "system.txt"), b.String())
}
