package prompt

import (
	"path/filepath"
	"testing"

	"github.com/birdcall/birdcall/internal/federation/apis"
	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/pkg/record"
)

// declared has a table of each kind, and a function.
var declared = &apis.Database{
	Tables: []*apis.Table{
		{
			Name: "sighting", API: "birds", Description: "What members have seen.\n\nOne row a bird.", Lists: true, Key: []int{0},
			Columns: []apis.Column{{Name: "id", Type: "INTEGER", NotNull: true}, {Name: "species", Type: "TEXT", Collation: "NOCASE", Description: "the code\nof the species"}, {Name: "seen at", Type: "DATE"}},
		},
		{
			Name: "order", API: "weather service", Required: []int{0, 1}, Instead: []int{2}, Key: []int{0, 1},
			Columns: []apis.Column{{Name: "place", Type: "TEXT"}, {Name: "day"}, {Name: `a "key"`, Type: "REAL"}},
		},
	},
	Functions: []*apis.Function{
		{Name: "is_prime", Description: "Whether a number is prime.", Args: []apis.Argument{{Name: "number", Type: "INTEGER"}}, Result: apis.Column{Type: "BOOLEAN"}},
		{Name: "distance", Args: []apis.Argument{{Name: "from"}, {Name: "to", Type: "TEXT"}}},
	},
}

// TestDeclared holds prompts over APIs against files.
func TestDeclared(t *testing.T) {
	set, err := Load("")
	if err != nil {
		t.Fatal(err)
	}
	text, err := set.SQL(sample(record.SLOT), "CREATE TABLE species (code TEXT);\n\n"+Declared(declared))
	if err != nil {
		t.Fatal(err)
	}
	golden.Equal(t, filepath.Join("testdata", "sql_apis.txt"), text+"\n")
	if got := Declared(nil); got != "" {
		t.Errorf("without APIs: %q", got)
	}

	s := sample(record.REST)
	const schema = "CREATE TABLE species (code TEXT);\n\n"
	text, err = set.Agent(s, schema, 10, " I count.\nAction: first\nAction Input: {}\nObservation: 3\nThought:")
	if err != nil {
		t.Fatal(err)
	}
	golden.Equal(t, filepath.Join("testdata", "agent.txt"), text+"\n")
	system, user, err := set.NativeAgent(s, schema, 10)
	if err != nil {
		t.Fatal(err)
	}
	golden.Equal(t, filepath.Join("testdata", "native_agent.txt"), system+"\n-- user --\n"+user+"\n")
}
