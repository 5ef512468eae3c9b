package tools

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/text/toolname"

	"github.com/google/go-cmp/cmp"
)

// constants returns the values of the constants in vocabulary.go and in package
// toolname, sorted, by their type, or by the start of their names where they have
// none; those of toolname that start otherwise name tools.
func constants(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for _, name := range []string{"vocabulary.go", "../../internal/text/toolname/toolname.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		addConstants(t, file, out)
	}
	for _, list := range out {
		slices.Sort(list)
	}
	return out
}

// addConstants adds the constants of one file to out.
func addConstants(t *testing.T, file *ast.File, out map[string][]string) {
	t.Helper()
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		text, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		of := ""
		if file.Name.Name == "toolname" {
			of = "Tool"
		}
		if typed, ok := spec.Type.(*ast.Ident); ok {
			of = typed.Name
		}
		for _, prefix := range []string{"Bound", "Arg", "Cast"} {
			if spec.Type == nil && strings.HasPrefix(spec.Names[0].Name, prefix) {
				of = prefix
			}
		}
		out[of] = append(out[of], text)
		return true
	})
}

// TestVocabulary checks that the constants are what the tools know, no more
// and no less.
func TestVocabulary(t *testing.T) {
	got := constants(t)
	want := map[string][]string{
		"Condition": choiceNames(conditionChoices()), "Aggregation": choiceNames(aggregationChoices()), "WindowFunction": choiceNames(windowChoices()),
		"JoinKind": choiceNames(joinTypes), "SetOperation": choiceNames(combinations), "NullsPlace": choiceNames(nullsPlaces),
		"CollationName": choiceNames(collations), "FrameUnit": choiceNames(frameUnits), "Exclusion": choiceNames(exclusions), "Cast": choiceNames(castTypes),
		"Tool":  append(toolNames(), toolname.Start),
		"Arg":   {toolname.ArgUnit, toolname.ArgEnd, toolname.ArgLiteral, toolname.ArgBlob, toolname.ArgConditionSequence, toolname.ArgAliasToTable, toolname.ArgOriginalName, toolname.ArgModifiedName, toolname.ArgDatabasePath},
		"Bound": {toolname.BoundUnbounded, toolname.BoundCurrent},
	}
	for _, o := range operations {
		if !slices.Contains(want["Condition"], o.Name) {
			want["Operation"] = append(want["Operation"], o.Name)
		}
	}
	for _, d := range slices.Concat(Definitions(), Operations()) {
		want["Arg"] = append(want["Arg"], parameterNames(d.Parameters)...)
	}
	for of, list := range want {
		slices.Sort(list)
		if d := cmp.Diff(slices.Compact(list), got[of]); d != "" {
			t.Errorf("%s: %s", of, d)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d kinds of constants, want %d", len(got), len(want))
	}
}
