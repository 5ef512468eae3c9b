package observation_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/pkg/observation"
	"github.com/birdcall/birdcall/pkg/tools"
)

// TestOfAnswer lists answers of endpoints with what a model is shown of them.
func TestOfAnswer(t *testing.T) {
	many := strings.Repeat(`{"a":1},`, observation.MaxRows+4) + `{"a":1}`
	shown := many[:observation.MaxRows*len(`{"a":1},`)-1]
	long := strings.Repeat("x", observation.MaxBytes)
	cut := long[:observation.MaxText] + "… (1900 more characters)"
	schema := schemaOf(t, "rest")
	call := tools.Call{Arguments: tools.Arguments{{Name: "limit", Value: json.Number("2")}}}
	for name, c := range map[string]struct{ text, want string }{
		"no rows": {
			`{"data":[],"count":0,"truncated":false}`,
			`{"row_count":0,"shown":0,"truncated":false,"data":[]}`,
		},
		"a row": {
			`{"data":[{"b":1.0,"a":"<x>","n":9007199254740993}],"count":1,"truncated":false}`,
			`{"row_count":1,"shown":1,"truncated":false,"data":[{"b":1.0,"a":"<x>","n":9007199254740993}]}`,
		},
		"many rows": {
			`{"data":[` + many + `],"count":55,"truncated":false}`,
			`{"row_count":55,"shown":50,"truncated":true,"data":[` + shown + `]}`,
		},
		"many rows of more": {
			`{"data":[` + many + `],"count":55,"truncated":true,"next_offset":55}`,
			`{"row_count":55,"shown":50,"truncated":true,"next_offset":55,"data":[` + shown + `]}`,
		},
		"a row of more": {
			`{"data":[{"a":1}],"count":1,"truncated":true,"next_offset":3}`,
			`{"row_count":1,"shown":1,"truncated":true,"next_offset":3,"data":[{"a":1}]}`,
		},
		"rows that the call did not ask for": {
			`{"data":[{"a":1},{"a":2}],"count":2,"truncated":true,"next_offset":5}`,
			`{"row_count":2,"shown":2,"truncated":false,"data":[{"a":1},{"a":2}]}`,
		},
		"a text that is too long": {
			`{"data":[{"b":null,"a":"` + long + `","c":{"blob":"` + long + `"}}],"count":1,"truncated":false}`,
			`{"row_count":1,"shown":1,"truncated":true,"texts_cut":true,"data":[{"b":null,"a":"` + cut + `","c":{"blob":"` + cut + `"}}]}`,
		},
	} {
		o, err := observation.OfAnswer(call, c.text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := o.JSON()
		if err != nil || got != c.want {
			t.Errorf("%s: %v, shown is\n%s, want\n%s", name, err, got, c.want)
		}
		if err := fits(schema, got); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, text := range []string{"", "[]", `{"data":1}`, `{"data":[1]}`, `{"count":1}`, "null"} {
		if _, err := observation.OfAnswer(tools.Call{}, text); err == nil {
			t.Errorf("%.20s is an answer", text)
		}
	}
}

// FuzzOfAnswer looks for a text that is shown in another form than the schema
// says, or at a length beyond its own.
func FuzzOfAnswer(f *testing.F) {
	schema := schemaOf(f, "rest")
	f.Add(`{"data":[{"a":1},{"b":{"blob":"00"}}],"count":2,"truncated":true,"next_offset":2}`)
	f.Add(`{"data":[{"a":"` + strings.Repeat("é", observation.MaxBytes) + `"}]}`)
	f.Add(`{"data":[{"a":[[]]},{}],"next_offset":-1}`)
	f.Fuzz(func(t *testing.T, text string) {
		o, err := observation.OfAnswer(tools.Call{}, text)
		if err != nil {
			return
		}
		shown, err := o.JSON()
		if err != nil {
			t.Fatal(err)
		}
		if err := fits(schema, shown); err != nil {
			t.Errorf("%s: %v", shown, err)
		}
	})
}
