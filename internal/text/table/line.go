package table

import (
	"strings"

	"github.com/rivo/uniseg"
)

// Gap separates columns.
const Gap = "  "

// Line joins cells that are as wide as their columns, without spaces at its end.
func Line(cells []string) string { return strings.TrimRight(strings.Join(cells, Gap), " ") }

// Pad fills a text up to a width, in columns of a terminal: on its right if the text
// is to be aligned left, else on its left.
func Pad(text string, width int, left bool) string {
	space := strings.Repeat(" ", max(0, width-uniseg.StringWidth(text)))
	if left {
		return text + space
	}
	return space + text
}

// Cut shortens a text to a width, in columns of a terminal, the last of them an
// ellipsis.
func Cut(s string, width int) string {
	if uniseg.StringWidth(s) <= width {
		return s
	}
	var b strings.Builder
	rest, state, used := s, -1, 0
	for rest != "" {
		var cluster string
		var wide int
		cluster, rest, wide, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if used+wide > width-1 {
			break
		}
		b.WriteString(cluster)
		used += wide
	}
	return b.String() + "…"
}
