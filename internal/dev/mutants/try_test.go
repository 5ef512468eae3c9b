package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// small is a module of three packages: least is tested by itself, twice by the package
// that imports it, and never by nobody.
var small = map[string]string{
	"go.mod": "module example.com/small\n\ngo 1.26\n",
	"cmd/say/main.go": `package main

import "example.com/small/pkg/twice"

func main() { println(twice.Of(2)) }
`,
	"pkg/least/least.go": `package least

// Of returns the smaller number.
func Of(a, b int) int {
	if a < b {
		return a
	}
	return b
}
`,
	"pkg/least/least_test.go": `package least

import "testing"

func TestOf(t *testing.T) {
	if Of(1, 2) != 1 || Of(2, 1) != 1 {
		t.Fail()
	}
}
`,
	"pkg/double/double.go": `package double

// Of returns a number twice.
func Of(n int) int { return n + n }

// Count counts to a number.
func Count(n int) {
	for i := n; i != 0; i -= 1 {
	}
}
`,
	"pkg/twice/twice.go": `package twice

import "example.com/small/pkg/double"

// Of returns a number twice.
func Of(n int) int { double.Count(n); return double.Of(n) }
`,
	"pkg/twice/twice_test.go": `package twice

import "testing"

func TestOf(t *testing.T) {
	if Of(4) != 8 {
		t.Fail()
	}
}
`,
	"tool/main.go": "package main\n\nfunc main() { println(1) }\n",
}

// TestRun tries all mutants of a module, twice with one journal.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	for name, content := range small {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), content)
	}
	write(t, filepath.Join(dir, filepath.FromSlash(equivalentFile)),
		"pkg/least/least.go\nif a < b {\nif a <= b {\nequal numbers are one\n\npkg/least/gone.go\na\nb\nc\n")
	t.Chdir(dir)
	t.Setenv("GOFLAGS", "")
	o := options{seed: 1, number: 100, jobs: 2, importers: 3, timeout: 2 * time.Second, memory: 4096, journal: filepath.Join(t.TempDir(), "j.jsonl")}
	var out bytes.Buffer
	if err := run(t.Context(), o, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"no such mutant: pkg/least/gone.go: a: b",
		"equivalent  pkg/least/least.go:5: bound: if a < b { → if a <= b {",
		"killed by pkg/least TestOf  pkg/least/least.go:5: condition: if a < b { → if !(a < b) {",
		"killed by pkg/twice TestOf  pkg/double/double.go:4: arithmetic: func Of(n int) int { return n + n } → func Of(n int) int { return n - n }",
		"timeout by pkg/twice  pkg/double/double.go:8: arithmetic: for i := n; i != 0; i -= 1 { → for i := n; i != 0; i += 1 {",
		"survived  pkg/double/double.go:8: equality: for i := n; i != 0; i -= 1 { → for i := n; i == 0; i -= 1 {",
		"survived  cmd/say/main.go:5: literal: func main() { println(twice.Of(2)) } → func main() { println(twice.Of(3)) }",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("there is no %q in\n%s", want, &out)
		}
	}
	if strings.Contains(out.String(), "tool/") {
		t.Errorf("a program of developers is changed:\n%s", &out)
	}
	last := out.String()[strings.LastIndex(out.String(), "class"):]
	if !strings.HasSuffix(strings.TrimSpace(last), "%") || !strings.Contains(last, "arithmetic") {
		t.Errorf("there is no table at the end: %s", last)
	}
	journal, err := os.ReadFile(o.journal)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "pkg", "least", "least_test.go"), "package least\n\nimport \"testing\"\n\nfunc TestOf(t *testing.T) { t.Fail() }\n")
	var again bytes.Buffer
	if err := run(t.Context(), o, &again); err != nil {
		t.Fatal(err)
	}
	if again.String()[strings.LastIndex(again.String(), "class"):] != last {
		t.Errorf("with its journal, the run gives\n%s", &again)
	}
	if now, err := os.ReadFile(o.journal); err != nil || !bytes.Equal(now, journal) {
		t.Errorf("a run that was over adds to its journal: %s (%v)", now, err)
	}
	o.journal, o.packages = "", []string{"./pkg/least"}
	if err := run(t.Context(), o, &again); err == nil || !strings.Contains(err.Error(), "the tests of pkg/least do not pass without a mutant (killed TestOf)") {
		t.Errorf("with a test that always fails, the error is %v", err)
	}
	o.packages = []string{"./tool"}
	if err := run(t.Context(), o, &again); err == nil || !strings.Contains(err.Error(), "no mutants") {
		t.Errorf("of a program of developers, the error is %v", err)
	}
}

// TestTesters says in which order packages are tested: a mutant's own, those that
// import it, those that import these.
func TestTesters(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.26\n")
	for name, imports := range map[string]string{"a": "", "b": "a", "c": "b", "d": "a"} {
		source := "package " + name + "\n"
		if imports != "" {
			source += "import \"example.com/m/" + imports + "\"\nvar V = " + imports + ".V" + strings.Repeat(" + "+imports+".V", len(name)) + "\n"
		} else {
			source += "var V = 1\n"
		}
		if name == "d" {
			source += "var W = a.V + a.V + a.V\n" // so that it names a more often than b does
		}
		write(t, filepath.Join(dir, name, name+".go"), source)
		write(t, filepath.Join(dir, name, name+"_test.go"), "package "+name+"\n")
	}
	t.Chdir(dir)
	m, err := loadModule(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		importers int
		want      string
	}{{0, "a"}, {1, "a d"}, {2, "a d b"}, {9, "a d b c"}} {
		testers, err := m.testers(m.packages["example.com/m/a"], test.importers)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range testers {
			got = append(got, p.under())
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("with %d importers %v are tested, want %s", test.importers, got, test.want)
		}
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
