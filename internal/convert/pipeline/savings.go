package pipeline

import (
	"context"
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/federation/vtab"
	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/internal/planner/rewrite"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/bird"
)

// habits are how the sequences of a dataset are written: what the rules of
// package rewrite saved, and how much of each pattern there is.
type habits struct {
	savings []rewrite.Saving
	samples []int // of each pattern
	calls   []int
}

// add counts the samples of one database.
func (h *habits) add(ctx context.Context, info *bird.Database, outcomes []*outcome, opts Options) error {
	db, err := vtab.Open(ctx, info, sqlite.Options{}, true)
	if err != nil {
		return err
	}
	defer db.Close()
	schema, err := sqltree.Schema(ctx, db)
	if err != nil {
		return err
	}
	if h.samples == nil {
		h.samples, h.calls = make([]int, len(patterns)), make([]int, len(patterns))
	}
	for _, o := range verified(outcomes) {
		if err := ctx.Err(); err != nil {
			return err
		}
		h.save(o.question.SQL, schema, opts)
		s := newSequence(o.sample.slotRecord, schema)
		for i, p := range patterns {
			if n := p.count(s); n > 0 {
				h.samples[i]++
				h.calls[i] += n
			}
		}
	}
	return nil
}

// save adds up what each rule saved of a statement that has a sample.
func (h *habits) save(statement string, schema *sqlite.Schema, opts Options) {
	q, err := sqltree.Read(statement, schema)
	if err != nil {
		return
	}
	p, err := plan.Build(q, schema, plan.Options{AsOf: opts.AsOf})
	if err != nil {
		return
	}
	for i, s := range rewrite.Apply(p, schema) {
		if i == len(h.savings) {
			h.savings = append(h.savings, rewrite.Saving{Rule: s.Rule})
		}
		h.savings[i].Fired += s.Fired
		h.savings[i].Calls += s.Calls
	}
}

// write writes both tables as Markdown.
func (h *habits) write(b *strings.Builder) {
	b.WriteString("\n## How the sequences are written\n\nA plan is rewritten before it becomes calls. Each rule, with the full toolset: how often it\nwas applied, and how many calls that saved.\n\n| rule | applied | calls saved |\n|---|---:|---:|\n")
	total := 0
	for _, s := range h.savings {
		fmt.Fprintf(b, "| %s | %d | %d |\n", s.Rule, s.Fired, s.Calls)
		total += s.Calls
	}
	fmt.Fprintf(b, "| all | | %d |\n", total)
	b.WriteString("\nWhat a person would write in another way, in the sequences of the full toolset:\n\n| pattern | samples | calls | why some are left |\n|---|---:|---:|---|\n")
	for i, p := range patterns {
		samples, calls, why := 0, 0, ""
		if h.samples != nil {
			samples, calls = h.samples[i], h.calls[i]
		}
		if samples > 0 {
			why = p.why
		}
		fmt.Fprintf(b, "| %s | %d | %d | %s |\n", p.name, samples, calls, why)
	}
}
