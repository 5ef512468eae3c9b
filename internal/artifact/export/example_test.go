package export_test

import (
	"encoding/json"
	"os"

	"github.com/birdcall/birdcall/internal/artifact/export"
)

// Fields whose form differs from record to record become JSON as text.
func ExampleWrite() {
	columns := []export.Column{{Name: "input", Kind: export.Text}, {Name: "gold_answer", Kind: export.JSON}}
	records := []json.RawMessage{
		json.RawMessage(`{"input":"How many birds?","gold_answer":9007199254740993}`),
		json.RawMessage(`{"input":"Which ones?","gold_answer":["Kea",null]}`),
	}
	if err := export.Write(os.Stdout, export.Lines, columns, records); err != nil {
		panic(err)
	}
	// Output:
	// {"input":"How many birds?","gold_answer":"9007199254740993"}
	// {"input":"Which ones?","gold_answer":"[\"Kea\",null]"}
}
