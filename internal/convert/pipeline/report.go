package pipeline

import (
	"github.com/birdcall/birdcall/internal/convert/stats"
	"github.com/birdcall/birdcall/internal/db/fingerprint"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/rest"
	"github.com/birdcall/birdcall/pkg/spec"
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

// Wide is a tool whose description has more tokens than some model interfaces take
// (see query.MostTokens), as its database has many properties.
type Wide struct {
	DB     string `json:"db_id"`
	Tool   string `json:"tool"`
	Tokens int    `json:"tokens"`
	// PerCollection is how many tokens the longest description has with one tool for
	// each collection.
	PerCollection int `json:"tokens_per_collection"`
}

// Impossible says why there are no queries of a combination, or too few.
type Impossible struct {
	DB          string `json:"db_id"`
	Combination string `json:"combination"`
	Reason      string `json:"reason"`
}

// Report is the outcome of a conversion.
type Report struct {
	Variant   string           `json:"variant"`
	Toolset   string           `json:"toolset,omitempty"`      // but for REST
	Tool      query.Shape      `json:"tool,omitempty"`         // of QUERY
	Shortlist int              `json:"shortlist,omitempty"`    // percent of the tools that a sample lists; 0 for all
	By        spec.Filler      `json:"shortlist_by,omitempty"` // how lists are filled up; "" for tools drawn at random
	Answering int              `json:"answering,omitempty"`    // tools that were left out of samples, as they answer too
	Totals    Counts           `json:"totals"`
	Sequences Sequences        `json:"sequences"`
	Databases []DatabaseCounts `json:"databases"`
	// Data says which data the databases of the dataset had.
	Data     []fingerprint.Database `json:"data"`
	Stats    *stats.Stats           `json:"stats"`
	Failures []Failure              `json:"failures"`
	Defects  []Defect               `json:"defects,omitempty"` // of REST endpoints
	Server   *rest.Server           `json:"server,omitempty"`  // that has the databases; nil for files
	Wide     []Wide                 `json:"wide,omitempty"`    // of QUERY
	// Impossible are the combinations of which the grid has fewer queries than asked for.
	Impossible []Impossible `json:"impossible,omitempty"`
	// Calls and Parts are of MULTI: whose calls answer the parts, and how many
	// questions can be one.
	Calls string       `json:"calls,omitempty"`
	Parts []PartCounts `json:"parts,omitempty"`

	calls, slots int
}

func newReport(opts Options) *Report {
	r := &Report{Variant: opts.Variant, Shortlist: opts.Writing.Shortlist, Data: []fingerprint.Database{}, Failures: []Failure{}}
	if opts.Writing.By != spec.Random {
		r.By = opts.Writing.By
	}
	r.Toolset, r.Tool = opts.method().toolset(opts), opts.Queries.Shape
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

// Mismatches returns how many answers differ from the SQL's, also of questions that
// were to be parts.
func (r *Report) Mismatches() int {
	n := r.Totals.Mismatch
	for _, p := range r.Parts {
		n += p.Mismatch
	}
	return n
}
