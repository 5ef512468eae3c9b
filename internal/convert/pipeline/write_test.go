package pipeline

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/artifact/export"
	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/internal/testkit/thorough"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
)

// conversion is what write returns.
type conversion struct {
	files  map[string]string
	report *Report
}

// conversions are those that write has made.
var conversions = map[string]conversion{}

// write converts databases of the embedded sample, once for all tests, and returns
// its files, which callers must not change.
func write(t *testing.T, databases []string, variant string, set slot.Toolset, how Writing) (map[string]string, *Report) {
	t.Helper()
	name := fmt.Sprintf("%v %s %s %+v", databases, variant, set, how)
	c, ok := conversions[name]
	if !ok {
		c.files, c.report = writeAnew(t, databases, variant, set, how)
		conversions[name] = c
	}
	return c.files, c.report
}

// writeAnew does the same without looking whether it was done.
func writeAnew(t *testing.T, databases []string, variant string, set slot.Toolset, how Writing) (map[string]string, *Report) {
	t.Helper()
	dataset, err := bird.Load(bird.Options{FS: sample.FS(), Databases: databases})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	r, err := Run(context.Background(), Options{
		Dataset: dataset, Variant: variant, Out: dir, Toolset: set, Timeout: time.Minute, Jobs: 2, AsOf: bird.DefaultAsOf, Writing: how,
	})
	if err != nil {
		t.Fatal(err)
	}
	return files(t, filepath.Join(dir, variant)), r
}

// databases are those of the embedded sample.
var databases = []string{"city_library", "coffee_roastery", "bird_club"}

// TestSEL says that SEL verifies exactly the questions that SLOT verifies, with
// the same tools, and that its sequences are those of testdata/sel.txt.
func TestSEL(t *testing.T) {
	for _, set := range []slot.Toolset{slot.Full, slot.Paper} {
		slots, slotReport := write(t, databases, record.SLOT, set, Writing{})
		sels, selReport := write(t, databases, record.SEL, set, Writing{})
		if slotReport.Totals != selReport.Totals {
			t.Errorf("%s: SLOT %+v, SEL %+v", set, slotReport.Totals, selReport.Totals)
		}
		var sequences strings.Builder
		for _, db := range databases {
			of, as := read(t, slots[db+".json"]), read(t, sels[db+".json"])
			for i := range of {
				if string(of[i].SampleID) != string(as[i].SampleID) || string(of[i].GoldAnswer) != string(as[i].GoldAnswer) || len(of[i].Output) != len(as[i].Output) {
					t.Errorf("%s: %s in SLOT is %s in SEL", db, of[i].SampleID, as[i].SampleID)
				}
				fmt.Fprintf(&sequences, "%s %s\n", as[i].SampleID, as[i].Query)
				for _, c := range as[i].Output {
					fmt.Fprintf(&sequences, "%s = %s %s\n", c.Label, c.Name, c.Arguments)
				}
				sequences.WriteString("\n")
			}
		}
		if set == slot.Full {
			golden.Equal(t, filepath.Join("testdata", "sel.txt"), sequences.String())
		}
	}
}

var functionName = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_]{0,63}$`)

// TestSELUniverse says that a database's tools include those of its samples,
// but for getters of what calls make, under usable names.
func TestSELUniverse(t *testing.T) {
	out, _ := write(t, databases, record.SEL, slot.Full, Writing{})
	for _, db := range databases {
		var universe []spec.Tool
		if err := json.Unmarshal([]byte(out[db+".tools.json"]), &universe); err != nil {
			t.Fatal(err)
		}
		known := map[string]bool{}
		for _, s := range universe {
			if known[s.Name] || !functionName.MatchString(s.Name) {
				t.Errorf("%s: %q is used twice or is no name", db, s.Name)
			}
			known[s.Name] = true
		}
		var records []record.Slot
		if err := json.Unmarshal([]byte(out[db+".json"]), &records); err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			made := map[string]bool{}
			for _, k := range r.Keys {
				made["`"+k.Name+"`"] = k.Description == "made by an earlier call"
			}
			for _, s := range r.Tools {
				key := regexp.MustCompile("`.*?`").FindString(s.Description)
				if !known[s.Name] && !made[key] {
					t.Errorf("%s: question %v lists %s, which the database does not have", db, r.ID, s.Name)
				}
			}
		}
	}
}

// TestEveryWayToWrite writes a database in several ways, each twice: the bytes
// are the same, tables hold what the JSON array holds, and the hidden names are listed.
func TestEveryWayToWrite(t *testing.T) {
	const db = "bird_club"
	for variant, ways := range map[string][]Writing{
		record.SLOT: {{}, {Spec: spec.OpenAI, Messages: true}, {Spec: spec.OpenAI, Shortlist: 25, Seed: 7}, {Spec: spec.Gemini, Obfuscate: true, Shortlist: 50}},
		record.SEL:  {{Spec: spec.OpenAIStrict, Obfuscate: true}, {Spec: spec.Anthropic, Shortlist: 10}, {Spec: spec.MCP}},
		record.REST: {{}, {Spec: spec.OpenAIStrict, Obfuscate: true, Shortlist: 25}, {Obfuscate: true}, {Spec: spec.Gemini, Shortlist: 10, Seed: 3}, {Obfuscate: true, Shortlist: 25, By: spec.Near}},
	} {
		for i, how := range ways {
			columns := columnsOf(variant, how.Messages)
			how.Format = export.Array
			arrays, report := write(t, []string{db}, variant, slot.Full, how)
			if i%2 == 0 || thorough.On() {
				again, _ := writeAnew(t, []string{db}, variant, slot.Full, how)
				if diff := cmp.Diff(arrays, again); diff != "" {
					t.Fatalf("%s %+v: two runs differ:\n%s", variant, how, diff)
				}
			}
			if report.Totals.Verified != report.Totals.Questions || report.Stats.Ours.Samples != report.Totals.Questions {
				t.Errorf("%s %+v: verified %+v", variant, how, report.Totals)
			}
			if _, told := arrays[db+".obfuscation.json"]; told != how.Obfuscate {
				t.Errorf("%s %+v: the names are told: %v", variant, how, told)
			}
			for _, f := range thorough.Every([]export.Format{export.Lines, export.Parquet}, 2, i) {
				how.Format = f
				tables, _ := write(t, []string{db}, variant, slot.Full, how)
				table := strings.NewReader(tables[db+f.Ext()])
				got, err := export.Read(table, table.Size(), f, columns)
				if err != nil {
					t.Fatal(err)
				}
				var b bytes.Buffer
				if err := export.Write(&b, export.Array, nil, got); err != nil {
					t.Fatal(err)
				}
				if b.String() != arrays[db+".json"] {
					t.Errorf("%s %+v differs from the JSON array", variant, how)
				}
				if card := tables[export.CardFile]; !strings.Contains(card, `"bird_club`+f.Ext()+`"`) {
					t.Errorf("the card does not name the files:\n%s", card)
				}
			}
		}
	}
}

// TestExamples says that there are three examples of each variant that any
// toolset can write, with just the tools that they use.
func TestExamples(t *testing.T) {
	for _, variant := range variant.Single() {
		for _, set := range []slot.Toolset{slot.Full, slot.Paper} {
			out, _ := write(t, databases[:1], variant, set, Writing{})
			var records []record.Slot
			if err := json.Unmarshal([]byte(out["examples.json"]), &records); err != nil {
				t.Fatal(err)
			}
			if len(records) != 3 {
				t.Errorf("%s: %d examples", variant, len(records))
			}
			for _, r := range records {
				used := map[string]bool{}
				for _, c := range r.Calls {
					used[c.Name] = true
				}
				if len(r.Tools) != len(used) {
					t.Errorf("%s: example %v lists %d tools and uses %d", variant, r.ID, len(r.Tools), len(used))
				}
			}
		}
	}
}

// TestNamesOfFiles lists databases whose files would be written twice.
func TestNamesOfFiles(t *testing.T) {
	for _, c := range []struct{ databases, says string }{
		{"report", `the database "report" and convert itself would both write report.json; rename the database`},
		{"examples", `"examples"`},
		{"openapi", `"openapi"`},
		{".birdcall", `the database ".birdcall" and convert itself would both write .birdcall.json`},
		{"zoo,zoo.tools", `the database "zoo.tools" and "zoo" would both write zoo.tools.json`},
		{"zoo,zoo.tool", ""},
	} {
		dataset := &bird.Dataset{}
		for id := range strings.SplitSeq(c.databases, ",") {
			dataset.Databases = append(dataset.Databases, &bird.Database{ID: id})
		}
		err := newWriter(nil, Options{Dataset: dataset, Variant: record.SLOT}).checkNames()
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.databases, err)
		}
		if c.says == "" {
			continue
		}
		out := filepath.Join(t.TempDir(), "out")
		if _, err := Run(t.Context(), Options{Dataset: dataset, Variant: record.SLOT, Out: out}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s is converted: %v", c.databases, err)
		}
	}
}
