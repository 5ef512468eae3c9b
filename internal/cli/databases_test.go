package cli

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/spf13/pflag"
)

// TestDatabases lists values of --db and what they name.
func TestDatabases(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile(filepath.Join(dir, "a,b.sqlite"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ given, want []string }{
		{[]string{"a,b"}, []string{"a", "b"}},
		{[]string{"a", "b,c"}, []string{"a", "b", "c"}},
		{[]string{"a,b.sqlite"}, []string{"a,b.sqlite"}},
		{[]string{"a,b.sqlite", "c.sqlite"}, []string{"a,b.sqlite", "c.sqlite"}},
		{[]string{`"a,b.sqlite",c.sqlite`}, []string{"a,b.sqlite", "c.sqlite"}},
		{[]string{"a,c.sqlite"}, []string{"a", "c.sqlite"}},
		{[]string{"a,"}, []string{"a", ""}},
		{[]string{""}, nil},
	} {
		var list []string
		set := pflag.NewFlagSet("test", pflag.ContinueOnError)
		DatabasesVar(set, &list, "")
		for _, g := range c.given {
			if err := set.Parse([]string{"--db", g}); err != nil {
				t.Errorf("%q: %v", c.given, err)
			}
		}
		if !slices.Equal(list, c.want) {
			t.Errorf("%q names %q, want %q", c.given, list, c.want)
		}
	}
	set := pflag.NewFlagSet("test", pflag.ContinueOnError)
	DatabasesVar(set, new([]string), "")
	if err := set.Parse([]string{"--db", `"a`}); err == nil {
		t.Error("an open quotation mark is no mistake")
	}
}
