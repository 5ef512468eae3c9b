package multi

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Forms returns the variants whose calls can answer the questions.
func Forms() []string { return []string{record.SLOT, record.REST} }

// Verified is a question with its verified calls, and its answer.
type Verified struct {
	Question *bird.Question
	Number   value.Value
	Facts    record.Facts
	Slot     *record.Slot // of the form SLOT
	Rest     *record.Rest // of the form REST
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
// of the questions under labels that do not clash, and one of CompareTool.
func New(id bird.ID, pair Pair, first, second *Verified, form string) *record.Multi {
	r := &record.Multi{
		DB: record.MULTI, ID: id, Form: form, Which: string(pair.Which),
		Question: ask(pair, first.Question.Text, second.Question.Text),
	}
	labels := &Labels{}
	for _, v := range []*Verified{first, second} {
		r.Databases = append(r.Databases, v.Question.DB)
		number, _ := tools.LiteralJSON(v.Number).(json.Number)
		part := record.Part{
			Question: v.Question.Text, Evidence: v.Question.Evidence, Database: v.Question.DB, QuestionID: v.Question.ID,
			SQL: v.Question.SQL, Answer: number,
		}
		var calls []tools.Call
		if form == record.REST {
			calls = v.Rest.ToolCalls()
		} else {
			calls = start(&part, v.Slot)
		}
		calls = labels.relabel(calls, v.Slot, part.Starts())
		part.Result = calls[len(calls)-1].Label
		r.Calls = append(r.Calls, calls...)
		r.Parts = append(r.Parts, part)
		add(r, v)
	}
	compare := tools.Call{Name: CompareTool, Arguments: tools.Arguments{
		{Name: ArgFirst, Value: "$" + r.Parts[0].Result + "$"},
		{Name: ArgSecond, Value: "$" + r.Parts[1].Result + "$"},
		{Name: ArgWhich, Value: r.Which},
	}}
	compare.Label = labels.Next(compare)
	r.Calls = append(r.Calls, compare)
	answer := pair.Which.Of(first.Number, second.Number)
	r.GoldAnswer = answer
	r.Gold = record.Gold{Columns: []string{AnswerColumn}, Rows: [][]any{{answer}}}
	return r
}

// add notes what the facts of a part say of the whole.
func add(r *record.Multi, v *Verified) {
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
func start(p *record.Part, r *record.Slot) []tools.Call {
	renamed := func(s tools.Start) tools.Start {
		s.Label = tools.KeyName(r.DB, labelOf(s))
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
	return r.Calls
}

func labelOf(s tools.Start) string {
	if s.Label == "" {
		return tools.StartLabel
	}
	return s.Label
}
