package vocabulary

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// edit adds a row to a table of the module's source.
type edit struct{ file, behind, row string }

// What adding a function of SQL, and an operation that it is, takes: a row in each of
// these files.
var (
	ofFunction = []edit{
		{"pkg/value/function.go", "var builtins = map[string]builtin{\n", `"twice": unary(func(v Value) Value { return Add(v, v) }),` + "\n"},
		{"internal/db/sqlfunc/sqlite.go", "each(Function{Class: Scalar}, `", "twice "},
	}
	ofOperation = []edit{
		{"pkg/tools/operation.go", "var textOperations = []operation{\n", `{Definition: Definition{"twice", "the value added to itself", nil, false}, build: calling("twice", keyPlace)},` + "\n"},
		{"internal/planner/vocabulary/operation.go", "var operations = []Operation{\n", `{Op: "twice", Function: "twice", Suffix: "doubled"},` + "\n"},
	}
)

// TestRecipes builds the module with a toy function and a toy operation added, and runs a
// statement with them as calls: no other file has to know of them.
func TestRecipes(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	const sql = "SELECT price FROM goods WHERE twice(price) > 10"
	for _, c := range []struct {
		about string
		edits []edit
		want  []string
	}{
		{"a function that nobody has heard of", nil, []string{"function: there is no function twice of 1 arguments"}},
		{"a function of SQL", ofFunction, []string{
			`transform_data {"data_source":"$starting_table_var$","key_name":"goods_price","operation_type":"call","operation_args":{"function":"twice"},"output_key":"price_twice"}`,
			`filter_data {"data_source":"$TRANSFORMED_DF_0$","key_name":"price_twice","value":10,"condition":"greater_than"}`,
			`retrieve_data {"data_source":"$FILTERED_DF_1$","key_name":"goods_price","distinct":false,"limit":-1}`,
			"[[7]]",
		}},
		{"a function that is an operation", append(ofFunction, ofOperation...), []string{
			`transform_data {"data_source":"$starting_table_var$","key_name":"goods_price","operation_type":"twice","operation_args":{},"output_key":"price_doubled"}`,
			`filter_data {"data_source":"$TRANSFORMED_DF_0$","key_name":"price_doubled","value":10,"condition":"greater_than"}`,
			`retrieve_data {"data_source":"$FILTERED_DF_1$","key_name":"goods_price","distinct":false,"limit":-1}`,
			"[[7]]",
		}},
	} {
		t.Run(c.about, func(t *testing.T) {
			program := exec.CommandContext(t.Context(), "go", "run", "-overlay="+overlay(t, root, c.edits), "./internal/planner/vocabulary/testdata/recipe", sql)
			program.Dir = root
			out, err := program.CombinedOutput()
			if got, want := string(out), strings.Join(c.want, "\n"); err == nil && strings.TrimSpace(got) != want || !strings.Contains(got, want) {
				t.Errorf("%v\n%s\nwant\n%s", err, got, want)
			}
		})
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
