package vocabulary_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	// What the program runs, so that go test runs the test again where it changes.
	_ "github.com/birdcall/birdcall/internal/planner/emit"
	_ "github.com/birdcall/birdcall/internal/planner/rewrite"
)

// edit adds a row to a table of the module's source.
type edit struct{ file, behind, row string }

// recipe adds the function twice of SQL, and the function thrice that is an operation of
// the tools: one row in each of these files.
var recipe = []edit{
	{"pkg/value/function.go", "var builtins = map[string]builtin{\n", `"twice": unary(func(v Value) Value { return Add(v, v) }),
		"thrice": unary(func(v Value) Value { return Add(v, Add(v, v)) }),` + "\n"},
	{"internal/db/sqlfunc/sqlite.go", "each(Function{Class: Scalar}, `", "twice thrice "},
	{"pkg/tools/operation.go", "var textOperations = []operation{\n", `{Definition: Definition{"thrice", "three times the value", nil, false}, build: calling("thrice", keyPlace)},` + "\n"},
	{"internal/planner/vocabulary/operation.go", "var operations = []Operation{\n", `{Op: "thrice", Function: "thrice", Suffix: "tripled"},` + "\n"},
}

// TestRecipe builds a program with a toy function and a toy operation added, which runs
// a statement with them as calls: no other file has to know of them.
func TestRecipe(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	const (
		sql  = "SELECT thrice(price) FROM goods WHERE twice(price) > 10"
		want = `transform_data {"data_source":"$starting_table_var$","key_name":"goods_price","operation_type":"call","operation_args":{"function":"twice"},"output_key":"price_twice"}
filter_data {"data_source":"$TRANSFORMED_DF_0$","key_name":"price_twice","value":10,"condition":"greater_than"}
transform_data {"data_source":"$FILTERED_DF_1$","key_name":"goods_price","operation_type":"thrice","operation_args":{},"output_key":"price_tripled"}
retrieve_data {"data_source":"$TRANSFORMED_DF_2$","key_name":"price_tripled","distinct":false,"limit":-1}
[[21]]
`
	)
	program := exec.CommandContext(t.Context(), "go", "run", "-overlay="+overlay(t, root, recipe), "./internal/planner/vocabulary/testdata/recipe", sql)
	program.Dir = root
	if got, err := program.CombinedOutput(); err != nil || string(got) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}

// overlay writes what go build reads instead of the files that are edited.
func overlay(t *testing.T, root string, edits []edit) string {
	t.Helper()
	dir, replace := t.TempDir(), map[string]string{}
	for _, e := range edits {
		original := filepath.Join(root, e.file)
		source, err := os.ReadFile(original)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Count(string(source), e.behind) != 1 {
			t.Fatalf("%s has no single %q", e.file, e.behind)
		}
		edited := filepath.Join(dir, strings.ReplaceAll(e.file, "/", "_"))
		if err := os.WriteFile(edited, []byte(strings.Replace(string(source), e.behind, e.behind+e.row, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		replace[original] = edited
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
