package chat_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/artifact/facts"
	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/internal/testkit/thorough"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/observation"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
)

// chatRecord is a record as a trainer reads it.
type chatRecord struct {
	Input      string          `json:"input"`
	SampleID   json.RawMessage `json:"sample_id"`
	Evidence   string          `json:"evidence"`
	GoldAnswer json.RawMessage `json:"gold_answer"`
	Gold       struct {
		Rows    []json.RawMessage `json:"rows"`
		Ordered bool              `json:"ordered"`
	} `json:"gold"`
	Tied   bool   `json:"tie_dependent"`
	AsOf   string `json:"as_of"`
	Output []struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
		Label     string          `json:"label"`
	} `json:"output"`
	Tools    []toolOf        `json:"tools"`
	Messages json.RawMessage `json:"messages"`
}

type toolOf struct {
	Type     string `json:"type"`
	Function struct {
		Name string `json:"name"`
	} `json:"function"`
}

// message is one of OpenAI's, by what its documentation says of the fields.
type message struct {
	Role      string
	Content   string
	ToolCalls []struct {
		ID       string
		Type     string
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
	ToolCallID string `json:"tool_call_id"`
}

func convert(t *testing.T, variant string, how pipeline.Writing) []chatRecord {
	t.Helper()
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err = pipeline.Run(context.Background(), pipeline.Options{
		Dataset: dataset, Variant: variant, Out: dir, Toolset: slot.Full, Timeout: time.Minute, Jobs: 2, AsOf: bird.DefaultAsOf, Writing: how,
	}); err != nil {
		t.Fatal(err)
	}
	var out []chatRecord
	for _, db := range dataset.Databases {
		data, err := os.ReadFile(filepath.Join(dir, variant, db.ID+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var records []chatRecord
		if err := json.Unmarshal(data, &records); err != nil {
			t.Fatal(err)
		}
		out = append(out, records...)
	}
	return out
}

// TestChats looks at the chats of all records of the embedded sample, in every
// variant and way to write them: they are messages as OpenAI publishes them, in
// the order that its service asks for, with the record's own calls, tools and
// answer. Some are written to testdata/messages.txt.
func TestChats(t *testing.T) {
	published, err := jsonschema.NewCompiler().Compile(filepath.Join("testdata", "openai-messages.json"))
	if err != nil {
		t.Fatal(err)
	}
	var shown strings.Builder
	for n, variant := range variant.Single() {
		observations := schemaOf(t, variant)
		hidden := []pipeline.Writing{{Spec: spec.OpenAIStrict}, {Spec: spec.OpenAI, Obfuscate: true, Shortlist: 25}}
		for i, how := range append([]pipeline.Writing{{Spec: spec.OpenAI}}, thorough.Every(hidden, 2, n/2)...) {
			how.Messages = true
			for _, r := range convert(t, variant, how) {
				instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(r.Messages))
				if err != nil {
					t.Fatal(err)
				}
				if err := published.Validate(instance); err != nil {
					t.Errorf("%s %s: %v", variant, r.SampleID, err)
				}
				var list []message
				if err := json.Unmarshal(r.Messages, &list); err != nil {
					t.Fatal(err)
				}
				for _, m := range list {
					if m.Role == "tool" {
						if err := fits(observations, m.Content); err != nil {
							t.Errorf("%s %s: %s: %v", variant, r.SampleID, m.Content, err)
						}
					}
				}
				for _, wrong := range check(r, list) {
					t.Errorf("%s %+v, question %s: %s", variant, how, r.SampleID, wrong)
				}
				if id := string(r.SampleID); i == 0 && (id == "8" || id == "98" || id == "120") {
					fmt.Fprintf(&shown, "# %s, question %s\n\n", variant, id)
					for _, m := range list {
						fmt.Fprintf(&shown, "%s %s: %s\n", m.Role, m.ToolCallID, m.Content)
						for _, c := range m.ToolCalls {
							fmt.Fprintf(&shown, "%s = %s %s\n", c.ID, c.Function.Name, c.Function.Arguments)
						}
					}
					shown.WriteString("\n")
				}
			}
		}
	}
	golden.Equal(t, filepath.Join("testdata", "messages.txt"), shown.String())
}

// schemaOf returns the schema of the observations of a variant.
func schemaOf(t *testing.T, variant string) *jsonschema.Schema {
	t.Helper()
	text, err := json.Marshal(observation.Schema(variant))
	if err != nil {
		t.Fatal(err)
	}
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("observation.json", schema); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile("observation.json")
}

// fits returns what of a text is not as the schema says.
func fits(s *jsonschema.Schema, text string) error {
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

// check returns what is wrong with the chat of a record.
func check(r chatRecord, list []message) (wrong []string) {
	fail := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	if n := 2*len(r.Output) + 3; len(list) != n {
		fail("%d messages, want %d", len(list), n)
		return wrong
	}
	if list[0].Role != "system" || list[0].Content == "" || !strings.Contains(list[0].Content, r.AsOf) {
		fail("the first message is %+v", list[0])
	}
	if u := list[1]; u.Role != "user" || !strings.Contains(u.Content, r.Input) || !strings.Contains(u.Content, r.Evidence) {
		fail("the second message is %+v", u)
	}
	ids := map[string]bool{}
	for i, gold := range r.Output {
		call, result := list[2+2*i], list[3+2*i]
		if call.Role != "assistant" || len(call.ToolCalls) != 1 || result.Role != "tool" {
			fail("call %d is %+v, and is answered by %+v", i, call, result)
			return wrong
		}
		c := call.ToolCalls[0]
		if ids[c.ID] || c.Type != "function" || result.ToolCallID != c.ID {
			fail("call %d has the id %q and the type %q, and is answered as %q", i, c.ID, c.Type, result.ToolCallID)
		}
		ids[c.ID] = true
		if c.Function.Name != gold.Name || c.Function.Arguments != string(gold.Arguments) {
			fail("call %d is %s %s, not the record's", i, c.Function.Name, c.Function.Arguments)
		}
		if !slices.ContainsFunc(r.Tools, func(t toolOf) bool {
			return t.Type == "function" && t.Function.Name == c.Function.Name
		}) {
			fail("%s is not among the tools", c.Function.Name)
		}
		var seen struct{ Label string }
		if err := json.Unmarshal([]byte(result.Content), &seen); err != nil || seen.Label != gold.Label {
			fail("the result of call %d is labelled %q, not %q: %v", i, seen.Label, gold.Label, err)
		}
	}
	last := list[len(list)-1]
	if last.Role != "assistant" || len(last.ToolCalls) > 0 || !json.Valid([]byte(last.Content)) {
		fail("the last message is %+v", last)
	}
	if whole := !strings.HasPrefix(last.Content, `{"result":`); whole == (len(r.Gold.Rows) > observation.MaxRows) {
		fail("of %d rows the answer is %.100s", len(r.Gold.Rows), last.Content)
	} else if whole && !r.Tied && r.Gold.Ordered && last.Content != string(r.GoldAnswer) {
		fail("the answer is %s, want %s", last.Content, r.GoldAnswer)
	}
	return wrong
}

// TestBoundsOfDocs says that docs/dataset.md states how much is shown.
func TestBoundsOfDocs(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "dataset.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		fmt.Sprintf("At most %d rows and %d columns are shown, and of them at most %d,%03d bytes of rows and %d,%03d bytes of columns' names and types",
			observation.MaxRows, observation.MaxColumns, observation.MaxBytes/1000, observation.MaxBytes%1000, observation.MaxKeyBytes/1000, observation.MaxKeyBytes%1000),
		fmt.Sprintf("texts are cut to %d characters", observation.MaxText),
		fmt.Sprintf("more than %d,%03d rows", facts.MaxRows/1000, facts.MaxRows%1000),
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("docs/dataset.md does not say: %s", want)
		}
	}
}
