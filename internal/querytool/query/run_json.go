package query

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/observation"
	"github.com/birdcall/birdcall/pkg/value"
)

// Bounds say how much of a result is written. A zero field is no bound.
type Bounds struct {
	Rows  int // objects, those of each group, groups, and occurrences of each value
	Bytes int // of these; the first object, or the first group, is written in any case
	Text  int // characters of a text in a first one that is larger than Bytes
}

// ForModels are the bounds of what a model is shown: those of package observation.
var ForModels = Bounds{Rows: observation.MaxRows, Bytes: observation.MaxBytes, Text: observation.MaxText}

// JSON returns the result as a model reads it and as HTTP answers:
//
//	{"objects":[{"name":"Forest","paid":true}],"count":12,"truncated":true}
//	{"values":[{"property_name":"price","metrics":"MEAN","value":2.5}],"truncated":false}
//	{"groups":[{"group":{"name":"Forest"},"values":[...]}],"count":2,"truncated":false}
//	{"groups":[{"group":{"name":"Forest"},"objects":[...],"count":3}],"count":1,"truncated":false}
//
// Count is how many there are in all, and truncated says whether any of them, or
// parts of texts, are left out. The value of TOP_OCCURRENCES is a list of values with
// a count each. Numbers keep their digits, 1 and 0 of a boolean property are true and
// false, and what JSON has no form for is {"blob": hex}, {"text": hex} of a text that
// is not UTF-8, or {"real": "Inf"}.
func (r *Result) JSON(bounds Bounds) []byte {
	w := &writer{bounds: bounds, r: r}
	var b []byte
	switch {
	case len(r.Keys) > 0:
		b = w.groups([]byte(`{"groups":[`))
	case len(r.Aggregations) > 0:
		b, _ = w.item([]byte(`{"values":`), func(b []byte, text int) []byte { return w.values(b, r.Values, text) })
	default:
		b = w.objects([]byte(`{"objects":[`), r.Objects, r.Count)
	}
	return append(strconv.AppendBool(append(b, `,"truncated":`...), w.truncated), '}')
}

// writer writes a result as far as there is room.
type writer struct {
	r         *Result
	bounds    Bounds
	bytes     int // of the items so far
	items     int
	truncated bool
}

// full reports whether there is no room for another item of a list, which has i.
func (w *writer) full(i int) bool { return w.bounds.Rows > 0 && i >= w.bounds.Rows }

// item writes an item if there is room for it, and reports whether there was. Write
// writes it, with its texts cut to so many characters unless that is 0.
func (w *writer) item(b []byte, write func(b []byte, text int) []byte) ([]byte, bool) {
	one := write(nil, 0)
	if w.bounds.Bytes > 0 && w.bytes+len(one) > w.bounds.Bytes {
		if w.items > 0 {
			return b, false
		}
		whole := one
		one = write(nil, w.bounds.Text)
		w.truncated = w.truncated || !bytes.Equal(one, whole)
	}
	w.items++
	w.bytes += len(one)
	return append(b, one...), true
}

// end ends a list of which so many items of n are written.
func (w *writer) end(b []byte, written, n int) []byte {
	w.truncated = w.truncated || written < n
	return strconv.AppendInt(append(b, `],"count":`...), int64(n), 10)
}

func (w *writer) objects(b []byte, objects [][]value.Value, count int) []byte {
	written := 0
	for ; written < len(objects) && !w.full(written); written++ {
		next, fits := w.item(appendComma(b, written), func(b []byte, text int) []byte {
			return appendObject(b, w.r.Columns, w.r.Types, objects[written], text)
		})
		if !fits {
			break
		}
		b = next
	}
	return w.end(b, written, count)
}

func (w *writer) groups(b []byte) []byte {
	written, all := 0, w.r.Groups
	for ; written < len(all) && !w.full(written); written++ {
		g := all[written]
		next, fits := w.item(appendComma(b, written), func(b []byte, text int) []byte {
			b = appendObject(append(b, `{"group":`...), w.r.Keys, w.r.KeyTypes, g.Key, text)
			if len(w.r.Aggregations) > 0 {
				return append(w.values(append(b, `,"values":`...), g.Values, text), '}')
			}
			return b
		})
		if !fits {
			break
		}
		if b = next; len(w.r.Aggregations) == 0 {
			b = append(w.objects(append(b, `,"objects":[`...), g.Objects, g.Count), '}')
		}
	}
	return w.end(b, written, w.r.Count)
}

// values writes what the aggregations computed.
func (w *writer) values(b []byte, values []Value, text int) []byte {
	b = append(b, '[')
	for i, a := range w.r.Aggregations {
		b = append(appendComma(b, i), '{')
		if a.Property != "" {
			b = append(appendText(appendName(b, argProperty), a.Property), ',')
		}
		b = append(appendText(appendName(b, argMetrics), string(a.Metric)), ',')
		if a.Distinct {
			b = append(appendName(b, argDistinct), "true,"...)
		}
		b = appendName(b, argValue)
		if a.Metric != TopOccurrences {
			b = append(appendCell(b, values[i].Value, "", text), '}')
			continue
		}
		b = append(b, '[')
		for j, o := range values[i].Occurrences {
			if w.full(j) {
				w.truncated = true
				break
			}
			b = appendCell(appendName(append(appendComma(b, j), '{'), argValue), o.Value, "", text)
			b = append(strconv.AppendInt(append(b, `,"count":`...), o.Count, 10), '}')
		}
		b = append(b, "]}"...)
	}
	return append(b, ']')
}

// appendObject writes values with their names.
func appendObject(b []byte, names []string, types []Type, values []value.Value, text int) []byte {
	b = append(b, '{')
	for i, v := range values {
		b = appendCell(appendName(appendComma(b, i), names[i]), v, types[i], text)
	}
	return append(b, '}')
}

func appendComma(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return b
}

// appendName writes the name of a member.
func appendName(b []byte, s string) []byte { return append(appendText(b, s), ':') }

// appendText writes a name, in which what is not UTF-8 is replaced.
func appendText(b []byte, s string) []byte {
	return jsontext.AppendString(b, []byte(strings.ToValidUTF8(s, "\uFFFD")))
}

// appendCell writes a value of a property of that type.
func appendCell(b []byte, v value.Value, t Type, text int) []byte {
	switch v.Kind() {
	case value.Integer:
		if n := v.Int64(); t == Boolean && (n == 0 || n == 1) {
			return strconv.AppendBool(b, n == 1)
		}
		return strconv.AppendInt(b, v.Int64(), 10)
	case value.Real:
		if f := v.Float64(); math.IsInf(f, 0) {
			return append(jsontext.AppendReal(append(b, `{"real":"`...), f), `"}`...)
		}
		return jsontext.AppendReal(b, v.Float64())
	case value.Text:
		if s := v.Raw(); utf8.ValidString(s) {
			return jsontext.AppendString(b, []byte(cutText(s, text)))
		}
		return append(appendHex(append(b, `{"text":"`...), v.Raw(), text), `"}`...)
	case value.Blob:
		return append(appendHex(append(b, `{"blob":"`...), v.Raw(), text), `"}`...)
	}
	return append(b, "null"...)
}

func appendHex(b []byte, raw string, text int) []byte {
	return append(b, cutText(string(jsontext.AppendHex(nil, []byte(raw), "")), text)...)
}

// cutText keeps so many characters of a text, all if that is 0.
func cutText(s string, most int) string {
	if most <= 0 {
		return s
	}
	return observation.CutText(s, most)
}
