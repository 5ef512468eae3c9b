package pipeline

import (
	"github.com/birdcall/birdcall/internal/stats"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/rest"
	"github.com/birdcall/birdcall/pkg/slot"
)

// Status is what became of a question.
type Status string

// The statuses of a question that was not verified.
const (
	Unsupported Status = "unsupported" // a construct that is not planned, or an answer that SQL leaves open and that could not be proven
	Mismatch    Status = "mismatch"    // the calls answer differently: a defect of ours
	Timeout     Status = "timeout"     // the time for one question ran out
	SQLError    Status = "sql_error"   // the SQL itself fails
)

// Counts counts questions. TieDependent ones are among the verified; the other
// statuses add up, with verified, to Questions.
type Counts struct {
	Questions    int `json:"questions"`
	Verified     int `json:"verified"`
	TieDependent int `json:"tie_dependent"`
	Unsupported  int `json:"unsupported"`
	Mismatch     int `json:"mismatch"`
	Timeout      int `json:"timeout"`
	SQLError     int `json:"sql_error"`
}

func (c *Counts) add(o *outcome) {
	c.Questions++
	switch o.status {
	case "":
		c.Verified++
		if o.tie {
			c.TieDependent++
		}
	case Unsupported:
		c.Unsupported++
	case Mismatch:
		c.Mismatch++
	case Timeout:
		c.Timeout++
	case SQLError:
		c.SQLError++
	}
}

// Failure says why a question has no sample.
type Failure struct {
	QuestionID bird.ID `json:"question_id"`
	DB         string  `json:"db_id"`
	Status     Status  `json:"status"`
	Construct  string  `json:"construct"`
	Reason     string  `json:"reason"`
}

// DatabaseCounts are the counts of one database.
type DatabaseCounts struct {
	DB string `json:"db_id"`
	Counts
}

// Sequences sums up the samples' calls.
type Sequences struct {
	AverageLength float64 `json:"average_length"` // calls per sample
	MaximumLength int     `json:"maximum_length"`
	SlotsPerCall  float64 `json:"slots_per_call"` // arguments per call
}

// Defect says what is wrong with the description of an endpoint, whose samples
// are right all the same.
type Defect struct {
	Endpoint  string    `json:"endpoint"`
	DB        string    `json:"db_id"`
	Questions []bird.ID `json:"question_ids"`
	Reason    string    `json:"reason"`
}

// Report is the outcome of a conversion.
type Report struct {
	Variant   string           `json:"variant"`
	Toolset   slot.Toolset     `json:"toolset,omitempty"`   // of SLOT and SEL
	Shortlist int              `json:"shortlist,omitempty"` // percent of the tools that a sample lists; 0 for all
	Totals    Counts           `json:"totals"`
	Sequences Sequences        `json:"sequences"`
	Databases []DatabaseCounts `json:"databases"`
	Stats     *stats.Stats     `json:"stats"`
	Failures  []Failure        `json:"failures"`
	Defects   []Defect         `json:"defects,omitempty"` // of REST endpoints
	Server    *rest.Server     `json:"server,omitempty"`  // that has the databases; nil for files

	calls, slots int
}

func newReport(opts Options) *Report {
	r := &Report{Variant: opts.Variant, Shortlist: opts.Writing.Shortlist, Failures: []Failure{}}
	if opts.Variant != REST {
		r.Toolset = opts.Toolset
	}
	return r
}

func (r *Report) add(db string, outcomes []*outcome) {
	counts := DatabaseCounts{DB: db}
	for _, o := range outcomes {
		counts.add(o)
		r.Totals.add(o)
		if o.status != "" {
			r.Failures = append(r.Failures, Failure{QuestionID: o.question.ID, DB: db, Status: o.status, Construct: o.construct, Reason: o.reason})
			continue
		}
		calls, slots := o.sample.size()
		r.calls += calls
		r.slots += slots
		r.Sequences.MaximumLength = max(r.Sequences.MaximumLength, calls)
	}
	r.Databases = append(r.Databases, counts)
	r.Sequences.AverageLength = stats.Ratio(r.calls, r.Totals.Verified)
	r.Sequences.SlotsPerCall = stats.Ratio(r.slots, r.calls)
}
