package table

import (
	"fmt"
	"io"
	"strings"

	"github.com/rivo/uniseg"
)

// narrowest is what a column of words is not made narrower than.
const narrowest = 8

// Text writes the table in lines of at most width columns. Words that do not
// fit go on in the next line; the columns of numbers stay whole.
func (t *Table) Text(w io.Writer, width int) {
	widths := t.fit(width)
	if t.Title != "" {
		fmt.Fprintln(w, t.Title)
	}
	if t.Grouped() {
		t.writeHeads(w, widths)
	}
	names := make([]Cell, len(t.Columns))
	for i, c := range t.Columns {
		names[i].Text = c.Name
	}
	t.writeRow(w, names, widths)
	for _, row := range t.Rows {
		t.writeRow(w, row, widths)
	}
	for _, note := range t.Notes {
		Paragraph(w, note, "", width)
	}
}

// fit returns the columns' widths: as wide as they want to be, and then the
// widest of words narrower until they all fit.
func (t *Table) fit(width int) []int {
	widths := make([]int, len(t.Columns))
	total := len(Gap) * (len(t.Columns) - 1)
	for i, c := range t.Columns {
		widths[i] = uniseg.StringWidth(c.Name)
		for _, row := range t.Rows {
			widths[i] = max(widths[i], uniseg.StringWidth(Plain(row[i].Text)))
		}
		total += widths[i]
	}
	first := 0
	for _, h := range t.Heads() {
		room := len(Gap) * (h.Span - 1)
		for i := first; i < first+h.Span; i++ {
			room += widths[i]
		}
		if more := uniseg.StringWidth(Plain(h.Text)) - room; more > 0 {
			widths[first] += more
			total += more
		}
		first += h.Span
	}
	for total > width {
		widest := -1
		for i, c := range t.Columns {
			if c.Words && widths[i] > narrowest && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		widths[widest]--
		total--
	}
	return widths
}

// writeHeads writes the names of the groups in the middle above their columns.
func (t *Table) writeHeads(w io.Writer, widths []int) {
	var padded []string
	i := 0
	for _, h := range t.Heads() {
		room := len(Gap) * (h.Span - 1)
		for range h.Span {
			room += widths[i]
			i++
		}
		text := Plain(h.Text)
		left := max(0, room-uniseg.StringWidth(text)+1) / 2
		padded = append(padded, Pad(strings.Repeat(" ", left)+text, room, true))
	}
	fmt.Fprintln(w, Line(padded))
}

func (t *Table) writeRow(w io.Writer, row []Cell, widths []int) {
	cells := make([][]string, len(row))
	height := 1
	for i, cell := range row {
		cells[i] = wrap(Plain(cell.Text), widths[i])
		height = max(height, len(cells[i]))
	}
	for n := range height {
		padded := make([]string, len(cells))
		for i, c := range t.Columns {
			text := ""
			if n < len(cells[i]) {
				text = cells[i][n]
			}
			padded[i] = Pad(text, widths[i], c.Words)
		}
		fmt.Fprintln(w, Line(padded))
	}
}

// wrap breaks a text into lines of at most width columns, where it can after a
// space or a mark that names are made with.
func wrap(text string, width int) []string {
	var lines []string
	for uniseg.StringWidth(text) > width {
		end, at, columns := len(text), 0, 0
		rest, state := text, -1
		for rest != "" {
			cluster, after, w, next := uniseg.FirstGraphemeClusterInString(rest, state)
			if columns+w > width && columns > 0 {
				end = len(text) - len(rest)
				break
			}
			columns += w
			rest, state = after, next
			if strings.ContainsAny(cluster, " -/_:,;") {
				at = len(text) - len(rest)
			}
		}
		if at > 0 && at < end {
			end = at
		}
		if end == len(text) {
			break
		}
		lines = append(lines, strings.TrimRight(text[:end], " "))
		text = strings.TrimLeft(text[end:], " ")
	}
	return append(lines, text)
}

// Paragraph writes a text in lines of at most width columns, all but the first
// of them after indent.
func Paragraph(w io.Writer, text, indent string, width int) {
	text = Plain(text)
	for i, line := range wrap(text, max(width-len(indent), narrowest)) {
		if i > 0 {
			line = indent + line
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}
