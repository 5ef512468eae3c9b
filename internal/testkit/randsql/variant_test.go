package randsql

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/rest"
	"github.com/birdcall/birdcall/pkg/slot"
)

// TestVariants converts random statements as a dataset of questions, in every
// variant: the calls must be valid under the samples' tools too, and run under
// the names of SEL, and the endpoints must answer as the statements do.
func TestVariants(t *testing.T) {
	dataset := drawDataset(t, 0, statements(t, 240)/perDatabase, false)
	for _, c := range []struct {
		variant string
		toolset slot.Toolset
	}{{record.SLOT, slot.Full}, {record.SLOT, slot.Paper}, {record.SEL, slot.Full}, {record.REST, ""}} {
		t.Run(strings.TrimSpace(c.variant+" "+string(c.toolset)), func(t *testing.T) {
			report, err := pipeline.Run(context.Background(), pipeline.Options{
				Dataset: dataset, Variant: c.variant, Out: t.TempDir(), Toolset: c.toolset, Timeout: time.Minute, Jobs: 2, AsOf: asOf,
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%+v", report.Totals)
			for i, f := range report.Failures {
				if f.Status != pipeline.Unsupported && i < maxFailures {
					t.Errorf("%s: %s, %s: %s\n%s", f.DB, f.Status, f.Construct, f.Reason, statementOf(dataset, f.QuestionID))
				}
			}
		})
	}
}

func statementOf(d *bird.Dataset, id bird.ID) string {
	for _, q := range d.Questions {
		if q.ID == id {
			return q.SQL
		}
	}
	return ""
}

// TestTiesOfVariants says that a record of an endpoint says whether SQL leaves the
// answer open as the record of calls does, and finds the same of the answer where
// it does not.
func TestTiesOfVariants(t *testing.T) {
	dataset := drawDataset(t, 0, statements(t, 240)/perDatabase, true)
	endpoints, err := rest.NewConverter(t.Context(), dataset, rest.ConverterOptions{AsOf: asOf})
	if err != nil {
		t.Fatal(err)
	}
	defer endpoints.Close()
	open := 0
	for _, info := range dataset.Databases {
		db, err := slot.Open(t.Context(), info)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		converter := slot.NewConverter(db, slot.Options{AsOf: asOf})
		for i := range dataset.Questions {
			q := &dataset.Questions[i]
			if q.DB != info.ID {
				continue
			}
			want, err := converter.Convert(t.Context(), q)
			if err != nil {
				continue // which other tests look at
			}
			got, err := endpoints.Convert(t.Context(), q)
			if errors.Is(err, rest.ErrUnsupported) {
				continue
			}
			if err != nil {
				t.Errorf("%v\n%s", err, q.SQL)
				continue
			}
			if want.TieDependent {
				open++
				want.Gold.Rows, want.Trivial = got.Gold.Rows, got.Trivial // either's is a right one
			}
			if !reflect.DeepEqual(want.Facts, got.Facts) {
				t.Errorf("the calls' record has %+v, the endpoint's %+v\n%s", want.Facts, got.Facts, q.SQL)
			}
		}
	}
	t.Logf("%d of %d statements leave their answer open", open, len(dataset.Questions))
	if open == 0 {
		t.Error("no statement leaves its answer open")
	}
}

// drawDataset draws the databases of some seeds, and statements: those that have one
// answer, or those that may have several, too.
func drawDataset(t *testing.T, from, to int, loose bool) *bird.Dataset {
	t.Helper()
	ctx := context.Background()
	out := &bird.Dataset{Split: "random"}
	for seed := from; seed < to; seed++ {
		db := (&gen{draws: fresh(seed, 0)}).database()
		dir := t.TempDir()
		s, err := newSubject(ctx, dir, db.script(false), db.script(true))
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("random_%d", seed)
		for i := range perDatabase {
			q := (&gen{draws: fresh(seed, i+1), db: db}).statement()
			if o := s.try(ctx, q); o.skipped == "" && o.failure == "" && (loose || !q.loose) {
				out.Questions = append(out.Questions, bird.Question{
					ID: bird.Number(len(out.Questions)), DB: name, Text: "What is the answer?", SQL: q.sql,
				})
			}
		}
		if err := s.close(); err != nil {
			t.Fatal(err)
		}
		out.Databases = append(out.Databases, &bird.Database{ID: name, Path: filepath.Join(dir, "db.sqlite")})
	}
	return out
}
