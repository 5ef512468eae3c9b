package rowscore

import (
	"slices"
	"strconv"
	"strings"

	"github.com/birdcall/birdcall/pkg/value"
)

// maxSteps bounds how many ways of choosing columns are tried. Columns that have
// the same values in another order of rows are rare, and each of them a way.
const maxSteps = 10_000

// Match reports whether predicted rows have gold's: as many rows, and for each gold
// column one of the predicted columns, so that the rows are the same. Numbers are
// equal by their value. ordered says that the order of rows counts.
func Match(gold, predicted [][]value.Value, ordered bool) bool {
	if len(gold) != len(predicted) {
		return false
	}
	if len(gold) == 0 {
		return true
	}
	m := &matcher{gold: keysOf(gold), predicted: keysOf(predicted), ordered: ordered}
	return m.choose(0)
}

// Exact reports whether predicted rows are gold's, with the same columns in the same
// order.
func Exact(gold, predicted [][]value.Value, ordered bool) bool {
	if len(gold) != len(predicted) {
		return false
	}
	if len(gold) == 0 || len(gold[0]) != len(predicted[0]) || len(gold[0]) == 0 {
		return len(gold) == 0 || len(gold[0]) == len(predicted[0])
	}
	x, y := rowsOf(keysOf(gold)), rowsOf(keysOf(predicted))
	if !ordered {
		slices.Sort(x)
		slices.Sort(y)
	}
	return slices.Equal(x, y)
}

// keysOf returns the values column by column as texts that are the same where the
// values are equal.
func keysOf(rows [][]value.Value) [][]string {
	columns := make([][]string, len(rows[0]))
	for j := range columns {
		columns[j] = make([]string, len(rows))
		for i, row := range rows {
			columns[j][i] = key(row[j])
		}
	}
	return columns
}

// key distinguishes values: numbers by their value, and nothing else across types.
func key(v value.Value) string {
	switch v.Kind() {
	case value.Null:
		return "0"
	case value.Integer:
		return "1" + strconv.FormatInt(v.Int64(), 10)
	case value.Real:
		f := v.Float64()
		if i := int64(f); float64(i) == f && i > -1<<53 && i < 1<<53 {
			return "1" + strconv.FormatInt(i, 10)
		}
		return "1" + strconv.FormatFloat(f, 'g', -1, 64)
	case value.Text:
		return "2" + v.Raw()
	}
	return "3" + v.Raw()
}

// rowsOf puts columns together to one text for each row.
func rowsOf(columns [][]string) []string {
	rows := make([]string, len(columns[0]))
	for i := range rows {
		var b strings.Builder
		for _, c := range columns {
			b.WriteString(strconv.Itoa(len(c[i])) + ":" + c[i])
		}
		rows[i] = b.String()
	}
	return rows
}

// matcher looks for a predicted column for each gold column.
type matcher struct {
	gold, predicted [][]string
	ordered         bool
	chosen          []int // predicted columns, by the gold column
	steps           int
}

// choose chooses the column for the gold column of that number, and those that come
// after it. What is chosen so far always gives gold's rows, as far as they go.
func (m *matcher) choose(column int) bool {
	if column == len(m.gold) {
		return true
	}
	for j := range m.predicted {
		if slices.Contains(m.chosen, j) || m.steps > maxSteps {
			continue
		}
		m.steps++
		m.chosen = append(m.chosen, j)
		if m.fits() && m.choose(column+1) {
			return true
		}
		m.chosen = m.chosen[:len(m.chosen)-1]
	}
	return false
}

// fits reports whether the chosen columns have the rows of gold's first ones.
func (m *matcher) fits() bool {
	last := len(m.chosen) - 1
	if m.ordered {
		return slices.Equal(m.gold[last], m.predicted[m.chosen[last]])
	}
	x := slices.Sorted(slices.Values(m.gold[last]))
	y := slices.Sorted(slices.Values(m.predicted[m.chosen[last]]))
	if !slices.Equal(x, y) {
		return false // found soon
	}
	var columns [][]string
	for _, j := range m.chosen {
		columns = append(columns, m.predicted[j])
	}
	x, y = rowsOf(m.gold[:last+1]), rowsOf(columns)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}
