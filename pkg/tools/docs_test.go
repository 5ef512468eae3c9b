package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/pkg/value"
)

// docsIntro opens docs/tools.md; the rest is made from the definitions and
// from calls that are run.
const docsIntro = `# The tools

Each call names a tool, its arguments, and a label for its result. ` + "`$LABEL$`" + ` in an argument stands for that result.
Values follow SQLite's rules: comparisons apply the affinity of columns, NULL is no value and satisfies no test but the ones made for it,
and text stays text. The first seven tools are the paper's; what it does not have is marked +.

Where a value is expected, write a literal (a number with a point or exponent is a REAL), ` + "`$LABEL$`" + ` for the first cell of a result,
` + "`{\"key_name\": \"other\"}`" + ` for another column of the row, or ` + "`{\"literal\": …}`" + ` for a text that looks like a label.

This page is written by ` + "`go test ./pkg/tools -update`" + `. Its examples were run on this table, ` + "`$sales$`" + `:

| id | item | qty | price | day |
|---|---|---|---|---|
| 1 | tea | 2 | 3.5 | 2024-02-29 |
| 2 | Coffee | 5 | 4.0 | 2024-03-01 |
| 3 | teapot | NULL | 20.0 | 2024-03-01 |
| 4 | NULL | 1 | -0.5 | NULL |

What works on JSON was run on this one, ` + "`$orders$`" + `:

| no | doc |
|---|---|
| 1 | {"who":"Ann","items":["tea","pot"]} |
| 2 | {"who":"Bo","items":[]} |
`

func docsSession(t *testing.T) *Session {
	t.Helper()
	db := NewMemory()
	null := value.NullValue()
	err := db.Add("sales", []ColumnInfo{{Name: "id", Type: "INTEGER"}, {Name: "item", Type: "TEXT"}, {Name: "qty", Type: "INTEGER"}, {Name: "price", Type: "REAL"}, {Name: "day", Type: "TEXT"}}, [][]value.Value{
		{value.Int(1), value.Str("tea"), value.Int(2), value.Float(3.5), value.Str("2024-02-29")},
		{value.Int(2), value.Str("Coffee"), value.Int(5), value.Float(4), value.Str("2024-03-01")},
		{value.Int(3), value.Str("teapot"), null, value.Float(20), value.Str("2024-03-01")},
		{value.Int(4), null, value.Int(1), value.Float(-0.5), null},
	})
	if err != nil {
		t.Fatal(err)
	}
	s := NewSession(db, Options{Now: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)})
	start, err := s.Init(context.Background(), Start{Tables: []StartTable{{Alias: "sales", Original: "sales", Modified: "sales"}}})
	if err != nil {
		t.Fatal(err)
	}
	// Without the table's name in front, the examples are shorter.
	fields := start.Fields()
	columns := make([]*Column, len(fields))
	for i := range fields {
		fields[i].Key = strings.TrimPrefix(fields[i].Key, "sales_")
		v, err := start.Column(context.Background(), i)
		if err != nil {
			t.Fatal(err)
		}
		var b ColumnBuilder
		for row := range v.Len() {
			b.Append(v.At(row))
		}
		columns[i] = b.Column()
	}
	short, err := NewTable(fields, columns)
	if err != nil {
		t.Fatal(err)
	}
	s.Put("sales", short)
	orders, err := NewTable([]Field{{Key: "no"}, {Key: "doc"}}, []*Column{
		NewColumn(value.Int(1), value.Int(2)),
		NewColumn(value.Str(`{"who":"Ann","items":["tea","pot"]}`), value.Str(`{"who":"Bo","items":[]}`)),
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Put("orders", orders)
	for _, setup := range []string{
		`{"name":"filter_data","arguments":{"data_source":"$sales$","key_name":"qty","condition":"greater_than","value":1},"label":"MORE"}`,
		`{"name":"filter_data","arguments":{"data_source":"$sales$","key_name":"price","condition":"less_than","value":4},"label":"CHEAP"}`,
		`{"name":"retrieve_data","arguments":{"data_source":"$sales$","key_name":["id","day"]},"label":"DAYS"}`,
		`{"name":"group_data_by","arguments":{"data_source":"$sales$","key_name":"day"},"label":"BY_DAY"}`,
		`{"name":"aggregate_data","arguments":{"data_source":"$sales$","key_name":"qty","aggregation_type":"max"},"label":"MOST"}`,
	} {
		runDocs(t, s, setup)
	}
	return s
}

func runDocs(t *testing.T, s *Session, text string) *Table {
	t.Helper()
	var c Call
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	checkMistakes(t, s, c)
	out, err := s.Run(context.Background(), c)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return out
}

// show writes a result on one line: its keys, then its rows.
func showDocs(t *testing.T, out *Table, keys bool) string {
	t.Helper()
	rows, err := out.Rows(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	cells := make([]string, len(rows))
	for i, row := range rows {
		texts := make([]string, len(row))
		for j, v := range row {
			texts[j] = "NULL"
			if !v.IsNull() {
				texts[j] = value.AsText(v)
			}
			if v.Kind() == value.Text {
				texts[j] = "'" + v.Raw() + "'"
			}
		}
		cells[i] = strings.Join(texts, " ")
		if len(row) > 1 {
			cells[i] = "(" + cells[i] + ")"
		}
	}
	list := strings.Join(cells, ", ")
	if keys {
		return strings.Join(out.Keys(), ", ") + ": " + list
	}
	return list
}

// conditionExamples gives each condition a column and the rest of a call.
var conditionExamples = map[string]string{
	"equal_to": `"qty", "value": 2`, "not_equal_to": `"qty", "value": 2`, "greater_than": `"price", "value": 3.5`,
	"less_than": `"day", "value": "2024-03-01"`, "greater_than_equal_to": `"qty", "value": "$MOST$"`, "less_than_equal_to": `"qty", "value": {"key_name": "price"}`,
	"contains": `"item", "value": "ea"`, "not_contains": `"item", "value": "ea"`, "like": `"item", "value": "C%"`, "not_like": `"item", "value": "c%"`,
	"glob": `"item", "value": "[a-z]*"`, "not_glob": `"item", "value": "[a-z]*"`, "in": `"qty", "value": [1, 5]`, "not_in": `"qty", "value": [1, 5]`,
	"between": `"qty", "value": [2, 5]`, "not_between": `"qty", "value": [2, 5]`, "is_null": `"item"`, "is_not_null": `"item"`,
	"is": `"qty", "value": null`, "is_not": `"qty", "value": 2`, "is_true": `"qty"`, "is_false": `"qty"`,
}

// operationExamples gives each operation a column and its arguments. Those
// that test a condition are documented with filter_data.
var operationExamples = map[string][2]string{
	"substring": {"item", `{"start_index": 0, "end_index": 3}`}, "strftime": {"day", `{"format": "%Y-%j"}`}, "abs": {"price", `{}`},
	"datetime": {"day", `{"modifiers": ["+1 month"]}`}, "date": {"day", `{"modifiers": ["start of month"]}`}, "time": {"day", `{}`},
	"julianday": {"day", `{}`}, "unixepoch": {"day", `{}`}, "add": {"qty", `{"value": {"key_name": "price"}}`}, "subtract": {"qty", `{"value": 10, "swap": true}`},
	"multiply": {"qty", `{"value": 2}`}, "divide": {"qty", `{"value": 2}`}, "ratio": {"qty", `{"value": 8, "scale": 100}`}, "modulo": {"qty", `{"value": 2}`},
	"bit_and": {"qty", `{"value": 4}`}, "bit_or": {"qty", `{"value": 8}`}, "shift_left": {"qty", `{"value": 1}`}, "shift_right": {"qty", `{"value": 1}`},
	"concat": {"item", `{"value": "!"}`}, "negate": {"qty", `{}`}, "bit_not": {"qty", `{}`}, "not": {"qty", `{}`},
	"and": {"qty", `{"value": 0}`}, "or": {"qty", `{"value": 0}`}, "round": {"price", `{"digits": 0}`}, "upper": {"item", `{}`}, "lower": {"item", `{}`},
	"length": {"item", `{}`}, "trim": {"item", `{"characters": "te"}`}, "ltrim": {"item", `{"characters": "te"}`}, "rtrim": {"item", `{"characters": "te"}`},
	"replace": {"item", `{"old": "tea", "new": "mate"}`}, "instr": {"item", `{"value": "a"}`}, "substr": {"item", `{"start": -3}`}, "typeof": {"qty", `{}`},
	"coalesce": {"qty", `{"values": [0]}`}, "nullif": {"qty", `{"value": 1}`}, "least": {"qty", `{"values": [3]}`}, "greatest": {"qty", `{"values": [3]}`},
	"conditional": {"qty", `{"condition": "greater_than", "value": 1, "then": "many", "else": "few"}`}, "constant": {"qty", `{"value": 7}`},
	"cast": {"price", `{"type": "integer"}`}, "copy": {"qty", `{}`}, "collate": {"qty", `{"collation": "nocase"}`}, "call": {"price", `{"function": "printf", "arguments": ["%.2f €"], "position": 1}`},
	"json_extract": {"doc", `{"path": "$.items"}`}, "json_query": {"doc", `{"path": "$.who"}`}, "json_value": {"doc", `{"path": "$.items[0]"}`},
}

// otherExamples are whole calls of the tools that the tables do not show.
var otherExamples = map[string][]string{
	"sort_data": {
		`{"data_source": "$sales$", "key_name": ["day", "price"], "ascending": true}`,
		`{"data_source": "$sales$", "key_name": "qty", "ascending": false, "nulls": "first"}`,
	},
	"group_data_by":        {`{"data_source": "$sales$", "key_name": "day"}`},
	"retrieve_data":        {`{"data_source": "$sales$", "key_name": ["item", "qty"], "limit": 2, "offset": 1}`, `{"data_source": "$sales$", "key_name": "day", "distinct": true}`},
	"select_unique_values": {`{"unique_array": "$DAYS$"}`},
	"expand_json":          {`{"data_source": "$orders$", "value": {"key_name": "doc"}, "path": "$.items"}`, `{"value": "[1, [2]]", "recursive": true}`},
}

// TestToolsPage writes docs/tools.md, every example of which is run.
func TestToolsPage(t *testing.T) {
	const page = "../../docs/tools.md"
	s := docsSession(t)
	var b strings.Builder
	b.WriteString(docsIntro)
	for _, d := range Definitions() {
		writeTool(t, &b, s, d)
	}
	golden.Equal(t, page, b.String())
}

func writeTool(t *testing.T, b *strings.Builder, s *Session, d Definition) {
	t.Helper()
	fmt.Fprintf(b, "\n## %s%s\n\n%s\n\n| argument | takes | meaning |\n|---|---|---|\n", d.Name, plus(d.Paper), d.Description)
	for _, p := range d.Parameters {
		takes := string(p.Kind)
		if p.Categorical() {
			takes = "a word, below"
		}
		if !p.Required {
			takes += ", optional"
		}
		about := p.Description
		if p.Name == "operation_args" {
			about = "the arguments of the operation, below"
		}
		fmt.Fprintf(b, "| `%s`%s | %s | %s |\n", p.Name, plus(p.Paper), takes, cell(about))
	}
	for _, args := range otherExamples[d.Name] {
		out := runDocs(t, s, `{"name":"`+d.Name+`","arguments":`+args+`,"label":""}`)
		fmt.Fprintf(b, "\n`%s`\ngives %s\n", args, showDocs(t, out, true))
	}
	switch d.Name {
	case "filter_data":
		writeChoices(t, b, d, "condition", func(name string) (string, string) {
			rest, ok := conditionExamples[name]
			if !ok {
				t.Errorf("no example for the condition %s", name)
				return "", ""
			}
			args := `"key_name": ` + rest
			runDocs(t, s, `{"name":"filter_data","arguments":{"data_source":"$sales$",`+args+`,"condition":"`+name+`"},"label":"KEPT"}`)
			ids := runDocs(t, s, `{"name":"retrieve_data","arguments":{"data_source":"$KEPT$","key_name":"id"},"label":""}`)
			return args, "id " + showDocs(t, ids, false)
		})
	case "aggregate_data":
		writeChoices(t, b, d, "aggregation_type", func(name string) (string, string) {
			args := `"key_name": "qty"`
			if name == "concat" {
				args = `"key_name": "item", "separator": "/"`
			}
			return args, showDocs(t, runDocs(t, s, `{"name":"aggregate_data","arguments":{"data_source":"$sales$",`+args+`,"aggregation_type":"`+name+`"},"label":""}`), false)
		})
		runDocs(t, s, `{"name":"aggregate_data","arguments":{"data_source":"$BY_DAY$","key_name":"price","aggregation_type":"sum"},"label":"SUMS"}`)
		out := runDocs(t, s, `{"name":"retrieve_data","arguments":{"data_source":"$SUMS$","key_name":["day","sum_price"]},"label":""}`)
		fmt.Fprintf(b, "\nOn data grouped by `day`, `\"key_name\": \"price\", \"aggregation_type\": \"sum\"` adds a column: %s\n", showDocs(t, out, true))
	case "transform_data":
		writeOperations(t, b, s)
	case "combine_data":
		writeChoices(t, b, d, "operation", func(name string) (string, string) {
			runDocs(t, s, `{"name":"combine_data","arguments":{"data_source":"$MORE$","other_data_source":"$CHEAP$","operation":"`+name+`"},"label":"BOTH"}`)
			ids := runDocs(t, s, `{"name":"retrieve_data","arguments":{"data_source":"$BOTH$","key_name":"id"},"label":""}`)
			return "rows with qty > 1, rows with price < 4", "id " + showDocs(t, ids, false)
		})
	case "join_data":
		writeChoices(t, b, d, "join_type", func(name string) (string, string) {
			keys := `"key_name": "day", "other_key_name": "day", `
			if name == "cross" {
				keys = ""
			}
			out := runDocs(t, s, `{"name":"join_data","arguments":{"data_source":"$DAYS$","other_data_source":"$CHEAP$",`+keys+`"join_type":"`+name+`"},"label":""}`)
			return "ids and days with the rows of price < 4, by day", fmt.Sprintf("%d rows of %d columns", out.Len(), len(out.Keys()))
		})
	case "window_data":
		writeChoices(t, b, d, "function", func(name string) (string, string) {
			args := map[string]string{"ntile": `"offset": 2, `, "nth_value": `"key_name": "qty", "offset": 2, `}[name]
			if args == "" && !map[string]bool{"row_number": true, "rank": true, "dense_rank": true, "percent_rank": true, "cume_dist": true}[name] {
				args = `"key_name": "qty", `
			}
			args += `"order_by": "day"`
			runDocs(t, s, `{"name":"window_data","arguments":{"data_source":"$sales$",`+args+`,"function":"`+name+`","output_key":"w"},"label":"W"}`)
			return args, showDocs(t, runDocs(t, s, `{"name":"retrieve_data","arguments":{"data_source":"$W$","key_name":"w"},"label":""}`), false)
		})
		writeChoices(t, b, d, "exclude", func(name string) (string, string) {
			args := `"function": "concat", "key_name": "id", "order_by": "day", "frame": {"unit": "rows", "start": "unbounded", "end": "unbounded"}`
			runDocs(t, s, `{"name":"window_data","arguments":{"data_source":"$sales$",`+args+`,"exclude":"`+name+`","output_key":"w"},"label":"W"}`)
			return args, showDocs(t, runDocs(t, s, `{"name":"retrieve_data","arguments":{"data_source":"$W$","key_name":"w"},"label":""}`), false)
		})
	}
}

func writeChoices(t *testing.T, b *strings.Builder, d Definition, argument string, example func(name string) (args, result string)) {
	t.Helper()
	fmt.Fprintf(b, "\n| `%s` | meaning | example | result |\n|---|---|---|---|\n", argument)
	for _, p := range d.Parameters {
		if p.Name != argument {
			continue
		}
		for _, c := range p.Choices {
			args, result := example(c.Name)
			fmt.Fprintf(b, "| `%s`%s | %s | %s | %s |\n", c.Name, plus(c.Paper), cell(c.Description), code(args), cell(result))
		}
	}
}

func writeOperations(t *testing.T, b *strings.Builder, s *Session) {
	t.Helper()
	b.WriteString("\n| `operation_type` | meaning | `key_name`, `operation_args` | result |\n|---|---|---|---|\n")
	for _, o := range Operations() {
		ex, ok := operationExamples[o.Name]
		if _, isCondition := conditionExamples[o.Name]; isCondition {
			continue
		}
		if !ok {
			t.Errorf("no example for the operation %s", o.Name)
			continue
		}
		source := "$sales$"
		if ex[0] == "doc" {
			source = "$orders$"
		}
		runDocs(t, s, `{"name":"transform_data","arguments":{"data_source":"`+source+`","key_name":"`+ex[0]+`","operation_type":"`+o.Name+`","operation_args":`+ex[1]+`,"output_key":"out"},"label":"T"}`)
		out := runDocs(t, s, `{"name":"retrieve_data","arguments":{"data_source":"$T$","key_name":"out"},"label":""}`)
		fmt.Fprintf(b, "| `%s`%s | %s | `%s` %s | %s |\n", o.Name, plus(o.Paper), cell(o.Description), ex[0], code(ex[1]), cell(showDocs(t, out, false)))
	}
	b.WriteString("\nEvery condition of filter_data is an operation too: it gives 1, 0 or NULL.\n")
}

func plus(paper bool) string {
	if paper {
		return ""
	}
	return " +"
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + cell(s) + "`"
}
