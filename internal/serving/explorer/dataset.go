package explorer

import (
	"net/http"

	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/spec"
)

type datasetView struct {
	Layout     string         `json:"layout"`
	Split      string         `json:"split"`
	Variants   []string       `json:"variants"`
	Formats    []string       `json:"formats"`
	Databases  []databaseView `json:"databases"`
	Evaluation bool           `json:"evaluation"` // whether there is one
}

type databaseView struct {
	ID        string `json:"id"`
	Questions int    `json:"questions"`
	Endpoints int    `json:"endpoints"`
}

// dataset answers with what can be chosen.
func (x *Explorer) dataset(*http.Request) (any, error) {
	d := x.env.Dataset()
	v := datasetView{
		Layout: string(d.Layout), Split: d.Split, Variants: x.env.Variants(), Formats: spec.Formats(),
		Databases: []databaseView{}, Evaluation: x.scores != "",
	}
	for _, db := range d.Databases {
		one := databaseView{ID: db.ID}
		if all := x.byDB[db.ID]; all != nil {
			one.Questions = len(all.list)
		}
		if x.opts.API != nil {
			if known := x.opts.API.Database(db.ID); known != nil {
				one.Endpoints = len(known.Endpoints)
			}
		}
		v.Databases = append(v.Databases, one)
	}
	return v, nil
}

type questionView struct {
	ID         string   `json:"id"`
	Question   string   `json:"question"`
	Difficulty string   `json:"difficulty"`
	Constructs []string `json:"constructs"`
	Without    []string `json:"without"` // variants whose report has no sample of it
}

// questionList answers with the questions on a database.
func (x *Explorer) questionList(r *http.Request) (any, error) {
	db := r.FormValue("db")
	all := x.byDB[db]
	if all == nil {
		return nil, missing("database", "The dataset has no questions on "+db+".")
	}
	constructs := all.constructs()
	out := make([]questionView, len(all.list))
	for i, q := range all.list {
		out[i] = questionView{q.ID.String(), q.Text, q.Difficulty, constructs[i], x.without(q)}
	}
	return map[string]any{"db": db, "questions": out}, nil
}

// without returns the variants that a question has no sample of by the reports.
func (x *Explorer) without(q *bird.Question) []string {
	out := []string{}
	for _, report := range x.reports {
		if x.failure(report.Variant, q.DB, q.ID.String()) != nil {
			out = append(out, report.Variant)
		}
	}
	return out
}

// failure returns why a question has no sample, by the variant's report, or nil.
func (x *Explorer) failure(variant, db, id string) *pipeline.Failure {
	for _, report := range x.reports {
		for i, f := range report.Failures {
			if report.Variant == variant && f.DB == db && f.QuestionID.String() == id {
				return &report.Failures[i]
			}
		}
	}
	return nil
}

type questionDetail struct {
	DB string `json:"db"`
	questionView
	Evidence    string `json:"evidence"`
	DuplicateOf string `json:"duplicate_of,omitempty"`
	SQL         []span `json:"sql"`
}

// question answers with a question and its SQL.
func (x *Explorer) question(r *http.Request) (any, error) {
	db, id := r.FormValue("db"), r.FormValue("id")
	q, constructs := x.find(db, id)
	if q == nil {
		return nil, missing("question", "The dataset has no question "+id+" on "+db+".")
	}
	v := questionDetail{
		DB: db, questionView: questionView{id, q.Text, q.Difficulty, constructs, x.without(q)},
		Evidence: q.Evidence, SQL: colour(q.SQL),
	}
	if q.DuplicateOf != (bird.ID{}) {
		v.DuplicateOf = q.DuplicateOf.String()
	}
	return v, nil
}
