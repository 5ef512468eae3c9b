package spec_test

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"

	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// TestEncoder holds an encoder that writes several lists of the same tools against
// Options.Prepare, which writes each anew.
func TestEncoder(t *testing.T) {
	list := slot.Specs(tools.Definitions())
	call := tools.Call{Name: toolname.Retrieve, Label: "X", Arguments: tools.Arguments{{Name: toolname.ArgDataSource, Value: "$S$"}, {Name: toolname.ArgKeyName, Value: "k"}}}
	same := list[0]
	same.Description = "Does the same under other words <&>."
	lists := [][]spec.Tool{list, nil, list[:1], {same}, append([]spec.Tool{same}, list...), list}
	for _, format := range spec.Formats() {
		for name, how := range map[string]spec.Options{
			"":           {Format: spec.Format(format)},
			"shortlist":  {Format: spec.Format(format), Shortlist: 25, Seed: 7},
			"obfuscated": {Format: spec.Format(format), Names: spec.NewNames(list)},
		} {
			encoder := how.Encoder()
			for i, list := range lists {
				calls := []tools.Call{call}
				if i > 0 && i < len(lists)-2 {
					calls = nil
				}
				want, wantCalls, err := how.Prepare(list, calls, "a/1")
				if err != nil {
					t.Fatal(err)
				}
				got, size, gotCalls, err := encoder.Prepare(list, calls, "a/1")
				if err != nil {
					t.Fatal(err)
				}
				var text bytes.Buffer
				e := json.NewEncoder(&text)
				e.SetEscapeHTML(false)
				if err := e.Encode(want); err != nil {
					t.Fatal(err)
				}
				if string(got)+"\n" != text.String() {
					t.Errorf("%s %s, list %d: got\n%s\nwant\n%s", format, name, i, got, &text)
				}
				if all := (spec.Size{Tools: len(want), Tokens: spec.Tokens(text.Bytes())}); size != all {
					t.Errorf("%s %s, list %d: size %+v, want %+v", format, name, i, size, all)
				}
				if len(gotCalls) != len(wantCalls) {
					t.Errorf("%s %s, list %d: %d calls, want %d", format, name, i, len(gotCalls), len(wantCalls))
				}
			}
		}
	}
}

// TestEncoderFails gives a list that its options cannot write.
func TestEncoderFails(t *testing.T) {
	broken := []spec.Tool{{Name: "broken", Parameters: map[string]any{"type": func() {}}}}
	if _, _, err := (spec.Options{}).Encoder().List(broken); err == nil {
		t.Error("a function is JSON")
	}
	unknown := spec.Options{Names: spec.NewNames(nil)}
	if _, _, err := unknown.Encoder().List(slot.Specs(tools.Definitions())); err == nil {
		t.Error("a tool was hidden that was not numbered")
	}
}

// TestEncodeNoJSON says that a tool which JSON does not have is an error, wherever it
// is in a list.
func TestEncodeNoJSON(t *testing.T) {
	good, bad := spec.Tool{Name: "f"}, spec.Tool{Name: "g", Parameters: map[string]any{"default": math.Inf(1)}}
	for _, format := range []spec.Format{spec.Function, spec.OpenAI, spec.Anthropic, spec.Gemini, spec.MCP} {
		e := spec.Options{Format: format}.Encoder()
		if _, _, err := e.List([]spec.Tool{good}); err != nil {
			t.Errorf("%s: %v", format, err)
		}
		for _, list := range [][]spec.Tool{{bad}, {good, bad}, {bad, good}} {
			for range 2 { // what was written before is kept
				if text, size, err := e.List(list); err == nil {
					t.Errorf("%s: %s of %+v", format, text, size)
				}
			}
		}
	}
}
