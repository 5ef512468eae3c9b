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

// TestUnknown lists names with what is said of them.
func TestUnknown(t *testing.T) {
	known := []string{"sample_id", "db", "tables", "table", "format"}
	for name, want := range map[string]string{
		"smaple_id": "did you mean sample_id?", "difficulty": "use one of sample_id, db, tables, table, format",
	} {
		if got := Unknown(name, known); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
