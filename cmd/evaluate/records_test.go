package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/programtest"
)

// TestRecordWithoutField takes a field from a record: the score is that of the others,
// and the problem names the record and the field.
func TestRecordWithoutField(t *testing.T) {
	folder, out := convertOne(t), t.TempDir()
	file := filepath.Join(folder, "city_library.json")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var records []map[string]json.RawMessage
	if err := json.Unmarshal(text, &records); err != nil {
		t.Fatal(err)
	}
	id := string(records[2]["sample_id"])
	delete(records[1], "starting_tables")
	if text, err = json.Marshal(records); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	predictions := filepath.Join(out, "calls.jsonl")
	if err := os.WriteFile(predictions, []byte(`{"sample_id": `+id+`, "calls": []}`), 0o644); err != nil {
		t.Fatal(err)
	}
	got := programtest.Run(t, "evaluate", "--dataset", folder, "--predictions", predictions, "--out", out)
	if got.Code != 0 || !strings.Contains(got.Stdout+got.Stderr, "record 1: starting_tables") || strings.Contains(got.Stderr, "panic") {
		t.Errorf("exit code %d\n%s%s", got.Code, got.Stdout, got.Stderr)
	}
}
