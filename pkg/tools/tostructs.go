package tools

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"time"

	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/value"
)

// ToStructs returns a struct, or a pointer to one, for each row of a table: the way
// back of FromStructs, by whose rules columns and fields have the same names. A column
// without a field is an error; a field without a column keeps its zero value.
//
// A field takes what value.Of makes of its type: an integer type takes INTEGER that is
// within its range, bool the INTEGER 0 or 1, a float REAL or INTEGER, string TEXT,
// []byte BLOB, json.Number any number, time.Time TEXT in one of SQLite's formats of
// dates, in UTC, and sql.Scanner what it scans. The type any takes all, as
// [value.Value.Any] returns it. NULL is nil, NaN, the empty json.Number, or an error
// where the type has none of these; a row of nothing but NULL is a nil pointer.
//
// Errors name the row and the column, or are those of the database and the context.
func ToStructs[T any](ctx context.Context, t *Table) ([]T, error) {
	if err := ready(ctx, "to structs", t); err != nil {
		return nil, err
	}
	of := reflect.TypeFor[T]()
	pointer := of.Kind() == reflect.Pointer
	if pointer {
		of = of.Elem()
	}
	places, err := structPlaces(of, t)
	if err != nil {
		return nil, err
	}
	views, err := t.views(ctx, t.all())
	if err != nil {
		return nil, err
	}
	out := make([]T, t.rows)
	for row := range out {
		if err := stopped(ctx, row); err != nil {
			return nil, err
		}
		dst := reflect.ValueOf(&out[row]).Elem()
		if pointer {
			if isNullRow(views, row) {
				continue
			}
			dst.Set(reflect.New(of))
			dst = dst.Elem()
		}
		for i, v := range views {
			if err := setField(dst, places[i], v.At(row)); err != nil {
				return nil, fmt.Errorf("to structs: row %d, %s: %w", row, t.fields[i].Key, err)
			}
		}
	}
	return out, nil
}

// structPlaces returns the index of the field of each column.
func structPlaces(of reflect.Type, t *Table) ([][]int, error) {
	if of.Kind() != reflect.Struct {
		return nil, fmt.Errorf("to structs: %s is no struct; ask for structs or for pointers to them", of)
	}
	byKey := map[string][]int{}
	var keys []string
	for _, f := range reflect.VisibleFields(of) {
		if key, ok := structKey(of, f); ok {
			if byKey[key] != nil {
				return nil, fmt.Errorf("to structs: two fields of %s have the key %q", of, key)
			}
			byKey[key] = f.Index
			keys = append(keys, key)
		}
	}
	places := make([][]int, len(t.fields))
	for i, f := range t.fields {
		if places[i] = byKey[f.Key]; places[i] == nil {
			return nil, fmt.Errorf("to structs: %s has no field for the column %q; %s, or retrieve only columns that it has", of, f.Key, spelling.Suggest(f.Key, keys))
		}
	}
	return places, nil
}

func isNullRow(views []View, row int) bool {
	for _, v := range views {
		if !v.At(row).IsNull() {
			return false
		}
	}
	return true
}

// setField sets a field of a struct. It makes the embedded structs that the field is
// in, unless the value is NULL.
func setField(dst reflect.Value, place []int, v value.Value) error {
	for i, field := range place {
		if i > 0 && dst.Kind() == reflect.Pointer {
			if dst.IsNil() {
				if v.IsNull() {
					return nil
				}
				if !dst.CanSet() {
					return fmt.Errorf("the embedded %s is not exported and nil; embed the struct itself", dst.Type())
				}
				dst.Set(reflect.New(dst.Type().Elem()))
			}
			dst = dst.Elem()
		}
		dst = dst.Field(field)
	}
	return setValue(dst, v)
}

// setValue sets dst to a value.
func setValue(dst reflect.Value, v value.Value) error {
	switch p := dst.Addr().Interface().(type) {
	case *value.Value:
		*p = v
		return nil
	case *time.Time:
		return setTime(p, v)
	case *json.Number:
		if v.IsNull() {
			*p = ""
			return nil
		}
		if k := v.Kind(); k == value.Integer || k == value.Real {
			*p = json.Number(v.String())
			return nil
		}
		return noValueOf(dst, v)
	case sql.Scanner:
		return scan(p, v)
	}
	switch dst.Kind() {
	case reflect.Pointer:
		if v.IsNull() {
			dst.SetZero()
			return nil
		}
		dst.Set(reflect.New(dst.Type().Elem()))
		return setValue(dst.Elem(), v)
	case reflect.Interface:
		if dst.NumMethod() > 0 {
			return noValueOf(dst, v)
		}
		if v.IsNull() {
			dst.SetZero()
		} else {
			dst.Set(reflect.ValueOf(v.Any()))
		}
		return nil
	}
	return setBasic(dst, v)
}

// setBasic sets dst, whose type is made of one of Go's own, to a value.
func setBasic(dst reflect.Value, v value.Value) error {
	n := v.Int64()
	switch k := v.Kind(); {
	case dst.Kind() == reflect.Bool && k == value.Integer && (n == 0 || n == 1):
		dst.SetBool(n == 1)
	case dst.CanInt() && k == value.Integer && !dst.OverflowInt(n):
		dst.SetInt(n)
	case dst.CanUint() && k == value.Integer && n >= 0 && !dst.OverflowUint(uint64(n)):
		dst.SetUint(uint64(n))
	case dst.CanFloat() && v.IsNull():
		dst.SetFloat(math.NaN())
	case dst.CanFloat() && k == value.Integer:
		dst.SetFloat(float64(n))
	case dst.CanFloat() && k == value.Real:
		dst.SetFloat(v.Float64())
	case dst.Kind() == reflect.String && k == value.Text:
		dst.SetString(v.Raw())
	case dst.Kind() == reflect.Slice && dst.Type().Elem().Kind() == reflect.Uint8 && v.IsNull():
		dst.SetZero()
	case dst.Kind() == reflect.Slice && dst.Type().Elem().Kind() == reflect.Uint8 && k == value.Blob:
		dst.SetBytes([]byte(v.Raw()))
	default:
		return noValueOf(dst, v)
	}
	return nil
}

// noValueOf says that a value does not fit a field.
func noValueOf(dst reflect.Value, v value.Value) error {
	if v.IsNull() {
		return fmt.Errorf("NULL is no %s; make the field a pointer", dst.Type())
	}
	text := v.String()
	if runes := []rune(text); len(runes) > 40 {
		text = string(runes[:40]) + "…"
	}
	return fmt.Errorf("%s %s is no %s; give the field another type, such as any", strings.ToUpper(v.Kind().String()), text, dst.Type())
}

// scan has a Scanner read a value. One of times is given a time where it takes no
// text: SQLite keeps them as text.
func scan(s sql.Scanner, v value.Value) error {
	err := s.Scan(v.Any())
	if err == nil {
		return nil
	}
	var at time.Time
	if setTime(&at, v) == nil && s.Scan(at) == nil {
		return nil
	}
	return err
}

// timeLayouts are formats of dates that SQLite reads
// (https://www.sqlite.org/lang_datefunc.html#time_values), but for times without a day.
var timeLayouts = []string{"2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05Z07:00", "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02T15:04", time.DateOnly}

func setTime(p *time.Time, v value.Value) error {
	if v.Kind() == value.Text {
		for _, layout := range timeLayouts {
			if at, err := time.Parse(layout, v.Raw()); err == nil {
				*p = at.UTC()
				return nil
			}
		}
		return errors.New("is no date that SQLite reads, such as 2025-01-31 or 2025-01-31 08:30:00")
	}
	return noValueOf(reflect.ValueOf(p).Elem(), v)
}
