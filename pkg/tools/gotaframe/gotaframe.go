// Package gotaframe carries tables between package tools and gota
// (https://github.com/go-gota/gota), whose DataFrame has what tools has not:
// describing, pivoting, reading HTML. It is a separate package so that a
// program which uses package tools alone does not depend on gota.
package gotaframe

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// notANumber is how a gota series shows a missing value. A series of texts
// takes that text for a missing value, so it is kept with a backslash before,
// and so is the text with backslashes before.
const notANumber = "NaN"

// ToDataFrame returns the table as a gota DataFrame. A column of INTEGERs
// becomes a series of Int, one of REALs a series of Float, and any other one a
// series of String with the text of each value; NULL becomes NaN. The text NaN
// is written \NaN, \NaN is written \\NaN, and so on. Affinity and collation
// are lost. Errors are those of the database, the context and gota.
func ToDataFrame(ctx context.Context, t *tools.Table) (dataframe.DataFrame, error) {
	var none dataframe.DataFrame
	if t == nil {
		return none, errors.New("to data frame: the table is nil")
	}
	all := make([]series.Series, len(t.Keys()))
	for i, key := range t.Keys() {
		v, err := t.Column(ctx, i)
		if err != nil {
			return none, fmt.Errorf("to data frame: %w", err)
		}
		cells := make([]any, v.Len())
		kind := seriesType(v)
		for row := range cells {
			cells[row] = seriesCell(v.At(row), kind)
		}
		if err := ctx.Err(); err != nil {
			return none, err
		}
		all[i] = series.New(cells, kind, key)
	}
	df := dataframe.New(all...)
	return df, df.Error()
}

// seriesType returns the type of series that holds a column: that of its
// values if they are numbers of one class, text otherwise.
func seriesType(v tools.View) series.Type {
	kind := value.Null
	for row := range v.Len() {
		x := v.At(row)
		switch {
		case x.IsNull():
		case kind == value.Null:
			kind = x.Kind()
		case kind != x.Kind():
			return series.String
		}
		if x.Kind() == value.Integer && int64(int(x.Int64())) != x.Int64() {
			return series.String // int has 32 bits here
		}
	}
	switch kind {
	case value.Integer:
		return series.Int
	case value.Real:
		return series.Float
	}
	return series.String
}

func seriesCell(v value.Value, kind series.Type) any {
	switch {
	case v.IsNull():
		return nil
	case kind == series.Int:
		return int(v.Int64())
	case kind == series.Float:
		return v.Float64()
	}
	s := value.AsText(v)
	if isNotANumber(s) {
		return `\` + s
	}
	return s
}

// isNotANumber reports whether a text is NaN with any number of backslashes
// before.
func isNotANumber(s string) bool { return strings.TrimLeft(s, `\`) == notANumber }

// FromDataFrame returns a gota DataFrame as a table: Int and Bool as INTEGER,
// Float as REAL and String as TEXT, with the affinity of that type. A missing
// value becomes NULL; texts are read as ToDataFrame writes them. An error is
// that of the DataFrame, or says which column cannot be read.
func FromDataFrame(df dataframe.DataFrame) (*tools.Table, error) {
	if err := df.Error(); err != nil {
		return nil, fmt.Errorf("from data frame: %w", err)
	}
	var fields []tools.Field
	var columns []*tools.Column
	for _, name := range df.Names() {
		s := df.Col(name)
		var b tools.ColumnBuilder
		b.Grow(s.Len())
		for i := range s.Len() {
			v, err := elementValue(s.Elem(i))
			if err != nil {
				return nil, fmt.Errorf("from data frame: column %q, row %d: %w", name, i, err)
			}
			b.Append(v)
		}
		affinity := map[series.Type]value.Affinity{
			series.Int: value.AffinityInteger, series.Bool: value.AffinityInteger,
			series.Float: value.AffinityReal, series.String: value.AffinityText,
		}[s.Type()]
		fields = append(fields, tools.Field{Key: name, Affinity: affinity})
		columns = append(columns, b.Column())
	}
	return tools.NewTable(fields, columns)
}

func elementValue(e series.Element) (value.Value, error) {
	if e.IsNA() {
		return value.NullValue(), nil
	}
	switch e.Type() {
	case series.Float:
		return value.Float(e.Float()), nil
	case series.Int, series.Bool:
		i, err := e.Int()
		return value.Int(int64(i)), err
	}
	s := e.String()
	if isNotANumber(s) {
		s = strings.TrimPrefix(s, `\`)
	}
	return value.Str(s), nil
}
