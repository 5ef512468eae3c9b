package spec_test

import (
	"encoding/json"
	"testing"

	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/value"
)

func TestAnswer(t *testing.T) {
	one, two, null := value.Int(1), value.Str("b"), value.NullValue()
	for _, c := range []struct {
		rows [][]value.Value
		want string
	}{
		{[][]value.Value{{one}}, `1`},
		{[][]value.Value{{one}, {null}}, `[1,null]`},
		{[][]value.Value{{one, two}}, `[[1,"b"]]`},
		{nil, `[]`},
	} {
		got, err := json.Marshal(spec.Answer(c.rows))
		if err != nil || string(got) != c.want {
			t.Errorf("got %s (%v), want %s", got, err, c.want)
		}
	}
}
