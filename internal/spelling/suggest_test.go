package spelling

import (
	"fmt"
	"strings"
	"testing"
)

// TestSuggest lists names with what would do in their place.
func TestSuggest(t *testing.T) {
	var many []string
	for i := range 13 {
		many = append(many, fmt.Sprint("key_", i))
	}
	for _, c := range []struct {
		name  string
		known []string
		want  string
	}{
		{"a", nil, "there are none"},
		{"a", []string{"b", "c"}, "use one of b, c"},
		{"a", many[:12], "use one of " + strings.Join(many[:12], ", ")},
		{"KEY_7", many, "the nearest are key_7, key_0, key_1, key_2, key_3, key_4"},
	} {
		if got := Suggest(c.name, c.known); got != c.want {
			t.Errorf("%s of %d: %s, want %s", c.name, len(c.known), got, c.want)
		}
	}
}

// TestNearest lists slips and what they are of.
func TestNearest(t *testing.T) {
	known := []string{"sample_id", "db", "tables", "table", "format"}
	for name, want := range map[string]string{
		"smaple_id": "sample_id", "sampleid": "sample_id", "SAMPLE_ID": "sample_id", "sample": "", "DB": "db", "bd": "",
		"tabel": "", "tabels": "tables", "tabl": "table", "formt": "format", "farmat": "format", "": "", "difficulty": "",
	} {
		got, ok := Nearest(name, known)
		if got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v, want %q", name, got, ok, want)
		}
	}
	if got := Unknown("smaple_id", known); got != "did you mean sample_id?" {
		t.Error(got)
	}
	if got := Unknown("difficulty", known); got != "use one of sample_id, db, tables, table, format" {
		t.Error(got)
	}
}
