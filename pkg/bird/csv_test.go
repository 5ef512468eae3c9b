package bird

import (
	"strings"
	"testing"
)

// TestQuotedField reads a field that begins with a quote, and says where it ends.
func TestQuotedField(t *testing.T) {
	starts := func(line string) bool { return strings.HasPrefix(line, "next,") }
	for _, test := range []struct {
		text, want string
		rest       string // what follows the field
		ok         bool
	}{
		{`"a",b`, "a", ",b", true},
		{`"a"`, "a", "", true},
		{`"a"  `, "a", "", true},
		{`"a"  ,b`, "a", ",b", true},
		{"\"a\" \nb", "a", "\nb", true},
		{`""`, "", "", true},
		{`"a""b"`, `a"b`, "", true},
		{`"a" b"`, `a" b`, "", true},
		{`"a"b",c`, `a"b`, ",c", true},
		{"\"a\nb\",c", "a\nb", ",c", true},
		{"\"a\nnext,b\"", "", "", false},
		{`"a`, "", "", false},
		{`"`, "", "", false},
		{`"` + strings.Repeat("x", maxQuoted) + `"`, "", "", false},
	} {
		got, next, ok := quotedField(test.text, 0, ',', starts)
		if got != test.want || ok != test.ok || ok && test.text[next:] != test.rest {
			t.Errorf("%.20q is %.20q up to %d, %v; want %.20q before %q, %v", test.text, got, next, ok, test.want, test.rest, test.ok)
		}
	}
}
