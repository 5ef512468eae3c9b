package vtab_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/birdcall/birdcall/internal/federation/vtab"
	"github.com/birdcall/birdcall/pkg/api"
)

// TestVersion lists for how long what an API has said stays what it is, for tools that
// read whole columns.
func TestVersion(t *testing.T) {
	for _, c := range []struct {
		about string
		keep  []api.Keep
		same  time.Duration // the version is the same for as long
		other time.Duration // and another one then; 0 is never
	}{
		{"for a statement", []api.Keep{{}}, 59 * time.Second, time.Minute},
		{"for ten minutes", []api.Keep{{For: 10 * time.Minute}}, 9 * time.Minute, 10 * time.Minute},
		{"the shorter of two", []api.Keep{{For: time.Hour}, {For: 2 * time.Minute}, {Forever: true}}, time.Minute, 2 * time.Minute},
		{"for good", []api.Keep{{Forever: true}}, 1000 * time.Hour, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			db := &api.Database{}
			for _, k := range c.keep {
				db.Tables = append(db.Tables, &api.Table{RowID: -1, Keep: k})
			}
			x := vtab.New(db, false)
			first, fixed := x.Version()
			time.Sleep(c.same)
			if now, _ := x.Version(); now != first || fixed != (c.other == 0) {
				t.Errorf("%s: %q, then %q; fixed %v", c.about, first, now, fixed)
			}
			time.Sleep(c.other - min(c.same, c.other))
			if now, _ := x.Version(); c.other > 0 && now == first {
				t.Errorf("%s: it is still %q after %v", c.about, now, c.other)
			}
		})
	}
}
