package multi

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/artifact/record"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/rest"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Name is that of the variant, and of what stands for the database of its records:
// they have two each, and all of them are in one file.
const Name = "multi"

// Form says whose calls answer the questions.
type Form string

// The forms.
const (
	Slot Form = "slot" // tools on tables
	Rest Form = "rest" // endpoints
)

// Forms returns their names.
func Forms() []string { return []string{string(Slot), string(Rest)} }

// Record is one sample as it is written. Its fields are those of other variants,
// but for the SQL and the tables, which the parts have.
type Record struct {
	Input       string       `json:"input"`
	DatasetName string       `json:"dataset_name"` // Name
	SampleID    bird.ID      `json:"sample_id"`    // its number among the pairs
	Databases   []string     `json:"databases"`    // of the parts, in their order
	GoldAnswer  string       `json:"gold_answer"`  // "Q1" or "Q2"
	Output      []tools.Call `json:"output"`
	Tools       []spec.Tool  `json:"tools"`                // of both databases, and Compare
	ToolsFile   string       `json:"tools_file,omitempty"` // in the place of tools, where these are in a file of their own

	Form  Form   `json:"calls"`
	Which Which  `json:"comparison"` // what is asked for
	Parts []Part `json:"parts"`      // Q1 and Q2

	record.Facts
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
	Initialization *tools.Start         `json:"initialization_step,omitempty"`
	Further        []tools.Start        `json:"further_initialization_steps,omitempty"`
	StartingTables []slot.StartingTable `json:"starting_tables,omitempty"`
	Keys           []slot.Key           `json:"key_values_and_descriptions,omitempty"`
}

// Verified is a question with its verified calls, and its answer.
type Verified struct {
	Question *bird.Question
	Number   value.Value
	Facts    record.Facts
	Slot     *slot.Record // of Slot
	Rest     *rest.Record // of Rest
}

// Number returns the answer of a question if it qualifies for a part: if it is one
// row with one number, which SQL does not leave open, and which does not depend on
// the clock.
func Number(f record.Facts, rows [][]value.Value) (value.Value, bool) {
	if f.TieDependent || f.TimeDependent || len(rows) != 1 || len(rows[0]) != 1 {
		return value.Value{}, false
	}
	v := rows[0][0]
	isNumber := v.Kind() == value.Integer || v.Kind() == value.Real && !math.IsInf(v.Float64(), 0)
	return v, isNumber
}

// New returns the record of a pair of questions, without tools. Its calls are those
// of the questions under labels that do not clash, and one of Compare.
func New(id bird.ID, pair Pair, first, second *Verified, form Form) *Record {
	r := &Record{
		DatasetName: Name, SampleID: id, Form: form, Which: pair.Which,
		Input: ask(pair, first.Question.Text, second.Question.Text),
	}
	labels := &Labels{}
	for _, v := range []*Verified{first, second} {
		r.Databases = append(r.Databases, v.Question.DB)
		number, _ := tools.LiteralJSON(v.Number).(json.Number)
		part := Part{
			Question: v.Question.Text, Evidence: v.Question.Evidence, Database: v.Question.DB, QuestionID: v.Question.ID,
			SQL: v.Question.SQL, Answer: number,
		}
		var calls []tools.Call
		if form == Rest {
			calls = v.Rest.Calls()
		} else {
			calls = part.start(v.Slot)
		}
		calls = labels.relabel(calls, v.Slot, part.Starts())
		part.Result = calls[len(calls)-1].Label
		r.Output = append(r.Output, calls...)
		r.Parts = append(r.Parts, part)
		r.add(v)
	}
	compare := tools.Call{Name: CompareTool, Arguments: tools.Arguments{
		{Name: ArgFirst, Value: "$" + r.Parts[0].Result + "$"},
		{Name: ArgSecond, Value: "$" + r.Parts[1].Result + "$"},
		{Name: ArgWhich, Value: string(r.Which)},
	}}
	compare.Label = labels.Next(compare)
	r.Output = append(r.Output, compare)
	answer := r.Which.Of(first.Number, second.Number)
	r.GoldAnswer = answer
	r.Gold = record.Gold{Columns: []string{answerColumn}, Rows: [][]any{{answer}}}
	return r
}

// add notes what the facts of a part say of the whole.
func (r *Record) add(v *Verified) {
	if text := v.Question.Evidence; text != "" {
		if r.Evidence != "" {
			r.Evidence += " "
		}
		r.Evidence += partName(len(r.Parts)-1) + ": " + ended(text)
	}
	r.Split = v.Question.Split
	for _, c := range v.Facts.Constructs {
		if !slices.Contains(r.Constructs, c) {
			r.Constructs = append(r.Constructs, c)
		}
	}
	slices.Sort(r.Constructs)
	if r.Constructs == nil {
		r.Constructs = []string{}
	}
}

// start takes over what the calls of a record start from, with labels that begin
// with the database, and returns its calls.
func (p *Part) start(r *slot.Record) []tools.Call {
	renamed := func(s tools.Start) tools.Start {
		s.Label = tools.KeyName(r.DatasetName, labelOf(s))
		return s
	}
	first := renamed(r.Initialization)
	p.Initialization, p.Keys = &first, r.Keys
	for _, s := range r.Further {
		p.Further = append(p.Further, renamed(s))
	}
	for i, t := range r.StartingTables {
		t.Name = p.Starts()[i].Label
		p.StartingTables = append(p.StartingTables, t)
	}
	return r.Output
}

func labelOf(s tools.Start) string {
	if s.Label == "" {
		return tools.StartLabel
	}
	return s.Label
}

// Starts returns the starting tables of a part, none where its call is that of an
// endpoint.
func (p *Part) Starts() []tools.Start {
	if p.Initialization == nil {
		return nil
	}
	return append([]tools.Start{*p.Initialization}, p.Further...)
}

// record returns what the part starts from as a record of pkg/slot.
func (p *Part) record() *slot.Record {
	return &slot.Record{
		DatasetName: p.Database, Keys: p.Keys, Initialization: *p.Initialization, Further: p.Further, StartingTables: p.StartingTables,
	}
}

// Start returns what the calls of both parts start from as one record of pkg/slot,
// nil where they are of endpoints. The database of each starting table is its own.
func (r *Record) Start() *slot.Record {
	var out *slot.Record
	for i := range r.Parts {
		p := &r.Parts[i]
		switch {
		case p.Initialization == nil:
			return nil
		case out == nil:
			out = p.record()
			out.DatasetName, out.SampleID, out.Output = r.DatasetName, r.SampleID, r.Output
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

// Check says what a record that was read lacks: New makes none that lacks anything.
func (r *Record) Check() error {
	if r.Form != Slot && r.Form != Rest {
		return fmt.Errorf("its calls are of the form %q; there are %s", r.Form, strings.Join(Forms(), " and "))
	}
	if len(r.Parts) != 2 || len(r.Databases) != 2 {
		return fmt.Errorf("it has %d parts of %d databases, and not two", len(r.Parts), len(r.Databases))
	}
	for i := range r.Parts {
		starts := r.Parts[i].Starts()
		if r.Form == Slot && len(starts) == 0 || len(starts) != len(r.Parts[i].StartingTables) {
			return fmt.Errorf("part %d has %d initialization steps for %d starting tables", i, len(starts), len(r.Parts[i].StartingTables))
		}
	}
	return nil
}

// With returns the record with those calls in the place of its own, such as the
// same ones under obfuscated names, and without its tools, which have others.
func (r *Record) With(calls []tools.Call) *Record {
	out := *r
	out.Tools, out.Output = nil, calls
	return &out
}
