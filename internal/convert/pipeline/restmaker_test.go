package pipeline

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Every question of the sample becomes a REST sample, the same ones whatever
// the number of workers.
func TestRunREST(t *testing.T) {
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, jobs := range []int{1, 3} {
		out := t.TempDir()
		report, err := Run(context.Background(), Options{Dataset: dataset, Variant: record.REST, Out: out, Timeout: 30 * time.Second, Jobs: jobs, AsOf: bird.DefaultAsOf})
		if err != nil {
			t.Fatal(err)
		}
		if report.Totals.Verified != len(dataset.Questions) {
			t.Errorf("%d of %d: %v", report.Totals.Verified, len(dataset.Questions), report.Failures)
		}
		text := ""
		for _, name := range []string{"city_library.json", "city_library.tools.json", "city_library.openapi.json", "openapi.json", "report.json"} {
			data, err := os.ReadFile(filepath.Join(out, record.REST, name))
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

// TestObfuscatedREST says that hidden calls ask hidden paths, which the samples'
// tools have too, and that the mapping next to it leads back to the real ones.
func TestObfuscatedREST(t *testing.T) {
	const db = "bird_club"
	type written struct {
		Output []record.Invocation
		Tools  []spec.Tool
	}
	var plain, hidden []written
	var names spec.Names
	files, _ := write(t, []string{db}, record.REST, "", Writing{})
	decode(t, files[db+".json"], &plain)
	files, _ = write(t, []string{db}, record.REST, "", Writing{Obfuscate: true})
	decode(t, files[db+".json"], &hidden)
	decode(t, files[db+".obfuscation.json"], &names)
	for i, r := range hidden {
		call, want := r.Output[0], plain[i].Output[0]
		if call.Path != "/v1/bird/"+db+"/"+call.Name {
			t.Errorf("%s asks %s", call.Name, call.Path)
		}
		at := slices.IndexFunc(r.Tools, func(t spec.Tool) bool { return t.Name == call.Name })
		if at < 0 || r.Tools[at].Path != call.Path {
			t.Fatalf("%s is not among the tools under its path", call.Name)
		}
		back, err := names.Reveal(tools.Call{Name: call.Name, Arguments: call.Arguments})
		if err != nil {
			t.Fatal(err)
		}
		got := record.Invocation{Name: back.Name, Arguments: back.Arguments, Path: names.Functions[call.Name].Path}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-plain +revealed):\n%s", diff)
		}
		for _, tool := range r.Tools {
			if !strings.HasPrefix(tool.Name, "FUNC_") {
				t.Errorf("%s is not hidden", tool.Name)
			}
			for name, p := range tool.Parameters["properties"].(map[string]any) {
				if !strings.HasPrefix(name, "ARG_") || p.(map[string]any)["title"] != nil {
					t.Errorf("%s: %s %v is not hidden", tool.Name, name, p)
				}
			}
		}
	}
}

func decode(t *testing.T, text string, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), v); err != nil {
		t.Fatal(err)
	}
}

// Endpoints that nothing in their descriptions distinguishes are defects in the
// report; their samples are written all the same.
func TestDefects(t *testing.T) {
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	dataset.Questions = nil
	for i, sql := range []string{
		"SELECT title FROM book ORDER BY published NULLS FIRST",
		"SELECT title FROM book ORDER BY published NULLS LAST",
		"SELECT title FROM book WHERE price > 10",
	} {
		dataset.Questions = append(dataset.Questions, bird.Question{ID: bird.Number(i), DB: "city_library", SQL: sql})
	}
	report, err := Run(context.Background(), Options{Dataset: dataset, Variant: record.REST, Out: t.TempDir(), Timeout: 30 * time.Second, Jobs: 1, AsOf: bird.DefaultAsOf})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range report.Defects {
		got = append(got, d.DB+" "+d.Questions[0].String()+" "+d.Reason)
	}
	want := []string{"city_library 0 2 descriptions have the same words", "city_library 1 2 descriptions have the same words"}
	if diff := cmp.Diff(want, got); diff != "" || report.Totals.Verified != 3 {
		t.Errorf("%d verified (-want +got):\n%s", report.Totals.Verified, diff)
	}
	var text strings.Builder
	Summarize(&text, report, 200)
	if !strings.Contains(text.String(), "have the same words") {
		t.Errorf("the summary tells nothing of it:\n%s", &text)
	}
}
