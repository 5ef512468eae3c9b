package value_test

import (
	"testing"
	"time"

	"github.com/birdcall/birdcall/pkg/value"
)

// TestUTC says that 'utc' does nothing to what is in UTC already, as now is: the days
// that a month had too many are still known after it (date.c, isUtc).
func TestUTC(t *testing.T) {
	now := time.Date(2024, 1, 31, 12, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		modifiers []string
		want      string
	}{
		{[]string{"now", "+1 month"}, "2024-03-02"},
		{[]string{"now", "+1 month", "floor"}, "2024-02-29"},
		{[]string{"now", "+1 month", "utc", "floor"}, "2024-02-29"},
		{[]string{"2024-01-31T12:00Z", "+1 month", "utc", "floor"}, "2024-02-29"},
		{[]string{"now", "localtime", "+1 month", "utc", "floor"}, "2024-03-02"},
	} {
		var args []value.Value
		for _, m := range test.modifiers {
			args = append(args, value.Str(m))
		}
		got, err := value.Call("date", args, now)
		if err != nil || value.AsText(got) != test.want {
			t.Errorf("date(%q) is %s, %v; want %s", test.modifiers, value.AsText(got), err, test.want)
		}
	}
}
