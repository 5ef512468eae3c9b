package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// equivalentFile is the list of mutants that no test can distinguish from the original, from
// the root of the module.
const equivalentFile = "internal/dev/mutants/equivalent.txt"

// equivalents are mutants by their file and the line before and after, with the reason.
type equivalents map[[3]string]string

// readEquivalents reads a list of mutants: the file, the line before, the line after and
// the reason, a line each, and an empty line between two of them. Lines that begin with
// # are comments. Numbers of lines are not in it, as they change with other code.
func readEquivalents(path string) (equivalents, error) {
	out := equivalents{}
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: run it in the root of the module", err)
	}
	if err != nil {
		return nil, err
	}
	var entry []string
	flush := func(line int) error {
		if len(entry) != 0 && len(entry) != 4 {
			return fmt.Errorf("%s:%d: an entry has 4 lines (file, before, after, reason), and this one %d", path, line, len(entry))
		}
		if len(entry) == 4 {
			key := [3]string(entry[:3])
			if out[key] != "" {
				return fmt.Errorf("%s:%d: %s is listed twice", path, line, strings.Join(key[:], ": "))
			}
			out[key] = entry[3]
		}
		entry = nil
		return nil
	}
	n := 0
	for line := range strings.Lines(string(b)) {
		n++
		switch line = strings.TrimSpace(line); {
		case line == "":
			if err := flush(n - 1); err != nil {
				return nil, err
			}
		case line[0] != '#':
			entry = append(entry, line)
		}
	}
	return out, flush(n)
}

// of reports whether a mutant is listed.
func (e equivalents) of(m *mutant) bool { return e[[3]string{m.File, m.Before, m.After}] != "" }

// unused returns what is listed and not among mutants, as its file and lines.
func (e equivalents) unused(found []*mutant) []string {
	known := map[[3]string]bool{}
	for _, m := range found {
		known[[3]string{m.File, m.Before, m.After}] = true
	}
	var out []string
	for key := range e {
		if !known[key] {
			out = append(out, strings.Join(key[:], ": "))
		}
	}
	slices.Sort(out)
	return out
}
