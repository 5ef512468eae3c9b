package askmodel

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/evaluation/agent"
	"github.com/birdcall/birdcall/internal/evaluation/chatapi"
	"github.com/birdcall/birdcall/internal/evaluation/prompt"
	"github.com/birdcall/birdcall/internal/federation/apis"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/evaluate"
)

// Asker asks a model for one message; *chatapi.Client is one.
type Asker interface {
	// Complete counts its attempts also where the error is not nil. Errors are
	// those of chatapi.Client.Complete.
	Complete(context.Context, chatapi.Request) (chatapi.Answer, error)
}

// Schemas gives the schema of a sample's database as CREATE TABLE statements.
type Schemas interface {
	Schema(context.Context, *evaluate.Sample) (string, error)
}

// SchemasOf returns the schemas as the databases themselves have them.
func SchemasOf(e evaluate.Executor) Schemas { return schemas{e} }

type schemas struct{ evaluate.Executor }

func (x schemas) Schema(ctx context.Context, s *evaluate.Sample) (string, error) {
	if a, ok := x.Executor.(interface {
		APIs(db string) *apis.Database
	}); ok {
		if declared := a.APIs(s.DB); declared != nil {
			return x.withAPIs(ctx, s, declared)
		}
	}
	rows, err := x.Query(ctx, s, "SELECT sql FROM sqlite_schema WHERE type IN ('table', 'view') AND sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid")
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, row := range rows {
		b.WriteString(strings.TrimSpace(row[0].Raw()) + ";\n\n")
	}
	return b.String(), nil
}

// withAPIs lists the tables of the file that statements can read, and then the
// tables and functions of APIs.
func (x schemas) withAPIs(ctx context.Context, s *evaluate.Sample, declared *apis.Database) (string, error) {
	rows, err := x.Query(ctx, s, "SELECT name, type, sql FROM sqlite_schema WHERE type IN ('table', 'view') AND sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid")
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, row := range rows {
		name := row[0].Raw()
		if slices.ContainsFunc(declared.Tables, func(t *apis.Table) bool { return spelling.Same(t.Name, name) }) {
			continue // the API's takes its place
		}
		if row[1].Raw() == "view" {
			_, err := x.Query(ctx, s, "SELECT 1 FROM "+sqlite.Quote(name)+" LIMIT 0")
			if wrong := (*evaluate.StatementError)(nil); errors.As(err, &wrong) {
				continue // it shows a table whose place an API's takes
			} else if err != nil {
				return "", err
			}
		}
		b.WriteString(strings.TrimSpace(row[2].Raw()) + ";\n\n")
	}
	return b.String() + prompt.Declared(declared), nil
}

// Agents opens what agents work with.
type Agents interface {
	Open(context.Context, *evaluate.Sample) (*agent.Agent, error)
}

// Options say what is asked, and how.
type Options struct {
	Samples []*evaluate.Sample // all of the dataset
	Limit   int                // ask only so many of them; 0 for all

	Model    string
	Mode     evaluate.Mode
	Native   bool // whether the tools are given outside of the text
	Sampling chatapi.Sampling
	MaxTools int // most tools that the endpoint takes outside of the text; 0 for any number
	Loops    int // most turns of ReAct and of an agent
	// Search has the tools found by their words and not listed: in Direct mode those
	// found for the question, in ReAct those that the model looks for by spec.SearchTool.
	Search  bool
	Prompts *prompt.Set

	Asker    Asker
	Executor evaluate.Executor // for ReAct
	Schemas  Schemas           // for SQL
	Agents   Agents            // for Agent

	Out  string // folder to write to
	Name string // of the files
	Jobs int    // questions to ask at a time

	// PriceIn and PriceOut are those of a million tokens; 0 for both leaves
	// costs as they are.
	PriceIn, PriceOut float64

	Progress func() // called for each sample that is done, from any goroutine
}

// The settings of the paper (section 4).
const (
	DefaultLoops     = 10
	DefaultMaxTokens = 1500
	stopWord         = "\nObservation"
)

// DefaultSampling returns how the paper has models choose their words.
func DefaultSampling(mode evaluate.Mode, native bool) chatapi.Sampling {
	zero, tenth := 0.0, 0.1
	s := chatapi.Sampling{Temperature: &zero}
	switch {
	case mode != evaluate.ReAct && mode != evaluate.Agent:
		s.MaxTokens = DefaultMaxTokens
	case native: // there are no observations in the text
		s.TopP = &tenth
	default:
		s.TopP, s.Stop = &tenth, []string{stopWord}
	}
	return s
}

// check says what is missing.
func (o *Options) check() error {
	switch {
	case o.Model == "":
		return errors.New("--model is empty: give the endpoint's name of a model")
	case !plainName.MatchString(o.Name):
		return fmt.Errorf("--name %q: use letters, digits, points, underscores and hyphens, as in slot_direct", o.Name)
	case o.Mode == evaluate.SQL && o.Native:
		return errors.New("--native: --mode sql has no tools; leave one of them out")
	case o.Mode == evaluate.SQL && o.Schemas == nil:
		return errors.New("--mode sql: the schemas of the databases are not known; give the folder of the databases")
	case o.Mode == evaluate.ReAct && o.Executor == nil:
		return errors.New("--mode react: calls cannot be run without the databases; give their folder")
	case o.Mode == evaluate.Agent && o.Agents == nil:
		return errors.New("--mode agent: there is nothing to call without the databases; give their folder")
	case o.Search && o.Mode != evaluate.Direct && o.Mode != evaluate.ReAct:
		return fmt.Errorf("--search-tools is for --mode direct and react, and not for %s; leave it out", o.Mode)
	case (o.Mode == evaluate.ReAct || o.Mode == evaluate.Agent) && o.Loops < 1:
		return fmt.Errorf("--loops %d: give a number of 1 or more", o.Loops)
	case o.Mode != evaluate.Direct && o.Mode != evaluate.ReAct && o.Mode != evaluate.SQL && o.Mode != evaluate.Agent:
		return fmt.Errorf("--mode %q: use direct, react, sql or agent", o.Mode)
	}
	seen := map[sampleKey]bool{}
	for _, s := range o.Samples {
		if s.Pair != nil && !o.Mode.HasCalls() {
			return fmt.Errorf("--mode %s: the samples are questions over two databases, which are answered by calls; use direct or react", o.Mode)
		}
		if key := keyOf(s); seen[key] {
			return fmt.Errorf("the dataset has two samples %s, which answers could not tell apart; convert it again", s.Key())
		}
		seen[keyOf(s)] = true
	}
	return nil
}

var plainName = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]*$`)

// ModelFolder returns the name of a folder for a model: its own, with an
// underscore for each character that not every file system takes.
func ModelFolder(model string) string {
	name := strings.Map(func(r rune) rune {
		if r < 128 && plainName.MatchString("x"+string(r)) {
			return r
		}
		return '_'
	}, model)
	if strings.HasPrefix(name, ".") {
		return "_" + name[1:]
	}
	return name
}
