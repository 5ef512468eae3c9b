package mixed

import (
	"context"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/birdcall/birdcall/pkg/bird"
)

// TestDataset counts what a whole dataset gives, and wants both forms to agree
// wherever the answer is one that SQL fixes.
func TestDataset(t *testing.T) {
	dir := os.Getenv("BIRDCALL_DATASET")
	if dir == "" {
		t.Skip("BIRDCALL_DATASET names no dataset")
	}
	dataset, err := bird.Load(bird.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	const most, longest = 3, 30 * time.Second
	made, kept, ofQuestions := map[Kind]int{}, map[Kind]int{}, 0
	lost, refused, functions := map[string]int{}, map[string]int{}, map[string]int{}
	for _, about := range dataset.Databases {
		d, err := Open(context.Background(), about)
		if err != nil {
			t.Fatal(err)
		}
		r := newRunner(t, about.Path)
		for i := range dataset.Questions {
			q := &dataset.Questions[i]
			if q.DB != about.ID {
				continue
			}
			start, cancelAugment := context.WithTimeout(context.Background(), longest)
			list, refusals, err := Augment(start, d, q, 1, most)
			cancelAugment()
			if err != nil {
				lost["the rows: "+err.Error()]++
				continue
			}
			if len(list) == 0 {
				refused[refusals[len(refusals)-1].Reason]++
				continue
			}
			ctx, cancel := context.WithTimeout(context.Background(), longest)
			before, err := r.rows(ctx, q.SQL)
			cancel()
			if err != nil {
				lost["the question: "+err.Error()]++
				continue
			}
			some := false
			for _, a := range list {
				made[a.Kind]++
				ctx, cancel := context.WithTimeout(context.Background(), longest)
				got, err := r.rows(ctx, a.FunctionSQL)
				joined, err2 := r.joined(ctx, d, q, a, true)
				late := ctx.Err() != nil
				cancel()
				switch {
				case late:
					lost["late"]++
				case err != nil || err2 != nil:
					t.Errorf("%s/%s: %v, %v\n%s\n%s", q.DB, q.ID, err, err2, a.FunctionSQL, a.JoinSQL)
				case !slices.Equal(got, joined):
					lost["forms differ"]++
					t.Logf("%s/%s: forms differ\n%s\n%s", q.DB, q.ID, a.FunctionSQL, a.JoinSQL)
				case len(got) == 0:
					lost["no rows"]++
				case a.Kind == AddedCondition && slices.Equal(got, before):
					lost["same"]++
				default:
					kept[a.Kind]++
					some = true
					for _, f := range a.Functions {
						functions[f]++
					}
					t.Logf("%s/%s %v\n   %s\n   %s\n   %s", q.DB, q.ID, a.Functions, a.Question, a.FunctionSQL, a.JoinSQL)
				}
			}
			if some {
				ofQuestions++
			}
		}
		d.Close()
	}
	t.Logf("made %v, kept %v of %d questions, lost %v, refused %v, functions %v", made, kept, ofQuestions, lost, refused, functions)
}
