package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/programtest"
)

// TestLabelsOfBatches sends lists of calls over MCP: their results get the labels of
// their order.
func TestLabelsOfBatches(t *testing.T) {
	s := programtest.Serve(t, "--db", "city_library")
	for n := range 10 {
		id := fmt.Sprint("b", n)
		if status, _, _, text := postJSON(t, s, "/v1/sessions", `{"db":"city_library","tables":["loan"],"id":"`+id+`"}`); status != 201 {
			t.Fatal(text)
		}
		var calls, want []string
		for i := range 5 {
			calls = append(calls, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"filter_data","arguments":{"data_source":"$loan$","key_name":"loan_loan_id","condition":"equal_to","value":%d}}}`, i, i))
			want = append(want, fmt.Sprintf(`%d,"result":{"content":[{"type":"text","text":"{\"label\":\"FILTERED_DF_%d\"`, i, i))
		}
		_, _, text := s.Do(t, "POST", "/mcp/s/"+id, "["+strings.Join(calls, ",")+"]", "Content-Type", "application/json", "Accept", "application/json, text/event-stream")
		at := -1
		for _, w := range want {
			next := strings.Index(text, w)
			if next <= at {
				t.Fatalf("%s is not in its place: %s", w, text)
			}
			at = next
		}
	}
}

// TestLabelsAreNotTaken gives calls labels that other tables have. No table is
// replaced, and the rule passes over labels that a call has chosen.
func TestLabelsAreNotTaken(t *testing.T) {
	s := programtest.Serve(t, "--db", "city_library")
	if status, _, _, text := postJSON(t, s, "/v1/sessions", `{"db":"city_library","tables":["loan"],"id":"l"}`); status != 201 {
		t.Fatal(text)
	}
	count := func(source string) string {
		return `{"name":"aggregate_data","arguments":{"data_source":"$` + source + `$","aggregation_type":"count"}%s}`
	}
	_, _, whole, _ := postJSON(t, s, "/v1/sessions/l/calls", fmt.Sprintf(count("loan"), `,"label":"N"`))
	for _, c := range []struct{ body, want string }{
		{`{"name":"retrieve_data","arguments":{"data_source":"$loan$","key_name":"loan_loan_id","limit":2},"label":"loan"}`, `label: \"loan\" is the label of another table; choose another one, or leave it out for \"SELECT_COL_0\"`},
		{`{"name":"retrieve_data","arguments":{"data_source":"$loan$","key_name":"loan_loan_id","limit":2,"label":"$N$"}}`, `label: \"N\" is the label of another table`},
		{fmt.Sprintf(count("loan"), ``), fmt.Sprintf(`{"label":"COUNT_1","row_count":1,"shown":1,"truncated":false,"columns":{"count":"integer"},"value":%v}`, whole["value"])},
		{fmt.Sprintf(count("loan"), `,"label":"COUNT_2"`), `"label":"COUNT_2"`},
		{fmt.Sprintf(count("loan"), ``), `"label":"COUNT_3"`},
		{fmt.Sprintf(count("loan"), `,"label":"COUNT_5"`), `"label":"COUNT_5"`},
		{fmt.Sprintf(count("loan"), ``), `"label":"COUNT_6"`},
	} {
		if _, _, _, text := postJSON(t, s, "/v1/sessions/l/calls", c.body); !strings.Contains(text, c.want) {
			t.Errorf("%s: %s, want %s", c.body, text, c.want)
		}
	}
}
