package episode_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
)

// TestUnreadableSamples says that a folder whose file cannot be read is no folder
// without the question.
func TestUnreadableSamples(t *testing.T) {
	dataset, err := bird.Load(bird.Options{FS: sample.FS(), Databases: []string{"bird_club"}})
	if err != nil {
		t.Fatal(err)
	}
	run := pipeline.Options{Dataset: dataset, Variant: record.SLOT, Out: t.TempDir(), Toolset: slot.Auto, Timeout: time.Minute, Jobs: 2, AsOf: bird.DefaultAsOf}
	if _, err := pipeline.Run(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	env := openWith(t, episode.Options{Dataset: dataset, Samples: []string{run.Folder()}})
	file := filepath.Join(run.Folder(), "bird_club.json")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, broken := range map[string]string{"empty": "", "cut": string(text[:len(text)/2]), "of another type": `{"a": 1}`} {
		if err := os.WriteFile(file, []byte(broken), 0o600); err != nil {
			t.Fatal(err)
		}
		task, err := env.Task(t.Context(), record.SLOT, "bird_club", "83")
		if none := (*episode.NoTaskError)(nil); err == nil || errors.As(err, &none) {
			t.Errorf("%s: %v, %v", name, task, err)
		}
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := env.Task(t.Context(), record.SLOT, "bird_club", "83"); err != nil {
		t.Errorf("the file as it was: %v", err)
	}
}
