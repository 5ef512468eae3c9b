package evaluate_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
)

// TestUnreadableRecords lists records that cannot be read, with the problem that each
// is. The others of their file are read.
func TestUnreadableRecords(t *testing.T) {
	dataset, err := bird.Load(bird.Options{FS: sample.FS(), Databases: []string{"bird_club"}})
	if err != nil {
		t.Fatal(err)
	}
	run := pipeline.Options{Dataset: dataset, Variant: record.SLOT, Out: t.TempDir(), Toolset: slot.Auto, Timeout: time.Minute, Jobs: 2, AsOf: bird.DefaultAsOf}
	if _, err := pipeline.Run(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(run.Folder(), "bird_club.json")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		field, value, kind, problem string
	}{
		"a tool that is none":    {"tools", `[7]`, "unreadable record", "record 0: tool 0 of the list"},
		"a tool without a name":  {"tools", `[{}]`, "unreadable record", "record 0: tool 0 of the list"},
		"tools of a type":        {"tools", `"all"`, "unreadable record", "record 0: "},
		"a question that is not": {"input", `7`, "unreadable record", "record 0: "},
		"no answer":              {"gold_answer", `null`, "record without gold", "record 0: it has no gold answer"},
	} {
		var records []map[string]json.RawMessage
		if err := json.Unmarshal(text, &records); err != nil {
			t.Fatal(err)
		}
		records[0][c.field] = json.RawMessage(c.value)
		if c.value == "null" {
			delete(records[0], c.field)
		}
		changed, err := json.Marshal(records)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := evaluate.Load(t.Context(), run.Folder())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(d.Samples) != len(records)-1 || len(d.Problems) != 1 || d.Problems[0].Kind != c.kind || !strings.HasPrefix(d.Problems[0].Text, c.problem) {
			t.Errorf("%s: %d samples of %d records, %+v", name, len(d.Samples), len(records), d.Problems)
		}
	}
}
