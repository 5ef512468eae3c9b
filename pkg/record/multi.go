package record

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Multi is one sample of MULTI: two questions about two databases, whose answers are
// compared. The SQL and the tables are those of the parts.
type Multi struct {
	Question   string       `json:"input"`
	DB         string       `json:"dataset_name"` // MULTI
	ID         bird.ID      `json:"sample_id"`    // its number among the pairs
	Databases  []string     `json:"databases"`    // of the parts, in their order
	GoldAnswer string       `json:"gold_answer"`  // "Q1" or "Q2"
	Calls      []tools.Call `json:"output"`
	Tools      []spec.Tool  `json:"tools"`                // of both databases, and the one that compares
	ToolsFile  string       `json:"tools_file,omitempty"` // instead of tools, where these are in a file of their own

	Form  string `json:"calls"`      // SLOT or REST: whose calls they are
	Which string `json:"comparison"` // what is asked for
	Parts []Part `json:"parts"`      // Q1 and Q2

	Facts
}

// Part is one of the two questions, with its own answer.
type Part struct {
	Question   string      `json:"question"`
	Evidence   string      `json:"evidence,omitempty"`
	Database   string      `json:"dataset_name"`
	QuestionID bird.ID     `json:"question_id"` // the dataset's own
	SQL        string      `json:"query"`
	Answer     json.Number `json:"gold_answer"` // digit by digit
	Result     string      `json:"result"`      // the label of the call that returns it

	// What the calls of Slot start from, as in records of pkg/slot.
	Initialization *tools.Start    `json:"initialization_step,omitempty"`
	Further        []tools.Start   `json:"further_initialization_steps,omitempty"`
	StartingTables []StartingTable `json:"starting_tables,omitempty"`
	Keys           []Key           `json:"key_values_and_descriptions,omitempty"`
}

// Starts returns the starting tables of a part, none where its call is that of an
// endpoint.
func (p *Part) Starts() []tools.Start {
	if p.Initialization == nil {
		return nil
	}
	return append([]tools.Start{*p.Initialization}, p.Further...)
}

// Start returns what the part starts from as a record of its own, without a question.
func (p *Part) Start() *Slot {
	return &Slot{
		DB: p.Database, Keys: p.Keys, Initialization: *p.Initialization, Further: p.Further, StartingTables: p.StartingTables,
	}
}

// Start returns what the calls of both parts start from as one record,
// nil where they are of endpoints. The database of each starting table is its own.
func (r *Multi) Start() *Slot {
	var out *Slot
	for i := range r.Parts {
		p := &r.Parts[i]
		switch {
		case p.Initialization == nil:
			return nil
		case out == nil:
			out = p.Start()
			out.DB, out.ID, out.Calls = r.DB, r.ID, r.Calls
			out.Further = slices.Clone(out.Further)
			out.StartingTables, out.Keys = slices.Clone(out.StartingTables), slices.Clone(out.Keys)
		default:
			out.Further = append(out.Further, p.Starts()...)
			out.StartingTables = append(out.StartingTables, p.StartingTables...)
			out.Keys = append(out.Keys, p.Keys...)
		}
	}
	return out
}

// Check says what a record that was read lacks: convert writes none that lacks
// anything.
func (r *Multi) Check() error {
	if r.Form != SLOT && r.Form != REST {
		return fmt.Errorf("its calls are of the form %q; there are %s and %s", r.Form, SLOT, REST)
	}
	if len(r.Parts) != 2 || len(r.Databases) != 2 {
		return fmt.Errorf("it has %d parts of %d databases, and not two", len(r.Parts), len(r.Databases))
	}
	for i := range r.Parts {
		starts := r.Parts[i].Starts()
		if r.Form == SLOT && len(starts) == 0 || len(starts) != len(r.Parts[i].StartingTables) {
			return fmt.Errorf("part %d has %d initialization steps for %d starting tables", i, len(starts), len(r.Parts[i].StartingTables))
		}
	}
	return nil
}
