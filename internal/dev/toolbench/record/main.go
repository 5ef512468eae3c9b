// Command record holds the speed of package tools against a record:
//
//	record            fails if a line is slower than its record by a third
//	record -update    writes the record anew
//
// The record has no times, which differ between computers, but ratios to a yardstick:
// a plain loop in Go. Line and yardstick take turns in one run, and the least processor
// time of each counts, so that what else the computer does falls on both.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/birdcall/birdcall/internal/cli"
	"github.com/birdcall/birdcall/internal/dev/toolbench"
)

func main() {
	update := flag.Bool("update", false, "write the record anew")
	path := flag.String("record", "internal/dev/toolbench/record/testdata/record.json", "the record")
	flag.Parse()
	cli.Tool("record", func(ctx context.Context) error { return run(ctx, *path, *update) })
}

// rounds is how many turns a line has. Noise only adds to times, so that a line that
// looks slow has all its turns before it counts as slow, with a pause before each:
// what disturbs lines that wait for memory often goes on for seconds.
const (
	rounds = 15
	pause  = time.Second
)

func run(ctx context.Context, path string, update bool) error {
	t, err := toolbench.Table(toolbench.Rows)
	if err != nil {
		return err
	}
	lines, err := toolbench.Lines(ctx, t)
	if err != nil {
		return err
	}
	record := map[string]float64{}
	if !update {
		if record, err = read(path); err != nil {
			return err
		}
	}
	contests := pair(lines)
	again := contests
	for round := 0; round < rounds && len(again) > 0; round++ {
		if round > 0 && !update {
			time.Sleep(pause)
		}
		for _, c := range again {
			if err := c.measure(ctx); err != nil {
				return fmt.Errorf("%s: %w", c.Name, err)
			}
		}
		if !update {
			again = slices.DeleteFunc(slices.Clone(again), func(c *contest) bool { return !slower(c.ratio(), record[c.Name]) })
		}
	}
	var slow []string
	fmt.Printf("%-20s%10s%10s%10s\n", "", "ms", "ratio", "record")
	for _, c := range contests {
		fmt.Printf("%-20s%10.2f%10.2f%10.2f\n", c.Name, c.least.Seconds()*1000, c.ratio(), record[c.Name])
		if slower(c.ratio(), record[c.Name]) {
			slow = append(slow, c.Name)
		}
	}
	if update {
		return write(path, contests)
	}
	if len(slow) > 0 {
		return fmt.Errorf("slower than the record by a third: %s; mend that, or write the record anew with make bench UPDATE=1 and say why", strings.Join(slow, ", "))
	}
	return nil
}

// slower reports whether a ratio is behind its record by a third. What has no record
// is behind.
func slower(ratio, record float64) bool { return ratio > record*4/3 }

func read(path string) (map[string]float64, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%w; make bench UPDATE=1 writes it", err)
	}
	var record map[string]float64
	if err := json.Unmarshal(data, &record); err != nil {
		return nil, fmt.Errorf("%s: %w; make bench UPDATE=1 writes it anew", path, err)
	}
	return record, nil
}

// write writes ratios with two digits after the point.
func write(path string, contests []*contest) error {
	record := map[string]json.Number{}
	for _, c := range contests {
		record[c.Name] = json.Number(fmt.Sprintf("%.2f", c.ratio()))
	}
	data, err := json.MarshalIndent(record, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}
