package table

// Table is a table with a title that says by which rules its numbers are.
type Table struct {
	Title   string
	Columns []Column
	Rows    [][]Cell
	Notes   []string // sentences below it
}

// Column is the head of a column. Neighbours of the same Group share a head
// above their own.
type Column struct {
	Group string
	Name  string
	Words bool // whether it holds words, which are aligned left and may be wrapped
}

// Cell is the text of a cell.
type Cell struct {
	Text string
	Best bool // whether it is the best of its kind, to stand out
}

// Row returns a row of texts.
func Row(texts ...string) []Cell {
	row := make([]Cell, len(texts))
	for i, text := range texts {
		row[i].Text = text
	}
	return row
}

// Add adds a row of texts.
func (t *Table) Add(texts ...string) { t.Rows = append(t.Rows, Row(texts...)) }

// Grouped reports whether a column belongs to a group.
func (t *Table) Grouped() bool {
	for _, c := range t.Columns {
		if c.Group != "" {
			return true
		}
	}
	return false
}

// Head is a cell above the columns' own heads.
type Head struct {
	Text string
	Span int
}

// Heads returns the row above the columns' heads.
func (t *Table) Heads() []Head {
	var out []Head
	for i, c := range t.Columns {
		if i > 0 && c.Group != "" && c.Group == t.Columns[i-1].Group {
			out[len(out)-1].Span++
			continue
		}
		out = append(out, Head{Text: c.Group, Span: 1})
	}
	return out
}
