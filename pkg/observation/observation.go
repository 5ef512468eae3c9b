package observation

import (
	"encoding/json"

	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Observation is what a model is shown of a call. It is one of four: Columns are
// those of a table, Err is a mistake, Found is of a search for tools, and without
// these it is the answer of an endpoint.
type Observation struct {
	Label     string // by which later calls name the result; "" of an endpoint
	RowCount  int    // rows of the whole result
	Shown     int    // those that are shown, the first ones
	Truncated bool   // whether rows, columns or parts of texts are left out
	Grouped   bool   // whether each row stands for a group of rows

	Columns         []Column // those that are shown, in the table's order
	ColumnsNotShown int
	TextsCut        bool // whether texts end in an ellipsis and the number of characters left out

	// Rows are those shown, as JSON in the form of an answer: one value as itself,
	// one column as a list, several columns as a list of rows. Those of an
	// endpoint are objects.
	Rows json.RawMessage

	NextOffset int // where the rest of an endpoint's answer starts, if the service cut it

	Err *Mistake

	// Found is what a search for tools returned, instead of all else: JSON in the
	// format of the tools, as spec.Format.Found writes it.
	Found json.RawMessage
}

// Column is a column of a table and what its values are.
type Column struct {
	Key  string
	Type Type
}

// Type says what the values of a column are.
type Type string

// The types. The first three are those of the keys that a task starts with. A
// column that a call computed has the type of the values shown; NULL is of any.
const (
	Integer Type = "integer"
	Number  Type = "number"
	String  Type = "string"
	Blob    Type = "blob"
	Null    Type = "null"  // there is nothing but NULL
	Mixed   Type = "mixed" // of several types
)

// The members of an observation in JSON.
const (
	memberLabel           = "label"
	memberRowCount        = "row_count"
	memberShown           = "shown"
	memberTruncated       = "truncated"
	memberGrouped         = "grouped"
	memberColumns         = "columns"
	memberColumnsNotShown = "columns_not_shown"
	memberTextsCut        = "texts_cut"
	memberRows            = "rows"
	memberValues          = "values"
	memberValue           = "value"
	memberData            = "data"
	memberNextOffset      = "next_offset"
	memberError           = "error"
)

// JSON returns the observation as a model reads it.
func (o *Observation) JSON() (string, error) {
	text, err := o.MarshalJSON()
	return string(text), err
}

// MarshalJSON writes what JSON returns.
func (o *Observation) MarshalJSON() ([]byte, error) {
	if o.Found != nil {
		return o.Found, nil
	}
	return jsontext.Marshal(o.object(), "")
}

// object returns the members, with those first that say how much there is.
func (o *Observation) object() tools.Arguments {
	if o.Err != nil {
		return tools.Arguments{{Name: memberError, Value: o.Err}}
	}
	var out tools.Arguments
	add := func(name string, v any) { out = append(out, tools.Argument{Name: name, Value: v}) }
	if o.Label != "" {
		add(memberLabel, o.Label)
	}
	add(memberRowCount, o.RowCount)
	add(memberShown, o.Shown)
	add(memberTruncated, o.Truncated)
	if o.NextOffset > 0 {
		add(memberNextOffset, o.NextOffset)
	}
	if o.Grouped {
		add(memberGrouped, true)
	}
	if o.ColumnsNotShown > 0 {
		add(memberColumnsNotShown, o.ColumnsNotShown)
	}
	if o.TextsCut {
		add(memberTextsCut, true)
	}
	if len(o.Columns) > 0 {
		columns := make(tools.Arguments, len(o.Columns))
		for i, c := range o.Columns {
			columns[i] = tools.Argument{Name: c.Key, Value: string(c.Type)}
		}
		add(memberColumns, columns)
	}
	add(o.rowsMember(), o.Rows)
	return out
}

// rowsMember says under which name the rows are. That depends on the table and
// not on what is shown of it.
func (o *Observation) rowsMember() string {
	switch {
	case len(o.Columns) == 0:
		return memberData
	case len(o.Columns)+o.ColumnsNotShown > 1:
		return memberRows
	case o.RowCount == 1:
		return memberValue
	}
	return memberValues
}
