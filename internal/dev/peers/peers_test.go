package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestEnginesInGoAgree has each engine in Go run all its lines on a small table, as
// it does for the program.
func TestEnginesInGoAgree(t *testing.T) {
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "table.csv")
	if err := writeTable(ctx, file, 3000); err != nil {
		t.Fatal(err)
	}
	want := ask(t, "birdcall", file)
	if len(want) != len(lines) {
		t.Errorf("birdcall has %d lines of %d", len(want), len(lines))
	}
	for line, r := range want {
		if r.Rows == 0 || r.Sum == 0 {
			t.Errorf("%s: %v cannot tell a right result from a wrong one", line, r)
		}
	}
	if d := cmp.Diff(want, ask(t, "copied", file)); d != "" {
		t.Errorf("copied (-birdcall +copied):\n%s", d)
	}
	for line, r := range ask(t, "gota", file) {
		if r != want[line] {
			t.Errorf("%s: gota has %v, birdcall has %v", line, r, want[line])
		}
	}
}

// ask returns the results of all lines of an engine.
func ask(t *testing.T, name, file string) map[string]result {
	t.Helper()
	ctx := context.Background()
	var said bytes.Buffer
	if err := serve(ctx, name, file, strings.NewReader(""), &said); err != nil {
		t.Fatal(err)
	}
	var greeting hello
	if err := json.Unmarshal(said.Bytes(), &greeting); err != nil {
		t.Fatal(err)
	}
	var requests bytes.Buffer
	for _, line := range greeting.Lines {
		if err := json.NewEncoder(&requests).Encode(request{Line: line, Check: true}); err != nil {
			t.Fatal(err)
		}
	}
	said.Reset()
	if err := serve(ctx, name, file, &requests, &said); err != nil {
		t.Fatal(err)
	}
	out := map[string]result{}
	answers := json.NewDecoder(&said)
	if err := answers.Decode(&hello{}); err != nil {
		t.Fatal(err)
	}
	for _, line := range greeting.Lines {
		var r reply
		if err := answers.Decode(&r); err != nil {
			t.Fatal(err)
		}
		out[line] = r.result
	}
	return out
}

// TestMeasureComparesResults has two engines answer differently.
func TestMeasureComparesResults(t *testing.T) {
	for _, test := range []struct {
		name          string
		first, second string
		want          string
	}{
		{"the same", `{"seconds":0.5,"rows":3,"sum":7}`, `{"seconds":0.25,"rows":3,"sum":7}`, ""},
		{"another sum", `{"seconds":0.5,"rows":3,"sum":7}`, `{"seconds":0.25,"rows":3,"sum":7.5}`,
			"add: A has 3 rows with the sum 7 and B has 3 rows with the sum 7.5; one of them does not do what the line says"},
		{"another number of rows", `{"seconds":0.5,"rows":3,"sum":7}`, `{"seconds":0.25,"rows":4,"sum":7}`,
			"add: A has 3 rows with the sum 7 and B has 4 rows with the sum 7; one of them does not do what the line says"},
	} {
		t.Run(test.name, func(t *testing.T) {
			engines := []*engine{scripted("A", test.first), scripted("B", test.second)}
			got := ""
			if err := measure(context.Background(), engines, 1); err != nil {
				got = err.Error()
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

type nowhere struct{ io.Writer }

func (nowhere) Close() error { return nil }

// scripted is an engine that knows one line and has its answers ready.
func scripted(name, answers string) *engine {
	return &engine{name: name, version: name + " 1.0", took: map[string]*times{"add": {}},
		in: nowhere{io.Discard}, out: json.NewDecoder(strings.NewReader(answers))}
}

// TestLeastTimeCounts has four rounds, of which the last comes after patience is over.
func TestLeastTimeCounts(t *testing.T) {
	const answers = `{"seconds":1,"cpu":0.5,"rows":3,"sum":7} {"seconds":0.5,"cpu":0.002} {"seconds":2.9,"cpu":3.9} {"seconds":0.001,"cpu":0.001}`
	for _, test := range []struct {
		name     string
		allCores bool
		want     times
	}{
		{"one core", false, times{least: 2 * time.Millisecond, spent: 4402 * time.Millisecond, result: result{3, 7}}},
		{"all cores", true, times{least: 500 * time.Millisecond, spent: 4400 * time.Millisecond, result: result{3, 7}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := scripted("A", answers)
			e.allCores = test.allCores
			if err := measure(context.Background(), []*engine{e}, 4); err != nil {
				t.Fatal(err)
			}
			if got := *e.took["add"]; got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestGreetKnowsTheLines(t *testing.T) {
	e := &engine{name: "A"}
	err := e.greet(hello{Lines: []string{"add", "subtract"}})
	if want := `A: there is no line "subtract"; lines.go has all`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestMissingEngines starts programs that are not there, and node's scripts, which
// find no table.
func TestMissingEngines(t *testing.T) {
	o := options{self: "no-such-program", python: "no-such-python"}
	engines, missing, err := startAll(context.Background(), t.TempDir(), filepath.Join(t.TempDir(), "none.csv"), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(engines) != 0 || len(missing) != 10 {
		t.Errorf("%d engines have read a table that is not there; missing: %q", len(engines), missing)
	}
}

func TestFormat(t *testing.T) {
	a, b := scripted("Birdcall", ""), scripted("DuckDB", "")
	a.took["add"].least, b.took["add"].least = 1234*time.Microsecond, 123456*time.Microsecond
	a.took["join"] = &times{least: 56789 * time.Nanosecond}
	a.version = ""
	all := scripted("Birdcall", "")
	all.allCores = true
	all.took["add"].least = time.Second
	got := format([]*engine{a, b, all}, options{rows: 5, rounds: 2})
	want := `one core, ms      Birdcall    DuckDB
add                    1.2       123
join                  0.06         -

all cores, ms     Birdcall
add                   1000

5 rows, 2 rounds, of which the least time counts; ` + runtime.Version() + `.
DuckDB 1.0.
`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestRewrite(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	for _, test := range []struct{ name, was, want string }{
		{"between the marks", "a\n" + begin + "old\n" + end + "b\n", "a\n" + begin + "new\n" + end + "b\n"},
		{"no marks", "a\nb\n", "a\nb\n"},
		{"one mark", "a\n" + begin, "a\n" + begin},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := os.WriteFile(page, []byte(test.was), 0o644); err != nil {
				t.Fatal(err)
			}
			err := rewrite(page, "new\n")
			if changed := test.was != test.want; changed != (err == nil) {
				t.Errorf("error %v", err)
			}
			got, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != test.want {
				t.Errorf("got %q", got)
			}
		})
	}
}

// TestPage checks that the page has the marks and every line of the tables.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/performance.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), begin)
	table, after, ok := strings.Cut(rest, end)
	if !ok {
		t.Fatal("there are no marks")
	}
	for _, l := range lines {
		if strings.Count(table, "\n"+l.name+" ") != 2 {
			t.Errorf("%q is not in both tables; run make bench-peers UPDATE=1", l.name)
		}
		if !strings.Contains(after, "| "+l.name+" |") {
			t.Errorf("the page does not say what %q is", l.name)
		}
	}
	for row := range strings.Lines(table) {
		if len(row) > 81 {
			t.Errorf("wider than 80 columns: %q", row)
		}
	}
}
