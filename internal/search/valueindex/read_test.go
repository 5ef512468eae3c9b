package valueindex

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/birdcall/birdcall/pkg/value"
)

// sampleIndex has values of all kinds.
func sampleIndex(t interface{ Fatal(...any) }) *Index {
	var names []value.Value
	for i := range 40 {
		names = append(names, value.Str(fmt.Sprintf("Name %d of many", i)))
	}
	return buildColumns(t, [][]value.Value{
		{value.Str("San Francisco"), value.Str("Fresno"), value.Str("O'Brien"), value.Str("2012-08-24"), value.Str("+"), TooLong},
		{},
		append(names, value.Int(3), value.Int(-5), value.Float(2.5), value.Bytes("blob"), value.NullValue()),
		{value.Str(strings.Repeat("a ", MaxBytes/2)), value.Str(strings.Repeat("b", MaxBytes+1)), value.Str(strings.Repeat("b", MaxBytes))},
	})
}

// TestRead reads what was built, and lists files that are none.
func TestRead(t *testing.T) {
	built := sampleIndex(t)
	x, err := Read(append([]byte(nil), built.Bytes()...))
	if err != nil {
		t.Fatal(err)
	}
	for column, want := range []struct{ distinct, leftOut int }{{5, 1}, {0, 0}, {43, 0}, {2, 1}} {
		if got := x.Distinct(column); got != want.distinct || x.LeftOut(column) != want.leftOut {
			t.Errorf("column %d: %d values, %d left out; want %+v", column, got, x.LeftOut(column), want)
		}
	}
	if got := x.Lookup(Prepare("frsno")); len(got) != 1 || got[0].Value != value.Str("Fresno") {
		t.Errorf("%+v", got)
	}
	changed := func(change func(b []byte) []byte) []byte { return change(append([]byte(nil), built.Bytes()...)) }
	for _, c := range []struct {
		name string
		file []byte
		want error
	}{
		{"nothing", nil, ErrFormat},
		{"a text", []byte(strings.Repeat("hello", 100)), ErrFormat},
		{"another version", changed(func(b []byte) []byte { b[len(magic)-1]++; return b }), ErrVersion},
		{"a byte less", changed(func(b []byte) []byte { return b[:len(b)-1] }), ErrBroken},
		{"a byte more", changed(func(b []byte) []byte { return append(b, 0) }), ErrBroken},
		{"another byte", changed(func(b []byte) []byte { b[len(b)/2]++; return b }), ErrBroken},
		{"a section that is too long", changed(func(b []byte) []byte { b[headerSections+8]++; return signed(b) }), ErrBroken},
		{"more entries than there are", changed(func(b []byte) []byte { b[headerSections+16*sectionKeys]++; return signed(b) }), ErrBroken},
		{"a column less", changed(func(b []byte) []byte { b[headerSections]--; return signed(b) }), ErrBroken},
	} {
		if _, err := Read(c.file); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

// signed gives a file the checksum that it should have.
func signed(b []byte) []byte {
	binary.LittleEndian.PutUint64(b[headerChecksum:], xxhash.Sum64(b[headerSections:]))
	return b
}

// TestBuildError says that errors name the column.
func TestBuildError(t *testing.T) {
	cause := errors.New("the disk is gone")
	fails := func(context.Context, int, func(value.Value) error) error { return cause }
	_, err := Build(t.Context(), []Column{{"schools", "City"}}, fails)
	if !errors.Is(err, cause) || !strings.Contains(err.Error(), "schools.City") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	nothing := func(context.Context, int, func(value.Value) error) error { return nil }
	if _, err := Build(ctx, []Column{{"schools", "City"}}, nothing); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestLookupHostile looks for a text in a file that says of all beginnings that
// values have them. It ends.
func TestLookupHostile(t *testing.T) {
	b := append([]byte(nil), sampleIndex(t).Bytes()...)
	for i := 1; i <= int(binary.LittleEndian.Uint64(b[headerSections+16*sectionPrefixes+8:])); i++ {
		b[len(b)-i] = 0xff
	}
	x, err := Read(signed(b))
	if err != nil {
		t.Fatal(err)
	}
	use(x, strings.Repeat("a-b.c/d:", 100))
}

// FuzzRead uses files in which bytes were changed, and whose checksum is right all
// the same. Nothing may panic.
func FuzzRead(f *testing.F) {
	file := sampleIndex(f).Bytes()
	f.Add(uint16(headerSections), []byte{1}, "san francisco frezno 2012/8/24 '+' 3")
	f.Add(uint16(len(file)/2), []byte{255, 255, 255, 255}, "obrien")
	f.Fuzz(func(_ *testing.T, at uint16, with []byte, text string) {
		b := append([]byte(nil), file...)
		copy(b[min(int(at), len(b)):], with)
		copy(b, magic)
		x, err := Read(signed(b))
		if err != nil {
			return
		}
		use(x, text)
	})
}

func use(x *Index, text string) {
	x.Lookup(Prepare(text, "san francisco frezno 2012/8/24 '+' 3 name 12 of many"))
	for i := range x.Columns() {
		if x.Distinct(i) > 1<<16 {
			continue // which would take long
		}
		x.Stored(i, text)
		_, _ = x.Near(context.Background(), i, text, 3)
		x.Values(i, 100)
	}
}

// FuzzLookup looks for any text among values of which it is one. Nothing may panic,
// spans are in the text, and the value is found.
func FuzzLookup(f *testing.F) {
	for _, s := range []string{"San Francisco", "O'Brien's", "'+'", "2012-08-24 00:00", "ÀÉ\xffß", "ｏｆﬁｃｅ", "1,000.5", "東京 タワー"} {
		f.Add(s, "the "+s+" of it")
	}
	f.Fuzz(func(t *testing.T, stored, text string) {
		x := buildColumns(t, [][]value.Value{{value.Str(stored), value.Str(text), value.Int(1)}})
		for _, m := range x.Lookup(Prepare(text)) {
			if m.Start < 0 || m.Start >= m.End || m.End > len(text) {
				t.Fatalf("%q: %+v", text, m)
			}
		}
		if x.LeftOut(0) > 0 {
			return
		}
		for _, s := range []string{stored, text} {
			if v, how, ok := x.Stored(0, s); !ok || how != Same || value.AsText(v) != s {
				t.Fatalf("%q is %v, %v, %t", s, v, how, ok)
			}
			near, err := x.Near(t.Context(), 0, s, 1)
			if err != nil || len(near) != 1 || near[0].Similarity != 1 {
				t.Fatalf("near %q: %v, %v", s, near, err)
			}
		}
	})
}
