package prompt

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// The templates' names.
const (
	agentFile       = "agent.txt"
	nativeAgent     = "native_agent_system.txt"
	directEnd       = ".txt" // after direct_ and the variant
	nativeDirect    = "native_direct_system.txt"
	nativeQuery     = "native_query_system.txt"
	nativeReAct     = "native_react_system.txt"
	nativeUser      = "native_user.txt"
	structuredQuery = "structured_query_system.txt"
	reactFile       = "react.txt"
	sqlFile         = "sql.txt"
)

//go:embed templates/*.txt
var embedded embed.FS

// Set is a set of templates. Several goroutines may use one at once.
type Set struct {
	templates map[string]*template.Template
	hash      string
}

// Data is what templates read.
type Data struct {
	Database    string
	Question    string
	Evidence    string   // the dataset's hint; may be ""
	System      string   // the starting tables and their keys; "" for REST and for queries, but for questions over two databases
	Now         string   // the instant that stands for the clock; "" where nothing reads it
	Tools       []string // as OpenAI's function objects, in JSON
	ToolNames   []string
	Description string        // of the first tool
	Examples    []ExampleData // none for REST and for queries
	Loops       int           // the most turns of ReAct and of agents
	Scratchpad  string        // the turns so far
	Schema      string        // as CREATE TABLE statements, for SQL and agents
}

// Names returns the names of the templates, in ascending order.
func Names() []string {
	entries, err := embedded.ReadDir("templates")
	if err != nil {
		panic(err) // they are in the binary
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names
}

// Load returns the templates of this package, with those in their place that
// the folder dir has; "" has none. The error names a file that is no template.
func Load(dir string) (*Set, error) {
	s := &Set{templates: map[string]*template.Template{}}
	replaced, err := readFolder(dir)
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	for _, name := range Names() {
		text, ok := replaced[name]
		if !ok {
			data, err := embedded.ReadFile("templates/" + name)
			if err != nil {
				return nil, err
			}
			text = string(data)
		}
		t, err := template.New(name).Parse(text)
		if err == nil {
			err = t.Execute(&bytes.Buffer{}, probe)
		}
		if err != nil {
			return nil, fmt.Errorf("--prompts %s: %w; see the fields of Data in internal/evaluation/prompt", dir, err)
		}
		s.templates[name] = t
		fmt.Fprintf(sum, "%s\x00%s\x00", name, text)
	}
	for _, e := range exampleTexts() {
		sum.Write(e)
	}
	s.hash = hex.EncodeToString(sum.Sum(nil))
	return s, nil
}

// probe has each field, so that a template with an unknown one is found before a
// model is asked.
var probe = Data{System: "x", Evidence: "x", Now: "x", Tools: []string{"x"}, ToolNames: []string{"x", "y"},
	Examples: []ExampleData{{System: "x", Tools: []string{"x"}, Evidence: "x"}}}

// readFolder reads the templates in a folder.
func readFolder(dir string) (map[string]string, error) {
	if dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("--prompts: %w", err)
	}
	out, known := map[string]string{}, Names()
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, ".") {
			continue // such as an editor's
		}
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("--prompts %s: %s is no template; the names are %s", dir, name, strings.Join(known, ", "))
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, fmt.Errorf("--prompts: %w", err)
		}
		out[name] = string(text)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("--prompts %s: there is no template; the names are %s", dir, strings.Join(known, ", "))
	}
	return out, nil
}

// Hash says whether two sets ask in the same words.
func (s *Set) Hash() string { return s.hash }

// Direct asks for all calls at once, with the tools in the text.
func (s *Set) Direct(sample *evaluate.Sample) (string, error) {
	name := "direct_" + sample.Variant + directEnd
	if sample.Pair != nil {
		name = "direct_" + record.SLOT + directEnd // its results have labels, also those of endpoints
	}
	if s.templates[name] == nil {
		return "", fmt.Errorf("%s: there is no prompt for the variant %q", sample.Key(), sample.Variant)
	}
	d, err := dataOf(sample, true)
	if err != nil {
		return "", err
	}
	return s.write(name, d)
}

// NativeDirect asks for all calls at once, with the tools given outside of the text.
func (s *Set) NativeDirect(sample *evaluate.Sample) (system, user string, err error) {
	d, err := dataOf(sample, true)
	if err != nil {
		return "", "", err
	}
	if variant.Of(sample.Variant).Calls == variant.Queries {
		return s.native(nativeQuery, d)
	}
	return s.native(nativeDirect, d)
}

// StructuredQuery asks for a query in an answer whose form the request gives, and
// not for a call of a tool.
func (s *Set) StructuredQuery(sample *evaluate.Sample) (system, user string, err error) {
	d, err := dataOf(sample, false)
	if err != nil {
		return "", "", err
	}
	return s.native(structuredQuery, d)
}

// NativeReAct asks for one call after the other, with the tools given outside of the
// text.
func (s *Set) NativeReAct(sample *evaluate.Sample, loops int) (system, user string, err error) {
	d, err := dataOf(sample, false)
	if err != nil {
		return "", "", err
	}
	d.Loops = loops
	return s.native(nativeReAct, d)
}

func (s *Set) native(name string, d Data) (system, user string, err error) {
	if system, err = s.write(name, d); err != nil {
		return "", "", err
	}
	user, err = s.write(nativeUser, d)
	return system, user, err
}

// ReAct asks for the next turn. The scratchpad has the turns so far, with their
// observations; it follows right after "Thought:".
func (s *Set) ReAct(sample *evaluate.Sample, loops int, scratchpad string) (string, error) {
	d, err := dataOf(sample, false)
	if err != nil {
		return "", err
	}
	d.Loops, d.Scratchpad = loops, scratchpad
	return s.write(reactFile, d)
}

// Agent asks for the next turn of an agent, whose tools the sample has. The schema is
// that of the database's own tables; the scratchpad is as for ReAct.
func (s *Set) Agent(sample *evaluate.Sample, schema string, loops int, scratchpad string) (string, error) {
	d, err := dataOf(sample, false)
	if err != nil {
		return "", err
	}
	d.Schema, d.Loops, d.Scratchpad = strings.TrimSpace(schema), loops, scratchpad
	return s.write(agentFile, d)
}

// NativeAgent is Agent with the tools given outside of the text.
func (s *Set) NativeAgent(sample *evaluate.Sample, schema string, loops int) (system, user string, err error) {
	d, err := dataOf(sample, false)
	if err != nil {
		return "", "", err
	}
	d.Schema, d.Loops = strings.TrimSpace(schema), loops
	return s.native(nativeAgent, d)
}

// SQL asks for a SELECT.
func (s *Set) SQL(sample *evaluate.Sample, schema string) (string, error) {
	return s.write(sqlFile, Data{Database: sample.DB, Question: sample.Question, Evidence: sample.Evidence, Now: sample.Now, Schema: strings.TrimSpace(schema)})
}

func (s *Set) write(name string, d Data) (string, error) {
	var b strings.Builder
	if err := s.templates[name].Execute(&b, d); err != nil {
		return "", err
	}
	return strings.TrimSpace(b.String()), nil
}

// dataOf returns what templates read of a sample.
func dataOf(sample *evaluate.Sample, examples bool) (Data, error) {
	d := Data{
		Database: sample.DB, Question: sample.Question, Evidence: sample.Evidence,
		System: strings.TrimSpace(sample.System), Now: sample.Now,
	}
	list, err := spec.OpenAI.List(sample.Tools)
	if err != nil {
		return d, fmt.Errorf("%s: %w", sample.Key(), err)
	}
	for i, t := range list {
		text, err := jsontext.Marshal(t, "")
		if err != nil {
			return d, fmt.Errorf("%s: %w", sample.Key(), err)
		}
		d.Tools = append(d.Tools, string(text))
		d.ToolNames = append(d.ToolNames, sample.Tools[i].Name)
	}
	if len(sample.Tools) == 1 && sample.Tools[0].Name == spec.SearchName {
		d.ToolNames = append(d.ToolNames, "any tool that it finds")
	}
	if len(sample.Tools) > 0 {
		d.Description = sample.Tools[0].Description
	}
	if examples {
		d.Examples, err = examplesFor(sample.Variant, obfuscated(sample))
	}
	return d, err
}

// obfuscated reports whether the tools have names that say nothing.
func obfuscated(sample *evaluate.Sample) bool {
	return slices.ContainsFunc(sample.Tools, func(t spec.Tool) bool {
		return sample.Reveal(tools.Call{Name: t.Name}).Name != t.Name
	})
}
