package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"testing"
)

// FuzzCalls runs whatever calls there are in the input: none may panic, and
// every error must be one that says how to mend the call.
func FuzzCalls(f *testing.F) {
	for _, seed := range []string{
		`[{"name": "filter_data", "arguments": {"data_source": "$starting_table_var$", "key_name": "t_x", "value": {"blob": "00"}, "condition": "like", "escape": "é"}, "label": "a"},
		  {"name": "filter_data", "arguments": {"data_source": "$a$", "key_name": "t_x", "value": "$a$", "condition": "in", "collation": "nocase"}}]`,
		`[{"name": "transform_data", "arguments": {"data_source": "$starting_table_var$", "key_name": "t_x", "operation_type": "substring", "operation_args": {"start_index": 9223372036854775807, "end_index": -1e999}}}]`,
		`[{"name": "transform_data", "arguments": {"data_source": "$starting_table_var$", "key_name": "t_x", "operation_type": "conditional", "operation_args": {"condition": "between", "value": [null, {"key_name": "t_f"}], "then": {"literal": "$a$"}}, "output_key": "o"}}]`,
		`[{"name": "group_data_by", "arguments": {"data_source": "$starting_table_var$", "key_name": ["t_c", "t_i"]}, "label": "g"},
		  {"name": "aggregate_data", "arguments": {"data_source": "$g$", "key_name": "t_f", "aggregation_type": "argmax", "limit": 2}, "label": "g"},
		  {"name": "aggregate_data", "arguments": {"data_source": "$g$", "key_name": "t_u", "aggregation_type": "sum", "distinct": true}, "label": "g"},
		  {"name": "combine_data", "arguments": {"data_source": "$g$", "other_data_source": "$g$", "operation": "either"}, "label": "h"},
		  {"name": "join_data", "arguments": {"data_source": "$g$", "other_data_source": "$h$", "key_name": "t_c", "other_key_name": "t_i", "join_type": "full"}}]`,
		`[{"name": "window_data", "arguments": {"data_source": "$starting_table_var$", "function": "nth_value", "key_name": "t_n", "order_by": "t_n", "offset": 2147483647, "frame": {"unit": "range", "start": -9223372036854775808, "end": "unbounded"}}}]`,
		`[{"name": "window_data", "arguments": {"data_source": "$starting_table_var$", "function": "ntile", "partition_by": ["t_x"], "offset": 3, "ascending": []}}]`,
		`[{"name": "retrieve_data", "arguments": {"data_source": "$starting_table_var$", "key_name": ["t_x", "t_x"], "limit": 1, "offset": -1, "distinct": true}}]`,
		`[{"name": "sort_data", "arguments": {"data_source": "$starting_table_var$", "key_name": ["t_n", "t_r"], "ascending": false, "nulls": "first"}}]`,
	} {
		f.Add([]byte(seed))
	}
	o := newOracle(f)
	o.awkwardTable()
	f.Fuzz(func(t *testing.T, data []byte) {
		var calls []Call
		if json.Unmarshal(data, &calls) != nil || len(calls) > 20 {
			return
		}
		ctx := context.Background()
		s := NewSession(o.memory, Options{Now: testNow, MaxRows: 5000, MaxBytes: 1 << 20})
		if _, err := s.Init(ctx, start("t=w")); err != nil {
			t.Fatal(err)
		}
		for _, c := range calls {
			got, err := s.Run(ctx, c)
			if err != nil {
				var mendable *ToolError
				var limit *LimitError
				if !errors.As(err, &mendable) && !errors.As(err, &limit) {
					t.Fatalf("%T: %v", err, err)
				}
				return
			}
			if _, err := got.Rows(ctx); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// FuzzStart reads and runs whatever start there is in the input.
func FuzzStart(f *testing.F) {
	seed, err := json.Marshal(start("a=species b=sighting c=site", "a.id b.species_id LEFT", "b.site c.id FULL"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed)
	o := birds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		var s Start
		if json.Unmarshal(data, &s) != nil || len(s.Tables) > 20 {
			return
		}
		session := NewSession(o.memory, Options{MaxRows: 5000})
		got, err := session.Init(context.Background(), s)
		if err != nil {
			return
		}
		if _, err := got.Rows(context.Background()); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var again Start
		if err := json.Unmarshal(text, &again); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	})
}

// FuzzReadCSV reads whatever there is in the input, prints it, and checks that
// what WriteCSV makes of it is read as the same table.
func FuzzReadCSV(f *testing.F) {
	for _, seed := range []string{"a,b\n1,x\n", "\ufeffa\n007\n", "\ufeff\ufeff", "a,a,\n1.5,,\"\n\"\n", "a;b\n-.5;1e3", "a\n\"\"\n 1 \n"} {
		f.Add([]byte(seed), ',')
	}
	f.Fuzz(func(t *testing.T, data []byte, comma rune) {
		ctx := context.Background()
		read, err := ReadCSV(ctx, bytes.NewReader(data), CSVOptions{Comma: comma})
		if err != nil {
			return
		}
		if err := read.Print(ctx, io.Discard, PrintOptions{Width: 10}); err != nil {
			t.Fatal(err)
		}
		var first, second bytes.Buffer
		if err := WriteCSV(ctx, &first, read); err != nil {
			t.Fatal(err)
		}
		again, err := ReadCSV(ctx, bytes.NewReader(first.Bytes()), CSVOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := WriteCSV(ctx, &second, again); err != nil {
			t.Fatal(err)
		}
		if first.String() != second.String() {
			t.Fatalf("%q is written as %q, and that as %q", data, first.String(), second.String())
		}
	})
}
