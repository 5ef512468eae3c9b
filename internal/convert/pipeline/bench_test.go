package pipeline

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/birdcall/birdcall/internal/sql/dialect"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/slot"
)

// sqlAlone is the work that conversions are measured against: the questions' SQL,
// with as many workers and the same time for each, and no answer kept.
const sqlAlone = "sql"

// benchWork names, to a process of its own, what it is to measure.
const benchWork = "BIRDCALL_BENCH_WORK"

// BenchmarkConvert measures whole conversions against the questions' SQL alone. Each
// runs in a process of its own, since the most memory that a process had is never
// forgotten, and they take turns. The dataset is the folder that BIRDCALL_DATASET
// names, or the embedded sample; the conversions are those that BIRDCALL_BENCH
// names, or slot, sel and rest; the least time of BIRDCALL_BENCH_ROUNDS turns counts.
//
// It prints milliseconds a question for each database, and in the last lines ratios
// of wall time, of processor time, which other programs disturb less, and the peaks
// of resident memory.
func BenchmarkConvert(b *testing.B) {
	if work := os.Getenv(benchWork); work != "" {
		measureWork(b, work)
		return
	}
	list := os.Getenv("BIRDCALL_BENCH")
	if list == "" {
		list = "slot sel rest"
	}
	names := append([]string{sqlAlone}, strings.Fields(list)...)
	rounds := 1
	if _, err := fmt.Sscan(os.Getenv("BIRDCALL_BENCH_ROUNDS"), &rounds); err != nil && os.Getenv("BIRDCALL_BENCH_ROUNDS") != "" {
		b.Fatal("BIRDCALL_BENCH_ROUNDS: ", err)
	}
	best := map[string]*measured{}
	for range rounds {
		for _, name := range names {
			m := startWork(b, name)
			if best[name] == nil {
				best[name] = m
			}
			best[name].keepLeast(m)
		}
	}
	printTimes(b, anyDataset(b), names, best)
}

// measured is what one process took.
type measured struct {
	Databases map[string]time.Duration // wall time
	Whole     time.Duration
	Processor time.Duration
	Resident  int64 // KiB
}

func (m *measured) keepLeast(other *measured) {
	for db, d := range other.Databases {
		m.Databases[db] = min(m.Databases[db], d)
	}
	m.Whole, m.Processor = min(m.Whole, other.Whole), min(m.Processor, other.Processor)
	m.Resident = max(m.Resident, other.Resident)
}

// startWork measures in another process.
func startWork(b *testing.B, name string) *measured {
	b.Helper()
	out := b.TempDir() + "/measured.json"
	c := exec.Command(os.Args[0], "-test.run=^$", "-test.bench=^BenchmarkConvert$", "-test.benchtime=1x", "-test.timeout=0")
	c.Env = append(os.Environ(), benchWork+"="+name+" "+out)
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	if err := c.Run(); err != nil {
		b.Fatalf("%s: %v\n%s", name, err, said.Bytes())
	}
	text, err := os.ReadFile(out)
	if err != nil {
		b.Fatal(err)
	}
	var m measured
	if err := json.Unmarshal(text, &m); err != nil {
		b.Fatal(err)
	}
	return &m
}

// measureWork does the work and writes to a file what it took. The benchmark's
// first, untimed call has N = 1 and is the only one.
func measureWork(b *testing.B, work string) {
	name, out, _ := strings.Cut(work, " ")
	dataset := anyDataset(b)
	for _, info := range dataset.Databases {
		readFile(b, info)
	}
	debug.SetMemoryLimit(Memory) // as the program does
	opts := Options{
		Dataset: dataset, Variant: name, Out: b.TempDir(), Toolset: slot.Full, Timeout: 30 * time.Second, Jobs: runtime.NumCPU(), AsOf: bird.DefaultAsOf,
	}
	m := measured{Databases: map[string]time.Duration{}}
	opts.Measure = func(db string, _ int, d time.Duration) { m.Databases[db] += d }
	start, before := time.Now(), usage(b)
	if name == sqlAlone {
		for _, info := range dataset.Databases {
			start := time.Now()
			runSQLAlone(b, info, opts)
			m.Databases[info.ID] = time.Since(start)
		}
	} else if _, err := Run(context.Background(), opts); err != nil {
		b.Fatal(err)
	}
	m.Whole = time.Since(start)
	after := usage(b)
	m.Processor = time.Duration(after.Utime.Nano() + after.Stime.Nano() - before.Utime.Nano() - before.Stime.Nano())
	m.Resident = after.Maxrss
	text, err := json.Marshal(m)
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(out, text, 0o600); err != nil {
		b.Fatal(err)
	}
}

func usage(b *testing.B) (u syscall.Rusage) {
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return u
}

// readFile has the operating system keep a database, so that no one who comes first
// waits for the disk.
func readFile(b *testing.B, info *bird.Database) {
	if info.FS != nil {
		return
	}
	f, err := os.Open(info.Path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	if _, err := io.Copy(io.Discard, f); err != nil {
		b.Fatal(err)
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
		wait.Go(func() {
			for q := range work {
				sql, _ := dialect.FixClock(q.SQL, opts.AsOf)
				ctx, cancel := context.WithTimeout(context.Background(), opts.Timeout)
				_, _ = d.Query(ctx, sql) // one that fails takes its time too
				cancel()
			}
		})
	}
	for _, q := range opts.Dataset.Questions {
		if q.DB == info.ID {
			work <- q
		}
	}
	close(work)
	wait.Wait()
}

func printTimes(b *testing.B, dataset *bird.Dataset, names []string, best map[string]*measured) {
	b.Helper()
	questions := map[string]int{}
	for _, q := range dataset.Questions {
		questions[q.DB]++
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(name string, cell func(*measured) string) {
		fmt.Fprint(w, name, "\t")
		for _, n := range names {
			fmt.Fprint(w, cell(best[n]), "\t")
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, "\nms a question\t"+strings.Join(names, "\t")+"\t")
	for _, info := range dataset.Databases {
		row(info.ID, func(m *measured) string {
			return fmt.Sprintf("%.1f", m.Databases[info.ID].Seconds()*1000/float64(questions[info.ID]))
		})
	}
	alone := best[sqlAlone]
	row("all of it", func(m *measured) string {
		return fmt.Sprintf("%.1f", m.Whole.Seconds()*1000/float64(len(dataset.Questions)))
	})
	row("times SQL, wall", func(m *measured) string { return fmt.Sprintf("%.2f", m.Whole.Seconds()/alone.Whole.Seconds()) })
	row("times SQL, processor", func(m *measured) string { return fmt.Sprintf("%.2f", m.Processor.Seconds()/alone.Processor.Seconds()) })
	row("peak MiB", func(m *measured) string { return fmt.Sprint(m.Resident / 1024) })
	w.Flush()
	for _, n := range names[1:] {
		b.ReportMetric(best[n].Whole.Seconds()/alone.Whole.Seconds(), n+"/SQL")
	}
}
