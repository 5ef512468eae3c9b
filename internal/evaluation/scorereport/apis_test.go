package scorereport

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rivo/uniseg"

	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/pkg/evaluate"
)

// withAPIs makes the fixture one of SQL over databases that use APIs.
func withAPIs(r *evaluate.Report) {
	inSQL(r)
	sum := func(n, calls, gold int) evaluate.APISum {
		return evaluate.APISum{
			Samples: n, Predicted: evaluate.APIUsage{Calls: calls, Requests: calls + 3, Bytes: int64(calls) * 1021}, Gold: evaluate.APIUsage{Calls: gold, Requests: gold, Bytes: int64(gold) * 997},
			MeanCalls: float64(calls) / float64(n), MeanBytes: float64(calls) * 1021 / float64(n), GoldMeanCalls: float64(gold) / float64(n), GoldMeanBytes: float64(gold) * 997 / float64(n),
			Time: time.Duration(calls) * time.Millisecond, GoldTime: time.Duration(gold) * time.Millisecond,
		}
	}
	r.Total.APIs = &evaluate.APIScores{All: sum(1534, 1234567, 4000), Completed: sum(537, 2140, 1800)}
	r.Outcomes[1].APIs = &evaluate.APICost{Predicted: evaluate.APIUsage{Calls: 4, Requests: 5, Bytes: 800}, Gold: &evaluate.APIUsage{Calls: 2, Requests: 2, Bytes: 400}}
}

// TestAPIs says where calls of APIs are, and that no file says how long they took.
func TestAPIs(t *testing.T) {
	r := variation(withAPIs)
	var b strings.Builder
	if err := Print(&b, r, Options{}); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if uniseg.StringWidth(strings.TrimSuffix(line, "\n")) > 80 {
			t.Errorf("wider than 80 columns: %q", line)
		}
	}
	golden.Equal(t, filepath.Join("testdata", "apis.txt"), b.String())
	files, err := Write(t.TempDir(), r, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		`"apis":{"predicted":{"calls":4,"requests":5,"bytes":800},"gold":{"calls":2,"requests":2,"bytes":400}}`,
		"| completed, gold's", "completed, gold&#39;s", `"gold_mean_calls": 3.35`,
	} {
		text, err := os.ReadFile(files[i])
		if err != nil || !strings.Contains(string(text), want) || strings.Contains(string(text), "ms a statement") {
			t.Errorf("%s: no %s, or a time, in it; %v", filepath.Base(files[i]), want, err)
		}
	}
	again, err := Read(files[3])
	if err != nil || again.Evaluations[0].Total.APIs.Completed.Predicted.Calls != 2140 {
		t.Errorf("read again: %v", err)
	}
}
