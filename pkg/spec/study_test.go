package spec_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

type callOf = tools.Call

// TestShortlist checks every share of every record: as many tools as the share
// is, rounded down, or just the gold ones; all gold ones, none twice, and in
// their order.
func TestShortlist(t *testing.T) {
	eachRecord(t, func(t *testing.T, r *record.Slot) {
		for _, percent := range spec.ShortlistPercents() {
			for seed := range uint64(3) {
				short := spec.Shortlist(r.Tools, r.Calls, percent, seed, "x")
				var names []string
				for _, s := range short {
					names = append(names, s.Name)
				}
				gold := map[string]bool{}
				for _, c := range r.Calls {
					gold[c.Name] = true
					if !slices.Contains(names, c.Name) {
						t.Fatalf("%v: %d%% lacks %s", r.ID, percent, c.Name)
					}
				}
				if want := max(len(r.Tools)*percent/100, len(gold)); len(names) != want {
					t.Fatalf("%v: %d%% of %d are %d, want %d", r.ID, percent, len(r.Tools), len(names), want)
				}
				at := -1
				for _, s := range r.Tools {
					if i := slices.Index(names, s.Name); i >= 0 {
						if i != at+1 {
							t.Fatalf("%v: %s is not in its place", r.ID, s.Name)
						}
						at = i
					}
				}
			}
		}
	})
}

// TestShortlistDependsOnSeedAndSample says what the draw depends on.
func TestShortlistDependsOnSeedAndSample(t *testing.T) {
	all, err := samples()
	if err != nil {
		t.Fatal(err)
	}
	r := all["sel"][0]
	draw := func(seed uint64, sample string) string {
		var names []string
		for _, s := range spec.Shortlist(r.Tools, r.Calls, 25, seed, sample) {
			names = append(names, s.Name)
		}
		return strings.Join(names, " ")
	}
	if again := draw(1, "a"); draw(1, "a") != again {
		t.Error("two draws differ")
	}
	if draw(1, "a") == draw(2, "a") || draw(1, "a") == draw(1, "b") {
		t.Error("another seed or sample draws the same tools")
	}
}

// TestShortlistHasNoToolTwice gives a list with a tool that is in it twice.
func TestShortlistHasNoToolTwice(t *testing.T) {
	all := []spec.Tool{{Name: "a"}, {Name: "b"}, {Name: "a"}, {Name: "c"}}
	got := spec.Shortlist(all, []tools.Call{{Name: "a"}}, 100, 0, "x")
	want := []spec.Tool{{Name: "a"}, {Name: "b"}, {Name: "c"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestObfuscate hides the names of every record, and takes the calls back.
func TestObfuscate(t *testing.T) {
	eachRecord(t, func(t *testing.T, r *record.Slot) {
		names := spec.NewNames(r.Tools)
		for _, f := range []spec.Format{spec.Function, spec.OpenAIStrict, spec.Gemini} {
			how := formats[f]
			list, calls, err := spec.Options{Format: f, Names: names, Shortlist: 5}.Prepare(r.Tools, r.Calls, "")
			if err != nil {
				t.Fatal(err)
			}
			inputs := map[any]tool{}
			for _, v := range list {
				one := asJSON(t, v).(tool)
				inputs[how.name(one)] = how.input(one)
				for _, rule := range how.rules("", how.input(one)) {
					t.Errorf("%v%s", how.name(one), rule)
				}
			}
			for i, c := range calls {
				if !strings.HasPrefix(c.Name, "FUNC_") {
					t.Fatalf("%s is not hidden", c.Name)
				}
				schema := inputs[c.Name]
				if f == spec.Gemini {
					schema = fromGemini(schema)
				}
				if err := compile(t, schema).Validate(asJSON(t, c.Arguments)); err != nil {
					t.Errorf("%v call %d: %v", r.ID, i, err)
				}
				back, err := names.Reveal(c)
				if err != nil {
					t.Fatal(err)
				}
				if f == spec.Function {
					if diff := cmp.Diff(r.Calls[i], back); diff != "" {
						t.Errorf("%v call %d (-gold +revealed):\n%s", r.ID, i, diff)
					}
				}
			}
		}
	})
}

// TestObfuscatedText shows one tool under names that say nothing. The notation
// of values stays, and so do plain words that happen to be names.
func TestObfuscatedText(t *testing.T) {
	specs := []spec.Tool{{
		Name: "filter_data", Description: "Keep rows by key_name and value.",
		Parameters: map[string]any{
			"type": "object", "required": []string{"key_name"},
			"properties": map[string]any{
				"key_name": map[string]any{"type": "string", "description": "a column"},
				"value":    map[string]any{"type": "string", "description": `a value, {"key_name": "b"} or key_name`},
			},
		},
	}}
	names := spec.NewNames(specs)
	got, err := names.Tools(specs)
	if err != nil {
		t.Fatal(err)
	}
	want := []spec.Tool{{
		Name: "FUNC_0", Description: "Keep rows by ARG_1 and value.",
		Parameters: map[string]any{
			"type": "object", "required": []any{"ARG_1"},
			"properties": map[string]any{
				"ARG_1": map[string]any{"type": "string", "description": "a column"},
				"ARG_2": map[string]any{"type": "string", "description": `a value, {"key_name": "b"} or ARG_1`},
			},
		},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, c := range []tools.Call{{Name: "FUNC_9"}, {Name: "FUNC_0", Arguments: tools.Arguments{{Name: "ARG_3"}}}} {
		if _, err := names.Reveal(c); err == nil {
			t.Errorf("%+v stands for something", c)
		}
	}
	if _, err := names.Call(tools.Call{Name: "sort_data"}); err == nil {
		t.Error("a tool that was not numbered has a name")
	}
}
