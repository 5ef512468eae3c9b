package find

import (
	"cmp"
	"context"
	"os"
	"slices"
	"testing"
	"time"
)

// BenchmarkFindLatency asks each question of a dataset with its evidence, for hits of all
// kinds among its databases and endpoints. The dataset is the folder that
// BIRDCALL_DATASET names, or the embedded sample. Of several runs (-benchtime 5x) the
// least time of each question counts, so that what else the computer does falls out.
func BenchmarkFindLatency(b *testing.B) {
	dataset := benchmarkDataset(b)
	api, list := benchmarkTools(b, dataset)
	defer api.Close()
	// A folder that is kept saves the time of reading the databases.
	x, err := Open(context.Background(), dataset, Options{Tools: list, Dir: cmp.Or(os.Getenv("BIRDCALL_FIND_INDEX"), InMemory)})
	if err != nil {
		b.Fatal(err)
	}
	times := make([]time.Duration, len(dataset.Questions))
	for b.Loop() {
		for i := range dataset.Questions {
			q := &dataset.Questions[i]
			start := time.Now()
			if _, err := x.Find(context.Background(), Query{Text: q.Text, Evidence: q.Evidence, K: DefaultK}); err != nil {
				b.Fatal(err)
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
}
