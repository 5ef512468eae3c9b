package value_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/birdcall/birdcall/pkg/value"
)

func TestPatternProperty(t *testing.T) {
	o := newOracle(t)
	rapid.Check(t, func(rt *rapid.T) {
		pattern := rapid.StringMatching(`[ab%_*?é\x80\[\]^!-]{0,8}`).Draw(rt, "pattern")
		text := rapid.StringMatching(`[abAé%\x80\]^-]{0,8}`).Draw(rt, "text")
		rows := o.query("SELECT ?2 LIKE ?1, ?2 LIKE ?1 ESCAPE '!', ?2 GLOB ?1", pattern, text)[0]
		p, s := value.Str(pattern), value.Str(text)
		got := []value.Value{value.Like(p, s, 0), value.Like(p, s, '!'), value.Glob(p, s)}
		for i, g := range got {
			if g != rows[i] {
				rt.Errorf("%q against %q, column %d: %s, want %s", text, pattern, i, show(g), show(rows[i]))
			}
		}
	})
}

// A pattern of many wildcards does not take exponential time.
func TestPatternOfManyWildcards(t *testing.T) {
	p := value.CompileLike(strings.Repeat("a%", 500)+"b", 0)
	if p.Match(strings.Repeat("a", 5000)) {
		t.Error("matches without a b")
	}
}

func BenchmarkLike(b *testing.B) {
	text := strings.Repeat("the quick brown fox jumps over the lazy dog ", 5) + "Needle in a haystack"
	for _, c := range []struct{ name, pattern string }{
		{"contains", "%needle%"}, {"prefix", "the quick%"}, {"suffix", "%haystack"},
	} {
		p := value.CompileLike(c.pattern, 0)
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if !p.Match(text) {
					b.Fatal("no match")
				}
			}
		})
	}
	b.Run("compiling", func(b *testing.B) {
		for b.Loop() {
			value.Like(value.Str("%needle%"), value.Str(text), 0)
		}
	})
}
