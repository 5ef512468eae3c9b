package episode_test

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/record"
)

// BenchmarkManyEpisodes opens 500 episodes of questions of the sample, runs the gold
// calls of all of them at once, and reports the memory that the process then has
// from the system.
func BenchmarkManyEpisodes(b *testing.B) {
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		env, err := episode.New(episode.Options{Dataset: dataset})
		if err != nil {
			b.Fatal(err)
		}
		var all sync.WaitGroup
		for n := range 500 {
			all.Go(func() {
				q := &dataset.Questions[n%len(dataset.Questions)]
				task, err := env.Task(b.Context(), record.SLOT, q.DB, q.ID.String())
				if err != nil {
					b.Error(err)
					return
				}
				e, err := env.Open(b.Context(), task, fmt.Sprint(n))
				if err != nil {
					b.Error(err)
					return
				}
				for _, c := range task.Gold().Listed {
					if seen, err := e.Call(b.Context(), c); err != nil || seen.Err != nil {
						b.Error(q.ID, seen, err)
					}
				}
			})
		}
		all.Wait()
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		open, bytes := env.Usage()
		b.ReportMetric(float64(open), "episodes")
		b.ReportMetric(float64(bytes)/(1<<20), "MB_results")
		b.ReportMetric(float64(memory.Sys)/(1<<20), "MB_from_system")
		if err := env.Close(); err != nil {
			b.Error(err)
		}
	}
}

// BenchmarkFirstCall opens an episode of each question of a database, formula_1 or
// BIRDCALL_DB, with the samples of BIRDCALL_SAMPLES, and runs its first call. It
// reports the median, the slowest of a hundred but one, and the slowest, in
// milliseconds: of the first round, in which columns are read, and of another.
func BenchmarkFirstCall(b *testing.B) {
	dir, samples := os.Getenv("BIRDCALL_DATASET"), os.Getenv("BIRDCALL_SAMPLES")
	if dir == "" || samples == "" {
		b.Skip("BIRDCALL_DATASET and BIRDCALL_SAMPLES name no folders")
	}
	dataset, err := bird.Load(bird.Options{Dir: dir, Databases: []string{cmp.Or(os.Getenv("BIRDCALL_DB"), "formula_1")}})
	if err != nil {
		b.Fatal(err)
	}
	env, err := episode.New(episode.Options{Dataset: dataset, Samples: []string{samples}})
	if err != nil {
		b.Fatal(err)
	}
	defer env.Close()
	for b.Loop() {
		for _, round := range []string{"first", "again"} {
			var took []time.Duration
			for i := range dataset.Questions {
				q := &dataset.Questions[i]
				start := time.Now()
				task, err := env.Task(b.Context(), record.SLOT, q.DB, q.ID.String())
				if err != nil {
					continue // the question has no sample
				}
				e, err := env.Open(b.Context(), task, "")
				if err != nil {
					b.Fatal(err)
				}
				if seen, err := e.Call(b.Context(), task.Gold().Listed[0]); err != nil || seen.Err != nil {
					b.Fatal(q.ID, seen, err)
				}
				took = append(took, time.Since(start))
				e.End()
			}
			report(b, round, took)
		}
	}
}

// report reports times.
func report(b *testing.B, round string, took []time.Duration) {
	slices.Sort(took)
	for name, at := range map[string]int{"median": len(took) / 2, "p99": len(took) * 99 / 100, "max": len(took) - 1} {
		b.ReportMetric(float64(took[at].Microseconds())/1000, "ms_"+round+"_"+name)
	}
}
