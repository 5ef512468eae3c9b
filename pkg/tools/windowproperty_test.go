package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/text/toolname"

	"pgregory.net/rapid"
)

// drawnBound is one end of a frame in both languages; places are in order.
type drawnBound struct {
	argument any
	sql      string
	place    float64
}

// anyBound draws a bound that starts or ends a frame.
func anyBound(t *rapid.T, unit string, end bool) drawnBound {
	side := rapid.SampledFrom([]string{"CURRENT ROW", "PRECEDING", "FOLLOWING", "UNBOUNDED"}).Draw(t, "side")
	switch side {
	case "CURRENT ROW":
		return drawnBound{toolname.BoundCurrent, side, 0}
	case "UNBOUNDED":
		if end {
			return drawnBound{toolname.BoundUnbounded, "UNBOUNDED FOLLOWING", 1e9}
		}
		return drawnBound{toolname.BoundUnbounded, "UNBOUNDED PRECEDING", -1e9}
	}
	offset := float64(rapid.IntRange(1, 4).Draw(t, "offset"))
	text := strconv.Itoa(int(offset))
	if unit == string(FrameRange) && rapid.Bool().Draw(t, "real") {
		offset += 0.5
		text = strconv.FormatFloat(offset, 'f', 1, 64)
	}
	if side == "PRECEDING" {
		return drawnBound{json.Number("-" + text), text + " PRECEDING", -offset}
	}
	return drawnBound{json.Number(text), text + " FOLLOWING", offset}
}

// TestWindowProperty compares random windows over random rows with SQLite.
func TestWindowProperty(t *testing.T) {
	ctx := context.Background()
	functions := []struct{ arguments, sql string }{
		{`"function": "sum", "key_name": "t_x"`, "sum(x)"}, {`"function": "total", "key_name": "t_x"`, "total(x)"},
		{`"function": "mean", "key_name": "t_x"`, "avg(x)"}, {`"function": "count", "key_name": "t_x"`, "count(x)"},
		{`"function": "count"`, "count(*)"}, {`"function": "min", "key_name": "t_x"`, "min(x)"},
		{`"function": "max", "key_name": "t_c"`, "max(c)"}, {`"function": "concat", "key_name": "t_c", "separator": "-"`, "group_concat(c, '-')"},
		{`"function": "first_value", "key_name": "t_id"`, "first_value(id)"}, {`"function": "last_value", "key_name": "t_id"`, "last_value(id)"},
		{`"function": "nth_value", "key_name": "t_id", "offset": 2`, "nth_value(id, 2)"},
		{`"function": "rank"`, "rank()"}, {`"function": "percent_rank"`, "percent_rank()"}, {`"function": "lag", "key_name": "t_id"`, "lag(id)"},
	}
	numbers := []any{nil, 1, 2, 3, 5, 8, 1.0, 2.5, 0.1, -3, int64(9223372036854775807), int64(-9223372036854775808), 1e17, 0.3}
	texts := []any{nil, "", "a", "A", "b", "2"}
	keys := []any{nil, nil, 1, 1, 2, 3, 4, 1.5, 6, int64(9223372036854775807), "a", "A", "b"}
	rapid.Check(t, func(rt *rapid.T) {
		o := newOracle(t)
		var data [][]any
		for i := range rapid.IntRange(0, 9).Draw(rt, "rows") {
			data = append(data, []any{i, rapid.SampledFrom([]any{1, 1, 2}).Draw(rt, "p"), rapid.SampledFrom(keys).Draw(rt, "k"),
				rapid.SampledFrom(numbers).Draw(rt, "x"), rapid.SampledFrom(texts).Draw(rt, "c")})
		}
		o.add("t", []string{"id INTEGER", "p INTEGER", "k BLOB COLLATE NOCASE", "x BLOB", "c TEXT COLLATE NOCASE"}, data...)
		f := rapid.SampledFrom(functions).Draw(rt, "function")
		args, sql := f.arguments, f.sql
		unit := rapid.SampledFrom([]string{"rows", "range", "groups"}).Draw(rt, "unit")
		start, end := anyBound(rt, unit, false), anyBound(rt, unit, true)
		// SQL has no frame that starts behind and ends before the current row.
		if (start.place > 0) && end.place <= 0 || start.place >= 0 && end.place < 0 {
			start, end = drawnBound{toolname.BoundUnbounded, "UNBOUNDED PRECEDING", -1e9}, drawnBound{toolname.BoundCurrent, "CURRENT ROW", 0}
		}
		window := ""
		if rapid.Bool().Draw(rt, "partitioned") {
			window = "PARTITION BY p"
			args += `, "partition_by": "t_p"`
		}
		// The rows of one place come in the order of id, or all at once.
		descending := rapid.Bool().Draw(rt, "descending")
		orders, columns := "k", `"t_k"`
		if descending {
			orders += " DESC"
		}
		nulls := rapid.SampledFrom([]string{"", "first", "last"}).Draw(rt, "nulls")
		if nulls != "" {
			orders += " NULLS " + strings.ToUpper(nulls)
			args += fmt.Sprintf(`, "nulls": %q`, nulls)
		}
		if distance := unit == "range" && (start.place != 0 && start.place > -1e9 || end.place != 0 && end.place < 1e9); !distance && rapid.Bool().Draw(rt, "total") {
			orders, columns = orders+", id", `["t_k", "t_id"]`
			args += fmt.Sprintf(`, "ascending": [%t, true]`, !descending)
		} else {
			args += fmt.Sprintf(`, "ascending": %t`, !descending)
		}
		args += `, "order_by": ` + columns
		window += " ORDER BY " + orders + fmt.Sprintf(" %s BETWEEN %s AND %s", unit, start.sql, end.sql)
		frame, err := json.Marshal(Arguments{{toolname.ArgUnit, unit}, {toolname.ArgStart, start.argument}, {toolname.ArgEnd, end.argument}})
		if err != nil {
			rt.Fatal(err)
		}
		args += `, "frame": ` + string(frame)
		if exclude := rapid.SampledFrom([]string{"", "", "no_others", "current_row", "group", "ties"}).Draw(rt, "exclude"); exclude != "" {
			window += " EXCLUDE " + strings.ToUpper(strings.ReplaceAll(exclude, "_", " "))
			args += fmt.Sprintf(`, "exclude": %q`, exclude)
		}
		query := fmt.Sprintf("SELECT id, %s OVER (%s) FROM t ORDER BY id", sql, window)
		call := step(t, fmt.Sprintf(`window_data("data_source": "$s", %s, "output_key": "w")`, args))
		want, wantErr := o.tryQuery(query)
		got, err := o.session("t").Run(ctx, call)
		switch {
		case (err != nil) != (wantErr != nil):
			rt.Fatalf("%s\n%v: %v, want error %v", query, data, err, wantErr)
		case err != nil:
			return
		}
		if got, err = RetrieveData(ctx, got, RetrieveArgs{Keys: []string{"t_id", "w"}}); err != nil {
			rt.Fatal(err)
		}
		if d := diff(want, rows(t, got)); d != "" {
			rt.Fatalf("%s\n%v\n%s", query, data, d)
		}
	})
}
