package randsql

import (
	"testing"

	"github.com/birdcall/birdcall/internal/mixed"
)

// TestStatementsOverAPI runs random statements while all tables are behind an API,
// which is asked in large and in small pieces: each answer must be the file's.
func TestStatementsOverAPI(t *testing.T) {
	askings := []mixed.Asking{{}, {Page: 2, Many: 3}, {Page: 5, Many: 1, Cache: mixed.CacheForever}}
	const together = 20 // databases of a service
	databases := max(1, statements(t, 200)/perDatabase)
	count := map[mixed.State]int{}
	for from := 0; from < databases; from += together {
		dataset := drawDataset(t, from, min(from+together, databases), false)
		reports, err := mixed.Run(t.Context(), mixed.Options{
			Dataset: dataset, Benchmark: 1, Shares: []int{100}, Seeds: []uint64{1}, AsOf: asOf, Jobs: 2, Asking: askings[from/together%len(askings)],
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range reports[0].Questions {
			count[o.State]++
			if o.State != mixed.Equal && o.State != mixed.OtherRight {
				t.Errorf("%s: %s: %s %s\n%s", o.DB, o.State, o.Reason, o.Detail, statementOf(dataset, o.ID))
			}
		}
		for _, name := range reports[0].Silent {
			t.Errorf("%s was read, and the API had no request for it", name)
		}
		if t.Failed() {
			break
		}
	}
	t.Log(count)
}
