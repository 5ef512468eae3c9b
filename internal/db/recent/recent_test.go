package recent

import "testing"

// TestCache says which values are kept.
func TestCache(t *testing.T) {
	c := New[string, int](2)
	if c.Put("a", 1) != 1 || c.Put("b", 2) != 2 || c.Put("a", 3) != 1 {
		t.Error("a value is not the first of its key")
	}
	c.Get("a")
	c.Put("c", 4) // b was used least recently
	for key, want := range map[string]int{"a": 1, "b": 0, "c": 4} {
		if got, ok := c.Get(key); got != want || ok != (want > 0) {
			t.Errorf("%s: %d, %v", key, got, ok)
		}
	}
	c.Remove("a")
	c.Remove("b")
	if _, ok := c.Get("a"); ok || c.Len() != 1 {
		t.Errorf("%d values are kept", c.Len())
	}
}
