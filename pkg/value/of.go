package value

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"time"
)

// Of returns a Go value as SQLite keeps it:
//
//	nil, nil pointers            NULL
//	bool                         INTEGER, 1 or 0
//	int, uint, ... of any size   INTEGER
//	float32, float64             REAL; NaN is NULL
//	string                       TEXT
//	[]byte                       BLOB
//	json.Number                  INTEGER if it is one of 64 bits, REAL otherwise; "" is NULL
//	time.Time                    TEXT, YYYY-MM-DD HH:MM:SS[.SSS] in UTC
//	driver.Valuer                what Value returns, so sql.NullString and the like
//	Value                        itself
//
// Types made of these, and pointers to them, count as these. The error names a
// type or number that has no value.
func Of(v any) (Value, error) { return of(v, maxPointers) }

// maxPointers bounds how many pointers and Valuers Of follows.
const maxPointers = 8

func of(v any, depth int) (Value, error) {
	switch v := v.(type) {
	case nil:
		return Value{}, nil
	case Value:
		return v, nil
	case time.Time:
		layout := "2006-01-02 15:04:05" // of SQLite's datetime()
		if v.Nanosecond() >= int(time.Millisecond) {
			layout += ".000"
		}
		return Str(v.UTC().Format(layout)), nil
	case json.Number:
		return jsonNumber(v)
	}
	r := reflect.ValueOf(v)
	if r.Kind() == reflect.Pointer && r.IsNil() {
		return Value{}, nil
	}
	if depth == 0 {
		return Value{}, fmt.Errorf("no SQLite value for a %T: it leads through too many pointers", v)
	}
	if valuer, ok := v.(driver.Valuer); ok {
		inner, err := valuer.Value()
		if err != nil {
			return Value{}, fmt.Errorf("value of a %T: %w", v, err)
		}
		return of(inner, depth-1)
	}
	switch {
	case r.Kind() == reflect.Pointer:
		return of(r.Elem().Interface(), depth-1)
	case r.Kind() == reflect.Bool:
		return Bool(r.Bool()), nil
	case r.CanInt():
		return Int(r.Int()), nil
	case r.CanUint():
		if r.Uint() > math.MaxInt64 {
			return Value{}, fmt.Errorf("no SQLite value for %d: INTEGER ends at %d; give it as a float64 or a string", r.Uint(), int64(math.MaxInt64))
		}
		return Int(int64(r.Uint())), nil
	case r.CanFloat():
		return Float(r.Float()), nil
	case r.Kind() == reflect.String:
		return Str(r.String()), nil
	case r.Kind() == reflect.Slice && r.Type().Elem().Kind() == reflect.Uint8:
		if r.IsNil() {
			return Value{}, nil
		}
		return Bytes(string(r.Bytes())), nil
	}
	return Value{}, fmt.Errorf("no SQLite value for a %T; give a number, a string, a bool, a []byte, a time.Time or nil", v)
}

func jsonNumber(n json.Number) (Value, error) {
	if n == "" {
		return Value{}, nil
	}
	if i, err := strconv.ParseInt(string(n), 10, 64); err == nil {
		return Int(i), nil
	}
	f, err := strconv.ParseFloat(string(n), 64)
	if err != nil && !math.IsInf(f, 0) {
		return Value{}, fmt.Errorf("no SQLite value for the json.Number %q: it is no number", string(n))
	}
	return Float(f), nil
}

// Any returns the value as a Go value: nil, int64, float64, string or []byte.
func (v Value) Any() any {
	switch v.kind {
	case Integer:
		return v.Int64()
	case Real:
		return v.Float64()
	case Text:
		return v.str
	case Blob:
		return []byte(v.str)
	}
	return nil
}

// String returns the value for people: NULL, a number, the text itself or a
// blob as x'00ff'. AsText is SQLite's conversion to text.
func (v Value) String() string {
	switch v.kind {
	case Null:
		return "NULL"
	case Blob:
		return fmt.Sprintf("x'%x'", v.str)
	}
	return AsText(v)
}
