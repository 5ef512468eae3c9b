package pipeline

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/birdcall/birdcall/internal/artifact/outdir"
	"github.com/birdcall/birdcall/pkg/bird"
)

// TestOutputFolder checks that a folder appears whole, replaces an older one
// of ours, and spares what is not ours.
func TestOutputFolder(t *testing.T) {
	dataset := plain(t, `CREATE TABLE t(a INTEGER)`, "SELECT a FROM t")
	out := t.TempDir()
	opts := Options{Dataset: dataset, Variant: "slot", Out: out, Timeout: time.Minute, Jobs: 1, AsOf: bird.DefaultAsOf}
	names := func() []string {
		var list []string
		for name := range files(t, out) {
			list = append(list, name)
		}
		sort.Strings(list)
		return list
	}
	// What a killed run leaves behind, and what an older run wrote.
	for name, text := range map[string]string{
		".slot.building/d.json": "x", "slot/old.json": "x", "slot/report.json": "x",
		"slot/.birdcall.json": `{"format": 1, "files": ["old.json", "report.json"]}`,
	} {
		path := filepath.Join(out, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Run(context.Background(), opts); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"slot/.birdcall.json", "slot/d.json", "slot/d.openapi.json", "slot/d.tools.json", "slot/examples.json", "slot/report.json"}, names()); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	before := files(t, out)
	if _, err := Run(canceled, opts); !errors.Is(err, context.Canceled) {
		t.Errorf("a canceled run ends with %v", err)
	}
	if diff := cmp.Diff(before, files(t, out)); diff != "" {
		t.Errorf("a canceled run changed files:\n%s", diff)
	}
	if err := os.Remove(filepath.Join(out, "slot", outdir.ListFile)); err != nil {
		t.Fatal(err)
	}
	before = files(t, out)
	if _, err := Run(context.Background(), opts); err == nil || !strings.Contains(err.Error(), "something else") {
		t.Errorf("a folder that is not ours: got %v", err)
	}
	if diff := cmp.Diff(before, files(t, out)); diff != "" {
		t.Errorf("a refused run changed files:\n%s", diff)
	}
}
