package main

import (
	"net/http"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/programtest"
)

// TestColumnAmongNumbers calls transform_data as a model does that takes a key for a
// column. It gets the form of a column; the product with a text would be 0.
func TestColumnAmongNumbers(t *testing.T) {
	s := programtest.Serve(t)
	if status, _, body := s.Do(t, "POST", "/v1/sessions", `{"db": "bird_club", "sample_id": 87, "id": "first"}`); status != http.StatusCreated {
		t.Fatalf("%d %s", status, body)
	}
	for _, c := range []struct{ value, want string }{
		{`"site_hide"`, `write {\"key_name\": \"site_hide\"} for the column`},
		{`{"key_name": "site_hide"}`, `"TRANSFORMED_DF_0"`},
		{`{"literal": "site_hide"}`, `"TRANSFORMED_DF_1"`},
		{`"2"`, `"TRANSFORMED_DF_2"`},
	} {
		_, _, body := s.Do(t, "POST", "/v1/sessions/first/calls",
			`{"name": "transform_data", "arguments": {"data_source": "$starting_table_var$", "key_name": "site_hide", "operation_type": "multiply", "operation_args": {"value": `+c.value+`}, "output_key": "product"}}`)
		if !strings.Contains(body, c.want) {
			t.Errorf("%s: %.300s, want %s", c.value, body, c.want)
		}
	}
}
