package evaluate

import (
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Rules names a set of rules.
type Rules string

// The rules; docs/evaluation.md defines them.
const (
	Exact Rules = "exact" // what calls mean
	Paper Rules = "paper" // what the code of Elder et al. does
)

// Report is the score of one model on one dataset, by one set of rules.
type Report struct {
	Model       string `json:"model"`
	Variant     string `json:"variant"`
	Mode        Mode   `json:"mode"`
	Rules       Rules  `json:"rules"`
	Executed    bool   `json:"executed"`            // false: completed means the same calls
	Obfuscated  bool   `json:"obfuscated"`          // whether names said nothing
	Share       int    `json:"tools_percent"`       // of its tools that a sample lists
	Simulated   bool   `json:"simulated,omitempty"` // no model answered, but a program that stands for one
	Samples     int    `json:"samples"`             // of the dataset
	Unpredicted int    `json:"unpredicted"`         // samples without a prediction, which are not scored
	NotRun      int    `json:"not_run"`             // which are not scored either
	Failed      int    `json:"failed"`              // nor these

	Total        Scores  `json:"total"`
	Databases    []Group `json:"by_database"`
	Difficulties []Group `json:"by_difficulty"`
	Constructs   []Group `json:"by_construct"`
	Lengths      []Group `json:"by_length"`   // the number of gold calls
	Universes    []Group `json:"by_universe"` // the number of tools listed

	Usage    Usage     `json:"usage"`
	Problems []Problem `json:"problems"`

	// Outcomes are the samples that were scored, in the dataset's order. They are
	// not in report.json, but in a file of their own.
	Outcomes []Outcome `json:"-"`
}

// Group is the scores of the samples that have something in common.
type Group struct {
	Name   string `json:"name"`
	Scores Scores `json:"scores"`
}

// Scores sums up samples. All of precision, recall and F1 are micro: the counts
// are summed over the samples first.
type Scores struct {
	Samples        int    `json:"samples"`
	Intent         Metric `json:"intent"` // by position: the calls before the first difference
	IntentSet      Metric `json:"intent_set"`
	IntentMultiset Metric `json:"intent_multiset"`
	Slot           Metric `json:"slot"`

	Completed      int     `json:"completed"`
	CompletionRate float64 `json:"completion_rate"` // of Samples
	OtherCalls     int     `json:"completed_by_other_calls"`

	// Errors counts the samples that were not completed by class.
	Errors map[Class]int `json:"errors"`
	Loops  *Loops        `json:"react,omitempty"` // nil but for ReAct and Agent

	APIs *APIScores `json:"apis,omitempty"` // nil where no database uses an API

	Pairs *PairScores `json:"double,omitempty"` // nil but for MULTI
}

// Metric is precision, recall and F1 with the counts that they are made of. One
// that would be 0/0 is nil.
type Metric struct {
	Counts
	Precision *float64 `json:"precision"`
	Recall    *float64 `json:"recall"`
	F1        *float64 `json:"f1"`
}

// Counts are true positives, false positives and false negatives.
type Counts struct {
	TP int `json:"true_positives"`
	FP int `json:"false_positives"`
	FN int `json:"false_negatives"`
}

// Loops is about ReAct and Agent (appendix H.1.2). OutOfBudget and Stuck overlap.
type Loops struct {
	Average      float64 `json:"average_loops"` // over all samples
	OutOfBudget  int     `json:"out_of_budget"` // failed with the last loop that was allowed
	Stuck        int     `json:"stuck"`         // failed with two consecutive calls of one function
	StuckSame    int     `json:"stuck_on_the_same_call"`
	Unclassified int     `json:"unclassified"` // failed and neither
}

// Class is the class of a sample's error.
type Class string

// The classes, in the order in which they are tried (appendix H.1.1).
const (
	InstructionAlignment Class = "instruction_alignment_failure"
	FunctionCount        Class = "wrong_func_count"
	FunctionFormat       Class = "wrong_func_format"
	HallucinatedName     Class = "hallucinated_func_name"
	WrongName            Class = "wrong_func_name"
	MissingParameter     Class = "missing_required_parameter"
	UnexpectedParameter  Class = "unexpected_param"
	ValueError           Class = "value_error"
)

// Classes returns the classes in their order.
func Classes() []Class {
	return []Class{InstructionAlignment, FunctionCount, FunctionFormat, HallucinatedName, WrongName, MissingParameter, UnexpectedParameter, ValueError}
}

// Problem is what is wrong with the input.
type Problem struct {
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"` // 0 for a file that has no lines of its own
	Kind string `json:"kind"`           // such as "two predictions"; the kinds are counted
	Text string `json:"text"`
}

// Outcome is one scored sample.
type Outcome struct {
	DB         string   `json:"db_id"`
	ID         bird.ID  `json:"sample_id"`
	Question   string   `json:"question"`
	Difficulty string   `json:"difficulty,omitempty"`
	Constructs []string `json:"constructs,omitempty"`
	Tools      int      `json:"tools_listed"`
	Tied       bool     `json:"tie_dependent,omitempty"` // several answers are right, and one is known

	Completed  bool   `json:"completed"`
	OtherCalls bool   `json:"completed_by_other_calls,omitempty"`
	Error      Class  `json:"error,omitempty"`
	Reason     string `json:"reason,omitempty"` // of the error, in words

	Intent         Counts `json:"intent"`
	IntentSet      Counts `json:"intent_set"`
	IntentMultiset Counts `json:"intent_multiset"`
	Slot           Counts `json:"slot"`

	// Gold and Predicted are under their real names.
	Gold        []Called     `json:"gold"`
	Predicted   []Called     `json:"predicted"`
	Text        string       `json:"text,omitempty"` // what the model wrote, where no calls could be read or it is SQL
	SQL         string       `json:"gold_sql,omitempty"`
	Differences []Difference `json:"differences,omitempty"`
	GoldAnswer  string       `json:"gold_answer"`      // as JSON, shortened where it is long
	Answer      string       `json:"answer,omitempty"` // of the predicted calls

	APIs *APICost `json:"apis,omitempty"` // of SQL and Agent on a database that uses APIs

	Pair *PairResult `json:"double,omitempty"` // nil but for MULTI

	Loops     int  `json:"loops,omitempty"`
	LastLoop  bool `json:"out_of_budget,omitempty"`
	Stuck     bool `json:"stuck,omitempty"`
	StuckSame bool `json:"stuck_on_the_same_call,omitempty"`
}

// Called is a call and what it returned, "" where it was not run.
type Called struct {
	tools.Call
	Returned string `json:"returned,omitempty"`
	Failed   bool   `json:"failed,omitempty"` // whether that is an error
	Wrong    string `json:"malformed,omitempty"`
}

// Difference is a slot that is not as gold has it. Gold and Predicted are the
// numbers of the calls, counted from 0, or -1 for none.
type Difference struct {
	Gold      int    `json:"gold_call"`
	Predicted int    `json:"predicted_call"`
	Argument  string `json:"argument,omitempty"` // "" for the function itself
	Want      string `json:"want,omitempty"`     // as JSON; "" for nothing
	Got       string `json:"got,omitempty"`
}
