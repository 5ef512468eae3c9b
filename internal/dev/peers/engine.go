package main

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// An engine says hello when it has read the table. Then it is sent one request after
// the other, and answers each with a reply; all are lines of JSON.
type (
	hello struct {
		Version string   `json:"version"`
		Lines   []string `json:"lines"`
	}
	request struct {
		Line  string `json:"line"`
		Check bool   `json:"check"`
	}
	reply struct {
		Seconds float64 `json:"seconds"` // by the clock
		CPU     float64 `json:"cpu"`     // of the processor, for all threads
		result          // if Check was asked for
	}
)

// result is what shows whether engines agree: the rows of a result, and the sum of
// what its line says. All numbers are such that the sum is exact in a float64, in
// whatever order it is made.
type result struct {
	Rows int     `json:"rows"`
	Sum  float64 `json:"sum"`
}

func (r result) String() string { return fmt.Sprintf("%d rows with the sum %v", r.Rows, r.Sum) }

// times are those of one line of an engine.
type times struct {
	least, spent time.Duration
	result       result // of the first run
}

// add counts the processor's time of an engine that has one core, to which other
// programs do not add, and the clock's of one that has all.
func (e *engine) add(t *times, r reply) {
	seconds := r.CPU
	if e.allCores {
		seconds = r.Seconds
	}
	d := time.Duration(seconds * float64(time.Second))
	if t.spent == 0 {
		t.least, t.result = d, r.result
	}
	t.least = min(t.least, d)
	t.spent += d
}

// engine is a process that runs lines.
type engine struct {
	name     string
	allCores bool
	version  string
	took     map[string]*times // of the lines that it knows
	command  *exec.Cmd
	in       io.WriteCloser
	out      *json.Decoder
	problems bytes.Buffer // what it wrote to its standard error
}

//go:embed engines
var scripts embed.FS

// oneCore has the engines work with one thread.
var oneCore = []string{"GOMAXPROCS=1", "DUCKDB_THREADS=1", "POLARS_MAX_THREADS=1",
	"OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "MKL_NUM_THREADS=1", "NUMEXPR_NUM_THREADS=1"}

// startAll starts the engines, and reports which are missing. Those that it returns
// are to be stopped even if there is an error.
func startAll(ctx context.Context, dir, file string, o options) (engines []*engine, missing []string, err error) {
	if err := os.CopyFS(dir, scripts); err != nil {
		return nil, nil, err
	}
	script := func(name string) string { return filepath.Join(dir, "engines", name) }
	kinds := []struct {
		name     string
		parallel bool // it can use more than one core
		program  []string
	}{
		{"Birdcall", true, []string{o.self, "engine", "birdcall"}},
		{"copied", true, []string{o.self, "engine", "copied"}},
		{"DuckDB", true, []string{"node", "--expose-gc", script("ask_duckdb.js")}},
		{"Polars", true, []string{"node", "--expose-gc", script("ask_polars.js")}},
		{"pandas", false, []string{o.python, script("ask_pandas.py")}},
		{"gota", false, []string{o.self, "engine", "gota"}},
	}
	for _, allCores := range []bool{false, true} {
		for _, k := range kinds {
			if allCores && !k.parallel {
				continue
			}
			var program []string
			if !allCores && o.core != "" {
				program = []string{"taskset", "-c", o.core}
			}
			program = append(append(program, k.program...), file)
			e := &engine{name: k.name, allCores: allCores, command: exec.CommandContext(ctx, program[0], program[1:]...)}
			if !allCores {
				e.command.Env = append(os.Environ(), oneCore...)
			}
			greeting, err := e.start()
			if err != nil {
				missing = append(missing, err.Error())
				continue
			}
			engines = append(engines, e)
			if err := e.greet(greeting); err != nil {
				return engines, nil, err
			}
		}
	}
	return engines, missing, nil
}

// start starts the process and waits until it has read the table.
func (e *engine) start() (greeting hello, err error) {
	e.command.Stderr = &e.problems
	if e.in, err = e.command.StdinPipe(); err != nil {
		return hello{}, err
	}
	out, err := e.command.StdoutPipe()
	if err != nil {
		return hello{}, err
	}
	if err := e.command.Start(); err != nil {
		return hello{}, fmt.Errorf("%s: %w", e.name, err)
	}
	e.out = json.NewDecoder(out)
	if err := e.out.Decode(&greeting); err != nil {
		return hello{}, e.died()
	}
	return greeting, nil
}

func (e *engine) greet(h hello) error {
	e.version, e.took = h.Version, map[string]*times{}
	for _, name := range h.Lines {
		if !slices.ContainsFunc(lines, func(l line) bool { return l.name == name }) {
			return fmt.Errorf("%s: there is no line %q; lines.go has all", e.name, name)
		}
		e.took[name] = &times{}
	}
	return nil
}

// ask has the engine run a line once.
func (e *engine) ask(r request) (got reply, err error) {
	if err := json.NewEncoder(e.in).Encode(r); err != nil {
		return reply{}, e.died()
	}
	if err := e.out.Decode(&got); err != nil {
		return reply{}, fmt.Errorf("line %s: %w", r.Line, e.died())
	}
	return got, nil
}

var aboutError = regexp.MustCompile(`(?m)^.*Error.*$`)

// died says why an engine that does not answer has ended.
func (e *engine) died() error {
	e.stop()
	why := aboutError.FindString(e.problems.String())
	if why == "" {
		why = strings.TrimSpace(e.problems.String())
	}
	return fmt.Errorf("%s: %v: %s", e.name, e.command.ProcessState, why)
}

// stop ends the process: it ends by itself where there is nothing more to read.
func (e *engine) stop() {
	_ = e.in.Close()     // it may be closed already
	_ = e.command.Wait() // how it ends is of no matter, or reported by died
}
