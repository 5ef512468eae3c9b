package naming

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/postgres"
	"github.com/birdcall/birdcall/internal/sql/pgsql"
	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/rest/internal/template"
	"github.com/birdcall/birdcall/pkg/rest/internal/told"
)

// TestPostgres names the endpoints of Postgres' statements, a line each of
// testdata/postgres.sql.
func TestPostgres(t *testing.T) {
	column := func(name, kind string, key int) engine.Column {
		return engine.Column{Name: name, Type: kind, Affinity: pgsql.Affinity(kind), PrimaryKey: key}
	}
	clinic := &engine.Schema{Tables: []*engine.Table{
		{Name: "patient", Columns: []engine.Column{
			column("id", "integer", 1), column("fullname", "text", 0), column("birthday", "date", 0),
			column("city", "text", 0), column("weight", "real", 0), column("doctorid", "integer", 0),
		}},
		{Name: "doctor", Columns: []engine.Column{column("id", "integer", 1), column("name", "text", 0), column("since", "timestamp with time zone", 0)}},
		{Name: "visit", Columns: []engine.Column{
			column("patientid", "integer", 0), column("visitdate", "timestamp without time zone", 0), column("cost", "numeric", 0), column("notes", "jsonb", 0),
		}},
	}}
	db := &bird.Database{Tables: []*bird.Table{
		{Name: "patient", Columns: []*bird.Column{{Name: "fullName"}, {Name: "doctorId"}}},
		{Name: "visit", Columns: []*bird.Column{{Name: "patientId"}, {Name: "visitDate", Description: bird.Description{Description: "when the patient came"}}}},
	}}
	input, err := os.ReadFile("testdata/postgres.sql")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for line := range strings.Lines(string(input)) {
		line = strings.TrimRight(line, "\n")
		made, err := template.New(postgres.Dialect, line, clinic)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		n := New(made, NewVocabulary(db, postgres.Dialect))
		params := n.Params()
		var given []string
		for _, it := range made.Columns {
			given = append(given, it.Name)
		}
		columns := n.Columns(given)
		e := n.Endpoint(params, columns)
		for name := range e.Names {
			fmt.Fprintf(&out, "%s\n\t%s -> %s\n\t%s\n", line, name, strings.Join(columns, ", "), e.Description)
			break
		}
		text := e.Description
		for _, p := range params {
			fmt.Fprintf(&out, "\t%s: %s\n", p.Name, p.Description)
			text += " " + p.Description
		}
		for _, what := range told.Missing(made, db, text) {
			fmt.Fprintf(&out, "\tuntold: %s\n", what)
		}
	}
	golden.Equal(t, "testdata/postgres.txt", out.String())
}
