package pipeline

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/tools"
)

// TestPatterns has each pattern count a sequence that shows it, and not one that
// says the same as a person would.
func TestPatterns(t *testing.T) {
	schema := &sqlite.Schema{Tables: []*sqlite.Table{{Name: "t", Columns: []sqlite.Column{{Name: "a"}, {Name: "b"}}}}}
	start := tools.Start{Tables: []tools.StartTable{{Alias: "T1", Original: "t", Modified: "t"}}}
	other := tools.Start{Tables: []tools.StartTable{{Alias: "T2", Original: "t", Modified: "t"}}}
	const (
		cast  = `X=transform_data {"data_source":"$START$","key_name":"t_a","operation_type":"cast","operation_args":{"type":"real"},"output_key":"n"}`
		times = `Y=transform_data {"data_source":"$X$","key_name":"n","operation_type":"multiply","operation_args":{"value":100},"output_key":"m"}`
		is    = `X=transform_data {"data_source":"$START$","key_name":"t_a","operation_type":"conditional","operation_args":{"condition":"equal_to","value":1,"then":1,"else":0},"output_key":"a_is_1"}`
		group = `G=group_data_by {"data_source":"$START$","key_name":"t_a"}`
		equal = `F=filter_data {"data_source":"$START$","key_name":"t_a","value":1,"condition":"equal_to"}`
		more  = `E=filter_data {"data_source":"$START$","key_name":"t_b","value":1,"condition":"equal_to"}`
		ratio = `X=transform_data {"data_source":"$START$","key_name":"t_a","operation_type":"ratio","operation_args":{"value":{"key_name":"t_b"}},"output_key":"a_per_b"}`
	)
	for _, c := range []struct {
		pattern     string
		shows, none []string
		twice       bool
	}{
		{pattern: "a derived value overwrites a real column's key",
			shows: []string{strings.ReplaceAll(cast, `,"output_key":"n"`, "")}, none: []string{cast}},
		{pattern: "a conditional, then its sum or count",
			shows: []string{is, `S=aggregate_data {"data_source":"$X$","key_name":"a_is_1","aggregation_type":"sum"}`},
			none:  []string{is, `S=aggregate_data {"data_source":"$X$","key_name":"t_a","aggregation_type":"sum"}`}},
		{pattern: "AND as nested conditionals",
			shows: []string{is, `Z=transform_data {"data_source":"$X$","key_name":"t_b","operation_type":"conditional","operation_args":{"condition":"equal_to","value":1,"then":{"key_name":"a_is_1"},"else":0},"output_key":"z"}`},
			none:  []string{is}},
		{pattern: "cast, multiply, divide",
			shows: []string{cast, times, `Z=transform_data {"data_source":"$Y$","key_name":"m","operation_type":"divide","operation_args":{"value":{"key_name":"t_b"}},"output_key":"q"}`},
			none:  []string{cast, times}},
		{pattern: "cast, divide",
			shows: []string{cast, `Z=transform_data {"data_source":"$X$","key_name":"n","operation_type":"divide","operation_args":{"value":{"key_name":"t_b"}},"output_key":"q"}`},
			none:  []string{ratio}},
		{pattern: "a sort uses a recomputed expression",
			shows: []string{ratio, `Y=transform_data {"data_source":"$X$","key_name":"t_a","operation_type":"divide","operation_args":{"value":{"key_name":"t_b"}},"output_key":"q"}`, `S=sort_data {"data_source":"$Y$","key_name":"q","ascending":true}`},
			none:  []string{ratio, `S=sort_data {"data_source":"$X$","key_name":"a_per_b","ascending":true}`}},
		{pattern: "an answer column under a false key",
			shows: []string{strings.ReplaceAll(cast, `,"output_key":"n"`, ""), `S=retrieve_data {"data_source":"$X$","key_name":["t_b","t_a"]}`},
			none:  []string{cast, `S=retrieve_data {"data_source":"$X$","key_name":["t_b","n"]}`}},
		{pattern: "GROUP BY or DISTINCT as a group without aggregate",
			shows: []string{group, `S=retrieve_data {"data_source":"$G$","key_name":"t_a"}`},
			none:  []string{group, `S=aggregate_data {"data_source":"$G$","key_name":"t_b","aggregation_type":"count"}`}},
		{pattern: "OR of equalities instead of in",
			shows: []string{equal, strings.Replace(equal, "F=", "E=", 1), `C=combine_data {"data_source":"$F$","other_data_source":"$E$","operation":"either"}`},
			none:  []string{equal, more, `C=combine_data {"data_source":"$F$","other_data_source":"$E$","operation":"either"}`}},
		{pattern: "one starting table joined twice", twice: true, shows: []string{equal}, none: []string{equal}},
		{pattern: "SQL text as a key",
			shows: []string{strings.Replace(cast, `"n"`, `"_SELECT_CAST_a"`, 1)}, none: []string{cast}},
		{pattern: "max with limit 1 as a first value",
			shows: []string{`S=aggregate_data {"data_source":"$START$","key_name":"t_a","aggregation_type":"max","limit":1}`},
			none:  []string{`S=aggregate_data {"data_source":"$START$","key_name":"t_a","aggregation_type":"max"}`}},
	} {
		count := func(lines []string, twice bool) int {
			r := &record.Slot{Initialization: start, Calls: callsOf(t, lines)}
			if twice {
				r.Further = []tools.Start{other}
			}
			for _, p := range patterns {
				if p.name == c.pattern {
					return p.count(newSequence(r, schema))
				}
			}
			t.Fatalf("no pattern %q", c.pattern)
			return 0
		}
		if n := count(c.shows, c.twice); n != 1 {
			t.Errorf("%s: counted %d times where it is", c.pattern, n)
		}
		if n := count(c.none, false); n != 0 {
			t.Errorf("%s: counted %d times where it is not", c.pattern, n)
		}
	}
}

// callsOf reads calls that are written as LABEL=tool {arguments}.
func callsOf(t *testing.T, lines []string) []tools.Call {
	t.Helper()
	var out []tools.Call
	for _, line := range lines {
		label, rest, _ := strings.Cut(line, "=")
		name, args, _ := strings.Cut(rest, " ")
		c := tools.Call{Name: name, Label: label}
		if err := json.Unmarshal([]byte(args), &c.Arguments); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		out = append(out, c)
	}
	return out
}
