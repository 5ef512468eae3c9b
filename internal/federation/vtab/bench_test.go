package vtab_test

import (
	"testing"
	"time"
)

// BenchmarkJoin joins 358 rows with birds by their ids, at an API that takes 50 ms
// for each call and 8 calls at a time.
func BenchmarkJoin(b *testing.B) {
	for _, c := range []struct {
		about string
		many  int
	}{{"batched", 100}, {"unbatched", 1}} {
		b.Run(c.about, func(b *testing.B) {
			birds := newBirds(b)
			birds.delay, birds.many = 50*time.Millisecond, c.many
			db := birds.open(b, "", "estimate: 1000000", false)
			for b.Loop() {
				if _, err := db.Query(b.Context(), "SELECT count(*), min(name) FROM sighting JOIN birds ON id = bird"); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(birds.asked()))/float64(b.N), "calls/op")
		})
	}
}

// BenchmarkRows reads a million rows that are known, one by one and by keys.
func BenchmarkRows(b *testing.B) {
	birds := newBirds(b)
	db := birds.open(b, ", cache: forever", "", false)
	for _, c := range []struct{ about, sql string }{
		{"scan", "SELECT sum(length(a.name)) FROM birds a, birds b"},
		{"keys", "SELECT sum(length(b.name)) FROM birds a, sighting, birds b WHERE b.id = a.id"},
	} {
		b.Run(c.about, func(b *testing.B) {
			for b.Loop() {
				if _, err := db.Query(b.Context(), c.sql); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
