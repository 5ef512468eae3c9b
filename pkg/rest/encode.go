package rest

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/birdcall/birdcall/internal/sqlite"
	"github.com/birdcall/birdcall/pkg/value"
)

// format is how an answer is written.
type format int

const (
	asJSON   format = iota // one object: data, count, truncated
	asNDJSON               // one object per row and line
	asCSV                  // RFC 4180, with a header
)

// mediaTypes are the formats' names, in the order in which they are preferred.
var mediaTypes = [...]string{"application/json", "application/x-ndjson", "text/csv"}

// contentTypes are what the answers are sent as.
var contentTypes = [...]string{"application/json; charset=utf-8", "application/x-ndjson", "text/csv; charset=utf-8; header=present"}

const hexDigits = "0123456789abcdef"

// appendRow writes a row as a JSON object; keys are the columns' names with
// all that stands around them.
func appendRow(b []byte, r *sqlite.Row, keys []string) []byte {
	for i, key := range keys {
		b = append(b, key...)
		b = appendJSON(b, r, i)
	}
	return append(b, '}')
}

// rowKeys returns what stands before each value of a JSON object.
func rowKeys(columns []ResultColumn) []string {
	keys := make([]string, len(columns))
	for i, c := range columns {
		start := ","
		if i == 0 {
			start = "{"
		}
		keys[i] = string(append(appendString([]byte(start), []byte(c.Name)), ':'))
	}
	return keys
}

// csvHeader returns the first line of CSV. A name is quoted where RFC 4180 asks
// for it, and where a reader may drop what surrounds it.
func csvHeader(columns []ResultColumn) string {
	var b []byte
	for i, c := range columns {
		if i > 0 {
			b = append(b, ',')
		}
		if c.Name == "" || strings.ContainsAny(c.Name, "\",\r\n") || strings.TrimSpace(c.Name) != c.Name {
			b = appendQuoted(b, []byte(c.Name))
		} else {
			b = append(b, c.Name...)
		}
	}
	return string(append(b, "\r\n"...))
}

// appendJSON writes a cell so that its value and storage class can be read
// back: an INTEGER has digits only, a REAL has a point or an exponent. What
// JSON has no form for is an object: {"blob": hex}, {"text": hex} for a text
// that is not UTF-8, and {"real": "Inf"}.
func appendJSON(b []byte, r *sqlite.Row, column int) []byte {
	switch r.Kind(column) {
	case value.Integer:
		return strconv.AppendInt(b, r.Int64(column), 10)
	case value.Real:
		f := r.Float64(column)
		if math.IsInf(f, 0) {
			b = append(b, `{"real":"`...)
			return append(appendReal(b, f), `"}`...)
		}
		return appendReal(b, f)
	case value.Text:
		raw := r.Raw(column)
		if !utf8.Valid(raw) {
			return appendHex(append(b, `{"text":"`...), raw, `"}`)
		}
		return appendString(b, raw)
	case value.Blob:
		return appendHex(append(b, `{"blob":"`...), r.Raw(column), `"}`)
	}
	return append(b, "null"...)
}

// appendReal writes the shortest digits that give the same number again.
func appendReal(b []byte, f float64) []byte {
	if math.IsInf(f, 0) {
		if f < 0 {
			b = append(b, '-')
		}
		return append(b, "Inf"...)
	}
	start := len(b)
	b = strconv.AppendFloat(b, f, 'g', -1, 64)
	for _, c := range b[start:] {
		if c == '.' || c == 'e' {
			return b
		}
	}
	return append(b, ".0"...)
}

func appendHex(b, raw []byte, end string) []byte {
	for _, c := range raw {
		b = append(b, hexDigits[c>>4], hexDigits[c&15])
	}
	return append(b, end...)
}

// appendString writes UTF-8 text as a JSON string.
func appendString(b, raw []byte) []byte {
	b = append(b, '"')
	from := 0
	for i, c := range raw {
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		b = append(b, raw[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, `\n`...)
		case '\t':
			b = append(b, `\t`...)
		case '\r':
			b = append(b, `\r`...)
		default:
			b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	return append(append(b, raw[from:]...), '"')
}

// appendCSV writes a row as a line of CSV. Texts are quoted and numbers are
// not; NULL is empty and an empty text is "". A blob is x'hex'.
func appendCSV(b []byte, r *sqlite.Row, columns int) []byte {
	for i := range columns {
		if i > 0 {
			b = append(b, ',')
		}
		switch r.Kind(i) {
		case value.Integer:
			b = strconv.AppendInt(b, r.Int64(i), 10)
		case value.Real:
			b = appendReal(b, r.Float64(i))
		case value.Text:
			b = appendQuoted(b, r.Raw(i))
		case value.Blob:
			b = appendHex(append(b, "x'"...), r.Raw(i), "'")
		}
	}
	return append(b, "\r\n"...)
}

// appendQuoted writes a text as CSV has it in quotation marks.
func appendQuoted(b, raw []byte) []byte {
	b = append(b, '"')
	for _, c := range raw {
		if c == '"' {
			b = append(b, '"')
		}
		b = append(b, c)
	}
	return append(b, '"')
}
