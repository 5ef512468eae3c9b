package episode_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/artifact/folder"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/rest"
	"github.com/birdcall/birdcall/pkg/slot"
)

// withoutFiles returns the sample as a dataset whose databases are elsewhere.
func withoutFiles(t *testing.T) *bird.Dataset {
	t.Helper()
	dataset, err := bird.Load(bird.Options{FS: sample.FS(), Databases: []string{"bird_club"}, NoFiles: true})
	if err != nil {
		t.Fatal(err)
	}
	return dataset
}

// Databases that are no files have tasks of endpoints, and of nothing else.
func TestDatabasesElsewhere(t *testing.T) {
	files, err := bird.Load(bird.Options{FS: sample.FS(), Databases: []string{"bird_club"}})
	if err != nil {
		t.Fatal(err)
	}
	api, err := rest.Open(t.Context(), files, rest.Options{}) // which stands for that of a server
	if err != nil {
		t.Fatal(err)
	}
	defer api.Close()
	env, err := episode.New(episode.Options{Dataset: withoutFiles(t), Endpoints: api})
	if err != nil {
		t.Fatal(err)
	}
	defer env.Close()
	if got := strings.Join(env.Variants(), " "); got != record.REST {
		t.Errorf("the variants are %s", got)
	}
	if task, err := env.Tables(t.Context(), record.REST, "bird_club"); err != nil || len(task.Tools) == 0 {
		t.Errorf("the endpoints: %+v, %v", task, err)
	}
	var none *episode.NoTaskError
	if _, err := env.Query(t.Context(), "bird_club", nil, episode.QueryOptions{Toolset: string(query.Full), MaxRows: 1}); !errors.As(err, &none) || !strings.Contains(err.Error(), "query_database works on tables of database files, and these databases are on a server; use rest") {
		t.Errorf("a query: %v", err)
	}
	for variant, want := range map[string]string{
		record.SLOT: "the variant slot works on tables of database files, and these databases are on a server; use rest",
		record.SEL:  "the variant sel works on tables of database files",
		"graph":     `there is no variant "graph"; use one of rest`,
	} {
		var none *episode.NoTaskError
		if _, err := env.Task(t.Context(), variant, "bird_club", "87"); !errors.As(err, &none) || !strings.Contains(err.Error(), want) {
			t.Errorf("a question, %s: %v, want %s", variant, err, want)
		}
		if _, err := env.Tables(t.Context(), variant, "bird_club"); !errors.As(err, &none) || !strings.Contains(err.Error(), want) {
			t.Errorf("tables, %s: %v, want %s", variant, err, want)
		}
	}
}

func TestDatabasesElsewhereErrors(t *testing.T) {
	dataset := withoutFiles(t)
	if _, err := episode.New(episode.Options{Dataset: dataset}); err == nil || !strings.Contains(err.Error(), "have endpoints only; give those") {
		t.Errorf("without endpoints: %v", err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, folder.ReportFile), []byte(`{"variant": "slot"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := episode.New(episode.Options{Dataset: dataset, Endpoints: &rest.API{}, Samples: []string{dir}})
	if err == nil || !strings.Contains(err.Error(), "has samples of the variant slot, which works on database files") {
		t.Errorf("samples of slot: %v", err)
	}
	if _, err := slot.Open(t.Context(), dataset.Databases[0]); err == nil || !strings.Contains(err.Error(), "the database bird_club is no file") {
		t.Errorf("tools on tables: %v", err)
	}
}
