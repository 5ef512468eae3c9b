package openapi

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/birdcall/birdcall/pkg/value"
)

// value returns a value of JSON as one of SQL. The JSON of objects and arrays loses
// its white space.
func (c conversion) value(raw jsontext.Value) (value.Value, error) {
	if c == toText {
		v, err := asWritten.value(raw)
		return value.AffinityText.Apply(v), err
	}
	switch raw.Kind() {
	case '"':
		return textOf(raw)
	case '0':
		return c.number(raw)
	case 't':
		return value.Int(1), nil
	case 'f':
		return value.Int(0), nil
	case 'n':
		return value.NullValue(), nil
	}
	if c == exact && raw.Kind() == '{' {
		if v, ok, err := oddValue(raw); ok || err != nil {
			return v, err
		}
	}
	text := raw.Clone()
	if err := text.Compact(); err != nil {
		return value.Value{}, err
	}
	return value.Str(string(text)), nil
}

func textOf(raw []byte) (value.Value, error) {
	if bytes.IndexByte(raw, '\\') < 0 {
		return value.Str(string(raw[1 : len(raw)-1])), nil
	}
	text, err := jsontext.AppendUnquote(nil, raw)
	return value.Str(string(text)), err
}

// number reads a number without a way through float64 for integers. An integer of
// more than 64 bits is the REAL that SQLite makes of it.
func (c conversion) number(raw []byte) (value.Value, error) {
	if c != toReal && !bytes.ContainsAny(raw, ".eE") {
		if i, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
			return value.Int(i), nil
		}
		return value.AffinityReal.Apply(value.Str(string(raw))), nil
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil && !math.IsInf(f, 0) {
		return value.Value{}, err
	}
	if c == toInteger {
		return value.AffinityInteger.Apply(value.Float(f)), nil
	}
	return value.Float(f), nil
}

// oddValue reads the objects by which serve writes what JSON has no value for.
func oddValue(raw jsontext.Value) (v value.Value, ok bool, err error) {
	from := jsontext.NewDecoder(bytes.NewBuffer(raw))
	if _, err := from.ReadToken(); err != nil {
		return v, false, err
	}
	name, err := from.ReadToken()
	if err != nil || name.Kind() != '"' {
		return v, false, err
	}
	kind := name.String()
	content, err := from.ReadToken()
	if err != nil || content.Kind() != '"' {
		return v, false, err
	}
	text := content.String()
	if from.PeekKind() != '}' {
		return v, false, nil
	}
	switch kind {
	case "blob", "text":
		b, err := hex.DecodeString(text)
		if err != nil {
			return v, false, fmt.Errorf("the value of %q is not hexadecimal", kind)
		}
		if kind == "text" {
			return value.Str(string(b)), true, nil
		}
		return value.Bytes(string(b)), true, nil
	case "real":
		if text == "Inf" || text == "-Inf" {
			f, err := strconv.ParseFloat(text, 64)
			return value.Float(f), err == nil, err
		}
	}
	return v, false, nil
}
