package postgres

import (
	"bytes"

	"github.com/birdcall/birdcall/internal/text/jsontext"
)

// maxDimensions is the maximum number of dimensions of an array (MAXDIM of the server).
const maxDimensions = 6

// appendArray writes an array as a JSON array, nested if it has several dimensions
// (https://www.postgresql.org/docs/current/arrays.html, section 8.15.6). If the first
// index is not 1, the server writes the index range before the array; appendArray omits
// it. A text that is not an array is written as a string.
func appendArray(b, cell []byte, t *typ) []byte {
	a := elements{text: cell, element: t.element}
	if bytes.HasPrefix(cell, []byte("[")) {
		_, a.text, _ = bytes.Cut(cell, []byte("="))
	}
	out, ok := a.append(b, 1)
	if !ok || len(a.text) > 0 {
		return jsontext.AppendText(b, cell)
	}
	return out
}

// elements is the state of reading an array.
type elements struct {
	text    []byte // what is left
	element *typ
	scratch []byte
}

// next consumes a byte of the text if it is the wanted one.
func (a *elements) next(wanted byte) bool {
	if len(a.text) == 0 || a.text[0] != wanted {
		return false
	}
	a.text = a.text[1:]
	return true
}

// append writes the elements between braces.
func (a *elements) append(b []byte, dimension int) ([]byte, bool) {
	if dimension > maxDimensions || !a.next('{') {
		return b, false
	}
	b = append(b, '[')
	for first, ok := true, false; !a.next('}'); first = false {
		if !first {
			if !a.next(a.element.delimiter) {
				return b, false
			}
			b = append(b, ',')
		}
		switch {
		case bytes.HasPrefix(a.text, []byte("{")):
			b, ok = a.append(b, dimension+1)
		case a.next('"'):
			b, ok = a.quoted(b)
		default:
			b, ok = a.plain(b)
		}
		if !ok {
			return b, false
		}
	}
	return append(b, ']'), true
}

// quoted writes a quoted element up to its closing quotation mark.
func (a *elements) quoted(b []byte) ([]byte, bool) {
	a.scratch = a.scratch[:0]
	for i := 0; i < len(a.text); i++ {
		switch a.text[i] {
		case '"':
			a.text = a.text[i+1:]
			return appendJSON(b, a.scratch, a.element), true
		case '\\':
			if i++; i == len(a.text) {
				return b, false
			}
		}
		a.scratch = append(a.scratch, a.text[i])
	}
	return b, false
}

// plain writes an element without quotation marks, which is not empty.
func (a *elements) plain(b []byte) ([]byte, bool) {
	end := 0
	for end < len(a.text) && a.text[end] != '}' && a.text[end] != a.element.delimiter {
		end++
	}
	element := a.text[:end]
	a.text = a.text[end:]
	if string(element) == "NULL" {
		return append(b, "null"...), true
	}
	return appendJSON(b, element, a.element), end > 0
}
