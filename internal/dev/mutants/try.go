package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// What became of a mutant.
const (
	killed     = "killed"
	timedOut   = "timeout" // a kind of killed
	survived   = "survived"
	equivalent = "equivalent"
	invalid    = "does not compile"
)

// result is a mutant and what became of it.
type result struct {
	*mutant
	Outcome string  `json:"outcome"`
	By      string  `json:"by,omitempty"` // the package, and the test where it is known
	Seconds float64 `json:"seconds"`
}

// tryAll tries the mutants of a draw, and prints what became of each.
func tryAll(ctx context.Context, d *draw, equal equivalents, j *journal, t *trial, w io.Writer) ([]result, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mutex sync.Mutex
	var all []result
	work := func() error {
		for m := d.next(); m != nil && ctx.Err() == nil; m = d.next() {
			r, known := j.known(m)
			var err error
			switch {
			case equal.of(m):
				r = result{mutant: m, Outcome: equivalent}
			case !known:
				if r, err = t.try(ctx, m); err == nil {
					err = j.write(r)
				}
			}
			if err != nil {
				return err
			}
			if r.Outcome == invalid {
				d.again(m)
				continue
			}
			mutex.Lock()
			all = append(all, r)
			fmt.Fprintf(w, "%3d  %s\n", len(all), r)
			mutex.Unlock()
		}
		return ctx.Err()
	}
	var wait sync.WaitGroup
	for range t.options.jobs {
		wait.Go(func() {
			if err := work(); err != nil {
				cancel(err)
			}
		})
	}
	wait.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	return all, nil
}

func (r result) String() string {
	by := ""
	if r.By != "" {
		by = " by " + r.By
	}
	return fmt.Sprintf("%s%s  %s", r.Outcome, by, r.mutant)
}

// trial tries mutants.
type trial struct {
	module  *module
	options options
	perJob  int // processors for each

	mutex sync.Mutex
	plain map[string]*baseline // by package
}

// baseline says whether the tests of a package pass without a mutant.
type baseline struct {
	once sync.Once
	err  error
	why  string // they do not, or "" if they do
}

// try runs the tests that a mutant meets until one fails.
func (t *trial) try(ctx context.Context, m *mutant) (r result, err error) {
	began := time.Now()
	r = result{mutant: m, Outcome: survived}
	dir, err := os.MkdirTemp("", "mutants-")
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	overlay, err := writeOverlay(dir, m)
	if err != nil {
		return r, err
	}
	testers, err := t.module.testers(m.pkg, t.options.importers)
	if err != nil {
		return r, err
	}
	for _, p := range testers {
		outcome, test, err := t.test(ctx, p, overlay)
		if err != nil {
			return r, err
		}
		if outcome == survived {
			continue
		}
		if outcome != invalid {
			passes, err := t.passes(ctx, p)
			if err != nil {
				return r, err
			}
			if !passes {
				continue // it says nothing of the mutant
			}
			r.By = strings.TrimSpace(p.under() + " " + test)
		}
		r.Outcome = outcome
		break
	}
	r.Seconds = float64(time.Since(began).Milliseconds()) / 1000
	return r, nil
}

// writeOverlay writes a mutant's file and the overlay that puts it in place of the
// original, whose path it returns.
func writeOverlay(dir string, m *mutant) (string, error) {
	changed := filepath.Join(dir, filepath.Base(m.File))
	if err := os.WriteFile(changed, m.mutated(), 0o600); err != nil {
		return "", err
	}
	original := filepath.Join(m.pkg.Dir, filepath.Base(m.File))
	b, err := json.Marshal(map[string]any{"Replace": map[string]string{original: changed}})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, b, 0o600)
}

// passes reports whether the tests of a package pass without a mutant, which is found
// out once for each package.
func (t *trial) passes(ctx context.Context, p *pkg) (bool, error) {
	t.mutex.Lock()
	b := t.plain[p.under()]
	if b == nil {
		b = &baseline{}
		t.plain[p.under()] = b
	}
	t.mutex.Unlock()
	b.once.Do(func() {
		var outcome, test string
		if outcome, test, b.err = t.test(ctx, p, ""); b.err == nil && outcome != survived {
			b.why = strings.TrimSpace(outcome + " " + test)
		}
	})
	return b.why == "", b.err
}

// broken returns an error that names the packages whose tests do not pass without a
// mutant, if there are any.
func (t *trial) broken() error {
	var out []error
	for _, p := range slices.Sorted(maps.Keys(t.plain)) {
		if why := t.plain[p].why; why != "" {
			out = append(out, fmt.Errorf("the tests of %s do not pass without a mutant (%s) and were left out: mend them, or raise -timeout or -memory", p, why))
		}
	}
	return errors.Join(out...)
}

var failed = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)

// test runs the tests of a package with an overlay, if any, and returns what became of
// the mutant and which test failed. The overlay is in the environment, so that the
// programs that tests build are of the mutant, too.
func (t *trial) test(ctx context.Context, p *pkg, overlay string) (outcome, test string, err error) {
	args := []string{"-c", `ulimit -d "$0" && exec "$@"`, strconv.Itoa(t.options.memory * 1024),
		"go", "test", "-vet=off", "-failfast", "-ldflags=-w", "-p", strconv.Itoa(t.perJob), "-timeout", t.options.timeout.String(), p.ImportPath}
	c := exec.CommandContext(ctx, "sh", args...)
	c.Dir = p.Module.Dir
	c.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(t.perJob))
	if overlay != "" {
		c.Env = append(c.Env, strings.TrimSpace("GOFLAGS="+os.Getenv("GOFLAGS")+" -overlay="+overlay))
	}
	c.WaitDelay = 10 * time.Second
	asGroup(c)
	out, err := c.CombinedOutput()
	endGroup(c)
	text := string(out)
	exit := (*exec.ExitError)(nil)
	switch {
	case ctx.Err() != nil:
		return "", "", context.Cause(ctx)
	case err == nil:
		return survived, "", nil
	case !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay):
		return "", "", err
	case strings.Contains(text, "[build failed]") || strings.Contains(text, "[setup failed]"):
		return invalid, "", nil
	case strings.Contains(text, "panic: test timed out after"):
		return timedOut, "", nil
	}
	if found := failed.FindStringSubmatch(text); found != nil {
		test = found[1]
	}
	return killed, test, nil
}
