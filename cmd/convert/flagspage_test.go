package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/birdcall/birdcall/internal/testkit/golden"
)

// TestFlagsPage says that docs/convert.md has every flag of every command, with what
// the help says of it.
func TestFlagsPage(t *testing.T) {
	const path, mark = "../../docs/convert.md", " -update -->\n"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text, _, ok := strings.Cut(string(page), mark)
	if !ok {
		t.Fatal("the page has no mark where the flags begin")
	}
	root := command()
	var b strings.Builder
	b.WriteString(text + mark + "\n## Flags\n")
	writeFlags(&b, root.PersistentFlags(), root.LocalNonPersistentFlags())
	b.WriteString("\n## Commands\n\nCommands take the flags above that concern them, and refuse the others.\n")
	for _, c := range root.Commands() {
		fmt.Fprintf(&b, "\n### convert %s\n\n%s.\n", c.Use, strings.TrimSuffix(c.Short, "."))
		writeFlags(&b, c.LocalNonPersistentFlags())
	}
	golden.Equal(t, path, b.String())
}

// cell escapes what Markdown takes for markup in a cell.
var cell = strings.NewReplacer("|", `\|`, "<", "&lt;")

// writeFlags writes the flags of one command as a table, if it has any.
func writeFlags(b *strings.Builder, sets ...*pflag.FlagSet) {
	head := "\n| flag | meaning | default |\n|---|---|---|\n"
	for _, set := range sets {
		set.SortFlags = false
		set.VisitAll(func(f *pflag.Flag) {
			if f.Name == "help" || f.Name == "version" {
				return
			}
			b.WriteString(head)
			head = ""
			value := f.DefValue
			switch {
			case f.Name == "jobs": // depends on the machine
				value = "cores"
			case value == "[]" || value == "false" || value == "":
				value = ""
			default:
				value = "`" + value + "`"
			}
			fmt.Fprintf(b, "| `--%s` | %s | %s |\n", f.Name, cell.Replace(f.Usage), value)
		})
	}
}
