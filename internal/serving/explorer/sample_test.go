package explorer

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/value"
)

// A gold answer is a table again, however short the record has it.
func TestAnswer(t *testing.T) {
	for _, c := range []struct {
		columns, answer, want string
		numeric               string
	}{
		{"n", `3`, `[["3"]]`, "[true]"},
		{"n", `null`, `[[null]]`, "[false]"},
		{"a", `[]`, `[]`, "[false]"},
		{"a", `["x",null,"null"]`, `[["x"],[null],["null"]]`, "[false]"},
		{"a,b", `[["x",9223372036854775807],[null,1.0]]`, `[["x","9223372036854775807"],[null,"1.0"]]`, "[false,true]"},
		{"a,b", `[["x",1],["y","2"]]`, `[["x","1"],["y","2"]]`, "[false,false]"},
		{"a", `{"blob":"00ff"}`, `[["{\"blob\":\"00ff\"}"]]`, "[false]"},
	} {
		gold := &evaluate.Sample{Answer: json.RawMessage(c.answer), Facts: record.Facts{Gold: record.Gold{Columns: strings.Split(c.columns, ",")}}}
		v, err := newAnswer(gold)
		if err != nil {
			t.Errorf("%s: %v", c.answer, err)
			continue
		}
		rows, _ := json.Marshal(v.Rows)
		numeric, _ := json.Marshal(v.Numeric)
		if diff := cmp.Diff(c.want+" "+c.numeric, string(rows)+" "+string(numeric)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", c.answer, diff)
		}
	}
}

func TestValueTexts(t *testing.T) {
	long := strings.Repeat("ü", longestCell+1)
	got := valueTexts([]value.Value{
		value.NullValue(), value.Int(9223372036854775807), value.Float(1), value.Str("$x$"), value.Str("\xff"), value.Bytes("\x00\xff"), value.Str(long),
	})
	want := []string{"", "9223372036854775807", "1.0", "$x$", "\uFFFD", "x'00ff'", long[:2*longestCell] + "…"}
	for i, w := range want {
		switch {
		case i == 0 && got[i] != nil:
			t.Errorf("NULL became %q", *got[i])
		case i > 0 && *got[i] != w:
			t.Errorf("cell %d is %q, want %q", i, *got[i], w)
		}
	}
}
