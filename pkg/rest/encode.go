package rest

import (
	"strings"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/text/jsontext"
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
// all that is around them.
func appendRow(b []byte, r engine.Row, keys []string) []byte {
	for i, key := range keys {
		b = append(b, key...)
		b = r.AppendJSON(b, i)
	}
	return append(b, '}')
}

// rowKeys returns what is before each value of a JSON object.
func rowKeys(columns []ResultColumn) []string {
	keys := make([]string, len(columns))
	for i, c := range columns {
		start := ","
		if i == 0 {
			start = "{"
		}
		keys[i] = string(append(jsontext.AppendString([]byte(start), []byte(c.Name)), ':'))
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
			b = jsontext.AppendQuoted(b, []byte(c.Name))
		} else {
			b = append(b, c.Name...)
		}
	}
	return string(append(b, "\r\n"...))
}

// appendCSV writes a row as a line of CSV.
func appendCSV(b []byte, r engine.Row, columns int) []byte {
	for i := range columns {
		if i > 0 {
			b = append(b, ',')
		}
		b = r.AppendCSV(b, i)
	}
	return append(b, "\r\n"...)
}
