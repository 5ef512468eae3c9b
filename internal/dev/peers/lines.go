package main

import "strings"

// line is one line of the tables; docs/performance.md says what each does.
type line struct {
	name string
	// add is what of each row of the result is added up, so that the engines can be
	// compared. Those that are not in Go say it in their own words.
	add func(c cells, row int) float64
}

// cells are the cells of a result of an engine in Go.
type cells interface {
	rows() int
	number(key string, row int) float64
	text(key string, row int) string
}

var lines = []line{
	{"filter integer", number("id")},
	{"filter text", number("id")},
	{"filter like", number("id")},
	{"filter columns", number("id")},
	{"sort integer", placed("group")},
	{"sort real", placed("real")},
	{"sort text", placed("id")},
	{"sum real", number("sum_real")},
	{"sum integer", number("sum_group")},
	{"group and sum", product("group", "sum_real")},
	{"group two keys", product("group", "count")},
	{"distinct", length("text")},
	{"add", number("id")},
	{"upper", capitals("text")},
	{"join", product("id", "group_1")},
	{"window", product("id", "rank")},
}

// check is what decides whether a result is right.
func (l line) check(c cells) result {
	r := result{Rows: c.rows()}
	for row := range r.Rows {
		r.Sum += l.add(c, row)
	}
	return r
}

func number(key string) func(cells, int) float64 {
	return func(c cells, row int) float64 { return c.number(key, row) }
}

func product(a, b string) func(cells, int) float64 {
	return func(c cells, row int) float64 { return c.number(a, row) * c.number(b, row) }
}

// placed gives each value a weight by its place. Places begin anew after a thousand,
// so that the sum stays exact.
func placed(key string) func(cells, int) float64 {
	return func(c cells, row int) float64 { return c.number(key, row) * float64(row%1000) }
}

func length(key string) func(cells, int) float64 {
	return func(c cells, row int) float64 { return float64(len(c.text(key, row))) }
}

func capitals(key string) func(cells, int) float64 {
	return func(c cells, row int) float64 {
		if strings.HasPrefix(c.text(key, row), "TEXT") {
			return 1
		}
		return 0
	}
}
