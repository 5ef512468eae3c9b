package mixed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	gocmp "github.com/google/go-cmp/cmp/cmpopts"

	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/pkg/bird"
)

// onDisk copies a database out of the embedded sample.
func onDisk(t *testing.T, db *bird.Database) string {
	t.Helper()
	from, err := db.FS.Open(db.Name)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	path := filepath.Join(t.TempDir(), "copy.sqlite")
	to, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(to, from); errors.Join(err, to.Close()) != nil {
		t.Fatal(err)
	}
	return path
}

// TestSample writes down what the sample's questions become, runs both forms of each,
// and wants the same rows of them.
func TestSample(t *testing.T) {
	ctx := context.Background()
	for _, id := range []string{"bird_club", "city_library", "coffee_roastery"} {
		t.Run(id, func(t *testing.T) {
			d, dataset := open(t, id)
			r := newRunner(t, onDisk(t, dataset.Database(id)))
			var out strings.Builder
			for i := range dataset.Questions {
				q := &dataset.Questions[i]
				if q.DB != id {
					continue
				}
				fmt.Fprintf(&out, "# %s %s\n", q.ID, q.SQL)
				list, refusals, err := Augment(ctx, d, q, 1, 3)
				if err != nil {
					t.Fatal(err)
				}
				for _, refused := range refusals {
					fmt.Fprintf(&out, "- %s\n", refused)
				}
				before, err := r.rows(ctx, q.SQL)
				if err != nil {
					t.Fatal(err)
				}
				for _, a := range list {
					got, err := r.rows(ctx, a.FunctionSQL)
					joined, err2 := r.joined(ctx, d, q, a, false)
					if err != nil || err2 != nil {
						t.Fatalf("%v, %v\n%s\n%s", err, err2, a.FunctionSQL, a.JoinSQL)
					}
					if !slices.Equal(got, joined) {
						t.Errorf("%s\nhas other rows than\n%s\n%s", a.FunctionSQL, a.JoinSQL, cmp.Diff(got, joined))
					}
					changed := "other rows"
					switch {
					case len(got) == 0:
						changed = "no rows"
					case a.Kind == AddedColumn:
						changed = "a column"
					case slices.Equal(got, before):
						changed = "the same rows"
					}
					fmt.Fprintf(&out, "%s\n(%s)\n%s on %s, %s\n%s\n%s\n", a.Question, a.Evidence, strings.Join(a.Functions, ", "), a.Column, changed, a.FunctionSQL, a.JoinSQL)
				}
				out.WriteString("\n")
			}
			golden.Equal(t, filepath.Join("testdata", id+".txt"), out.String())
		})
	}
}

// TestSeeds has the same questions for the same seed, however often and in whatever
// order they are asked for, and others for another seed; both forms agree in all.
func TestSeeds(t *testing.T) {
	ctx := context.Background()
	d, dataset := open(t, "city_library")
	again, _ := open(t, "city_library")
	r := newRunner(t, onDisk(t, dataset.Database("city_library")))
	other, made := false, 0
	for i := range dataset.Questions {
		q := &dataset.Questions[i]
		if q.DB != "city_library" {
			continue
		}
		first := make([]Augmented, 0)
		for seed := uint64(1); seed <= 8; seed++ {
			list, _, err := Augment(ctx, d, q, seed, 2)
			if err != nil {
				t.Fatal(err)
			}
			twice, _, err := Augment(ctx, again, q, seed, 2)
			if diff := cmp.Diff(list, twice, gocmp.IgnoreUnexported(Augmented{})); diff != "" || err != nil {
				t.Errorf("question %s: %v, %s", q.ID, err, diff)
			}
			if len(list) > 2 {
				t.Errorf("question %s: %d questions, of which 2 are wanted", q.ID, len(list))
			}
			for _, a := range list {
				made++
				got, err := r.rows(ctx, a.FunctionSQL)
				joined, err2 := r.joined(ctx, d, q, a, false)
				if err != nil || err2 != nil || !slices.Equal(got, joined) {
					t.Errorf("%v, %v: %v and %v\n%s\n%s", err, err2, got, joined, a.FunctionSQL, a.JoinSQL)
				}
			}
			if seed == 1 {
				first = list
			}
			other = other || !cmp.Equal(first, list, gocmp.IgnoreUnexported(Augmented{}))
		}
	}
	if !other || made < 100 {
		t.Errorf("%d questions, and other ones by another seed: %t", made, other)
	}
}
