package prompt

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/spec"
)

// tool is a small one.
func tool(name string) spec.Tool {
	return spec.Tool{Name: name, Description: "Count rows where a < b.", Parameters: map[string]any{
		"type": "object", "properties": map[string]any{"data_source": map[string]any{"type": "string"}}, "required": []string{"data_source"},
	}}
}

func sample(variant string) *evaluate.Sample {
	s := &evaluate.Sample{
		Variant: variant, DB: "bird_club", ID: bird.Number(7), Question: "How many species are threatened?",
		Evidence: "threatened refers to Red_List = 'VU'", Now: "2025-01-01T00:00:00Z", Tools: []spec.Tool{tool("first"), tool("second")},
	}
	if variant != record.REST {
		s.System = "Answer the question about the database bird_club.\n\nKeys:\n* species_code (string) - code\n"
	}
	return s
}

// TestPrompts holds the prompts against files.
func TestPrompts(t *testing.T) {
	set, err := Load("")
	if err != nil {
		t.Fatal(err)
	}
	check := func(name, text string, err error) {
		t.Helper()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		golden.Equal(t, filepath.Join("testdata", name+".txt"), text+"\n")
	}
	for _, variant := range []string{record.SLOT, record.SEL, record.REST} {
		s := sample(variant)
		text, err := set.Direct(s)
		check("direct_"+variant, text, err)
		system, user, err := set.NativeDirect(s)
		check("native_direct_"+variant, system+"\n-- user --\n"+user, err)
		system, user, err = set.NativeReAct(s, 10)
		check("native_react_"+variant, system+"\n-- user --\n"+user, err)
		text, err = set.ReAct(s, 10, " I count.\nAction: first\nAction Input: {}\nObservation: 3\nThought:")
		check("react_"+variant, text, err)
	}
	query := sample(record.REST)
	query.Variant = record.QUERY
	text, err := set.Direct(query)
	check("direct_query", text, err)
	system, user, err := set.NativeDirect(query)
	check("native_query", system+"\n-- user --\n"+user, err)
	system, user, err = set.StructuredQuery(query)
	check("structured_query", system+"\n-- user --\n"+user, err)
	text, err = set.SQL(sample(record.SLOT), "CREATE TABLE species (code TEXT);\n")
	check("sql", text, err)
	bare := sample(record.REST)
	bare.Evidence, bare.Now = "", ""
	text, err = set.Direct(bare)
	check("direct_bare", text, err)
	bare.Variant = "plain"
	if _, err := set.Direct(bare); err == nil || !strings.Contains(err.Error(), `bird_club/7: there is no prompt for the variant "plain"`) {
		t.Errorf("an unknown variant: %v", err)
	}
}

// TestBadTools says that a tool which no list can have is an error in every prompt.
func TestBadTools(t *testing.T) {
	set, err := Load("")
	if err != nil {
		t.Fatal(err)
	}
	pair := func(_, _ string, err error) error { return err }
	one := func(_ string, err error) error { return err }
	for _, variant := range []string{record.SLOT, record.SEL, record.REST, record.QUERY} {
		s := sample(variant)
		s.Tools = []spec.Tool{{Name: "f", Parameters: map[string]any{"default": make(chan int)}}}
		for name, err := range map[string]error{
			"direct": one(set.Direct(s)), "native": pair(set.NativeDirect(s)), "structured": pair(set.StructuredQuery(s)),
			"native ReAct": pair(set.NativeReAct(s, 3)), "ReAct": one(set.ReAct(s, 3, "")),
		} {
			if err == nil || !strings.Contains(err.Error(), "bird_club/7") {
				t.Errorf("%s, %s: the error is %v", variant, name, err)
			}
		}
	}
}

// TestReplaced says that one template is replaced and the others stay, and that
// the hash shows.
func TestReplaced(t *testing.T) {
	own, err := Load("")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write(t, dir, "direct_rest.txt", "{{.Question}} {{len .Tools}}")
	write(t, dir, ".swp", "x")
	other, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := other.Direct(sample(record.REST)); err != nil || got != "How many species are threatened? 2" {
		t.Errorf("got %q, %v", got, err)
	}
	a, _ := own.Direct(sample(record.SLOT))
	b, _ := other.Direct(sample(record.SLOT))
	if a != b || a == "" {
		t.Error("another template has changed")
	}
	if again, _ := Load(dir); other.Hash() == own.Hash() || again.Hash() != other.Hash() {
		t.Errorf("hashes: %s, %s, %s", own.Hash(), other.Hash(), again.Hash())
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestBadTemplates lists folders that are no set of templates.
func TestBadTemplates(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"direct.txt", "", "direct.txt is no template; the names are agent.txt, direct_query.txt, direct_rest.txt, direct_sel.txt, direct_slot.txt, native_agent"},
		{"react.txt", "{{.Tool}}", "can't evaluate field Tool"},
		{"react.txt", "{{.Question", "unclosed action"},
		{"", "", "there is no template; the names are agent.txt"},
	} {
		dir := t.TempDir()
		if c.name != "" {
			write(t, dir, c.name, c.text)
		}
		if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "--prompts") {
			t.Errorf("%s %q: got %v, want %q", c.name, c.text, err, c.want)
		}
	}
	if _, err := Load(filepath.Join(t.TempDir(), "nowhere")); err == nil || !strings.HasPrefix(err.Error(), "--prompts: open ") {
		t.Errorf("no folder: %v", err)
	}
}
