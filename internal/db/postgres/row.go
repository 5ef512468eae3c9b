package postgres

import (
	"bytes"
	"encoding/hex"
	"math"
	"strconv"

	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/value"
)

// Row is the current row of a running statement. Statement.Run passes it to yield. Its
// methods take the 0-based number of a column.
type Row struct {
	types []*typ
	cells [][]byte // as the server writes them; nil for NULL
}

// IsNull reports whether a cell is NULL.
func (r *Row) IsNull(column int) bool { return r.cells[column] == nil }

// AppendJSON writes a cell as JSON, by the table in the package comment.
func (r *Row) AppendJSON(b []byte, column int) []byte {
	cell := r.cells[column]
	if cell == nil {
		return append(b, "null"...)
	}
	return appendJSON(b, cell, r.types[column])
}

// AppendCSV writes a cell as CSV: a text in quotation marks, an array or a document as
// JSON in quotation marks, a bytea as x'hex', NULL as nothing.
func (r *Row) AppendCSV(b []byte, column int) []byte {
	cell, t := r.cells[column], r.types[column].written()
	if cell == nil {
		return b
	}
	switch t.form {
	case asBool, asInteger, asNumeric, asReal:
		if special := notFinite(cell); special != "" && t.form != asBool {
			return append(b, special...)
		}
		return appendJSON(b, cell, t)
	case asBytes:
		return append(append(append(b, "x'"...), hexDigits(cell)...), '\'')
	case asArray:
		return jsontext.AppendQuoted(b, appendJSON(nil, cell, t))
	}
	return jsontext.AppendQuoted(b, appendText(nil, cell, t.form))
}

// Value returns a cell as the nearest value of SQLite. A BOOLEAN is 1 or 0. A NUMERIC
// is an integer or a real, which may round it. A value that is neither a number nor a
// bytea is a text; an array is JSON.
func (r *Row) Value(column int) value.Value {
	cell, t := r.cells[column], r.types[column].written()
	if cell == nil {
		return value.NullValue()
	}
	switch t.form {
	case asBool:
		return value.Bool(string(cell) == "t")
	case asInteger, asNumeric:
		if i, err := strconv.ParseInt(string(cell), 10, 64); err == nil {
			return value.Int(i)
		}
		return realValue(cell)
	case asReal:
		return realValue(cell)
	case asBytes:
		raw, _ := hex.DecodeString(string(hexDigits(cell))) // the server wrote it
		return value.Bytes(string(raw))
	case asArray:
		return value.Str(string(appendJSON(nil, cell, t)))
	}
	return value.Str(string(appendText(nil, cell, t.form)))
}

// realValue returns a number as a real. NaN is a text, because SQLite has no NaN.
func realValue(cell []byte) value.Value {
	f, _ := strconv.ParseFloat(string(cell), 64) // too large a number is infinite
	if math.IsNaN(f) {
		return value.Str("NaN")
	}
	return value.Float(f)
}

// appendJSON writes a value that is not NULL.
func appendJSON(b, cell []byte, t *typ) []byte {
	t = t.written()
	switch t.form {
	case asBool:
		return strconv.AppendBool(b, string(cell) == "t")
	case asInteger:
		return append(b, cell...)
	case asNumeric, asReal:
		if special := notFinite(cell); special != "" {
			return append(append(append(b, `{"real":"`...), special...), `"}`...)
		}
		b = append(b, cell...)
		if t.form == asReal && !bytes.ContainsAny(cell, ".e") {
			b = append(b, ".0"...)
		}
		return b
	case asBytes:
		return append(append(append(b, `{"blob":"`...), hexDigits(cell)...), `"}`...)
	case asDocument:
		return appendText(b, cell, asDocument)
	case asArray:
		return appendArray(b, cell, t)
	case asText:
		return jsontext.AppendText(b, cell)
	}
	if !isPlain(cell) {
		return jsontext.AppendText(b, cell)
	}
	return append(appendText(append(b, '"'), cell, t.form), '"')
}

// hexDigits returns the digits of a bytea, which the server writes as \x00ff.
func hexDigits(cell []byte) []byte { return bytes.TrimPrefix(cell, []byte(`\x`)) }

// isPlain reports whether a text needs no escaping in a JSON string, as texts of times
// do.
func isPlain(cell []byte) bool {
	for _, c := range cell {
		if c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// notFinite returns the JSON form of NaN or an infinity, or "".
func notFinite(cell []byte) string {
	switch string(cell) {
	case "NaN":
		return "NaN"
	case "Infinity":
		return "Inf"
	case "-Infinity":
		return "-Inf"
	}
	return ""
}

// appendText writes a value without quotation marks.
func appendText(b, cell []byte, f form) []byte {
	switch f {
	case asTimestamp:
		return appendTime(b, cell, "")
	case asTimestampTZ:
		return appendTime(b, cell, "Z")
	case asInterval:
		return appendInterval(b, cell)
	case asDocument:
		// Between the parts of a document there may be line ends, which would break
		// JSON lines. Its strings contain none. Space around the document does not
		// belong to it.
		start := len(b)
		b = append(b, bytes.TrimSpace(cell)...)
		for i, c := range b[start:] {
			if c < ' ' {
				b[start+i] = ' '
			}
		}
		return b
	}
	return append(b, cell...)
}
