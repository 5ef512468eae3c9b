package prompt

import (
	"context"
	"database/sql"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/sel"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
)

// exampleSchema makes the database that the examples are about.
const exampleSchema = `
CREATE TABLE owner (owner_id INTEGER PRIMARY KEY, name TEXT, town TEXT);
CREATE TABLE repair (repair_id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES owner, bicycle TEXT, received TEXT, price REAL, state TEXT);
INSERT INTO owner VALUES (1, 'Aoife', 'Sligo'), (2, 'Bram', 'Ennis'), (3, 'Cait', 'Sligo');
INSERT INTO repair VALUES (1, 1, 'tandem', '2021-03-04', 80.5, 'ready'), (2, 2, 'racer', '2022-05-06', 40.0, 'ready'),
	(3, 3, 'folding bicycle', '2022-07-08', 25.0, 'waiting'), (4, 1, 'racer', '2023-01-02', 60.0, 'ready'), (5, 3, 'tandem', '2022-09-10', 95.0, 'waiting');`

// exampleQuestions are a join with two filters, an aggregate, and a
// transformation with groups.
var exampleQuestions = []bird.Question{
	{
		Text: "Which bicycles of owners from Sligo are ready?",
		SQL:  "SELECT T1.bicycle FROM repair AS T1 INNER JOIN owner AS T2 ON T1.owner_id = T2.owner_id WHERE T2.town = 'Sligo' AND T1.state = 'ready'",
	},
	{
		Text: "How much did the repairs of tandems cost in all?", Evidence: "cost refers to price",
		SQL: "SELECT SUM(price) FROM repair WHERE bicycle = 'tandem'",
	},
	{
		Text: "In which year were the most bicycles received?", Evidence: "the year is the first four characters of received",
		SQL: "SELECT SUBSTR(received, 1, 4) FROM repair GROUP BY SUBSTR(received, 1, 4) ORDER BY COUNT(*) DESC LIMIT 1",
	},
}

// converter is that of SLOT or of SEL.
type converter interface {
	Convert(context.Context, *bird.Question, ...slot.ConvertOption) (*record.Slot, error)
	Tools(*record.Slot) []spec.Tool
}

// TestExamples converts the questions of the examples anew, so that their calls
// are those that give the right answer.
func TestExamples(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bicycle_repair.sqlite")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(exampleSchema); err != nil {
		t.Fatal(err)
	}
	db.Close()
	d, err := slot.Open(t.Context(), &bird.Database{ID: "bicycle_repair", Path: path})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for variant, c := range map[string]converter{
		record.SLOT: slot.NewConverter(d, slot.Options{}),
		record.SEL:  sel.NewConverter(d, slot.Options{}),
	} {
		var list []example
		for _, q := range exampleQuestions {
			r, err := c.Convert(t.Context(), &q)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, example{
				System: strings.TrimSpace(slot.System(r)), Question: q.Text, Evidence: q.Evidence, Calls: r.Calls,
				Tools: spec.Shortlist(c.Tools(r), r.Calls, 0, 0, ""),
			})
		}
		text, err := jsontext.Marshal(list, " ")
		if err != nil {
			t.Fatal(err)
		}
		golden.Equal(t, "examples/"+variant+".json", string(text)+"\n")
	}
}

// TestHiddenExamples says that the examples of samples whose tools have names
// that say nothing reveal no name either.
func TestHiddenExamples(t *testing.T) {
	for _, variant := range []string{record.SLOT, record.SEL} {
		shown, err := examplesFor(variant, false)
		if err != nil {
			t.Fatal(err)
		}
		hidden, err := examplesFor(variant, true)
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range shown {
			var calls, secret []struct{ Name string }
			if err := json.Unmarshal([]byte(e.Answer), &calls); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(hidden[i].Answer), &secret); err != nil {
				t.Fatal(err)
			}
			text := hidden[i].Answer + strings.Join(hidden[i].Tools, "\n")
			for j, c := range calls {
				if strings.Contains(text, c.Name) || !strings.HasPrefix(secret[j].Name, "FUNC_") {
					t.Errorf("%s, example %d tells %s", variant, i, c.Name)
				}
			}
			if strings.Contains(text, "data_source") {
				t.Errorf("%s, example %d tells data_source", variant, i)
			}
		}
	}
}
