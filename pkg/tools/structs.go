package tools

import (
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/birdcall/birdcall/pkg/value"
)

// FromStructs returns a table with a row for each struct, or pointer to one,
// and a column for each exported field that value.Of takes. The key of a column
// is the name in the field's tag `tools:"name"` or else `json:"name"`, or else
// the field's own name; the name "-" leaves the field out. Fields of embedded
// structs count as fields. A nil pointer to a struct is a row of NULLs.
//
// Integers and bool are declared INTEGER, floats REAL, strings and time.Time
// TEXT, []byte BLOB, json.Number NUMERIC, and other types nothing. Errors name the field or row that
// has no value, and a key that is used twice.
func FromStructs[T any](rows []T) (*Table, error) {
	return fromStructs(reflect.TypeFor[T](), reflect.ValueOf(rows))
}

func fromStructs(of reflect.Type, rows reflect.Value) (*Table, error) {
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if of.Kind() != reflect.Struct {
		return nil, fmt.Errorf("from structs: %s is no struct; give a slice of structs or of pointers to them", of)
	}
	var fields []Field
	var places [][]int
	for _, f := range reflect.VisibleFields(of) {
		key, ok := structKey(of, f)
		if !ok {
			continue
		}
		declared, err := declaredType(f.Type)
		if err != nil {
			return nil, fmt.Errorf("from structs: field %s of %s: %w; leave it out with the tag `tools:\"-\"`", f.Name, of, err)
		}
		fields = append(fields, Field{Key: key, Type: declared, Affinity: value.AffinityOf(declared)})
		places = append(places, f.Index)
	}
	if len(fields) == 0 {
		return nil, fmt.Errorf("from structs: %s has no exported field", of)
	}
	columns := make([]*Column, len(fields))
	for i, place := range places {
		var b ColumnBuilder
		b.Grow(rows.Len())
		for row := range rows.Len() {
			v, err := fieldValue(rows.Index(row), place)
			if err != nil {
				return nil, fmt.Errorf("from structs: row %d, %s: %w", row, fields[i].Key, err)
			}
			b.Append(v)
		}
		columns[i] = b.Column()
	}
	return NewTable(fields, columns)
}

// structKey returns the key of a field, and whether it is a column.
func structKey(of reflect.Type, f reflect.StructField) (key string, ok bool) {
	for i := 1; i < len(f.Index); i++ {
		if outer := of.FieldByIndex(f.Index[:i]); fieldName(outer) == "-" || !isPlainStruct(outer.Type) {
			return "", false
		}
	}
	key = fieldName(f)
	return key, key != "-" && f.IsExported() && !(f.Anonymous && isPlainStruct(f.Type))
}

// fieldName returns the name of a field by its tags.
func fieldName(f reflect.StructField) string {
	for _, tag := range []string{"tools", "json"} {
		if name, _, _ := strings.Cut(f.Tag.Get(tag), ","); name != "" {
			return name
		}
	}
	return f.Name
}

var (
	numberType = reflect.TypeFor[json.Number]()
	timeType   = reflect.TypeFor[time.Time]()
	valueType  = reflect.TypeFor[value.Value]()
	valuerType = reflect.TypeFor[driver.Valuer]()
)

// isPlainStruct reports whether a type is a struct that is no value itself.
func isPlainStruct(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() == reflect.Struct && t != timeType && t != valueType && !t.Implements(valuerType)
}

// declaredType returns the type that a column of a Go type is declared with.
func declaredType(t reflect.Type) (string, error) {
	for t.Kind() == reflect.Pointer && !t.Implements(valuerType) {
		t = t.Elem()
	}
	switch {
	case t == timeType:
		return "TEXT", nil
	case t == numberType:
		return "NUMERIC", nil
	case t == valueType || t.Implements(valuerType) || t.Kind() == reflect.Interface:
		return "", nil
	}
	switch t.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "INTEGER", nil
	case reflect.Float32, reflect.Float64:
		return "REAL", nil
	case reflect.String:
		return "TEXT", nil
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "BLOB", nil
		}
	}
	return "", errors.New("no SQLite value for a " + t.String())
}

// fieldValue returns a field of a struct or of a pointer to one; NULL where
// the pointer, or one to an embedded struct, is nil.
func fieldValue(row reflect.Value, place []int) (value.Value, error) {
	if row.Kind() == reflect.Pointer {
		if row.IsNil() {
			return value.NullValue(), nil
		}
		row = row.Elem()
	}
	for i, field := range place {
		if i > 0 && row.Kind() == reflect.Pointer { // to an embedded struct
			if row.IsNil() {
				return value.NullValue(), nil
			}
			row = row.Elem()
		}
		row = row.Field(field)
	}
	return value.Of(row.Interface())
}
