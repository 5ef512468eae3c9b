package postgres

import (
	"context"
	"strconv"
	"strings"
	"sync"

	"github.com/birdcall/birdcall/pkg/value"
)

// form is how the values of a type are written.
type form uint8

const (
	asText form = iota
	asBool
	asInteger
	asReal
	asNumeric
	asBytes
	asTimestamp
	asTimestampTZ
	asInterval
	asDocument // json and jsonb
	asArray
)

// json returns the JSON type of the form's values.
func (f form) json() string {
	switch f {
	case asBool:
		return "boolean"
	case asInteger:
		return "integer"
	case asReal, asNumeric:
		return "number"
	case asBytes:
		return "object"
	case asArray:
		return "array"
	case asDocument:
		return ""
	}
	return "string"
}

// typ is a type of values.
type typ struct {
	oid       uint32
	name      string
	form      form
	element   *typ // of an array; of a domain, its base
	delimiter byte // between the elements of an array of this type
}

// written returns the type that determines how values are written: the base of a
// domain.
func (t *typ) written() *typ {
	for t.form != asArray && t.element != nil {
		t = t.element
	}
	return t
}

// forms are the types that are not written as texts, and date, which has its own text
// form (https://www.postgresql.org/docs/current/datatype.html). Their numbers are fixed
// (pg_type.dat).
var forms = map[uint32]form{
	16: asBool,
	20: asInteger, 21: asInteger, 23: asInteger, 26: asInteger,
	700: asReal, 701: asReal, 1700: asNumeric,
	17:   asBytes,
	1082: asTimestamp, 1114: asTimestamp, 1184: asTimestampTZ, 1186: asInterval,
	114: asDocument, 3802: asDocument,
}

// affinities maps types to the nearest affinity of SQLite. A type that is not listed
// has none, except text types, which have TEXT.
var affinities = map[uint32]value.Affinity{
	20: value.AffinityInteger, 21: value.AffinityInteger, 23: value.AffinityInteger, 26: value.AffinityInteger,
	700: value.AffinityReal, 701: value.AffinityReal, 1700: value.AffinityNumeric,
	17: value.AffinityBlob,
	18: value.AffinityText, 19: value.AffinityText, 25: value.AffinityText, 1042: value.AffinityText, 1043: value.AffinityText,
	1082: value.AffinityText, 1083: value.AffinityText, 1266: value.AffinityText, 1114: value.AffinityText, 1184: value.AffinityText, 1186: value.AffinityText,
	2950: value.AffinityText,
}

// types caches the types that were looked up.
type types struct {
	mu    sync.Mutex
	known map[uint32]*typ
}

// typesSQL describes types: the base of a domain, the element of an array. Types that
// can be subscripted but are no arrays, such as oidvector, have no element here.
const typesSQL = `
SELECT t.oid, format_type(t.oid, NULL), t.typtype, t.typbasetype, coalesce(e.oid, 0), t.typdelim
FROM pg_catalog.pg_type AS t LEFT JOIN pg_catalog.pg_type AS e ON e.typarray = t.oid
WHERE t.oid = ANY ($1::oid[])`

// resolve returns the descriptions of types. It also looks up the types that these
// contain.
func (ts *types) resolve(ctx context.Context, c *conn, oids []uint32) (map[uint32]*typ, error) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.known == nil {
		ts.known = map[uint32]*typ{}
	}
	for wanted := ts.unknown(oids); len(wanted) > 0; {
		rows, err := c.ask(ctx, typesSQL, array(wanted))
		if err != nil {
			return nil, err
		}
		var parts []uint32
		for _, row := range rows {
			parts = append(parts, ts.add(row)...)
		}
		wanted = ts.unknown(parts)
	}
	out := map[uint32]*typ{}
	for _, oid := range oids {
		out[oid] = ts.get(oid)
	}
	return out, nil
}

// unknown returns those of the types, and of the types that they contain, that are not
// known yet.
func (ts *types) unknown(oids []uint32) []string {
	var out []string
	for _, oid := range oids {
		t := ts.get(oid)
		for t.name != "" && t.element != nil {
			t = t.element
		}
		if t.name == "" {
			out = append(out, strconv.FormatUint(uint64(t.oid), 10))
		}
	}
	return out
}

// add keeps a row of typesSQL and returns the types that its type contains.
func (ts *types) add(row []string) (parts []uint32) {
	number := func(text string) uint32 {
		n, _ := strconv.ParseUint(text, 10, 32) // the server wrote it
		return uint32(n)
	}
	t := ts.get(number(row[0]))
	t.name, t.form, t.delimiter = row[1], forms[t.oid], row[5][0]
	base, element := number(row[3]), number(row[4])
	switch {
	case element != 0:
		t.form, t.element = asArray, ts.get(element)
		return []uint32{element}
	case row[2] == "d" && base != 0:
		// A domain is written as its base, which is resolved later.
		t.element = ts.get(base)
		return []uint32{base}
	}
	return nil
}

// get returns a type, which may still have to be looked up.
func (ts *types) get(oid uint32) *typ {
	t := ts.known[oid]
	if t == nil {
		t = &typ{oid: oid}
		ts.known[oid] = t
	}
	return t
}

// affinity returns the nearest of SQLite's affinities.
func affinity(oid uint32, name string) value.Affinity {
	if a, ok := affinities[oid]; ok {
		return a
	}
	if strings.HasSuffix(name, "[]") {
		return value.AffinityBlob
	}
	return value.AffinityNone
}
