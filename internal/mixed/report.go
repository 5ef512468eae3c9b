package mixed

import (
	"time"

	"github.com/birdcall/birdcall/pkg/bird"
)

// Call is a call that a statement made.
type Call struct {
	Operation string `json:"operation"`
	Path      string `json:"path"` // with the query
	Rows      int    `json:"rows"`
}

// Cost is what a statement, or several, took of the API.
type Cost struct {
	Calls    int   `json:"calls"`
	Attempts int   `json:"attempts"` // requests that were sent
	Requests int   `json:"requests"` // that the service counted
	Rounds   int   `json:"rounds"`
	Bytes    int64 `json:"bytes"`
	// Least is how many calls suffice for what the statement's last run asked for:
	// for each table its pages, or its keys in batches if these are fewer, and for
	// each function its arguments in batches.
	Least int `json:"least_calls"`
}

func (c *Cost) add(o Cost) {
	c.Calls += o.Calls
	c.Attempts += o.Attempts
	c.Requests += o.Requests
	c.Rounds += o.Rounds
	c.Bytes += o.Bytes
	c.Least += o.Least
}

// maxCalls is how many times the least number of calls a statement may make.
const maxCalls = 2

// Outcome is what became of a question.
type Outcome struct {
	ID     bird.ID `json:"question_id"`
	DB     string  `json:"db_id"`
	State  State   `json:"state"`
	Reason string  `json:"reason,omitempty"` // of an error, its name
	Detail string  `json:"detail,omitempty"`
	// Untouched says that the statement names a table of the API, and SQLite found
	// that it need not read one.
	Untouched bool `json:"untouched,omitempty"`
	Cost
	Over bool `json:"over_bound,omitempty"` // more calls than twice the least

	plain, took time.Duration
	of          bird.ID       // the question that it is made of
	record      *questionForm // nil if the question is left out
}

// Totals sums outcomes.
type Totals struct {
	Questions int            `json:"questions"`
	States    map[State]int  `json:"states"`
	Errors    map[string]int `json:"errors,omitempty"`
	Untouched int            `json:"untouched"`
	OverBound int            `json:"over_bound"`
	Written   int            `json:"written"` // to the question file
	Refused   map[string]int `json:"refused,omitempty"`
	Cost      `json:"cost"`
	Plain     time.Duration `json:"-"` // that the file took
	Took      time.Duration `json:"-"` // that it took with the API
}

// Report is what became of the questions at one share and seed.
type Report struct {
	Benchmark int                 `json:"benchmark"`
	Share     int                 `json:"share"`
	Seed      uint64              `json:"seed"`
	Cache     string              `json:"cache"`
	Databases []DatabasePlacement `json:"databases"`
	Totals    Totals              `json:"totals"`
	Questions []Outcome           `json:"questions"`
	Behind    []APIPlacement      `json:"-"`
	Silent    []string            `json:"silent,omitempty"` // tables that were read without a request
	asking    Asking
	refusals  map[string]int // of Benchmark II
}

// DatabasePlacement says which tables of a database are behind the API.
type DatabasePlacement struct {
	ID     string   `json:"db_id"`
	Tables int      `json:"tables"`
	Moved  []string `json:"moved"`
}

// sum fills in the totals.
func (r *Report) sum() {
	t := Totals{Questions: len(r.Questions), States: map[State]int{}, Errors: map[string]int{}, Refused: r.refusals}
	for _, o := range r.Questions {
		t.States[o.State]++
		if o.State == Failed {
			t.Errors[o.Reason]++
		}
		if o.Untouched {
			t.Untouched++
		}
		if o.Over {
			t.OverBound++
		}
		if o.record != nil {
			t.Written++
		}
		t.Cost.add(o.Cost)
		t.Plain += o.plain
		t.Took += o.took
	}
	r.Totals = t
}

// Wrong reports whether an answer was wrong, or a table was read past the API.
func (r *Report) Wrong() bool { return r.Totals.States[Mismatch] > 0 || len(r.Silent) > 0 }
