// Package variant describes the variants of samples: what programs and packages ask
// of one, so that none of them asks for its name. A new variant is a description in
// List, and a method in package pipeline that makes its samples.
package variant

import (
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/artifact/export"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
)

// Variant describes one variant.
type Variant struct {
	Name  string // in flags, reports, folders and routes
	Usage string // what the help of --variant says of it, after its name; may be ""
	// Record is what is written of a sample: a zero value of its type.
	Record any
	Calls  Calls
	// Bound says that every choice of a tool is bound into a function of its own.
	Bound bool
	// Pairs says that a sample is about two questions, so that samples are of no
	// single database. Their calls are those of another variant.
	Pairs    bool
	Toolsets []string // names of the toolsets; none where tools have no choice
	Flags    []string // of convert, that are for this variant alone
	Subject  string   // what these flags are about
	// Examples are the embedded sample's questions that make the examples for prompts.
	Examples []int
	Summary  string // of the records, in a dataset card
}

// Calls says what the calls of a sample are. The zero value is of a variant that is
// unknown, or whose samples differ in that.
type Calls int

// The kinds of calls.
const (
	Tables    Calls = iota + 1 // of tools on tables: later calls read results by labels
	Endpoints                  // of endpoints
	Queries                    // of the tool that queries a database
)

// List has all variants. Another one is a line here.
var List = []*Variant{&plain, &bound, &endpoint, &queries, &pairs}

// Of returns the variant of that name. An unknown one has nothing but its name.
func Of(name string) *Variant {
	at := slices.IndexFunc(List, func(v *Variant) bool { return v.Name == name })
	if at < 0 {
		return &Variant{Name: name}
	}
	return List[at]
}

// Columns returns the columns of the records in tables.
func (v *Variant) Columns() []export.Column {
	if v.Record == nil {
		return nil
	}
	return export.ColumnsOf(v.Record)
}

// HasSessions reports whether calls depend on earlier ones, whose results they read.
func (v *Variant) HasSessions() bool { return v.Calls != Endpoints && v.Calls != Queries }

// Names returns the names of all variants.
func Names() []string { return names(func(*Variant) bool { return true }) }

// Single returns the names of those that make a sample of each question.
func Single() []string { return names(func(v *Variant) bool { return !v.Pairs }) }

// Scored returns the names of those whose samples are sequences of calls.
func Scored() []string { return names(func(v *Variant) bool { return v.Calls != Queries }) }

func names(is func(*Variant) bool) []string {
	var out []string
	for _, v := range List {
		if is(v) {
			out = append(out, v.Name)
		}
	}
	return out
}

// Usage lists the variants for the help of --variant.
func Usage() string {
	var out []string
	for _, v := range List {
		out = append(out, strings.TrimSpace(v.Name+" "+v.Usage))
	}
	last := len(out) - 1
	return strings.Join(out[:last], ", ") + ", or " + out[last]
}

var plain = Variant{
	Name: record.SLOT, Record: record.Slot{}, Calls: Tables,
	Toolsets: slot.Toolsets(), Examples: dataframeExamples,
	Summary: "Questions about SQLite databases, and sequences of calls of generic dataframe tools that were executed and give the answer of the questions' SQL.",
}

var bound = Variant{
	Name: record.SEL, Record: record.Slot{}, Calls: Tables, Bound: true,
	Usage:    "with every choice bound into a function of its own",
	Toolsets: slot.Toolsets(), Examples: dataframeExamples,
	Summary: "Questions about SQLite databases, and sequences of calls of specific dataframe tools that were executed and give the answer of the questions' SQL.",
}

var endpoint = Variant{
	Name: record.REST, Record: record.Rest{}, Calls: Endpoints,
	Usage:    "with an endpoint for every query",
	Examples: dataframeExamples,
	Summary:  "Questions about SQLite databases, and calls of REST endpoints that were asked over HTTP and give the answer of the questions' SQL.",
}

var queries = Variant{
	Name: record.QUERY, Record: query.Record{}, Calls: Queries,
	Usage:    "with one tool that queries a database",
	Toolsets: query.Toolsets(), Flags: []string{"tool", "per-combination"}, Subject: "queries",
	Examples: []int{3, 43, 44}, // a filter, an aggregation, and both
	Summary:  "Questions about SQLite databases, and calls of a tool that queries a database, which were executed and give the answer of the questions' SQL.",
}

var pairs = Variant{
	Name: record.MULTI, Record: record.Multi{}, Pairs: true,
	Usage:    "with pairs of questions about two databases",
	Toolsets: slot.Toolsets(), Flags: []string{"calls", "multi"}, Subject: "pairs of questions",
	Examples: []int{0, 17, 44, 57, 83, 95}, // two of each database, which make three pairs
	Summary:  "Pairs of questions about two SQLite databases, of which the larger or the smaller answer is asked for, and sequences of calls that were executed and give the answers of the questions' SQL.",
}

// dataframeExamples are a join with two filters, an aggregate, and a transformation
// with groups, as the paper's prompts have one set of examples for all databases
// (appendix F.1.9). Each toolset can answer them.
var dataframeExamples = []int{8, 91, 53}
