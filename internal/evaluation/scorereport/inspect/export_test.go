package inspect

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

func fixture() []*evaluate.Sample {
	list := []spec.Tool{{Name: "get_city", Description: "Städte </script>", Parameters: map[string]any{
		"type": "object", "properties": map[string]any{"id": map[string]any{"type": "integer"}}, "required": []string{"id"},
	}}}
	call := tools.Call{Name: "get_city", Label: "A", Arguments: tools.Arguments{{Name: "id", Value: json.Number("9007199254740993")}}}
	facts := record.Facts{Difficulty: "simple", Constructs: []string{"LIMIT"}}
	return []*evaluate.Sample{
		{Variant: record.SLOT, DB: "city", ID: bird.Number(1), Question: "Which?", Evidence: "the largest", System: "Tables: …", Tools: list, Listed: []tools.Call{call}, Answer: json.RawMessage(`[1,"a\nb"]`), Facts: facts},
		{Variant: record.SLOT, DB: "city", ID: bird.Number(2), Question: "Where?", Tools: list, Listed: []tools.Call{call}, Answer: json.RawMessage(`null`), Facts: facts},
		{Variant: record.SLOT, DB: "town", ID: bird.Number(2), Question: "Where?", Tools: append(list[:1:1], spec.Tool{Name: "other", Parameters: map[string]any{"type": "object"}}), Answer: json.RawMessage(`"x"`), Facts: facts},
	}
}

func TestExport(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	files, err := Export(dir, fixture())
	if err != nil || len(files) != 4 {
		t.Fatal(files, err)
	}
	for _, name := range []string{datasetFile, toolsFile} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		golden.Equal(t, filepath.Join("testdata", name), string(text))
	}
	for _, name := range []string{taskFile, readmeFile} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.Contains(strings.ToUpper(string(text)), "NOT RUN HERE") {
			t.Errorf("%s does not say that it was not run: %v", name, err)
		}
	}
	if _, err := Export(dir, fixture()); err == nil || !strings.Contains(err.Error(), "it holds files already, such as README.md; give an empty folder") {
		t.Errorf("a folder with files: got %v", err)
	}
	if _, err := Export(t.TempDir(), nil); err == nil {
		t.Error("no samples: no error")
	}
}

// TestPrediction says that evaluate's prediction has the fields that the task
// writes.
func TestPrediction(t *testing.T) {
	const written = `{"db_id": "city", "sample_id": 1, "model": "openai/x", "message": {"content": "", "tool_calls": [{"id": "1", "function": {"name": "get_city", "arguments": "{\"id\": 1}"}}]}}`
	d := json.NewDecoder(strings.NewReader(written))
	d.DisallowUnknownFields()
	var p evaluate.Prediction
	if err := d.Decode(&p); err != nil || p.Message.ToolCalls[0].Function.Arguments != `{"id": 1}` {
		t.Errorf("got %+v, %v", p, err)
	}
}
