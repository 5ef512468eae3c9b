package slot

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/tools"
)

// System returns a text for what the tools' descriptions do not say: the tables that a
// sample starts with, the keys of each table, and what the keys hold. The text is the
// same for all questions about these tables. A record that was read from a file must
// pass Check.
func System(r *record.Slot) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Answer the question about the database %s by calling tools on its tables, one call after another. "+
		"Each result gets a label by the rule that its tool states; write \"$LABEL$\" in an argument for the result of that label.\n\n", r.DB)
	return b.String() + Tables(r)
}

// Tables returns the part of System that lists the tables and the keys.
func Tables(r *record.Slot) string {
	var b strings.Builder
	b.WriteString("Starting tables:\n")
	for i, start := range r.Starts() {
		fmt.Fprintf(&b, "* $%s$ - %s\n", r.StartingTables[i].Name, joinedTables(start))
		if len(r.StartingTables) > 1 { // otherwise the table has all keys
			fmt.Fprintf(&b, "  keys: %s\n", strings.Join(r.StartingTables[i].Keys, ", "))
		}
	}
	b.WriteString("\nKeys:\n")
	for _, k := range r.Keys {
		fmt.Fprintf(&b, "* %s (%s) - %s", k.Name, k.Type, k.Description)
		if k.Values != "" {
			fmt.Fprintf(&b, "; values: %s", k.Values)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// joinedTables names the tables of a starting table and how they are joined.
func joinedTables(s tools.Start) string {
	names := make([]string, len(s.Tables))
	for i, t := range s.Tables {
		names[i] = t.Original
		if t.Modified != "" && t.Modified != t.Original {
			names[i] += " as " + t.Modified
		}
	}
	if len(names) == 1 {
		return "the table " + names[0]
	}
	if len(s.Conditions) == 0 {
		return "every pair of rows of the tables " + strings.Join(names, ", ")
	}
	on := make([]string, len(s.Conditions))
	for i, c := range s.Conditions {
		on[i] = keyIn(s, c.Left) + " = " + keyIn(s, c.Right)
		if c.Type != tools.InnerJoin {
			on[i] += " (" + string(c.Type) + " join)"
		}
	}
	return fmt.Sprintf("the tables %s, joined where %s", strings.Join(names, ", "), strings.Join(on, " and "))
}

// keyIn returns the key of a column that a condition names by the table's alias.
func keyIn(s tools.Start, name string) string {
	alias, column, _ := strings.Cut(name, ".")
	for _, t := range s.Tables {
		if t.Alias == alias {
			return tools.KeyName(cmp.Or(t.Modified, t.Original), column)
		}
	}
	return name
}
