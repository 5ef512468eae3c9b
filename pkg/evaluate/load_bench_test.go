package evaluate_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
)

// samplesEnv names the folder that convert wrote variants to.
const samplesEnv = "BIRDCALL_SAMPLES"

// BenchmarkScore reads the SLOT samples of a folder and scores gold against itself
// without running it.
func BenchmarkScore(b *testing.B) {
	dir := os.Getenv(samplesEnv)
	if dir == "" {
		b.Skipf("%s names no folder", samplesEnv)
	}
	for b.Loop() {
		d, err := evaluate.Load(b.Context(), filepath.Join(dir, record.SLOT))
		if err != nil {
			b.Fatal(err)
		}
		r, err := evaluate.Score(b.Context(), d, goldOf(d), nil, evaluate.Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(r.Total.Samples), "samples")
	}
}
