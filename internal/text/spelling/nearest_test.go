package spelling

import (
	"strings"
	"testing"
)

// TestNearest lists names and what was meant by them; "" is nothing.
func TestNearest(t *testing.T) {
	known := []string{"variant", "evidence", "sample_id", "score", "jobs", "db", "id", "Email", "Größe", "x"}
	for name, want := range map[string]string{
		"vraiant": "variant", "Variant": "variant", "variants": "variant", "vrnt": "",
		"evidnce": "evidence", "EVIDENCE": "evidence", "evince": "evidence",
		"smaple_id": "sample_id", "sampleid": "sample_id", "sample": "",
		"scroe": "score", "scope": "score", "sort": "",
		"Emial": "Email", "grösse": "Größe", "jbos": "jobs", "job": "jobs", "jumps": "",
		"d": "", "": "", "bd": "db", "x": "x", "y": "", "port": "",
		strings.Repeat("x", 1000): "",
	} {
		got, ok := Nearest(name, known)
		if got != want || ok != (want != "") {
			t.Errorf("%.20s: got %q, %v, want %q", name, got, ok, want)
		}
	}
	if got, ok := Nearest("name", nil); ok {
		t.Errorf("of no names: %q", got)
	}
}
