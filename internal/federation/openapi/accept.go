package openapi

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/value"
)

// sent is a value as a request has it.
type sent struct {
	text   string
	quoted bool // it is a text in JSON
}

// json writes the value as JSON.
func (s sent) json() string {
	if s.quoted {
		return string(jsontext.AppendString(nil, []byte(s.text)))
	}
	return s.text
}

// Accepts reports whether the API can be asked for the rows whose column equals v,
// so that none of them is missing. NULL, BLOBs, infinities, and texts that have a
// NUL or are not UTF-8 it is never asked for. Otherwise:
//
//	the column has         number                       text
//	numbers only           yes; 5.0 is sent as 5        if it looks like a number, which is sent
//	TEXT, of texts         no, as '05' = 5 may hold     yes
//	texts, of no TEXT type no                           if it does not look like a number
//	several kinds, or it   no                           if it does not look like a number, and the
//	is not known                                        parameter takes texts only
//
// A column that is declared as TEXT has texts, also where the document does not say:
// its numbers are read as the texts that SQLite writes for them.
//
// Where the document says that the values are exact (x-sql-type), the API compares
// as SQLite does:
//
//	TEXT                   no                           yes
//	a numeric type         yes                          yes
//	no type, or BLOB       unless there may be texts    unless it is how SQLite writes an infinity
//
// In all cases the parameter's own schema must allow the value: its type, enum,
// minimum, maximum, minLength and maxLength.
func (t *table) Accepts(column int, v value.Value) bool {
	for _, c := range []*call{t.source.list, t.source.get} {
		if c == nil {
			continue
		}
		if f := c.filters[column]; f != nil {
			if _, ok := t.send(f, column, v); ok {
				return true
			}
		}
	}
	return false
}

// send returns a value of a column as a filter's parameter has it.
func (t *table) send(f *filter, column int, v value.Value) (sent, bool) {
	c := t.Columns[column]
	affinity := value.AffinityOf(c.Type)
	text := v.Kind() == value.Text
	if !isSimple(v) {
		return sent{}, false
	}
	if t.source.columns[column].convert == exact {
		mayBeText := c.Kinds == nil || slices.Contains(c.Kinds, value.Text)
		isTyped := affinity == value.AffinityText || affinity.Numeric()
		if !text && !affinity.Numeric() && (isTyped || mayBeText) || text && !isTyped && value.InfinityOf(v.Raw()) != 0 {
			return sent{}, false
		}
		return f.parameter.exactly(v)
	}
	texts := len(c.Kinds) == 1 && c.Kinds[0] == value.Text
	switch {
	case t.source.columns[column].numbers():
		v = value.AffinityNumeric.Apply(v) // 5.0 becomes 5, and a text a number
		if v.Kind() == value.Text || !isSimple(v) {
			return sent{}, false
		}
	case !text:
		return sent{}, false
	case texts && affinity == value.AffinityText:
	case value.AffinityNumeric.Apply(v).Kind() != value.Text:
		return sent{}, false
	case !texts && value.InfinityOf(v.Raw()) != 0: // which JSON may have as 1e999
		return sent{}, false
	case !texts && !f.parameter.shape.types.only(isString):
		return sent{}, false
	}
	return f.parameter.send(v)
}

// NeverEquals reports whether no value of a column equals v, whatever it is compared
// as: JSON has no BLOBs, and where the document says that the values are numbers, none
// is equal to a text that is no number.
func (t *table) NeverEquals(column int, v value.Value) bool {
	source := t.source.columns[column]
	switch {
	case source.convert == exact:
		return false
	case v.Kind() == value.Blob:
		return true
	case !source.numbers():
		return false
	}
	switch n := value.AffinityNumeric.Apply(v); n.Kind() {
	case value.Text:
		return value.InfinityOf(n.Raw()) == 0
	case value.Real:
		return !source.shape.types.has(isNumber) && n.Float64() != math.Trunc(n.Float64())
	}
	return false
}

// isSimple reports whether a value can be in a request at all.
func isSimple(v value.Value) bool {
	switch v.Kind() {
	case value.Integer:
		return true
	case value.Real:
		return !math.IsInf(v.Float64(), 0)
	case value.Text:
		return utf8.ValidString(v.Raw()) && strings.IndexByte(v.Raw(), 0) < 0
	}
	return false
}

// exactly returns a value as it is.
func (p *parameter) exactly(v value.Value) (sent, bool) {
	s := sent{text: v.Raw(), quoted: true}
	switch v.Kind() {
	case value.Integer:
		s = sent{text: strconv.FormatInt(v.Int64(), 10)}
	case value.Real:
		s = sent{text: string(jsontext.AppendReal(nil, v.Float64()))}
	}
	return s, p.fits(s)
}

// send returns a value as the schema of the parameter asks for it.
func (p *parameter) send(v value.Value) (sent, bool) {
	allowed := p.shape.types
	if allowed == 0 {
		allowed = isString | isNumber | isInteger
	}
	if v.Kind() == value.Text {
		if allowed.has(isString) {
			s := sent{text: v.Raw(), quoted: true}
			return s, p.allows(v) && p.fits(s)
		}
		// A text of digits can be the value of a number.
		n := value.AffinityNumeric.Apply(v)
		if n.Kind() == value.Text || !isSimple(n) || value.AsText(n) != v.Raw() {
			return sent{}, false
		}
		v = n
	}
	whole := value.AffinityInteger.Apply(v)
	switch {
	case allowed.has(isInteger|isNumber) && whole.Kind() == value.Integer:
		s := sent{text: strconv.FormatInt(whole.Int64(), 10)}
		return s, p.allows(whole) && p.fits(s)
	case allowed.has(isNumber):
		s := sent{text: string(jsontext.AppendReal(nil, v.Float64()))}
		return s, p.allows(v) && p.fits(s)
	case allowed.has(isBoolean) && (whole == value.Int(0) || whole == value.Int(1)):
		return sent{text: strconv.FormatBool(whole == value.Int(1))}, true
	case allowed.has(isString):
		s := sent{text: value.AsText(v), quoted: true}
		return s, p.allows(value.Str(s.text)) && p.fits(s)
	}
	return sent{}, false
}

// allows reports whether a value is within the bounds of the parameter's schema.
func (p *parameter) allows(v value.Value) bool {
	if v.Kind() == value.Text {
		n := uint64(utf8.RuneCountInString(v.Raw()))
		if n < p.shape.minLength || p.shape.maxLength != nil && n > *p.shape.maxLength {
			return false
		}
	} else if f := v.Float64(); p.shape.minimum != nil && f < *p.shape.minimum || p.shape.maximum != nil && f > *p.shape.maximum {
		return false
	}
	if p.shape.enum == nil {
		return true
	}
	return slices.ContainsFunc(p.shape.enum, func(e any) bool {
		switch e := e.(type) {
		case string:
			return v.Kind() == value.Text && v.Raw() == e
		case float64:
			return v.Kind() != value.Text && v.Float64() == e
		}
		return false
	})
}

// fits reports whether a text can be where the parameter has its values, and is
// read there as the value that it is.
func (p *parameter) fits(s sent) bool {
	switch {
	case p.in == inPath && (s.text == "" || s.text == "." || s.text == ".."):
		return false
	case p.in == inHeader && strings.ContainsFunc(s.text, func(r rune) bool { return r < ' ' || r > '~' }):
		return false
	case p.shape.maxLength != nil && uint64(utf8.RuneCountInString(s.text)) > *p.shape.maxLength:
		return false
	}
	// Where several values are in one text, none can have what is between them.
	return !p.list && p.in != inPath || p.between == "" || !strings.Contains(s.text, p.between)
}

// Accepts reports whether the API can be asked for the function's value of these
// arguments. NULL, BLOBs, infinities, and texts that have a NUL or are not UTF-8 it
// is never asked for. A number is accepted for a parameter that is a text, which
// then is the text that SQLite writes; a text for a number if it is written as
// SQLite writes that number; and for a boolean, 1 and 0 are.
func (f *function) Accepts(args []value.Value) bool {
	if len(args) != len(f.Args) {
		return false
	}
	_, ok := f.send(args)
	return ok
}

// send returns arguments as their parameters have them.
func (f *function) send(args []value.Value) ([]sent, bool) {
	all := make([]sent, len(args))
	for i, v := range args {
		var ok bool
		if all[i], ok = f.source.compute.filters[i].parameter.send(v); !ok || !isSimple(v) {
			return nil, false
		}
	}
	return all, true
}
