package mixed

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/pkg/bird"
)

// summary is what a report says, without what it took in time.
func summary(reports []*Report) string {
	var b strings.Builder
	for _, r := range reports {
		fmt.Fprintf(&b, "share %d, seed %d: %v, %d untouched, %d over the bound, %d calls where %d suffice\n", r.Share, r.Seed, r.Totals.States, r.Totals.Untouched, r.Totals.OverBound, r.Totals.Calls, r.Totals.Least)
		for _, d := range r.Databases {
			fmt.Fprintf(&b, "  %s: %s\n", d.ID, strings.Join(d.Moved, ", "))
		}
		for _, o := range r.Questions {
			if o.Over || o.State != Equal {
				fmt.Fprintf(&b, "  %s %v: %s, %d calls in %d rounds, %d suffice %s\n", o.DB, o.ID, o.State, o.Calls, o.Rounds, o.Least, cmp.Or(o.Detail, o.Reason))
			}
		}
	}
	return b.String()
}

// TestBenchmarkI runs the sample's questions at several shares. What is written does
// not depend on the number of jobs.
func TestBenchmarkI(t *testing.T) {
	dataset := loadSample(t)
	written := map[string]string{}
	for _, jobs := range []int{1, 3} {
		reports, err := Run(t.Context(), Options{Dataset: dataset, Benchmark: 1, Shares: []int{0, 40, 100}, Seeds: []uint64{1, 2}, Jobs: jobs})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range reports {
			checkReport(t, r)
			dir := filepath.Join(t.TempDir(), r.Folder())
			if err := r.Write(dir); err != nil {
				t.Fatal(err)
			}
			compareFiles(t, written, dir)
			checkQuestions(t, filepath.Join(dir, questionsFile), r.Totals.Written)
		}
		golden.Equal(t, "testdata/benchmark1.txt", summary(reports))
	}
}

// checkReport says what holds at any share.
func checkReport(t *testing.T, r *Report) {
	t.Helper()
	s := r.Totals
	if r.Wrong() || s.States[Failed] > 0 || s.States[Equal]+s.States[OtherRight] != s.Questions || s.Questions == 0 {
		t.Errorf("share %d, seed %d: %+v, %v", r.Share, r.Seed, s, r.Silent)
	}
	if s.Requests != s.Attempts || s.Calls == 0 != (r.Share == 0) {
		t.Errorf("share %d: %d calls, %d attempts, and the service counted %d", r.Share, s.Calls, s.Attempts, s.Requests)
	}
	read := map[string]bool{}
	for _, o := range r.Questions {
		for _, c := range o.record.Calls {
			path, _, _ := strings.Cut(c.Path, "?")
			read[path] = true
		}
	}
	if tables := 0; r.Share == 100 {
		for _, b := range r.Behind {
			tables += len(b.Tables)
		}
		if len(read) != tables {
			t.Errorf("%d tables were asked for, of %d", len(read), tables)
		}
	}
}

// compareFiles holds the files of a folder against those that an earlier run wrote.
func compareFiles(t *testing.T, written map[string]string, dir string) {
	t.Helper()
	for _, name := range []string{declarationFile, questionsFile, reportFile} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil && (!os.IsNotExist(err) || name != declarationFile) {
			t.Fatal(err)
		}
		key := filepath.Base(dir) + "/" + name
		if before, ok := written[key]; ok && before != string(text) {
			t.Errorf("%s is another one with more jobs", key)
		}
		written[key] = string(text)
	}
}

// checkQuestions reads a file of questions as convert does.
func checkQuestions(t *testing.T, file string, want int) {
	t.Helper()
	d, err := bird.Load(bird.Options{Dir: "../../data/bird", Questions: file})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Questions) != want || len(d.Warnings) > 0 || slices.ContainsFunc(d.Questions, func(q bird.Question) bool { return q.SQL == "" || q.Text == "" }) {
		t.Errorf("%d questions and %v are read, want %d", len(d.Questions), d.Warnings, want)
	}
}

// TestCacheForever makes no call twice.
func TestCacheForever(t *testing.T) {
	reports, err := Run(t.Context(), Options{Dataset: loadSample(t), Benchmark: 1, Shares: []int{100}, Seeds: []uint64{1}, Jobs: 2, Asking: Asking{Cache: CacheForever}})
	if err != nil {
		t.Fatal(err)
	}
	checkReport(t, reports[0])
	if n := reports[0].Totals.Calls; n > 60 {
		t.Errorf("%d calls", n)
	}
}

// TestBenchmarkII keeps new questions of the sample.
func TestBenchmarkII(t *testing.T) {
	reports, err := Run(t.Context(), Options{Dataset: loadSample(t), Benchmark: 2, Shares: []int{0}, Seeds: []uint64{1}, Jobs: 2, Limit: 8})
	if err != nil {
		t.Fatal(err)
	}
	golden.Equal(t, "testdata/benchmark2.txt", summary(reports))
	r := reports[0]
	dir := filepath.Join(t.TempDir(), r.Folder())
	if err := r.Write(dir); err != nil {
		t.Fatal(err)
	}
	checkQuestions(t, filepath.Join(dir, questionsFile), r.Totals.Written)
	if r.Wrong() || r.Totals.States[Failed] > 0 || r.Totals.States[Equal] < r.Totals.Questions*3/4 {
		t.Errorf("%+v", r.Totals)
	}
}
