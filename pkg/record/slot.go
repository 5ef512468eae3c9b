package record

import (
	"errors"
	"fmt"

	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Slot is one sample of SLOT or SEL: a sequence of calls of tools, and the tables
// that they start from. Package slot makes and runs them.
type Slot struct {
	SQL        string       `json:"query"`
	Question   string       `json:"input"`
	DB         string       `json:"dataset_name"`
	ID         bird.ID      `json:"sample_id"` // the dataset's own question id
	GoldAnswer any          `json:"gold_answer"`
	Calls      []tools.Call `json:"output"`
	Tools      []spec.Tool  `json:"tools"`
	ToolsFile  string       `json:"tools_file,omitempty"` // instead of tools, where these are in a file of the database's
	Keys       []Key        `json:"key_values_and_descriptions"`

	Initialization tools.Start `json:"initialization_step"`

	// Further are the starting tables of subqueries with a FROM of their own.
	Further []tools.Start `json:"further_initialization_steps,omitempty"`
	// StartingTables say which keys each of these tables has.
	StartingTables []StartingTable `json:"starting_tables"`

	Facts
}

// Check reports the first field of a record that was read which is not as a converter
// writes it, so that the record's tables cannot be made.
func (r *Slot) Check() error {
	starts := r.Starts()
	for _, s := range starts {
		if len(s.Tables) == 0 {
			return errors.New("initialization_step: it names no table")
		}
	}
	if len(r.StartingTables) != len(starts) {
		return fmt.Errorf("starting_tables: the keys of %d tables are given, and the record starts with %d", len(r.StartingTables), len(starts))
	}
	return nil
}

// Key describes a column of a sample's starting tables.
type Key struct {
	Name        string `json:"key_name"`
	Description string `json:"description"`
	Type        string `json:"dtype"` // integer, number or string
	// Values says what the values mean, where the dataset does.
	Values string `json:"values,omitempty"`
}

// StartingTable is a table that calls may start with: "$Name$" in an argument is
// the table, and Keys are its columns in their order.
type StartingTable struct {
	Name string   `json:"name"`
	Keys []string `json:"keys"`
}

// Starts returns all starting tables: the initialization and the further ones.
func (r *Slot) Starts() []tools.Start {
	return append([]tools.Start{r.Initialization}, r.Further...)
}
