package mixed

import (
	"testing"
	"time"
)

// TestLeast says how many calls suffice for statements over the sample, and that
// they are what is made but for what a run asks without an answer.
func TestLeast(t *testing.T) {
	dataset := loadSample(t, "bird_club")
	s, err := Serve(t.Context(), dataset.Databases, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	o := &Options{Dataset: dataset}
	x, err := o.openSubject(t.Context(), s, dataset.Databases[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	defer x.plain.Close()
	d, err := x.openSide(t.Context(), s, "least", x.moved(100, 1), true, Asking{Page: 10, Many: 5})
	if err != nil {
		t.Fatal(err)
	}
	defer d.close()
	rows := x.rows["species"] // in pages of 10
	pages := (rows + 9) / 10
	for _, c := range []struct {
		sql   string
		least int
	}{
		{"SELECT 1", 0},
		{"SELECT count(*) FROM species", pages},
		{"SELECT * FROM species LIMIT 3", 1},
		{"SELECT * FROM species WHERE code IN ('MUTSWA', 'b', 'c', 'd', 'e', 'f')", 2},
		{"SELECT * FROM species WHERE code = NULL", 0},
		{"SELECT is_prime(7), is_prime(7), is_prime(8)", 1},
		{"SELECT is_prime(NULL)", 0},
		{"SELECT count FROM count_syllables WHERE string IN ('a', 'b')", 1},
	} {
		a := d.ask(t.Context(), c.sql, time.Minute)
		if a.err != nil || a.cost.Least != c.least || a.cost.Calls < c.least {
			t.Errorf("%s: %v, %d calls suffice and %d were made, want %d", c.sql, a.err, a.cost.Least, a.cost.Calls, c.least)
		}
	}
	if _, err := x.openSide(t.Context(), s, "wrong", x.moved(100, 1), false, Asking{Cache: "never"}); err == nil {
		t.Error("a declaration that cannot be read gives no error")
	}
}
