package session_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/convert/multi"
	"github.com/birdcall/birdcall/internal/convert/multi/session"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// TestCompare lists calls of the tool on results of other calls.
func TestCompare(t *testing.T) {
	in := &session.Session{Session: tools.NewSession(nil, tools.Options{})}
	for label, v := range map[string][]value.Value{
		"SEVEN": {value.Int(7)}, "ALSO": {value.Float(7)}, "MORE": {value.Float(7.5)}, "BIG": {value.Int(1<<53 + 1)}, "REAL": {value.Float(1 << 53)},
		"TEXT": {value.Str("8")}, "NOTHING": {value.NullValue()}, "TWO": {value.Int(1), value.Int(2)},
	} {
		table, err := tools.NewTable([]tools.Field{{Key: "n"}}, []*tools.Column{tools.NewColumn(v...)})
		if err != nil {
			t.Fatal(err)
		}
		if err := in.Put(label, table); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ args, want string }{
		{`{"q1": "$SEVEN$", "q2": "$MORE$", "which": "larger"}`, "Q2"},
		{`{"q1": "$SEVEN$", "q2": "$MORE$", "which": "smaller"}`, "Q1"},
		{`{"q1": "$SEVEN$", "q2": "$ALSO$", "which": "larger"}`, "equal"},
		{`{"q1": "$BIG$", "q2": "$REAL$", "which": "larger"}`, "Q1"}, // as reals they are equal
		{`{"q1": 8, "q2": "$MORE$", "which": "larger"}`, "Q1"},
		{`{"q1": 1e-3, "q2": 1, "which": "smaller"}`, "Q1"},
		{`{"q1": "$SEVEN$", "q2": "$MORE$", "which": "greater"}`, `compare_numbers: which: is none of the comparisons; use larger or smaller`},
		{`{"q1": "$SEVEN$", "q2": "$MORE$"}`, `compare_numbers: which: is none of the comparisons; use larger or smaller`},
		{`{"q1": "$SEVEN$", "which": "larger"}`, `compare_numbers: q2: names no result; write the label of the result between dollar signs, as in "$COMPARISON$"`},
		{`{"q1": "SEVEN", "q2": "$MORE$", "which": "larger"}`, `compare_numbers: q1: names no result; write`},
		{`{"q1": "$NONE$", "q2": "$MORE$", "which": "larger"}`, `compare_numbers: q1: unknown label "NONE"; there are `},
		{`{"q1": "$TEXT$", "q2": "$MORE$", "which": "larger"}`, `compare_numbers: q1: is no number; give the result of a call that returns one number`},
		{`{"q1": "$NOTHING$", "q2": "$MORE$", "which": "larger"}`, `compare_numbers: q1: is no number`},
		{`{"q1": "$TWO$", "q2": "$MORE$", "which": "larger"}`, `compare_numbers: q1: is a result of 2 rows and 1 columns; give the result of a call that returns one number`},
		{`{"q1": true, "q2": "$MORE$", "which": "larger"}`, `compare_numbers: q1: names no result`},
		{`{"q3": 1, "q1": 1, "q2": 2, "which": "larger"}`, `compare_numbers: q3: is no argument of this tool; it takes q1, q2, which`},
	} {
		call := tools.Call{Name: multi.CompareTool, Label: "COMPARISON"}
		if err := json.Unmarshal([]byte(c.args), &call.Arguments); err != nil {
			t.Fatal(err)
		}
		table, err := in.Run(t.Context(), call)
		var wrong *tools.ToolError
		if errors.As(err, &wrong) {
			if !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%s: %v, want %s", c.args, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.args, err)
			continue
		}
		if got, err := table.Scalar(t.Context()); err != nil || got != value.Str(c.want) {
			t.Errorf("%s: %v %v, want %s", c.args, got, err, c.want)
		}
		if kept, ok := in.Table("COMPARISON"); !ok || kept != table {
			t.Errorf("%s: the result is not kept", c.args)
		}
	}
}
