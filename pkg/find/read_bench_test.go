package find

import (
	"context"
	"os"
	"slices"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/search/valueindex"
	"github.com/birdcall/birdcall/pkg/bird"
)

// benchmarkDataset is the folder that BIRDCALL_DATASET names, or the embedded
// sample.
func benchmarkDataset(t testing.TB) *bird.Dataset {
	load := bird.Options{Dir: os.Getenv("BIRDCALL_DATASET")}
	if load.Dir == "" {
		load.FS = sample.FS()
	}
	dataset, err := bird.Load(load)
	if err != nil {
		t.Fatal(err)
	}
	return dataset
}

// valuesOf indexes the values of all databases, two at a time.
func valuesOf(t testing.TB, dataset *bird.Dataset) []*valueindex.Index {
	out := make([]*valueindex.Index, len(dataset.Databases))
	var group errgroup.Group
	group.SetLimit(2)
	for i, d := range dataset.Databases {
		group.Go(func() error {
			ctx := context.Background()
			db, err := sqlite.Open(ctx, sqlite.Location{Path: d.Path, FS: d.FS, Name: d.Name}, sqlite.Options{Mode: sqlite.Immutable})
			if err != nil {
				return err
			}
			defer db.Close()
			schema, err := db.Schema(ctx)
			if err != nil {
				return err
			}
			r := readerOf(db, schema, func(string, string) bool { return false })
			out[i], err = valueindex.Build(ctx, r.columns, r.read)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	return out
}

// BenchmarkValuesBuild reads the values of all databases and indexes them.
func BenchmarkValuesBuild(b *testing.B) {
	dataset := benchmarkDataset(b)
	for b.Loop() {
		size, values := 0, 0
		for _, x := range valuesOf(b, dataset) {
			size += len(x.Bytes())
			for i := range x.Columns() {
				values += x.Distinct(i)
			}
		}
		b.ReportMetric(float64(size)/(1<<20), "MiB")
		b.ReportMetric(float64(values), "values")
	}
}

// BenchmarkValuesLookup looks up each question with its evidence in all databases.
// Of several runs (-benchtime 5x) the least time of each question counts, so that
// what else the computer does falls out.
func BenchmarkValuesLookup(b *testing.B) {
	dataset := benchmarkDataset(b)
	indexes := valuesOf(b, dataset)
	times := make([]time.Duration, len(dataset.Questions))
	matches := 0
	for b.Loop() {
		matches = 0
		for i, q := range dataset.Questions {
			start := time.Now()
			t := valueindex.Prepare(q.Text, q.Evidence)
			for _, x := range indexes {
				matches += len(x.Lookup(t))
			}
			if took := time.Since(start); times[i] == 0 || took < times[i] {
				times[i] = took
			}
		}
	}
	slices.Sort(times)
	at := func(share float64) float64 {
		return float64(times[int(share*float64(len(times)-1))].Microseconds()) / 1000
	}
	b.ReportMetric(at(.5), "p50-ms")
	b.ReportMetric(at(.99), "p99-ms")
	b.ReportMetric(at(1), "max-ms")
	b.ReportMetric(float64(matches)/float64(len(times)), "matches/question")
}
