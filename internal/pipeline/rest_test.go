package pipeline

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/rest"
)

// Every question of the sample becomes a REST sample, the same ones whatever
// the number of workers.
func TestRunREST(t *testing.T) {
	if !rest.DefaultAsOf.Equal(DefaultAsOf) {
		t.Errorf("the service takes %s for now", rest.DefaultAsOf)
	}
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, jobs := range []int{1, 3} {
		out := t.TempDir()
		report, err := RunREST(context.Background(), Options{Dataset: dataset, Out: out, Timeout: 30 * time.Second, Jobs: jobs, AsOf: DefaultAsOf})
		if err != nil {
			t.Fatal(err)
		}
		if report.Totals.Verified != len(dataset.Questions) {
			t.Errorf("%d of %d: %v", report.Totals.Verified, len(dataset.Questions), report.Failures)
		}
		text := ""
		for _, name := range []string{"city_library.json", "city_library.tools.json", "city_library.openapi.json", "openapi.json", "report.json"} {
			data, err := os.ReadFile(filepath.Join(out, REST, name))
			if err != nil {
				t.Fatal(err)
			}
			text += string(data)
		}
		texts = append(texts, text)
	}
	if texts[0] != texts[1] {
		t.Error("the output depends on the number of workers")
	}
}
