package spec

import (
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Answer returns rows as a record's gold_answer has them, after the examples in
// the paper's appendix E: one value as itself, one column as a list, several as
// a list of rows.
func Answer(rows [][]value.Value) any { return AnswerOf(Cells(rows)) }

// Cells returns values as a gold answer has them.
func Cells(rows [][]value.Value) [][]any {
	out := make([][]any, len(rows))
	for i, row := range rows {
		out[i] = make([]any, len(row))
		for j, v := range row {
			out[i][j] = tools.LiteralJSON(v)
		}
	}
	return out
}

// AnswerOf is Answer of cells that are in its form already.
func AnswerOf(rows [][]any) any {
	if len(rows) == 1 && len(rows[0]) == 1 {
		return rows[0][0]
	}
	out := make([]any, len(rows))
	for i, row := range rows {
		if len(row) == 1 {
			out[i] = row[0]
			continue
		}
		out[i] = row
	}
	return out
}
