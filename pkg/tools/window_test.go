package tools

import (
	"fmt"
	"strings"
	"testing"
)

// TestWindow compares every window function, over several windows, with
// SQLite.
func TestWindow(t *testing.T) {
	o := birds(t)
	functions := []struct{ arguments, sql string }{
		{`"function": "row_number"`, "row_number()"},
		{`"function": "rank"`, "rank()"},
		{`"function": "dense_rank"`, "dense_rank()"},
		{`"function": "percent_rank"`, "percent_rank()"},
		{`"function": "cume_dist"`, "cume_dist()"},
		{`"function": "ntile", "offset": 4`, "ntile(4)"},
		{`"function": "ntile", "offset": 50`, "ntile(50)"},
		{`"function": "lag", "key_name": "t_count"`, "lag(count)"},
		{`"function": "lead", "key_name": "t_id", "offset": 2, "default": {"key_name": "t_site"}`, "lead(id, 2, site)"},
		{`"function": "lag", "key_name": "t_id", "offset": 0`, "lag(id, 0)"},
		{`"function": "first_value", "key_name": "t_count"`, "first_value(count)"},
		{`"function": "last_value", "key_name": "t_id"`, "last_value(id)"},
		{`"function": "nth_value", "key_name": "t_id", "offset": 2`, "nth_value(id, 2)"},
		{`"function": "min", "key_name": "t_seen"`, "min(seen)"},
		{`"function": "max", "key_name": "t_count"`, "max(count)"},
		{`"function": "sum", "key_name": "t_count"`, "sum(count)"},
		{`"function": "mean", "key_name": "t_count"`, "avg(count)"},
		{`"function": "count"`, "count(*)"},
		{`"function": "count", "key_name": "t_count"`, "count(count)"},
		{`"function": "total", "key_name": "t_count"`, "total(count)"},
		{`"function": "concat", "key_name": "t_id", "separator": "-"`, "group_concat(id, '-')"},
	}
	windows := []struct {
		arguments, sql string
		one            bool // exactly one column in ORDER BY
	}{
		{`"order_by": "t_id"`, "ORDER BY id", true},
		{`"order_by": ["t_count", "t_id"], "ascending": [false, true]`, "ORDER BY count DESC, id", false},
		{`"order_by": "t_count"`, "ORDER BY count", true},
		{`"partition_by": "t_site", "order_by": "t_seen", "ascending": false`, "PARTITION BY site ORDER BY seen DESC", true},
		{`"partition_by": ["t_site", "t_count"]`, "PARTITION BY site, count", false},
	}
	frames := []struct{ argument, sql string }{
		{``, ""},
		{`{"unit": "rows", "start": "unbounded", "end": "current"}`, "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"},
		{`{"unit": "rows", "start": -1, "end": 1}`, "ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING"},
		{`{"unit": "rows", "start": 1, "end": 2}`, "ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING"},
		{`{"unit": "rows", "start": -2, "end": -3}`, "ROWS BETWEEN 2 PRECEDING AND 3 PRECEDING"},
		{`{"unit": "rows", "start": "current", "end": "unbounded"}`, "ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING"},
		{`{"unit": "groups", "start": -1, "end": "current"}`, "GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW"},
		{`{"unit": "range", "start": "current", "end": "unbounded"}`, "RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING"},
		{`{"unit": "range", "start": -2, "end": 2}`, "RANGE BETWEEN 2 PRECEDING AND 2 FOLLOWING"},
	}
	for _, f := range functions {
		for _, w := range windows {
			for _, frame := range frames {
				offsets := strings.Contains(frame.argument, "range") && strings.Contains(frame.argument, "-2")
				if offsets && !w.one {
					continue
				}
				arguments := w.arguments
				if frame.argument != "" {
					arguments += `, "frame": ` + frame.argument
				}
				o.checkPipeline(t, start("t=sighting"), fmt.Sprintf("SELECT id, %s OVER (%s %s) FROM sighting ORDER BY rowid", f.sql, w.sql, frame.sql),
					fmt.Sprintf(`window_data("data_source": "$s", %s, %s, "output_key": "w") -> a`, f.arguments, arguments),
					`retrieve_data("data_source": "$a$", "key_name": ["t_id", "w"])`)
			}
		}
	}
}

// TestWindowOverGroups ranks groups by an aggregate.
func TestWindowOverGroups(t *testing.T) {
	o := birds(t)
	o.checkPipeline(t, start("t=sighting"), "SELECT site, rank() OVER (ORDER BY count(*) DESC) FROM sighting GROUP BY site ORDER BY site",
		`group_data_by("data_source": "$s", "key_name": "t_site") -> g`,
		`aggregate_data("data_source": "$g$", "aggregation_type": "count") -> g`,
		`window_data("data_source": "$g$", "function": "rank", "order_by": "count", "ascending": false) -> g`,
		`retrieve_data("data_source": "$g$", "key_name": ["t_site", "rank"])`)
}
