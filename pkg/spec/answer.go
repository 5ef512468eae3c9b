package spec

import (
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Answer returns rows as a record's gold_answer has them, after the examples in
// the paper's appendix E: one value as itself, one column as a list, several as
// a list of rows.
func Answer(rows [][]value.Value) any {
	if len(rows) == 1 && len(rows[0]) == 1 {
		return tools.LiteralJSON(rows[0][0])
	}
	out := make([]any, len(rows))
	for i, row := range rows {
		if len(row) == 1 {
			out[i] = tools.LiteralJSON(row[0])
			continue
		}
		cells := make([]any, len(row))
		for j, v := range row {
			cells[j] = tools.LiteralJSON(v)
		}
		out[i] = cells
	}
	return out
}
