package pipeline

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/testkit/thorough"
	"github.com/birdcall/birdcall/internal/text/toolname"

	"github.com/google/go-cmp/cmp"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/artifact/folder"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/sel"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// anyDataset is in the folder that BIRDCALL_DATASET names, or the embedded sample.
func anyDataset(t testing.TB) *bird.Dataset {
	t.Helper()
	load := bird.Options{Dir: os.Getenv("BIRDCALL_DATASET")}
	if load.Dir == "" {
		load.FS = sample.FS()
	}
	dataset, err := bird.Load(load)
	if err != nil {
		t.Fatal(err)
	}
	return dataset
}

// TestToolsTellNothing holds the tool list of each sample against the one that
// is made without its sequence: of the starting tables' keys, and of what all
// sequences of the database need. And no key that the sequence makes is in
// any format of the list, unless the words of the tools have it themselves.
func TestToolsTellNothing(t *testing.T) {
	dataset, texts := anyDataset(t), asWritten{}
	for _, toolset := range thorough.Every([]slot.Toolset{slot.Full, slot.Paper, slot.Auto}, 2, 0) {
		needs := map[string]*slot.Needs{} // by database
		for _, variant := range []string{record.SLOT, record.SEL} {
			t.Run(string(toolset)+" "+variant, func(t *testing.T) {
				dir := t.TempDir()
				if _, err := Run(t.Context(), Options{Dataset: dataset, Variant: variant, Out: dir, Toolset: toolset, Timeout: time.Minute, Jobs: 2, AsOf: bird.DefaultAsOf}); err != nil {
					t.Fatal(err)
				}
				for _, db := range dataset.Databases {
					data, err := os.ReadFile(filepath.Join(dir, variant, db.ID+".json"))
					if err != nil {
						t.Fatal(err)
					}
					var records []*record.Slot
					if err := json.Unmarshal(data, &records); err != nil {
						t.Fatal(err)
					}
					if variant == record.SLOT {
						needs[db.ID] = &slot.Needs{}
						for _, r := range records {
							needs[db.ID].Add(r.Calls)
						}
					}
					definitions := toolset.Definitions(needs[db.ID])
					without, words := slot.Specs(definitions), slot.Specs(tools.Definitions())
					for _, r := range records {
						if variant == record.SEL {
							without, words = sel.New(definitions, r.Keys).Specs(), sel.New(tools.Definitions(), r.Keys).Specs()
						}
						texts.check(t, r, without, words)
					}
				}
			})
		}
	}
}

// asWritten keeps tool lists as each format writes them, by the definitions alone,
// since most samples share them.
type asWritten map[string][]string

// check holds the list of a record against the one without its sequence, and looks
// in all formats for keys that only the sequence makes. words are all tools there
// are.
func (w asWritten) check(t *testing.T, r *record.Slot, without, words []spec.Tool) {
	t.Helper()
	if diff := cmp.Diff(asText(t, spec.Function, without), asText(t, spec.Function, r.Tools)); diff != "" {
		t.Errorf("%v: tools (-without the sequence +in the sample):\n%s", r.ID, diff)
	}
	made := madeKeys(r)
	if len(made) == 0 {
		return
	}
	list, all := w.of(t, r.Tools), w.of(t, words)
	for i, format := range spec.Formats() {
		for _, key := range made {
			if strings.Contains(list[i], key) && !strings.Contains(all[i], key) {
				t.Errorf("%v: the tools as %s tell the key %s, which the sequence makes", r.ID, format, key)
			}
		}
	}
}

// of returns a list in each of the formats.
func (w asWritten) of(t *testing.T, list []spec.Tool) []string {
	t.Helper()
	bare := asText(t, spec.Function, list)
	if w[bare] == nil {
		for _, format := range spec.Formats() {
			w[bare] = append(w[bare], asText(t, spec.Format(format), list))
		}
	}
	return w[bare]
}

func asText(t *testing.T, format spec.Format, list []spec.Tool) string {
	t.Helper()
	out, err := format.List(list)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// madeKeys returns the texts in the arguments of a record's calls that are keys
// of none of its starting tables, such as those that calls make.
func madeKeys(r *record.Slot) []string {
	known := map[string]bool{}
	for _, k := range r.Keys {
		known[k.Name] = true
	}
	var out []string
	for _, c := range r.Calls {
		for _, name := range []string{toolname.ArgKeyName, toolname.ArgOutputKey, toolname.ArgOrderBy, toolname.ArgPartitionBy, toolname.ArgOtherKeyName} {
			switch v, _ := c.Arguments.Get(name); v := v.(type) {
			case string:
				if !known[v] {
					out = append(out, v)
				}
			case []any:
				for _, key := range v {
					if key, ok := key.(string); ok && !known[key] {
						out = append(out, key)
					}
				}
			}
		}
	}
	return out
}

// TestEndpointsTellNothing says that no parameter of an endpoint has a default or
// an example: one would be a question's own value. A question's call gives each of
// its values itself.
func TestEndpointsTellNothing(t *testing.T) {
	dataset := anyDataset(t)
	dir := t.TempDir()
	if _, err := Run(t.Context(), Options{Dataset: dataset, Variant: record.REST, Out: dir, Timeout: time.Minute, Jobs: 2, AsOf: bird.DefaultAsOf, Writing: Writing{Once: true}}); err != nil {
		t.Fatal(err)
	}
	for _, db := range dataset.Databases {
		var list []spec.Tool
		data, err := os.ReadFile(filepath.Join(dir, record.REST, db.ID+folder.ToolsEnd))
		if err != nil {
			t.Fatal(err)
		}
		decode(t, string(data), &list)
		for _, tool := range list {
			for name, p := range tool.Parameters["properties"].(map[string]any) {
				for _, keyword := range []string{"default", "example", "examples", "const"} {
					if v, ok := p.(map[string]any)[keyword]; ok {
						t.Errorf("%s: %s: %s has the %s %v", db.ID, tool.Name, name, keyword, v)
					}
				}
			}
		}
	}
}
