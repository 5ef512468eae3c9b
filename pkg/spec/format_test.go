package spec_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// tool is a tool of any format as its reader sees it.
type tool = map[string]any

// formats says where each format keeps a tool's name and the schema of its
// arguments, and what its interface demands of them.
var formats = map[spec.Format]struct {
	name  func(tool) any
	input func(tool) tool
	rules func(path string, schema tool) []string
}{
	spec.Function:     {name, field("parameters"), func(string, tool) []string { return nil }},
	spec.OpenAI:       {func(t tool) any { return name(t["function"].(tool)) }, function, func(string, tool) []string { return nil }},
	spec.OpenAIStrict: {func(t tool) any { return name(t["function"].(tool)) }, function, strictRules},
	spec.Anthropic:    {name, field("input_schema"), func(string, tool) []string { return nil }},
	spec.Gemini:       {name, geminiInput, geminiRules},
	spec.MCP:          {name, field("inputSchema"), func(string, tool) []string { return nil }},
}

func name(t tool) any                   { return t["name"] }
func field(name string) func(tool) tool { return func(t tool) tool { return t[name].(tool) } }
func function(t tool) tool              { return t["function"].(tool)["parameters"].(tool) }

// geminiInput returns the parameters of a function declaration. One that takes
// no arguments has none.
func geminiInput(t tool) tool {
	if t["parameters"] == nil {
		return tool{}
	}
	return t["parameters"].(tool)
}

func isStrict(t tool) bool              { return t["function"].(tool)["strict"] == true }
func object(v any) tool                 { o, _ := v.(tool); return o }
func broken(path, rule string) []string { return []string{path + ": " + rule} }
func keyword(words ...string) []string  { return words }
func unknown(o tool, known []string) (out []string) {
	for word := range o {
		if !slices.Contains(known, word) {
			out = append(out, word)
		}
	}
	return out
}

// children visits the schemas directly inside of one.
func children(path string, schema tool, visit func(path string, schema tool) []string) (out []string) {
	for name, p := range object(schema["properties"]) {
		out = append(out, visit(path+"."+name, object(p))...)
	}
	if items := object(schema["items"]); items != nil {
		out = append(out, visit(path+"[]", items)...)
	}
	branches, _ := schema["anyOf"].([]any)
	for i, b := range branches {
		out = append(out, visit(fmt.Sprintf("%s|%d", path, i), object(b))...)
	}
	return out
}

// strictRules are those of OpenAI's strict mode for a schema
// (https://platform.openai.com/docs/guides/structured-outputs#supported-schemas):
// known keywords only, objects closed with all names required, the root an
// object.
func strictRules(path string, schema tool) (out []string) {
	for _, word := range unknown(schema, keyword("type", "description", "properties", "required", "additionalProperties", "items", "anyOf", "enum")) {
		out = append(out, broken(path, "unsupported keyword "+word)...)
	}
	if path == "" && schema["type"] != "object" {
		out = append(out, broken(path, "the root is no object")...)
	}
	types, _ := schema["type"].([]any)
	if schema["type"] == "object" || slices.Contains(types, any("object")) {
		if schema["additionalProperties"] != false {
			out = append(out, broken(path, "additionalProperties is not false")...)
		}
		required, _ := schema["required"].([]any)
		for name := range object(schema["properties"]) {
			if !slices.Contains(required, any(name)) {
				out = append(out, broken(path, name+" is not required")...)
			}
		}
		if object(schema["properties"]) == nil {
			out = append(out, broken(path, "an object without properties")...)
		}
	}
	if schema["type"] == nil && schema["anyOf"] == nil {
		out = append(out, broken(path, "neither type nor anyOf")...)
	}
	return append(out, children(path, schema, strictRules)...)
}

// geminiRules are those of Gemini's Schema (https://ai.google.dev/api/caching#Schema):
// known keywords only, one type in capitals, enum of texts that are not empty, anyOf alone, objects and
// arrays that say what they hold, required names that exist.
func geminiRules(path string, schema tool) (out []string) {
	if path == "" && len(schema) == 0 {
		return nil
	}
	for _, word := range unknown(schema, keyword("type", "description", "nullable", "enum", "properties", "required", "items", "anyOf")) {
		out = append(out, broken(path, "unsupported keyword "+word)...)
	}
	kinds := []any{"STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT"}
	if schema["anyOf"] != nil && len(schema) > 1 {
		out = append(out, broken(path, "anyOf is not alone")...)
	}
	if schema["anyOf"] == nil && !slices.Contains(kinds, schema["type"]) {
		out = append(out, broken(path, fmt.Sprintf("type %v", schema["type"]))...)
	}
	if schema["type"] == "OBJECT" && len(object(schema["properties"])) == 0 {
		out = append(out, broken(path, "an object without properties")...)
	}
	if schema["type"] == "ARRAY" && schema["items"] == nil {
		out = append(out, broken(path, "an array without items")...)
	}
	if schema["enum"] != nil && schema["type"] != "STRING" {
		out = append(out, broken(path, "enum of something else than texts")...)
	}
	values, _ := schema["enum"].([]any)
	if slices.Contains(values, any("")) {
		out = append(out, broken(path, "enum with an empty text")...)
	}
	required, _ := schema["required"].([]any)
	for _, name := range required {
		if object(schema["properties"])[name.(string)] == nil {
			out = append(out, broken(path, fmt.Sprint(name, " is required and missing"))...)
		}
	}
	return append(out, children(path, schema, geminiRules)...)
}

// fromGemini turns Gemini's subset into JSON Schema, for the validator.
func fromGemini(schema tool) tool {
	out := tool{}
	if len(schema) == 0 {
		return tool{"maxProperties": 0}
	}
	for word, v := range schema {
		switch word {
		case "type":
			out["type"] = strings.ToLower(v.(string))
			if schema["nullable"] == true {
				out["type"] = []any{out["type"], "null"}
			}
		case "properties":
			all := tool{}
			for name, p := range object(v) {
				all[name] = fromGemini(object(p))
			}
			out["properties"], out["additionalProperties"] = all, false
		case "items":
			out["items"] = fromGemini(object(v))
		case "anyOf":
			var list []any
			for _, b := range v.([]any) {
				list = append(list, fromGemini(object(b)))
			}
			out["anyOf"] = list
		case "nullable":
		default:
			out[word] = v
		}
	}
	return out
}

func isGold(r *record.Slot, s spec.Tool) bool {
	return slices.ContainsFunc(r.Calls, func(c callOf) bool { return c.Name == s.Name })
}

// fresh returns the tools that were not checked yet, by their names: in another
// sample a tool has other keys, but the same form.
func fresh(list []spec.Tool, checked map[string]bool) (out []spec.Tool) {
	for _, s := range list {
		if !checked[s.Name] {
			out, checked[s.Name] = append(out, s), true
		}
	}
	return out
}

// TestGoldCallsAreValid checks every record in every format: the tools follow
// the rules of the interface, and each gold call is valid under its own tool
// by an independent validator.
func TestGoldCallsAreValid(t *testing.T) {
	for _, f := range spec.Formats() {
		t.Run(f, func(t *testing.T) {
			how := formats[spec.Format(f)]
			checked := map[string]bool{}
			eachRecord(t, func(t *testing.T, r *record.Slot) {
				var gold []spec.Tool
				for _, s := range r.Tools {
					if isGold(r, s) {
						gold = append(gold, s)
					}
				}
				list, calls, err := spec.Options{Format: spec.Format(f)}.Prepare(spec.Union(gold, fresh(r.Tools, checked)), r.Calls, "")
				if err != nil {
					t.Fatal(err)
				}
				inputs := map[any]tool{}
				for _, v := range list {
					one := asJSON(t, v).(tool)
					inputs[how.name(one)] = how.input(one)
					if !namePattern.MatchString(how.name(one).(string)) {
						t.Errorf("%v is no name", how.name(one))
					}
					if f == "openai-strict" && !isStrict(one) {
						t.Errorf("%v does not ask for strict mode", how.name(one))
					}
					for _, rule := range how.rules("", how.input(one)) {
						t.Errorf("%v%s", how.name(one), rule)
					}
				}
				for i, c := range calls {
					schema := inputs[c.Name]
					if f == "gemini" {
						schema = fromGemini(schema)
					}
					if err := compile(t, schema).Validate(asJSON(t, c.Arguments)); err != nil {
						t.Errorf("%v call %d: %v", r.ID, i, err)
					}
				}
			})
		})
	}
}

// TestPublishedSchemas checks lists of tools by what the interfaces publish.
func TestPublishedSchemas(t *testing.T) {
	for f, file := range map[spec.Format]string{
		spec.OpenAI: "openai-tools.json", spec.OpenAIStrict: "openai-tools.json", spec.Anthropic: "anthropic-tools.json",
		spec.Gemini: "gemini-functions.json", spec.MCP: "mcp-list-tools.json",
	} {
		t.Run(string(f), func(t *testing.T) {
			schema := read(t, filepath.Join("testdata", file))
			check := func(list []any) error {
				if f == spec.MCP {
					return schema.Validate(asJSON(t, tool{"tools": list}))
				}
				return schema.Validate(asJSON(t, list))
			}
			checked := map[string]bool{}
			eachRecord(t, func(t *testing.T, r *record.Slot) {
				list, err := f.List(fresh(r.Tools, checked))
				if err != nil {
					t.Fatal(err)
				}
				if err := check(list); err != nil {
					t.Fatalf("%v: %v", r.ID, err)
				}
			})
			if check([]any{tool{"title": "x"}}) == nil {
				t.Error("the schema takes a tool without a name")
			}
		})
	}
}

// TestOpenAPI checks documents by the schema that the OpenAPI Initiative
// publishes, and the gold calls by the schemas of the request bodies.
func TestOpenAPI(t *testing.T) {
	schema := read(t, "../rest/testdata/openapi-3.1-schema.json")
	done := map[string]int{}
	eachRecord(t, func(t *testing.T, r *record.Slot) {
		if done[r.DB]++; done[r.DB]%8 != 0 || r.Tools[0].Path != "" {
			return // a document is large, and the next ones are much the same; pkg/rest has one of its own
		}
		doc := asJSON(t, spec.OpenAPI(r.DB, r.Tools)).(tool)
		if err := schema.Validate(doc); err != nil {
			t.Fatalf("%v: %v", r.ID, err)
		}
		for i, c := range r.Calls {
			at := any(doc)
			for _, step := range []string{"paths", "/tools/" + c.Name, "post", "requestBody", "content", "application/json", "schema"} {
				at = object(at)[step]
			}
			if err := compile(t, at).Validate(asJSON(t, c.Arguments)); err != nil {
				t.Errorf("%v call %d: %v", r.ID, i, err)
			}
		}
	})
}

// TestStrictCallsComeBack says that the nulls of strict mode can be distinguished from
// the arguments that were given.
func TestStrictCallsComeBack(t *testing.T) {
	eachRecord(t, func(t *testing.T, r *record.Slot) {
		_, calls, err := spec.Options{Format: spec.OpenAIStrict, Shortlist: 1}.Prepare(r.Tools, r.Calls, "")
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range calls {
			at := slices.IndexFunc(r.Tools, func(s spec.Tool) bool { return s.Name == c.Name })
			back, err := spec.Relax(c, r.Tools[at])
			if err != nil {
				t.Fatal(err)
			}
			gold, err := spec.Relax(r.Calls[i], r.Tools[at]) // without an "else" of null
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(gold, back); diff != "" {
				t.Errorf("%v call %d (-gold +relaxed):\n%s", r.ID, i, diff)
			}
		}
	})
}

func TestParse(t *testing.T) {
	for _, f := range spec.Formats() {
		if got, err := spec.Parse(f); err != nil || string(got) != f {
			t.Errorf("%s: %s, %v", f, got, err)
		}
	}
	if _, err := spec.Parse("soap"); err == nil || !strings.Contains(err.Error(), "gemini") {
		t.Errorf("got %v", err)
	}
}

func TestTokens(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "  \n": 0, "birds": 1, "get_names": 3, `{"limit":-1}`: 8, "Café 2025!": 3, "日本 x2": 3,
	} {
		if got := spec.Tokens([]byte(text)); got != want {
			t.Errorf("Tokens(%q) = %d, want %d", text, got, want)
		}
	}
}

// TestSameBytes says that a list is the same in every run.
func TestSameBytes(t *testing.T) {
	all, err := samples()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range spec.Formats() {
		var texts []string
		for range 2 {
			list, err := spec.Format(f).List(all["sel"][0].Tools)
			if err != nil {
				t.Fatal(err)
			}
			data, err := json.Marshal(list)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, string(data))
		}
		if texts[0] != texts[1] {
			t.Errorf("%s differs", f)
		}
	}
}

// TestRelaxKeepsNullsThatAreValues lists calls of strict mode and how they are
// run.
func TestRelaxKeepsNullsThatAreValues(t *testing.T) {
	specs := slot.Specs(tools.Definitions())
	for _, c := range []struct{ strict, relaxed string }{
		{`{"name":"filter_data","arguments":{"data_source":"$s$","key_name":"k","value":null,"condition":"is","escape":null,"collation":null}}`,
			`{"data_source":"$s$","key_name":"k","value":null,"condition":"is"}`},
		{`{"name":"filter_data","arguments":{"data_source":"$s$","key_name":"k","value":null,"condition":"is_null","escape":null,"collation":null}}`,
			`{"data_source":"$s$","key_name":"k","condition":"is_null"}`},
		{`{"name":"transform_data","arguments":{"data_source":"$s$","key_name":"k","operation_type":"nullif","operation_args":{"value":null,"digits":null},"output_key":null}}`,
			`{"data_source":"$s$","key_name":"k","operation_type":"nullif","operation_args":{"value":null}}`},
		{`{"name":"transform_data","arguments":{"data_source":"$s$","key_name":"k","operation_type":"substring","operation_args":{"start_index":1,"end_index":null},"output_key":null}}`,
			`{"data_source":"$s$","key_name":"k","operation_type":"substring","operation_args":{"start_index":1}}`},
		{`{"name":"transform_data","arguments":{"data_source":"$s$","key_name":"k","operation_type":"conditional","operation_args":{"condition":"is","value":null,"then":1,"else":null}}}`,
			`{"data_source":"$s$","key_name":"k","operation_type":"conditional","operation_args":{"condition":"is","value":null,"then":1}}`},
	} {
		var call callOf
		if err := json.Unmarshal([]byte(c.strict), &call); err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(specs, func(s spec.Tool) bool { return s.Name == call.Name })
		back, err := spec.Relax(call, specs[at])
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(back.Arguments)
		if err != nil || string(got) != c.relaxed {
			t.Errorf("%s\nbecomes %s, %v\nwant    %s", c.strict, got, err, c.relaxed)
		}
	}
}
