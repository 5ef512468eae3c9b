package evaluate

import (
	"encoding/json"
	"fmt"

	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/sel"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Sample is one record of a dataset. A model is shown the tools as they are
// listed; scores are about their real names, which Reveal returns.
type Sample struct {
	Variant string
	DB      string
	ID      bird.ID

	Question string
	Evidence string // the dataset's hint; may be ""
	SQL      string
	// System says what the tools do not: the starting tables and their
	// keys. "" for REST.
	System string
	// Now is the instant that stands for the clock, as RFC 3339 writes it; ""
	// where nothing reads it.
	Now string

	Tools  []spec.Tool     // as listed: possibly a share of all, under names that say nothing
	Listed []tools.Call    // the gold calls as the record has them
	Gold   []tools.Call    // the gold calls under their real names, as they are run
	Answer json.RawMessage // the record's gold_answer
	Facts  record.Facts

	// Start has the tables that the calls start from, nil for REST.
	Start *record.Slot

	// Pair is a question over two databases, nil for any other.
	Pair *record.Multi

	// rows has the right answer. It is read when it is first asked for: some
	// answers have many thousands of rows, and without running calls none is needed.
	rows   func() ([][]value.Value, error)
	names  *spec.Names        // nil where names are shown
	strict bool               // whether null stands for an argument left out
	set    *sel.Set           // of SEL
	real   func() []spec.Tool // the tools under their real names; nil for REST
}

// Key names the sample in files and messages: its database and its id.
func (s *Sample) Key() string { return s.DB + "/" + s.ID.String() }

// AnswerRows returns how many rows the right answer has. Errors are those of reading
// it from the record.
func (s *Sample) AnswerRows() (int, error) {
	rows, err := s.rows()
	if err != nil {
		return 0, fmt.Errorf("sample %s: %w", s.Key(), err)
	}
	return len(rows), nil
}

// HasLabels reports whether results have labels by which later calls can read them.
func (s *Sample) HasLabels() bool { return s.variant().Calls != variant.Endpoints || s.Pair != nil }

// variant describes the sample's variant.
func (s *Sample) variant() *variant.Variant { return variant.Of(s.Variant) }

// Session returns a session in which the sample's calls run under their real
// names, which for SEL are not those of the tools. It is for SLOT and SEL.
func (s *Sample) Session(in *tools.Session) slot.Session {
	if s.set != nil {
		return sel.NewSession(s.set, in)
	}
	return in
}
