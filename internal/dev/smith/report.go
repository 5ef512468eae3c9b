package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/birdcall/birdcall/internal/convert/pipeline"
)

// most is how many reasons are listed.
const most = 30

// summarize writes what a report of convert says.
func summarize(w io.Writer, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var r pipeline.Report
	if err := json.Unmarshal(text, &r); err != nil {
		return fmt.Errorf("%s: %w; give a report.json that convert has written", path, err)
	}
	t := r.Totals
	fmt.Fprintf(w, "%s: of %d queries %d are verified (%.1f %%), %d refused, %d answered differently, %d out of time, %d fail in SQLite\n",
		r.Variant, t.Questions, t.Verified, 100*float64(t.Verified)/float64(max(t.Questions, 1)), t.Unsupported, t.Mismatch, t.Timeout, t.SQLError)
	type reason struct {
		text  string
		count int
		first pipeline.Failure
	}
	var reasons []*reason
	for _, f := range r.Failures {
		text := fmt.Sprintf("%s: %s", f.Status, f.Construct)
		at := slices.IndexFunc(reasons, func(r *reason) bool { return r.text == text })
		if at < 0 {
			at = len(reasons)
			reasons = append(reasons, &reason{text: text, first: f})
		}
		reasons[at].count++
	}
	slices.SortStableFunc(reasons, func(a, b *reason) int { return cmp.Compare(b.count, a.count) })
	for _, r := range reasons[:min(len(reasons), most)] {
		fmt.Fprintf(w, "%6d %s (first: %s, question %v: %s)\n", r.count, r.text, r.first.DB, r.first.QuestionID, r.first.Reason)
	}
	return nil
}
