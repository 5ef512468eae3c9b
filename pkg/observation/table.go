package observation

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// OfTable shows the result of a call. Of many columns it takes those that the call
// names and those that a table is grouped by first, then those that calls computed,
// since nothing else mentions them. Errors are those of reading the columns that are
// shown.
func OfTable(ctx context.Context, c tools.Call, t *tools.Table) (*Observation, error) {
	fields := t.Fields()
	named := map[string]bool{}
	texts(c.Arguments, named)
	for _, key := range t.GroupKeys() {
		named[key] = true
	}
	chosen := choose(fields, named)
	views := make([]tools.View, len(chosen))
	for i, at := range chosen {
		var err error
		if views[i], err = t.Column(ctx, at); err != nil {
			return nil, err
		}
	}
	row := func(r int) []value.Value {
		cells := make([]value.Value, len(views))
		for i, v := range views {
			cells[i] = v.At(r)
		}
		return cells
	}
	one := len(fields) == 1
	rows, cut, err := fit(t.Len(), func(r int) (json.RawMessage, error) {
		return rowText(row(r), one)
	}, func(r int) (json.RawMessage, error) {
		return rowText(cutTexts(row(r)), one)
	})
	if err != nil {
		return nil, err
	}
	o := &Observation{
		Label: c.Label, RowCount: t.Len(), Shown: len(rows), Grouped: t.Grouped(),
		ColumnsNotShown: len(fields) - len(chosen), TextsCut: cut,
	}
	o.Truncated = o.Shown < o.RowCount || o.ColumnsNotShown > 0 || cut
	for i, at := range chosen {
		o.Columns = append(o.Columns, Column{Key: fields[at].Key, Type: TypeOf(fields[at], views[i], o.Shown)})
	}
	if one && o.RowCount == 1 {
		o.Rows = rows[0]
		return o, nil
	}
	o.Rows, err = jsontext.Marshal(rows, "")
	return o, err
}

// choose returns the positions of the columns that are shown, in their order.
func choose(fields []tools.Field, named map[string]bool) []int {
	var ranks [3][]int // named columns, computed ones, others
	for i, f := range fields {
		rank := 2
		if named[f.Key] {
			rank = 0
		} else if f.Type == "" {
			rank = 1
		}
		ranks[rank] = append(ranks[rank], i)
	}
	var out []int
	size := 0
	for _, i := range slices.Concat(ranks[:]...) {
		bytes := len(fields[i].Key) + len(`"":"integer",`)
		if len(out) == MaxColumns || len(out) > 0 && size+bytes > MaxKeyBytes {
			break
		}
		size += bytes
		out = append(out, i)
	}
	slices.Sort(out)
	return out
}

// texts collects the texts in an argument.
func texts(v any, into map[string]bool) {
	switch v := v.(type) {
	case string:
		into[v] = true
	case []string:
		for _, s := range v {
			into[s] = true
		}
	case []any:
		for _, item := range v {
			texts(item, into)
		}
	case tools.Arguments:
		for _, a := range v {
			texts(a.Value, into)
		}
	}
}

// TypeOf returns the type of a column: the declared one, or else that of the first
// values, of which so many are looked at.
func TypeOf(f tools.Field, v tools.View, shown int) Type {
	if f.Type != "" {
		return Type(value.DType(f.Type))
	}
	out := Null
	for r := range shown {
		kind := v.At(r).Kind()
		if kind == value.Null {
			continue
		}
		is := map[value.Kind]Type{value.Integer: Integer, value.Real: Number, value.Text: String, value.Blob: Blob}[kind]
		switch {
		case out == Null:
			out = is
		case out == is:
		case isNumber(out) && isNumber(is):
			out = Number
		default:
			return Mixed
		}
	}
	return out
}

func isNumber(t Type) bool { return t == Integer || t == Number }

// rowText returns a row as JSON: a list of its values, or the value of the one
// column that there is.
func rowText(row []value.Value, one bool) (json.RawMessage, error) {
	if one {
		return jsontext.Marshal(tools.LiteralJSON(row[0]), "")
	}
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
			v = value.Str(CutText(v.Raw(), MaxText))
		} else if v.Kind() == value.Blob && len(v.Raw()) > MaxText {
			v = value.Bytes(v.Raw()[:MaxText])
		}
		out[i] = v
	}
	return out
}
