package tools

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"sort"
	"strconv"
	"strings"
	"unicode"

	"github.com/rivo/uniseg"

	"github.com/birdcall/birdcall/internal/text/table"
	"github.com/birdcall/birdcall/pkg/value"
)

// The default bounds of a printed table.
const (
	DefaultPrintWidth = 100 // columns of a terminal
	DefaultPrintRows  = 20
)

// PrintOptions say how much of a table is printed.
type PrintOptions struct {
	// Width is the longest line, in columns of a terminal; 0 is
	// DefaultPrintWidth, and less than 0 is any.
	Width int
	// Rows is the most rows; 0 is DefaultPrintRows, and less than 0 is all.
	Rows int
}

// String returns the table as Print writes it with the default bounds. Columns
// of a Database that were not read yet are read; where that fails, the text is
// the error.
func (t *Table) String() string {
	var b strings.Builder
	if err := t.Print(context.Background(), &b, PrintOptions{}); err != nil {
		return "table: " + err.Error()
	}
	return b.String()
}

// Print writes a table for people: the keys, then the rows, in aligned columns,
// numbers on the right with at most six digits after the point. Where a line would be
// too long, the widest columns are cut first and then the last ones left out; a last
// line says how many rows and columns are not shown. Control characters are written as Go escapes.
// Errors are those of the writer, the database and the context.
func (t *Table) Print(ctx context.Context, w io.Writer, o PrintOptions) error {
	if err := ready(ctx, "print", t); err != nil {
		return err
	}
	if w == nil {
		return errors.New("print: the writer is nil; use os.Stdout")
	}
	rows := t.rows
	if o.Rows == 0 {
		o.Rows = DefaultPrintRows
	}
	if o.Rows > 0 {
		rows = min(rows, o.Rows)
	}
	views, err := t.views(ctx, t.all())
	if err != nil {
		return err
	}
	columns := make([]printedColumn, len(views))
	for i, v := range views {
		columns[i] = newPrintedColumn(t.fields[i].Key, v, rows)
	}
	shown := fit(columns, o.Width)
	out := bufio.NewWriter(w)
	for row := range rows + 1 {
		if err := stopped(ctx, row); err != nil {
			return err
		}
		writeLine(out, columns[:shown], row)
	}
	out.WriteString(hidden(t.rows-rows, t.Keys()[shown:]))
	if err := out.Flush(); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

// hidden is the line about what is not shown, "" if all is.
func hidden(rows int, keys []string) string {
	var parts []string
	if rows > 0 {
		parts = append(parts, counted(rows, "row"))
	}
	if len(keys) > 0 {
		parts = append(parts, counted(len(keys), "column"))
	}
	if parts == nil {
		return ""
	}
	return "… " + strings.Join(parts, " and ") + "\n"
}

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " more " + what
}

// printedColumn is a column as text.
type printedColumn struct {
	cells []string // the key, then the rows
	width int
	right bool
}

// The widths that a column is not cut below, and that its texts are cut to
// before anything is measured.
const (
	leastPrinted = 8
	maxPrinted   = 1000
)

// newPrintedColumn returns the first rows of a column. A column of nothing but
// numbers and NULL goes to the right.
func newPrintedColumn(key string, v View, rows int) printedColumn {
	p := printedColumn{cells: make([]string, 0, rows+1), right: v.column.layout == layoutInt || v.column.layout == layoutReal}
	p.add(key)
	for row := range rows {
		p.add(printable(v.At(row)))
	}
	return p
}

func (p *printedColumn) add(cell string) {
	cell = plainText(cell)
	p.cells = append(p.cells, cell)
	p.width = max(p.width, uniseg.StringWidth(cell))
}

// printable is the text of a value, a long one only as far as it can show, and
// a real with six digits after the point at most.
func printable(v value.Value) string {
	if size := math.Abs(v.Float64()); v.Kind() == value.Real && (size == 0 || size >= 1e-4 && size < 1e15) {
		text := strings.TrimRight(strconv.FormatFloat(v.Float64(), 'f', 6, 64), "0")
		if strings.HasSuffix(text, ".") {
			text += "0"
		}
		return text
	}
	if k := v.Kind(); (k == value.Text || k == value.Blob) && len(v.Raw()) > 4*maxPrinted {
		start := v.Raw()[:4*maxPrinted]
		if k == value.Blob {
			v = value.Bytes(start)
		} else {
			v = value.Str(start)
		}
	}
	return v.String()
}

// plainText replaces what would move a terminal's cursor, and cuts.
func plainText(s string) string {
	var b strings.Builder
	for _, r := range s { // a byte that is no UTF-8 is U+FFFD here
		const joiner = '\u200d' // joins emoji
		if unicode.IsPrint(r) || r == joiner {
			b.WriteRune(r)
		} else {
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return table.Cut(b.String(), maxPrinted)
}

// fit narrows columns to a width and returns how many of them fit, which is
// one at least.
func fit(columns []printedColumn, width int) int {
	if width == 0 {
		width = DefaultPrintWidth
	}
	if width < 0 {
		return len(columns)
	}
	// total is the width of the first n columns, none wider than maxWidth.
	total := func(n, maxWidth int) int {
		sum := (n - 1) * len(table.Gap)
		for _, c := range columns[:n] {
			sum += min(c.width, maxWidth)
		}
		return sum
	}
	n := 1
	for n < len(columns) && total(n+1, leastPrinted) <= width {
		n++
	}
	maxWidth := sort.Search(maxPrinted, func(maxWidth int) bool { return total(n, maxWidth+1) > width })
	for i := range columns[:n] {
		columns[i].width = min(columns[i].width, max(maxWidth, 1))
	}
	return n
}

// writeLine writes one line.
func writeLine(w *bufio.Writer, columns []printedColumn, row int) {
	cells := make([]string, len(columns))
	for i, c := range columns {
		cells[i] = table.Pad(table.Cut(c.cells[row], c.width), c.width, !c.right)
	}
	w.WriteString(table.Line(cells))
	w.WriteByte('\n')
}
