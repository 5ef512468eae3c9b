package pipeline

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// example is a record in docs/dataset.md: which one it is, and its text.
var example = regexp.MustCompile("(?s)(<!-- record: (\\w+) (\\d+) -->\n```json\n).*?(```\n)")

// TestRecordsOfDocs says that the records that docs/dataset.md shows are those that
// are written, and that it explains every field.
func TestRecordsOfDocs(t *testing.T) {
	const db = "bird_club"
	path := filepath.Join("..", "..", "..", "docs", "dataset.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	chats, _ := write(t, []string{db}, record.SLOT, slot.Full, Writing{Spec: spec.OpenAI, Messages: true})
	records := map[string]string{messagesColumn: chats[db+".json"]}
	for _, variant := range variant.Single() {
		files, _ := write(t, []string{db}, variant, slot.Full, Writing{})
		records[variant] = files[db+".json"]
		for _, c := range columnsOf(variant, true) {
			if !regexp.MustCompile("(?m)^\\| (`\\w+`, )*`" + c.Name + "`[ ,]").Match(text) {
				t.Errorf("%s: the field %s is not explained", variant, c.Name)
			}
		}
	}
	pairs := pairOptions(t, record.REST, Writing{})
	if _, err := Run(t.Context(), pairs); err != nil {
		t.Fatal(err)
	}
	records[record.MULTI] = files(t, pairs.Out)[record.MULTI+"/multi.json"]
	for _, c := range columnsOf(record.MULTI, false) {
		if !regexp.MustCompile("`" + c.Name + "`").Match(text) {
			t.Errorf("%s: the field %s is not explained", record.MULTI, c.Name)
		}
	}
	got := example.ReplaceAllStringFunc(string(text), func(block string) string {
		parts := example.FindStringSubmatch(block)
		return parts[1] + layOut(t, recordOf(t, records[parts[2]], parts[3]), parts[2] == messagesColumn) + parts[4]
	})
	golden.Equal(t, path, got)
}

// recordOf returns a record of a file, with its fields in their order.
func recordOf(t *testing.T, file, id string) tools.Arguments {
	t.Helper()
	var records []tools.Arguments
	decode(t, file, &records)
	for _, r := range records {
		if v, _ := r.Get("sample_id"); v == json.Number(id) {
			return r
		}
	}
	t.Fatalf("question %s is not written", id)
	return nil
}

// layOut writes a record, or its chat alone, with a line for each field and each
// object in a list.
func layOut(t *testing.T, r tools.Arguments, chat bool) string {
	t.Helper()
	var lines []string
	for _, f := range r {
		if f.Name == "tools" || chat != (f.Name == messagesColumn) {
			continue
		}
		lines = append(lines, "  \""+f.Name+"\": "+layOutField(t, f.Value))
	}
	return "{\n" + strings.Join(lines, ",\n") + "\n}\n"
}

func layOutField(t *testing.T, v any) string {
	t.Helper()
	list, _ := v.([]any)
	var lines []string
	for _, item := range list {
		if _, ok := item.(tools.Arguments); ok {
			lines = append(lines, "    "+layOutField(t, item))
		}
	}
	if lines != nil {
		return "[\n" + strings.Join(lines, ",\n") + "\n  ]"
	}
	text, err := jsontext.Marshal(v, "")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestPaperFields says that the paper's fields (appendix E) come first, in its
// order, in the records of all variants.
func TestPaperFields(t *testing.T) {
	for variant, want := range map[string]string{
		record.SLOT: "query input dataset_name sample_id gold_answer output tools key_values_and_descriptions initialization_step",
		record.SEL:  "query input dataset_name sample_id gold_answer output tools key_values_and_descriptions initialization_step",
		record.REST: "query input dataset_name sample_id gold_answer output output_after_executing_api tools",
	} {
		files, _ := write(t, []string{"bird_club"}, variant, slot.Full, Writing{})
		var records []tools.Arguments
		decode(t, files["bird_club.json"], &records)
		for _, r := range records {
			var names []string
			for _, f := range r {
				names = append(names, f.Name)
			}
			if got := strings.Join(names, " "); !strings.HasPrefix(got, want+" ") {
				t.Errorf("%s: a record has %s", variant, got)
			}
		}
	}
}
