package mcpserver

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAliases(t *testing.T) {
	long := strings.Repeat("get_percent_eligible_free_", 3)
	for _, c := range []struct{ names, want []string }{
		{[]string{"filter_data", "get-A9"}, []string{"filter_data", "get-A9"}},
		{[]string{strings.Repeat("a", 45)}, []string{strings.Repeat("a", 45)}},
		{[]string{strings.Repeat("a", 46)}, []string{strings.Repeat("a", 36) + "_6643110c"}},
		{[]string{long, long + "s"}, []string{"get_percent_eligible_free_get_percen_cd57c623", "get_percent_eligible_free_get_percen_48db7bed"}},
		{[]string{"größe", "日本", "a.b", "a b"}, []string{"gr__e_d353a267", "_cf2abf0c", "a_b_2e7336dc", "a_b_c8687a08"}},
		{[]string{"search_tools"}, []string{"search_tools_29693a83"}}, // reserved
		{[]string{"", "__"}, []string{"_e3b0c442", "__"}},
		{nil, []string{}},
	} {
		got := aliases(c.names, "search_tools")
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.names, diff)
		}
	}
}

// TestAliasTaken has two names whose aliases would be the same.
func TestAliasTaken(t *testing.T) {
	alias := aliases([]string{"a b"})[0]
	got := aliases([]string{"a b", alias})
	if got[1] != alias || got[0] == alias || !fits(got[0]) {
		t.Errorf("%q", got)
	}
}

func TestTitle(t *testing.T) {
	for name, want := range map[string]string{"filter_data": "Filter data", "_x__y": "X y", "": "", "__": "__", "été_a": "Été a"} {
		if got := title(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func FuzzAliases(f *testing.F) {
	f.Add("filter_data", "a b")
	f.Add(strings.Repeat("x", 50), "\xff")
	f.Fuzz(func(t *testing.T, a, b string) {
		if a == b {
			return
		}
		got := aliases([]string{a, b}, "search_tools")
		again := aliases([]string{b, a}, "search_tools")
		if got[0] == got[1] || got[0] != again[1] || got[1] != again[0] {
			t.Fatalf("%q, %q", got, again)
		}
		for i, name := range []string{a, b} {
			if !fits(got[i]) || got[i] == "search_tools" {
				t.Errorf("%q: %q", name, got[i])
			}
		}
	})
}
