package sqlite

import (
	"context"
	"os"
	"os/exec"
	"testing"
)

// TestLocalTimeIsUTC asks for a local time where it is another one. The zone is
// read when a process starts, so the test runs itself.
func TestLocalTimeIsUTC(t *testing.T) {
	const zone = "TZ=Asia/Tokyo"
	if os.Getenv("TZ") != zone[len("TZ="):] {
		again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestLocalTimeIsUTC$")
		again.Env = append(os.Environ(), zone)
		if out, err := again.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
		return
	}
	db := open(t, Location{Path: build(t, `CREATE TABLE t(x)`)}, Options{})
	got, err := db.Query(context.Background(), "SELECT datetime('2024-07-01 12:00', 'localtime'), datetime('2024-07-01 12:00', 'utc')")
	if err != nil {
		t.Fatal(err)
	}
	const noon = `t"2024-07-01 12:00:00"`
	if s := show(got.Rows); s != noon+" "+noon {
		t.Errorf("noon is %s", s)
	}
}
