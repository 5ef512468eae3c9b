package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// format writes both tables and what they were made under.
func format(engines []*engine, o options) string {
	var b strings.Builder
	var one, all []*engine
	for _, e := range engines {
		if e.allCores {
			all = append(all, e)
		} else {
			one = append(one, e)
		}
	}
	writeRows(&b, "one core, ms", one)
	b.WriteByte('\n')
	writeRows(&b, "all cores, ms", all)
	fmt.Fprintf(&b, "\n%d rows, %d rounds, of which the least time counts; %s.\n", o.rows, o.rounds, runtime.Version())
	var versions []string
	for _, e := range one {
		if e.version != "" {
			versions = append(versions, e.version)
		}
	}
	fmt.Fprintf(&b, "%s.\n", strings.Join(versions, ", "))
	return b.String()
}

func writeRows(b *strings.Builder, title string, engines []*engine) {
	fmt.Fprintf(b, "%-16s", title)
	for _, e := range engines {
		fmt.Fprintf(b, "%10s", e.name)
	}
	b.WriteByte('\n')
	for _, l := range lines {
		if !slices.ContainsFunc(engines, func(e *engine) bool { return e.took[l.name] != nil }) {
			continue
		}
		fmt.Fprintf(b, "%-16s", l.name)
		for _, e := range engines {
			cell := "-"
			if took := e.took[l.name]; took != nil {
				cell = milliseconds(took.least)
			}
			fmt.Fprintf(b, "%10s", cell)
		}
		b.WriteByte('\n')
	}
}

// milliseconds has two or three digits that count.
func milliseconds(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case ms < 1:
		return fmt.Sprintf("%.2f", ms)
	case ms < 100:
		return fmt.Sprintf("%.1f", ms)
	}
	return fmt.Sprintf("%.0f", ms)
}

const (
	begin = "<!-- make bench-peers UPDATE=1 writes from here -->\n```text\n"
	end   = "```\n<!-- to here -->\n"
)

// rewrite puts a report between the marks of a page.
func rewrite(path, report string) error {
	page, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(page), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return errors.New(path + ": there are no marks to write between; put\n" + begin + end + "where the tables belong")
	}
	return os.WriteFile(path, []byte(before+begin+report+end+after), 0o644)
}
