package sqlite

import (
	"strings"
	"testing"
	"unsafe"

	"modernc.org/libc"
)

// TestBuffer says that a text has all the room that it needs, whatever came before it.
func TestBuffer(t *testing.T) {
	tls := libc.NewTLS()
	defer tls.Close()
	var b buffer
	for _, size := range []int{0, 1, 4096, 4097, 10, 8194, 8195, 100_000} {
		text := strings.Repeat("x", size)
		p, ok := b.put(tls, text)
		if !ok || b.size < size {
			t.Fatalf("%d bytes: there is room for %d, %v", size, b.size, ok)
		}
		if got := string(unsafe.Slice(memory[byte](p), size)); got != text {
			t.Errorf("%d bytes: %.20q is there", size, got)
		}
	}
	if b.free(tls); b.p != 0 || b.size != 0 {
		t.Errorf("after free: %+v", b)
	}
	b.free(tls) // again, which does nothing
}
