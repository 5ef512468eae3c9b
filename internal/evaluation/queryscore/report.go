package queryscore

import (
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Report is the scores of one model's answers.
type Report struct {
	Model     string   `json:"model"`
	Toolset   string   `json:"toolset"`
	Shape     string   `json:"tool"`
	Metrics   []Metric `json:"metrics"`
	Calls     Calls    `json:"calls"`
	Simulated bool     `json:"simulated,omitempty"` // no model answered, but a program that stands for one

	Samples     int `json:"samples"`     // of the dataset
	Unpredicted int `json:"unpredicted"` // samples without a prediction, which are not scored
	NotRun      int `json:"not_run"`     // which were not asked and are not scored either

	Total        Scores           `json:"total"`
	Schemas      []Group          `json:"by_schema"` // databases
	Complexities []Group          `json:"by_complexity"`
	Components   []ComponentScore `json:"by_component"`

	Usage    evaluate.Usage     `json:"usage"`
	Notes    []string           `json:"notes,omitempty"` // what is wrong with the data
	Problems []evaluate.Problem `json:"problems"`
	Outcomes []Outcome          `json:"outcomes"`
}

// Group is the scores of the samples that have something in common.
type Group struct {
	Name   string `json:"name"`
	Scores Scores `json:"scores"`
}

// Scores sums up samples.
type Scores struct {
	Samples int `json:"samples"`
	// Called, NoCall, Invalid and Failed add up to Samples.
	Called  int `json:"called"`          // answers with a call that the tool takes
	NoCall  int `json:"no_call"`         // answers without a call
	Invalid int `json:"invalid_call"`    // answers whose call the tool does not take
	Failed  int `json:"transport_error"` // requests that failed
	Several int `json:"several_calls"`   // of Called: answers with more than one call

	Routed Rate          `json:"routing"` // to gold's collection
	Scored []MetricScore `json:"scores"`  // one for each metric
}

// MetricScore is a score by one metric.
type MetricScore struct {
	Metric Metric `json:"metric"`
	// Match is: queries that mean the same (Strict), identical arguments (Paper), an
	// AST score of 1 (Published), or the same answer (Execution).
	Match Rate  `json:"match"`
	AST   *Mean `json:"ast,omitempty"` // of Paper and Published
}

// Rate is a number of samples, and its share of all and of those with a call. A
// share of none is nil.
type Rate struct {
	Count    int      `json:"count"`
	OfAll    *float64 `json:"of_all"`
	OfCalled *float64 `json:"of_called"`
}

// Mean is a sum, divided by all samples and by those with a call.
type Mean struct {
	Sum      float64  `json:"sum"`
	OfAll    *float64 `json:"of_all"`
	OfCalled *float64 `json:"of_called"`
}

// ComponentScore is about the samples whose gold query has a component.
type ComponentScore struct {
	Component Component `json:"component"`
	Samples   int       `json:"samples"`
	Used      int       `json:"used"` // the predicted query has the component, too
	Same      int       `json:"same"` // and it is gold's
	// Extra counts the samples whose predicted query has the component and gold has
	// not.
	Extra   int           `json:"extra"`
	Matches []MetricMatch `json:"matches"` // of whole queries, one for each metric
}

// MetricMatch counts matches by one metric.
type MetricMatch struct {
	Metric  Metric `json:"metric"`
	Matches int    `json:"matches"`
}

// Kind says what an answer is.
type Kind string

// The kinds.
const (
	Called     Kind = "called"
	NoCall     Kind = "no_call"
	InvalidOne Kind = "invalid_call"
	Failed     Kind = "transport_error"
)

// Outcome is one scored sample.
type Outcome struct {
	DB         string           `json:"db_id"`
	ID         bird.ID          `json:"sample_id"`
	Question   string           `json:"question"`
	Complexity query.Complexity `json:"complexity"`
	Kind       Kind             `json:"kind"`
	Reason     string           `json:"reason,omitempty"` // of no call, an invalid one or a failure
	Calls      int              `json:"calls"`
	Routed     bool             `json:"routed"`
	Scored     []Scored         `json:"scores"`
	Gold       tools.Arguments  `json:"gold"`
	Predicted  tools.Arguments  `json:"predicted,omitempty"` // the call that the first metric is about

	parts, got map[Component]string
}

// Scored is the score of a sample by one metric.
type Scored struct {
	Metric Metric   `json:"metric"`
	Match  bool     `json:"match"`
	AST    *float64 `json:"ast,omitempty"`
	Reason string   `json:"reason,omitempty"` // why Execution is no match
}
