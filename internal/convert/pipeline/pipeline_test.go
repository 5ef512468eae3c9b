package pipeline

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	_ "modernc.org/sqlite"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/artifact/folder"
	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/slot"
)

// converted is the embedded sample, converted once for all tests that only
// read it.
var converted = sync.OnceValues(func() (string, *Report) {
	dir, err := os.MkdirTemp("", "birdcall")
	if err != nil {
		panic(err)
	}
	sampleDir = dir
	return dir, convertSampleInto(dir, 2)
})

// sampleDir is where it was written to; "" while nothing asked for it.
var sampleDir string

func TestMain(m *testing.M) {
	if task := os.Getenv(taskEnv); task != "" {
		os.Exit(runTask(task))
	}
	flag.Parse()
	code := m.Run()
	if sampleDir != "" {
		_ = os.RemoveAll(sampleDir)
	}
	os.Exit(code)
}

// convertSampleInto converts the embedded sample.
func convertSampleInto(dir string, jobs int) *Report {
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		panic(err)
	}
	r, err := Run(context.Background(), Options{Dataset: dataset, Variant: "slot", Out: dir, Toolset: slot.Full, Timeout: time.Minute, Jobs: jobs, AsOf: bird.DefaultAsOf})
	if err != nil {
		panic(err)
	}
	return r
}

// files returns the content of every file below dir by its relative path.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// written is a record as someone else's code would read it.
type written struct {
	Query      string          `json:"query"`
	SampleID   json.RawMessage `json:"sample_id"`
	GoldAnswer json.RawMessage `json:"gold_answer"`
	Output     []struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
		Label     string          `json:"label"`
	} `json:"output"`
	Tools []struct {
		Name       string `json:"name"`
		Parameters struct {
			Properties map[string]struct {
				Enum []string `json:"enum"`
			} `json:"properties"`
		} `json:"parameters"`
	} `json:"tools"`
	Keys []struct {
		Name string `json:"key_name"`
	} `json:"key_values_and_descriptions"`
	Initialization json.RawMessage `json:"initialization_step"`
	TieDependent   bool            `json:"tie_dependent"`
	TimeDependent  bool            `json:"time_dependent"`
}

func read(t *testing.T, text string) []written {
	t.Helper()
	var out []written
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// samples returns the files of records below dir, by name.
func samples(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := files(t, dir)
	for name := range out {
		if strings.Contains(strings.TrimSuffix(name, ".json"), ".") || name == folder.ReportFile || name == "examples.json" {
			delete(out, name)
		}
	}
	return out
}

// TestSample converts the embedded sample. Everything in it is verified, and
// the sequences are those of testdata/<db>.txt.
func TestSample(t *testing.T) {
	dir, r := converted()
	if c := r.Totals; c.Verified != c.Questions || c.Questions < 120 {
		t.Errorf("verified %d of %d; failures: %+v", c.Verified, c.Questions, r.Failures)
	}
	for name, text := range samples(t, filepath.Join(dir, "slot")) {
		var b strings.Builder
		for _, rec := range read(t, text) {
			fmt.Fprintf(&b, "%s %s\nstart %s\n", rec.SampleID, rec.Query, rec.Initialization)
			for _, c := range rec.Output {
				fmt.Fprintf(&b, "%s = %s %s\n", c.Label, c.Name, c.Arguments)
			}
			fmt.Fprintf(&b, "answer %s", rec.GoldAnswer)
			if rec.TieDependent {
				b.WriteString(" (depends on ties)")
			}
			if rec.TimeDependent {
				b.WriteString(" (depends on the time)")
			}
			b.WriteString("\n\n")
		}
		golden.Equal(t, filepath.Join("testdata", strings.TrimSuffix(name, ".json")+".txt"), b.String())
	}
}

// TestRecordsStandAlone checks what readers of the records rely on: a key that a
// call names is one of a starting table or is made by an earlier call, and no
// path leaks.
func TestRecordsStandAlone(t *testing.T) {
	dir, _ := converted()
	for name, text := range files(t, filepath.Join(dir, "slot")) {
		for _, leak := range []string{"/tmp", "/root", "/home", dir} {
			if strings.Contains(text, leak) {
				t.Errorf("%s holds the path %s", name, leak)
			}
		}
	}
	for _, text := range samples(t, filepath.Join(dir, "slot")) {
		for _, rec := range read(t, text) {
			keys := map[string]bool{}
			for _, k := range rec.Keys {
				keys[k.Name] = true
			}
			for _, c := range rec.Output {
				var args struct {
					Key  any    `json:"key_name"`
					Made string `json:"output_key"`
					How  string `json:"aggregation_type"`
				}
				if err := json.Unmarshal(c.Arguments, &args); err != nil {
					t.Fatal(err)
				}
				named := texts(args.Key)
				for _, k := range named {
					if !keys[k] && !keys[renamed.ReplaceAllString(k, "")] {
						t.Errorf("sample %s: %s names the key %q, which is none of its own", rec.SampleID, c.Label, k)
					}
				}
				if args.How != "" && args.Made == "" { // as aggregate_data says
					args.Made = strings.Join(append([]string{args.How}, named...), "_")
				}
				keys[args.Made] = true
			}
		}
	}
}

// renamed is the end of a key of which a join has two.
var renamed = regexp.MustCompile(`_[0-9]+$`)

func texts(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		var out []string
		for _, x := range v {
			out = append(out, texts(x)...)
		}
		return out
	}
	return nil
}

// TestSameBytesForAnyJobs is the promise that output does not depend on the
// number of workers.
func TestSameBytesForAnyJobs(t *testing.T) {
	two, _ := converted()
	want := files(t, two)
	for _, jobs := range []int{1, 7} {
		dir := t.TempDir()
		convertSampleInto(dir, jobs)
		if diff := cmp.Diff(want, files(t, dir)); diff != "" {
			t.Errorf("--jobs %d writes other bytes:\n%s", jobs, diff)
		}
	}
}

// plain makes a plain dataset of one database and these statements.
func plain(t *testing.T, schema string, statements ...string) *bird.Dataset {
	t.Helper()
	dir := t.TempDir()
	db, err := sql.Open("sqlite", filepath.Join(dir, "d.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(schema); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	for i, s := range statements {
		line, _ := json.Marshal(map[string]any{"question_id": i, "question": "?", "sql": s, "db": "d"})
		b.Write(append(line, '\n'))
	}
	if err := os.WriteFile(filepath.Join(dir, "questions.jsonl"), b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	dataset, err := bird.Load(bird.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	return dataset
}

func convertPlain(t *testing.T, timeout time.Duration, schema string, statements ...string) *Report {
	t.Helper()
	r, err := Run(context.Background(), Options{Dataset: plain(t, schema, statements...), Variant: "slot", Out: t.TempDir(), Timeout: timeout, Jobs: 1, AsOf: bird.DefaultAsOf})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestStatuses gives each way in which a question may end.
func TestStatuses(t *testing.T) {
	const schema = `CREATE TABLE t(a INTEGER, b TEXT); INSERT INTO t VALUES (1, 'x'), (2, 'y'), (2, NULL)`
	r := convertPlain(t, time.Minute, schema,
		"SELECT b FROM t WHERE a = 1",
		"SELECT b FROM t ORDER BY a DESC LIMIT 1", // a tie
		"SELECT value FROM json_each('[1]')",      // not planned
		"SELECT nosuch FROM t",                    // fails in SQLite
	)
	want := Counts{Questions: 4, Verified: 2, TieDependent: 1, Unsupported: 1, SQLError: 1}
	if diff := cmp.Diff(want, r.Totals); diff != "" {
		t.Errorf("totals (-want +got):\n%s\n%+v", diff, r.Failures)
	}
	var constructs []string
	for _, f := range r.Failures {
		constructs = append(constructs, f.QuestionID.String()+" "+string(f.Status)+" "+f.Construct)
	}
	if diff := cmp.Diff([]string{"2 unsupported table-valued function", "3 sql_error SQL"}, constructs); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
}

func TestTimeout(t *testing.T) {
	r := convertPlain(t, 50*time.Millisecond, `CREATE TABLE t(a INTEGER); INSERT INTO t VALUES (1)`,
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
	if r.Totals.Timeout != 1 {
		t.Errorf("totals %+v, want one timeout; %+v", r.Totals, r.Failures)
	}
}

func TestSummarize(t *testing.T) {
	_, whole := converted()
	r := *whole
	r.Failures = []Failure{{QuestionID: bird.Number(7), Status: Unsupported, Construct: "recursive CTE"}}
	for _, width := range []int{40, 100} {
		var b bytes.Buffer
		Summarize(&b, &r, width)
		for _, line := range strings.Split(b.String(), "\n") {
			if n := len([]rune(line)); n > width {
				t.Errorf("a line of %d columns in a window of %d: %s", n, width, line)
			}
		}
		if !strings.Contains(b.String(), "1 unsupported: recursive CTE (7)") {
			t.Errorf("the failure is not named:\n%s", b.String())
		}
	}
}
