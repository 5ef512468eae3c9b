package pipeline

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"text/tabwriter"
	"time"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/dialect"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/slot"
)

// BenchmarkConvert measures a whole conversion against the time that the same
// process needs for the questions' SQL alone, with as many workers and the
// same time for each. The dataset is the folder that BIRDCALL_DATASET names,
// or the embedded sample. It prints milliseconds a question for each database.
func BenchmarkConvert(b *testing.B) {
	load := bird.Options{Dir: os.Getenv("BIRDCALL_DATASET")}
	if load.Dir == "" {
		load.FS = sample.FS()
	}
	dataset, err := bird.Load(load)
	if err != nil {
		b.Fatal(err)
	}
	took := map[string]time.Duration{}
	opts := Options{
		Dataset: dataset, Variant: "slot", Out: b.TempDir(), Toolset: slot.Full, Timeout: 30 * time.Second, Jobs: runtime.NumCPU(), AsOf: bird.DefaultAsOf,
		Measure: func(db string, _ int, d time.Duration) { took[db] += d },
	}
	for range b.N {
		clear(took)
		alone := map[string]time.Duration{}
		for _, info := range dataset.Databases {
			start := time.Now()
			runSQLAlone(b, info, opts)
			alone[info.ID] = time.Since(start)
		}
		if _, err := Run(context.Background(), opts); err != nil {
			b.Fatal(err)
		}
		printTimes(b, dataset, alone, took)
	}
}

// runSQLAlone runs the SQL of one database's questions and keeps no answer.
func runSQLAlone(b *testing.B, info *bird.Database, opts Options) {
	b.Helper()
	d, err := slot.Open(context.Background(), info)
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	work := make(chan bird.Question)
	var wait sync.WaitGroup
	for range opts.Jobs {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for q := range work {
				sql, _ := dialect.FixClock(q.SQL, opts.AsOf)
				ctx, cancel := context.WithTimeout(context.Background(), opts.Timeout)
				_, _ = d.Query(ctx, sql) // one that fails takes its time too
				cancel()
			}
		}()
	}
	for _, q := range opts.Dataset.Questions {
		if q.DB == info.ID {
			work <- q
		}
	}
	close(work)
	wait.Wait()
}

func printTimes(b *testing.B, dataset *bird.Dataset, alone, took map[string]time.Duration) {
	b.Helper()
	questions := map[string]int{}
	for _, q := range dataset.Questions {
		questions[q.DB]++
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\n\tquestions\tSQL ms each\tconvert ms each\tratio\t")
	row := func(name string, n int, sql, all time.Duration) {
		ms := func(d time.Duration) float64 { return d.Seconds() * 1000 / float64(n) }
		fmt.Fprintf(w, "%s\t%d\t%.1f\t%.1f\t%.2f\t\n", name, n, ms(sql), ms(all), all.Seconds()/sql.Seconds())
	}
	var sqlTotal, allTotal time.Duration
	for _, info := range dataset.Databases {
		row(info.ID, questions[info.ID], alone[info.ID], took[info.ID])
		sqlTotal, allTotal = sqlTotal+alone[info.ID], allTotal+took[info.ID]
	}
	row("total", len(dataset.Questions), sqlTotal, allTotal)
	w.Flush()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	peak := float64(usage.Maxrss) / 1024
	fmt.Printf("peak resident memory %.0f MiB\n", peak)
	b.ReportMetric(allTotal.Seconds()/sqlTotal.Seconds(), "times-SQL")
	b.ReportMetric(peak, "MiB-resident")
}
