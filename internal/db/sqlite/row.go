package sqlite

import (
	"math"
	"strconv"

	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/value"
	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// Row is the current row of a running statement. Its methods take the 0-based number of
// a column and do no conversion (https://www.sqlite.org/c3ref/column_blob.html).
type Row struct {
	tls    *libc.TLS
	handle uintptr
	values []value.Value // of a row that was kept, instead of the others
}

// RowOf returns a row of values.
func RowOf(values []value.Value) *Row { return &Row{values: values} }

// Kind returns the storage class of a cell.
func (r *Row) Kind(column int) value.Kind {
	if r.values != nil {
		return r.values[column].Kind()
	}
	switch lib.Xsqlite3_column_type(r.tls, r.handle, int32(column)) {
	case lib.SQLITE_INTEGER:
		return value.Integer
	case lib.SQLITE_FLOAT:
		return value.Real
	case lib.SQLITE_TEXT:
		return value.Text
	case lib.SQLITE_BLOB:
		return value.Blob
	}
	return value.Null
}

// Int64 returns the integer of a cell whose Kind is value.Integer.
func (r *Row) Int64(column int) int64 {
	if r.values != nil {
		return r.values[column].Int64()
	}
	return lib.Xsqlite3_column_int64(r.tls, r.handle, int32(column))
}

// Float64 returns the number of a cell whose Kind is value.Real.
func (r *Row) Float64(column int) float64 {
	if r.values != nil {
		return r.values[column].Float64()
	}
	return lib.Xsqlite3_column_double(r.tls, r.handle, int32(column))
}

// Raw returns the bytes of a cell whose Kind is value.Text or value.Blob. They
// belong to SQLite and are valid until the next row.
func (r *Row) Raw(column int) []byte {
	if r.values != nil {
		return []byte(r.values[column].Raw())
	}
	var p uintptr
	if r.Kind(column) == value.Text {
		p = lib.Xsqlite3_column_text(r.tls, r.handle, int32(column)) // as UTF-8
	} else {
		p = lib.Xsqlite3_column_blob(r.tls, r.handle, int32(column))
	}
	n := lib.Xsqlite3_column_bytes(r.tls, r.handle, int32(column))
	if p == 0 || n == 0 {
		return nil
	}
	return libc.GoBytes(p, int(n))
}

// Value returns a copy of a cell.
func (r *Row) Value(column int) value.Value {
	if r.values != nil {
		return r.values[column]
	}
	switch r.Kind(column) {
	case value.Integer:
		return value.Int(r.Int64(column))
	case value.Real:
		return value.Float(r.Float64(column))
	case value.Text:
		return value.Str(string(r.Raw(column)))
	case value.Blob:
		return value.Bytes(string(r.Raw(column)))
	}
	return value.NullValue()
}

// AppendJSON writes a cell so that its value and storage class can be read back: an
// INTEGER has digits only, a REAL has a point or an exponent. A value without a JSON
// form is an object: {"blob": hex}, {"text": hex} for a text that is not UTF-8, or
// {"real": "Inf"}.
func (r *Row) AppendJSON(b []byte, column int) []byte {
	switch r.Kind(column) {
	case value.Integer:
		return strconv.AppendInt(b, r.Int64(column), 10)
	case value.Real:
		f := r.Float64(column)
		if math.IsInf(f, 0) {
			b = append(b, `{"real":"`...)
			return append(jsontext.AppendReal(b, f), `"}`...)
		}
		return jsontext.AppendReal(b, f)
	case value.Text:
		return jsontext.AppendText(b, r.Raw(column))
	case value.Blob:
		return jsontext.AppendHex(append(b, `{"blob":"`...), r.Raw(column), `"}`)
	}
	return append(b, "null"...)
}

// AppendCSV writes a cell as a field of CSV. Texts are quoted and numbers are
// not; NULL is empty and an empty text is "". A blob is x'hex'.
func (r *Row) AppendCSV(b []byte, column int) []byte {
	switch r.Kind(column) {
	case value.Integer:
		return strconv.AppendInt(b, r.Int64(column), 10)
	case value.Real:
		return jsontext.AppendReal(b, r.Float64(column))
	case value.Text:
		return jsontext.AppendQuoted(b, r.Raw(column))
	case value.Blob:
		return jsontext.AppendHex(append(b, "x'"...), r.Raw(column), "'")
	}
	return b
}
