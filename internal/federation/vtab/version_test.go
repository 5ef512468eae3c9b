package vtab_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/birdcall/birdcall/internal/federation/apis"
	"github.com/birdcall/birdcall/internal/federation/vtab"
)

// TestVersion lists for how long what an API has said stays what it is, for tools that
// read whole columns.
func TestVersion(t *testing.T) {
	for _, c := range []struct {
		about string
		keep  []apis.Keep
		same  time.Duration // the version is the same for as long
		other time.Duration // and another one then; 0 is never
	}{
		{"for a statement", []apis.Keep{{}}, 59 * time.Second, time.Minute},
		{"for ten minutes", []apis.Keep{{For: 10 * time.Minute}}, 9 * time.Minute, 10 * time.Minute},
		{"the shorter of two", []apis.Keep{{For: time.Hour}, {For: 2 * time.Minute}, {Forever: true}}, time.Minute, 2 * time.Minute},
		{"for good", []apis.Keep{{Forever: true}}, 1000 * time.Hour, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			db := &apis.Database{}
			for _, k := range c.keep {
				db.Tables = append(db.Tables, &apis.Table{RowID: -1, Keep: k})
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
