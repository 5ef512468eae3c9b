package evaluate_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/artifact/folder"
	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/internal/evaluation/queryscore"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
)

// others are values of all types of JSON.
var others = []any{nil, -7.0, "x", []any{nil}, map[string]any{}}

// damages returns copies of a JSON value in each of which one field is missing or has
// a value of another type, with what is wrong with it. Of lists the first element is
// looked at.
func damages(v any, path string, yield func(what string, damaged any)) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			with := func(value any) map[string]any {
				out := maps.Clone(v)
				out[name] = value
				return out
			}
			at := path + "." + name
			without := maps.Clone(v)
			delete(without, name)
			yield("no "+at, without)
			for _, other := range others {
				yield(fmt.Sprintf("%s is %v", at, other), with(other))
			}
			damages(v[name], at, func(what string, damaged any) { yield(what, with(damaged)) })
		}
	case []any:
		if len(v) > 0 {
			yield("no "+path+"[0]", v[1:])
			damages(v[0], path+"[0]", func(what string, damaged any) { yield(what, append([]any{damaged}, v[1:]...)) })
		}
	}
}

// damagedFolder writes the samples of a variant, and a folder with damaged copies of
// the record with the most fields.
func damagedFolder(t *testing.T, name, form string) (dir string, what []string) {
	t.Helper()
	out := t.TempDir()
	if _, err := pipeline.Run(t.Context(), pipeline.Options{
		Dataset: embedded(t), Variant: name, Out: out, Toolset: slot.Paper, Timeout: time.Minute, Jobs: 2, AsOf: bird.DefaultAsOf,
		Writing: pipeline.Writing{MaxTools: 2}, Pairs: pipeline.Pairs{Form: form},
	}); err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(out, name)
	f, err := folder.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var largest map[string]any
	for _, db := range f.Databases {
		records, file, err := f.Records(db, variant.Of(f.Variant).Columns())
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range records {
			var r map[string]any
			if err := json.Unmarshal(text, &r); err != nil {
				t.Fatal(err)
			}
			if len(r) > len(largest) {
				largest = r
			}
		}
		if err := os.WriteFile(file, []byte("[]"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var all []any
	damages(largest, "", func(name string, damaged any) {
		if r := damaged.(map[string]any); strings.HasPrefix(fmt.Sprint(r["sample_id"]), fmt.Sprint(largest["sample_id"])) {
			r = maps.Clone(r)
			r["sample_id"] = fmt.Sprintf("%d", len(what)) // none is another's prediction
			damaged = r
		}
		what, all = append(what, name), append(all, damaged)
	})
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	db, _ := largest["dataset_name"].(string)
	if db == "" {
		db = f.Databases[0]
	}
	if err := os.WriteFile(filepath.Join(dir, db+".json"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir, what
}

// TestDamagedRecords deletes each field of a record in turn and gives it values of
// other types, in every variant: nothing panics, and what cannot be scored is a problem
// that names the record.
func TestDamagedRecords(t *testing.T) {
	e := executor(t)
	for _, c := range []struct {
		variant string
		form    string
	}{{record.SLOT, ""}, {record.SEL, ""}, {record.REST, ""}, {record.MULTI, record.SLOT}, {record.MULTI, record.REST}} {
		dir, what := damagedFolder(t, c.variant, c.form)
		d, err := evaluate.Load(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		if len(d.Samples)+len(d.Problems) != len(what) || len(d.Problems) == 0 {
			t.Errorf("%s: %d samples and %d problems of %d records", c.variant, len(d.Samples), len(d.Problems), len(what))
		}
		for _, p := range d.Problems {
			if !strings.Contains(p.Text, "record ") || p.File == "" {
				t.Errorf("%s: %+v", c.variant, p)
			}
		}
		// What shows only when calls are run is the error of a run.
		_, _ = evaluate.Score(t.Context(), d, goldOf(d), nil, evaluate.Options{Executor: e})
		if _, err := evaluate.Score(t.Context(), d, goldOf(d), nil, evaluate.Options{Rules: evaluate.Paper}); err != nil {
			t.Errorf("%s: %v", c.variant, err)
		}
	}
}

// TestDamagedQueries does the same with queries.
func TestDamagedQueries(t *testing.T) {
	dir, what := damagedFolder(t, record.QUERY, "")
	samples, problems, err := queryscore.Load(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(samples)+len(problems) != len(what) || len(problems) == 0 {
		t.Errorf("%d samples and %d problems of %d records", len(samples), len(problems), len(what))
	}
}
