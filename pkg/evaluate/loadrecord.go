package evaluate

import (
	"encoding/json"

	"github.com/birdcall/birdcall/internal/convert/multi"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
)

// gold is a record's gold with its values as they are there.
type gold struct {
	Columns []string        `json:"columns"`
	Rows    json.RawMessage `json:"rows"`
	Ordered bool            `json:"ordered"`
	Ties    [][2]int        `json:"ties"`
}

// fields are what a record has in the form of its file: its tools, in any format,
// and its answer, whose numbers must keep their digits.
type fields struct {
	tools     []json.RawMessage
	toolsFile string
	answer    json.RawMessage
	gold      gold
}

func (s *Sample) readSlot(text json.RawMessage) (*fields, error) {
	var r struct {
		record.Slot
		Tools      []json.RawMessage `json:"tools"`
		GoldAnswer json.RawMessage   `json:"gold_answer"`
		Gold       gold              `json:"gold"`
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, err
	}
	if err := r.Check(); err != nil {
		return nil, err
	}
	s.ID, s.Question, s.SQL, s.Facts, s.Listed = r.ID, r.Question, r.SQL, r.Facts, r.Calls
	s.Start, s.System = &r.Slot, slot.System(&r.Slot)
	return &fields{r.Tools, r.ToolsFile, r.GoldAnswer, r.Gold}, nil
}

func (s *Sample) readRest(text json.RawMessage) (*fields, error) {
	var r struct {
		record.Rest
		Tools      []json.RawMessage `json:"tools"`
		GoldAnswer json.RawMessage   `json:"gold_answer"`
		Gold       gold              `json:"gold"`
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, err
	}
	s.ID, s.Question, s.SQL, s.Facts, s.Listed = r.ID, r.Question, r.SQL, r.Facts, r.ToolCalls()
	return &fields{r.Tools, r.ToolsFile, r.GoldAnswer, r.Gold}, nil
}

// readMulti reads a pair, whose sample is one of the variant whose calls it has.
func (s *Sample) readMulti(text json.RawMessage) (*fields, error) {
	var r struct {
		record.Multi
		Tools      []json.RawMessage `json:"tools"`
		GoldAnswer json.RawMessage   `json:"gold_answer"`
		Gold       gold              `json:"gold"`
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, err
	}
	if r.GoldAnswer != nil {
		if err := json.Unmarshal(r.GoldAnswer, &r.Multi.GoldAnswer); err != nil {
			return nil, err
		}
	}
	if err := r.Check(); err != nil {
		return nil, err
	}
	s.ID, s.Question, s.Facts, s.Listed = r.ID, r.Question, r.Facts, r.Calls
	s.Pair, s.Variant, s.Start, s.System = &r.Multi, r.Form, r.Start(), multi.System(&r.Multi)
	return &fields{r.Tools, r.ToolsFile, r.GoldAnswer, r.Gold}, nil
}
