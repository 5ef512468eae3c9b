package pipeline

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/convert/embedded"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/internal/querytool/querygrid"
	"github.com/birdcall/birdcall/internal/testkit/thorough"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
)

// grid writes the queries of the grid over a dataset, and returns the report and the
// records.
func grid(t *testing.T, d *bird.Dataset, q Queries) (*Report, []*query.Record) {
	t.Helper()
	var err error
	if q.Grid, err = querygrid.Dataset(t.Context(), d, querygrid.Options{}); err != nil {
		t.Fatal(err)
	}
	d.Questions = q.Grid.Questions
	out := t.TempDir()
	report, err := Run(t.Context(), Options{Dataset: d, Variant: record.QUERY, Queries: q, Out: out, Timeout: time.Minute, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	var records []*query.Record
	for _, db := range d.Databases {
		text, err := os.ReadFile(filepath.Join(out, record.QUERY, db.ID+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var some []*query.Record
		if err := json.Unmarshal(text, &some); err != nil {
			t.Fatal(err)
		}
		records = append(records, some...)
	}
	return report, records
}

// TestGridOfUseCases writes the grid of the embedded use cases in every toolset and
// shape: all 315 queries are verified, and of the paper's complexities.
func TestGridOfUseCases(t *testing.T) {
	for i, set := range query.Toolsets() {
		for _, shape := range thorough.Every(query.Shapes(), 2, i) {
			d, err := embedded.UseCases()
			if err != nil {
				t.Fatal(err)
			}
			report, records := grid(t, d, Queries{Toolset: query.Toolset(set), Shape: query.Shape(shape)})
			counts := map[query.Complexity]int{}
			for _, r := range records {
				counts[r.Complexity]++
				if r.Source != query.FromGrid || !r.Template || string(r.Toolset) != set || string(r.Shape) != shape {
					t.Errorf("%s: %s, %v, %s, %s", r.ID, r.Source, r.Template, r.Toolset, r.Shape)
				}
				if queries, err := query.Read(r.ToolCalls()[0], r.Toolset, r.Collections); err != nil || len(queries) != 1 {
					t.Errorf("%s: %d queries, %v", r.ID, len(queries), err)
				}
			}
			if got, want := fmt.Sprint(counts), "map[complex:165 moderate:110 simple:40]"; got != want || report.Totals.Verified != 315 || report.Totals.Questions != 315 {
				t.Errorf("%s, %s: %s, want %s; %+v", set, shape, got, want, report.Totals)
			}
			if report.Wide != nil || report.Impossible != nil {
				t.Errorf("%s, %s: %v, %v", set, shape, report.Wide, report.Impossible)
			}
		}
	}
}

// TestGridWithoutBooleans says what a schema cannot have.
func TestGridWithoutBooleans(t *testing.T) {
	d := plain(t, `CREATE TABLE pet(about TEXT, kind TEXT, weight REAL);
INSERT INTO pet VALUES
	('A calm old friend who sleeps by the fire', 'dog', 20.5), ('A lively hunter of mice and birds', 'cat', 3.5),
	('Barks at every bird, and sleeps all day', 'dog', 12), ('A shy hunter who hides from guests', 'cat', 4),
	('A lively runner who loves long walks', 'dog', 7), ('A calm friend of guests, fond of fish', 'cat', 3.5)`, "SELECT 1")
	report, records := grid(t, d, Queries{Toolset: query.Paper})
	without := 0
	for _, one := range report.Impossible {
		if one.Reason == "no collection has a boolean property" {
			without++
		}
	}
	if without != 28 || len(records)+len(report.Impossible) != 63 {
		t.Errorf("%d combinations lack a boolean, %d are impossible, and there are %d queries", without, len(report.Impossible), len(records))
	}
	if report.Totals.Verified != len(records) || report.Totals.Mismatch > 0 {
		t.Errorf("%+v", report.Totals)
	}
}

// TestWideDatabase reports a tool that is too long for some, and how long the tools of
// the collections are.
func TestWideDatabase(t *testing.T) {
	var tables []string
	for i := range 4 {
		columns := make([]string, 80)
		for j := range columns {
			columns[j] = fmt.Sprintf("c%d_%d INTEGER", i, j)
		}
		tables = append(tables, fmt.Sprintf("CREATE TABLE t%d(%s)", i, strings.Join(columns, ", ")))
	}
	d := plain(t, strings.Join(tables, ";"), "SELECT c0_0 FROM t0")
	r, err := Run(t.Context(), Options{Dataset: d, Variant: record.QUERY, Out: t.TempDir(), Timeout: time.Minute, Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Wide) != 1 || r.Wide[0].Tool != query.ToolName || r.Wide[0].Tokens <= query.MaxTokens || r.Wide[0].PerCollection > query.MaxTokens {
		t.Errorf("%+v", r.Wide)
	}
	if r.Totals.Verified != 1 {
		t.Errorf("%+v", r.Totals)
	}
}
