package pipeline

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/artifact/export"
	"github.com/birdcall/birdcall/internal/convert/multi"
	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/internal/testkit/thorough"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// pairOptions are those of converting the embedded sample to pairs.
func pairOptions(t *testing.T, form string, how Writing) Options {
	t.Helper()
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	return Options{
		Dataset: dataset, Variant: record.MULTI, Out: t.TempDir(), Toolset: slot.Auto, Timeout: time.Minute, Jobs: 2, AsOf: bird.DefaultAsOf,
		Writing: how, Pairs: Pairs{Form: form},
	}
}

// TestPairs converts the embedded sample to pairs, and shows the questions and the
// first samples as they are read.
func TestPairs(t *testing.T) {
	for _, form := range []string{record.SLOT, record.REST} {
		opts := pairOptions(t, form, Writing{})
		report, err := Run(t.Context(), opts)
		if err != nil {
			t.Fatal(err)
		}
		var records []record.Multi
		if err := json.Unmarshal([]byte(files(t, opts.Out)[record.MULTI+"/multi.json"]), &records); err != nil {
			t.Fatal(err)
		}
		qualified := 0
		var b strings.Builder
		for _, p := range report.Parts {
			fmt.Fprintf(&b, "%s: %d questions, %d verified, %d qualify, drawn %d times\n", p.DB, p.Questions, p.Verified, p.Qualified, p.Drawn)
			qualified += p.Qualified
		}
		if report.Totals.Verified != qualified || len(records) != qualified || report.Mismatches() > 0 {
			t.Errorf("%s: %d pairs are verified, and %d questions qualify; %v", form, report.Totals.Verified, qualified, report.Failures)
		}
		seen := map[string]int{}
		for i, r := range records {
			fmt.Fprintf(&b, "\n%s\n", r.Question)
			if r.Evidence != "" {
				fmt.Fprintf(&b, "Hint: %s\n", r.Evidence)
			}
			fmt.Fprintf(&b, "%s of %s: %v, %v: %s\n", r.Which, strings.Join(r.Databases, " and "), r.Parts[0].Answer, r.Parts[1].Answer, r.GoldAnswer)
			for _, p := range r.Parts {
				seen[p.Database+"/"+p.QuestionID.String()]++
			}
			if i > 2 {
				continue
			}
			for _, c := range r.Calls {
				text, err := json.Marshal(c.Arguments)
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(&b, "  %s = %s %s\n", c.Label, c.Name, text)
			}
			fmt.Fprintf(&b, "System: %s", multi.System(&r))
		}
		if len(seen) != qualified {
			t.Errorf("%s: %d questions are drawn, and %d qualify", form, len(seen), qualified)
		}
		golden.Equal(t, filepath.Join("testdata", "pairs_"+form+".txt"), b.String())
	}
}

// TestEveryWayToWritePairs says that two runs write the same bytes, whatever the
// number of workers, and that tables hold what the JSON array holds.
func TestEveryWayToWritePairs(t *testing.T) {
	for i, form := range []string{record.SLOT, record.REST} {
		for _, how := range thorough.Every([]Writing{
			{Spec: spec.OpenAI, Messages: true, Obfuscate: true}, {Spec: spec.Gemini, Once: true}, {MaxTools: 12, By: spec.Near, Seed: 3},
		}, 2, i) {
			var runs []map[string]string
			for _, jobs := range []int{1, 3} {
				opts := pairOptions(t, form, how)
				opts.Jobs, opts.Pairs.Count = jobs, 9
				report, err := Run(t.Context(), opts)
				if err != nil {
					t.Fatal(err)
				}
				if report.Totals.Verified != 9 || report.Stats.Ours.Samples != 9 {
					t.Errorf("%s %+v: verified %+v", form, how, report.Totals)
				}
				runs = append(runs, files(t, opts.Out))
			}
			if diff := cmp.Diff(runs[0], runs[1]); diff != "" {
				t.Fatalf("%s %+v: two runs differ:\n%.2000s", form, how, diff)
			}
			if how.Format = export.Parquet; how.Once {
				continue
			}
			opts := pairOptions(t, form, how)
			opts.Pairs.Count = 9
			if _, err := Run(t.Context(), opts); err != nil {
				t.Fatal(err)
			}
			table := strings.NewReader(files(t, opts.Out)[record.MULTI+"/multi.parquet"])
			got, err := export.Read(table, table.Size(), export.Parquet, columnsOf(record.MULTI, how.Messages))
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			if err := export.Write(&b, export.Array, nil, got); err != nil {
				t.Fatal(err)
			}
			if b.String() != runs[0][record.MULTI+"/multi.json"] {
				t.Errorf("%s %+v: the table differs from the JSON array", form, how)
			}
		}
	}
}

// TestPairsDependOnTheSeed says that another seed draws other pairs.
func TestPairsDependOnTheSeed(t *testing.T) {
	var texts []string
	for _, seed := range []uint64{1, 1, 2} {
		opts := pairOptions(t, record.SLOT, Writing{Seed: seed})
		if _, err := Run(t.Context(), opts); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, files(t, opts.Out)[record.MULTI+"/multi.json"])
	}
	if texts[0] != texts[1] || texts[0] == texts[2] {
		t.Error("pairs do not depend on the seed alone")
	}
}

// TestNoPairs says that questions of one database make none.
func TestNoPairs(t *testing.T) {
	opts := pairOptions(t, record.SLOT, Writing{})
	opts.Dataset = plain(t, "CREATE TABLE t(a); INSERT INTO t VALUES (1), (2)", "SELECT count(*) FROM t", "SELECT max(a) + 5 FROM t")
	if _, err := Run(t.Context(), opts); !errors.Is(err, errNoPairs) {
		t.Errorf("%v, want %v", err, errNoPairs)
	}
}

// TestNearPairs says that no sample lists an endpoint that answers a part as well as
// its own.
func TestNearPairs(t *testing.T) {
	opts := pairOptions(t, record.REST, Writing{By: spec.Near})
	const twin, count = 1001, "SELECT COUNT(code) FROM branch"
	opts.Dataset.Questions = append(opts.Dataset.Questions, bird.Question{ID: bird.Number(twin), DB: "city_library", Text: "How many codes do the branches have?", SQL: count})
	report, err := Run(t.Context(), opts)
	if err != nil || report.Answering == 0 {
		t.Fatalf("%d tools answer too, %v", report.Answering, err)
	}
	var records []record.Multi
	if err := json.Unmarshal([]byte(files(t, opts.Out)[record.MULTI+"/multi.json"]), &records); err != nil {
		t.Fatal(err)
	}
	names := map[bird.ID]string{} // of the endpoints of the two questions
	for _, r := range records {
		for i, p := range r.Parts {
			if p.Database == "city_library" {
				names[p.QuestionID] = r.Calls[i].Name
			}
		}
	}
	one, other := names[bird.Number(0)], names[bird.Number(twin)]
	if one == "" || other == "" || one == other {
		t.Fatalf("the twins have the endpoints %q and %q", one, other)
	}
	for _, r := range records {
		calls := func(name string) bool {
			return slices.ContainsFunc(r.Calls, func(c tools.Call) bool { return c.Name == name })
		}
		for _, tool := range r.Tools {
			if calls(one) && tool.Name == other || calls(other) && tool.Name == one {
				t.Errorf("%s lists %s, which answers too", r.ID, tool.Name)
			}
		}
	}
}
