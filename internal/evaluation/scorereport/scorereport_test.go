package scorereport

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/rivo/uniseg"

	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
)

// reports are the fixture as each kind of evaluation.
var reports = []struct {
	name   string
	report func() *evaluate.Report
}{
	{"direct", fixture},
	{"sql", func() *evaluate.Report { return variation(inSQL) }},
	{"react", func() *evaluate.Report { return variation(reacting) }},
	{"unexecuted", func() *evaluate.Report { return variation(unexecuted) }},
	{"obfuscated", func() *evaluate.Report {
		return variation(func(r *evaluate.Report) { r.Obfuscated, r.Total.CompletionRate = true, 0.11 })
	}},
	{"other", func() *evaluate.Report {
		return variation(func(r *evaluate.Report) {
			r.Model, r.Total.CompletionRate, r.Total.Slot = "gpt-4o", 0.41, metric(3, 2, 1)
		})
	}},
	{"none", func() *evaluate.Report {
		return &evaluate.Report{Model: "nothing", Variant: record.REST, Mode: evaluate.Direct, Rules: evaluate.Exact, Executed: true, Samples: 2, Unpredicted: 2}
	}},
}

func TestPrint(t *testing.T) {
	for _, c := range reports {
		var b strings.Builder
		if err := Print(&b, c.report(), Options{Breakdowns: Breakdowns()}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			line = strings.TrimSuffix(line, "\n")
			if uniseg.StringWidth(line) > 80 {
				t.Errorf("%s: wider than 80 columns: %q", c.name, line)
			}
			if strings.ContainsFunc(line, unicode.IsControl) {
				t.Errorf("%s: a terminal obeys this: %q", c.name, line)
			}
		}
		golden.Equal(t, filepath.Join("testdata", c.name+".txt"), b.String())
	}
}

// writeAll writes all reports into a new folder.
func writeAll(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, c := range reports {
		if _, err := Write(dir, c.report(), Options{}); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestWrite holds what a folder has after all reports were written, one of the
// files of each kind in full.
func TestWrite(t *testing.T) {
	dir := writeAll(t)
	var files strings.Builder
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if name, _ := filepath.Rel(dir, path); err == nil && !e.IsDir() {
			files.WriteString(filepath.ToSlash(name) + "\n")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	golden.Equal(t, filepath.Join("testdata", "files.txt"), files.String())
	const home = "meta-llama_Llama-3.3-70B-Instruct/"
	for _, name := range []string{
		"data_overall.csv", home + "slot_direct_exact_score.json", home + "slot_direct_exact.html", home + "slot_direct_exact.md",
		home + "slot_obfuscated_25pct_react_exact.md", home + "slot_sql_exact.md",
	} {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		golden.Equal(t, filepath.Join("testdata", filepath.Base(name)), string(text))
	}
}

// TestScoreFile says that a score file has the samples that failed, or all of
// them, behind the totals.
func TestScoreFile(t *testing.T) {
	for _, c := range []struct {
		all  bool
		want string
	}{
		{false, "12345678"},
		{true, "012345678"},
	} {
		r := fixture()
		files, err := Write(t.TempDir(), r, Options{All: c.all})
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		var head struct {
			Accuracy float64 `json:"accuracy"`
			Correct  int     `json:"correct_count"`
			Total    int     `json:"total_count"`
		}
		if err := json.Unmarshal([]byte(lines[0]), &head); err != nil || head.Correct != 324 || head.Total != 1534 || head.Accuracy != r.Total.CompletionRate {
			t.Errorf("got %s, %v", lines[0], err)
		}
		ids := ""
		for _, line := range lines[1:] {
			var o evaluate.Outcome
			if err := json.Unmarshal([]byte(line), &o); err != nil {
				t.Fatal(err)
			}
			ids += o.ID.String()
		}
		if ids != c.want {
			t.Errorf("all %v: got the samples %s, want %s", c.all, ids, c.want)
		}
	}
}

// TestMerge says that an evaluation takes the place of the one that it repeats
// and of no other, and that what was written is read back.
func TestMerge(t *testing.T) {
	dir := writeAll(t)
	again := variation(func(r *evaluate.Report) { r.Share, r.Total.Completed = 0, 1 }) // which is all, as 100 is
	files, err := Write(dir, again, Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := Read(files[3])
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range m.Evaluations {
		names = append(names, keyOf(r).name())
	}
	want := []string{"slot_direct_exact", "slot_direct_paper", "slot_obfuscated_25pct_react_exact", "slot_obfuscated_direct_exact", "slot_sql_exact"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	again.Outcomes = nil // which report.json leaves out
	if diff := cmp.Diff(again, m.Evaluations[0]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestRefused lists folders that Write does not write to.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ name, report, says string }{
		{"another model", `{"model": "meta-llama_Llama-3.3-70B-Instruct", "evaluations": []}`, `is that of model "meta-llama_Llama-3.3-70B-Instruct", and both names make it the same; give one of the models another name`},
		{"a broken report", `{"model": `, "report.json: it is no report of evaluate: unexpected end of JSON input; remove it"},
		{"another report", `{"model": "x"}`, "report.json: it is no report of evaluate, which has evaluations"},
		{"a report with null", `{"model": "x", "evaluations": [null]}`, "it is no report of evaluate, which has evaluations"},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "meta-llama_Llama-3.3-70B-Instruct", reportFile)
		if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(c.report), 0o644)); err != nil {
			t.Fatal(err)
		}
		if _, err := Write(dir, fixture(), Options{}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.says)
		}
		if text, _ := os.ReadFile(path); string(text) != c.report {
			t.Errorf("%s: the report was written over: %s", c.name, text)
		}
	}
}

// TestSameTime writes many evaluations at once, of which none may be lost.
func TestSameTime(t *testing.T) {
	dir := t.TempDir()
	var group sync.WaitGroup
	for _, variant := range []string{"slot", "sel", "rest", "slot", "sel"} {
		for _, model := range []string{"a", "b"} {
			group.Go(func() {
				r := &evaluate.Report{Model: model, Variant: variant, Rules: evaluate.Exact, Executed: true}
				if _, err := Write(dir, r, Options{}); err != nil {
					t.Error(err)
				}
			})
		}
	}
	group.Wait()
	all, err := Models(dir)
	if err != nil || len(all) != 2 || len(all[0].Evaluations) != 3 || len(all[1].Evaluations) != 3 {
		t.Errorf("got %v, %v", all, err)
	}
}

func TestFolder(t *testing.T) {
	for model, want := range map[string]string{
		"gpt-4o-2024-08-06":     "gpt-4o-2024-08-06",
		"meta-llama/L:8b":       "meta-llama_L_8b",
		"../../etc":             "_._.._etc",
		"..":                    "_.",
		".hidden":               "_hidden",
		"":                      "unnamed",
		"a\x00\\b\xff":          "a__b_",
		"模型/七":                  "模型_七",
		strings.Repeat("模", 99): strings.Repeat("模", 33),
	} {
		if got := folder(model); got != want {
			t.Errorf("%q: got %q, want %q", model, got, want)
		}
	}
}

// TestShareFigures says that evaluations with shorter lists are next to those
// with all tools, model by model.
func TestShareFigures(t *testing.T) {
	of := func(share int) *evaluate.Report {
		return variation(func(r *evaluate.Report) { r.Share, r.Total.CompletionRate = share, 1-float64(share)/200 })
	}
	m := &ModelReport{Model: "a", Evaluations: []*evaluate.Report{of(100), of(10), of(50)}}
	alone := &ModelReport{Model: "b", Evaluations: []*evaluate.Report{of(25)}}
	figures := shareFigures([]*ModelReport{m, alone}, evaluate.Exact)
	if len(figures) != 1 {
		t.Fatalf("there are %d figures", len(figures))
	}
	var got []string
	for _, g := range figures[0].Groups {
		got = append(got, fmt.Sprintf("%s: %.2f", g.Name, *g.Values[0]))
	}
	name := model(m.Evaluations[0])
	want := []string{name + ", 10 %: 0.95", name + ", 50 %: 0.75", name + ", 100 %: 0.50"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCompare(t *testing.T) {
	all, err := Models(writeAll(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range Formats() {
		var b strings.Builder
		if err := Compare(&b, all, format); err != nil {
			t.Fatal(err)
		}
		golden.Equal(t, filepath.Join("testdata", "compare."+string(format)), b.String())
	}
	if err := Compare(&strings.Builder{}, all, "pdf"); err == nil || err.Error() != `no format "pdf"; give one of table, markdown, csv, html` {
		t.Errorf("got %v", err)
	}
}
