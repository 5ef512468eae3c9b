package main

import (
	"context"
	"os"
	"runtime/debug"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// openGota has the lines that gota can do in seconds. It has no distinct rows and no
// ranks, and its join compares each row with each.
func openGota(file string) (*inGo, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	df := dataframe.ReadCSV(f)
	if df.Err != nil {
		return nil, df.Err
	}
	e := &inGo{version: "gota " + moduleVersion("github.com/go-gota/gota"), runs: map[string]func(context.Context) (checked, error){}}
	for name, run := range gotaRuns(df) {
		e.runs[name] = func(context.Context) (checked, error) {
			got := run()
			return func(context.Context) (cells, error) { return frameCells(got), nil }, got.Err
		}
	}
	return e, nil
}

func gotaRuns(df dataframe.DataFrame) map[string]func() dataframe.DataFrame {
	filter := func(key string, how series.Comparator, with any) func() dataframe.DataFrame {
		return func() dataframe.DataFrame {
			return df.Filter(dataframe.F{Colname: key, Comparator: how, Comparando: with})
		}
	}
	sort := func(by ...dataframe.Order) func() dataframe.DataFrame {
		return func() dataframe.DataFrame { return df.Arrange(by...) }
	}
	sum := func(key string) func() dataframe.DataFrame {
		return func() dataframe.DataFrame {
			return dataframe.New(series.New([]float64{df.Col(key).Sum()}, series.Float, "sum_"+key))
		}
	}
	group := func(how dataframe.AggregationType, of, name string, keys ...string) func() dataframe.DataFrame {
		return func() dataframe.DataFrame {
			return df.GroupBy(keys...).Aggregation([]dataframe.AggregationType{how}, []string{of}).Rename(name, of+"_"+how.String())
		}
	}
	return map[string]func() dataframe.DataFrame{
		"filter integer": filter("group", series.Greater, 900),
		"filter text":    filter("text", series.Eq, "text 7"),
		"filter like": filter("text", series.CompFunc, func(e series.Element) bool {
			return strings.Contains(e.String(), "7")
		}),
		// Compared from the integer's side, reals are rounded down first.
		"filter columns": func() dataframe.DataFrame { return filter("real", series.Greater, df.Col("id"))() },
		"sort integer":   sort(dataframe.Sort("group")),
		"sort real":      sort(dataframe.Sort("real")),
		"sort text":      sort(dataframe.Sort("text"), dataframe.Sort("id")),
		"sum real":       sum("real"),
		"sum integer":    sum("group"),
		"group and sum":  group(dataframe.Aggregation_SUM, "real", "sum_real", "group"),
		"group two keys": group(dataframe.Aggregation_COUNT, "id", "count", "group", "text"),
		"add":            func() dataframe.DataFrame { return gotaAdd(df, "id", "group") },
		"upper": func() dataframe.DataFrame {
			return df.Mutate(df.Col("text").Map(func(e series.Element) series.Element {
				e = e.Copy()
				e.Set(strings.ToUpper(e.String()))
				return e
			}))
		},
	}
}

// gotaAdd puts the sum of two columns in place of the first.
func gotaAdd(df dataframe.DataFrame, key, other string) dataframe.DataFrame {
	sums, err := df.Col(key).Int()
	if err != nil {
		return dataframe.DataFrame{Err: err}
	}
	added, err := df.Col(other).Int()
	if err != nil {
		return dataframe.DataFrame{Err: err}
	}
	for i, n := range added {
		sums[i] += n
	}
	return df.Mutate(series.New(sums, series.Int, key))
}

func moduleVersion(path string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == path {
				return m.Version
			}
		}
	}
	return "of unknown version"
}

type frameOfCells map[string]series.Series

func frameCells(df dataframe.DataFrame) cells {
	c := frameOfCells{}
	for _, name := range df.Names() {
		c[name] = df.Col(name)
	}
	return c
}

func (c frameOfCells) rows() int {
	for _, s := range c {
		return s.Len()
	}
	return 0
}

func (c frameOfCells) number(key string, row int) float64 { return c[key].Elem(row).Float() }

func (c frameOfCells) text(key string, row int) string { return c[key].Elem(row).String() }
