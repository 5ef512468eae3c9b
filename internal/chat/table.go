package chat

import (
	"context"
	"encoding/json"

	"github.com/birdcall/birdcall/internal/jsontext"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Table is what a tool returned, as far as it is shown.
type Table struct {
	Label    string   `json:"label"`
	RowCount int      `json:"row_count"`
	Grouped  bool     `json:"grouped,omitempty"` // each row stands for a group of rows
	Columns  []string `json:"columns"`
	// Rows are the first ones, each with a value for each of Columns.
	Rows        []json.RawMessage `json:"rows"`
	MoreRows    int               `json:"rows_not_shown,omitempty"`
	MoreColumns int               `json:"columns_not_shown,omitempty"`
	// Cut is set when texts end in an ellipsis and the number of characters that
	// are left out.
	Cut bool `json:"texts_cut,omitempty"`

	rows [][]value.Value // those shown
}

// NewTable shows the result of a call. Errors are those of reading its columns.
func NewTable(ctx context.Context, label string, t *tools.Table) (*Table, error) {
	keys := t.Keys()
	shown := min(len(keys), MostColumns)
	out := &Table{Label: label, RowCount: t.Len(), Grouped: t.Grouped(), Columns: keys[:shown], MoreColumns: len(keys) - shown}
	views := make([]tools.View, shown)
	for i := range views {
		var err error
		if views[i], err = t.Column(ctx, i); err != nil {
			return nil, err
		}
	}
	row := func(r int) []value.Value {
		cells := make([]value.Value, shown)
		for i, v := range views {
			cells[i] = v.At(r)
		}
		return cells
	}
	var err error
	out.Rows, out.Cut, err = fit(t.Len(), func(r int) (json.RawMessage, error) {
		return rowText(row(r))
	}, func(r int) (json.RawMessage, error) {
		return rowText(cutTexts(row(r)))
	})
	for r := range out.Rows {
		out.rows = append(out.rows, row(r))
	}
	out.MoreRows = out.RowCount - len(out.Rows)
	return out, err
}

// JSON returns what the model is shown.
func (t *Table) JSON() (string, error) {
	text, err := jsontext.Marshal(t, "")
	return string(text), err
}

// Answer returns the table as the answer, or names it where not all of it is shown.
func (t *Table) Answer() (string, error) {
	if t.MoreRows > 0 || t.MoreColumns > 0 || t.Cut {
		return large("$"+t.Label+"$", t.RowCount)
	}
	text, err := jsontext.Marshal(spec.Answer(t.rows), "")
	return string(text), err
}

func rowText(row []value.Value) (json.RawMessage, error) {
	cells := make([]any, len(row))
	for i, v := range row {
		cells[i] = tools.LiteralJSON(v)
	}
	return jsontext.Marshal(cells, "")
}

// cutTexts returns a row with its long texts cut.
func cutTexts(row []value.Value) []value.Value {
	out := make([]value.Value, len(row))
	for i, v := range row {
		if v.Kind() == value.Text {
			v = value.Str(cutText(v.Raw()))
		} else if v.Kind() == value.Blob && len(v.Raw()) > MostText {
			v = value.Bytes(v.Raw()[:MostText])
		}
		out[i] = v
	}
	return out
}
