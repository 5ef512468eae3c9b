package table

import (
	"fmt"
	"io"
	"strings"
)

// Markdown writes the table as GitHub's Markdown has tables
// (https://github.github.com/gfm/#tables-extension-), the title as a heading.
// The best numbers are bold.
func (t *Table) Markdown(w io.Writer) {
	if t.Title != "" {
		fmt.Fprintf(w, "## %s\n\n", Escape(t.Title))
	}
	for _, c := range t.Columns {
		name := c.Name
		if c.Group != "" {
			name = c.Group + " " + c.Name
		}
		fmt.Fprintf(w, "| %s ", Escape(name))
	}
	fmt.Fprintln(w, "|")
	for _, c := range t.Columns {
		if c.Words {
			fmt.Fprint(w, "|:---")
		} else {
			fmt.Fprint(w, "|---:")
		}
	}
	fmt.Fprintln(w, "|")
	for _, row := range t.Rows {
		for _, cell := range row {
			text := Escape(cell.Text)
			if cell.Best {
				text = "**" + text + "**"
			}
			fmt.Fprintf(w, "| %s ", text)
		}
		fmt.Fprintln(w, "|")
	}
	for _, note := range t.Notes {
		fmt.Fprintf(w, "\n%s\n", Escape(note))
	}
}

// escaper escapes what Markdown takes for markup within a line, HTML included.
var escaper = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "]", `\]`,
	"<", "&lt;", ">", "&gt;", "&", "&amp;", "~", `\~`, "$", `\$`,
)

// Escape returns a text as Markdown that shows it as it is, on one line. Marks
// that begin a list or a heading are for the caller, who writes no text from
// elsewhere at the start of a line.
func Escape(s string) string { return escaper.Replace(Plain(s)) }
