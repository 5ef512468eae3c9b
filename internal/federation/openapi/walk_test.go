package openapi

import "testing"

// TestWalkOfNothing says that a document which says nothing of a place knows no member
// and no element of it.
func TestWalkOfNothing(t *testing.T) {
	for _, path := range [][]string{{"0"}, {"-"}, {"name"}, {"0", "name"}, {"name", "0"}} {
		if s, known, err := new(document).walk(shape{}, path); known || err != nil {
			t.Errorf("%q: %+v, %v, %v", path, s, known, err)
		}
	}
}
