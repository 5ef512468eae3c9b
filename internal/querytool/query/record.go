package query

import (
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Record is one sample as it is written: the fields of the other variants first,
// then what is the query tool's own.
type Record struct {
	SQL        string      `json:"query"` // the SQL that the answer was held against
	Question   string      `json:"input"`
	DB         string      `json:"dataset_name"`
	ID         bird.ID     `json:"sample_id"`
	GoldAnswer any         `json:"gold_answer"`
	Calls      []Output    `json:"output"`
	Tools      []spec.Tool `json:"tools"`
	ToolsFile  string      `json:"tools_file,omitempty"` // instead of tools, where these are in a file of the database's

	Collections []Collection `json:"collections"`
	Toolset     Toolset      `json:"toolset"`
	Shape       Shape        `json:"tool"`
	// AnswerFrom are the parts of the tool's result that are the columns of the answer.
	// It is empty for a query of the grid, whose answer is the whole result.
	AnswerFrom []Part     `json:"answer_from"`
	Components Components `json:"components"`
	Complexity Complexity `json:"complexity"`
	// Source says where the query is from.
	Source Source `json:"source"`
	// Template says that the question was phrased by a template.
	Template bool `json:"template,omitempty"`

	record.Facts
}

// Output is the call of the tool that answers the question.
type Output struct {
	Name      string          `json:"name"`
	Arguments tools.Arguments `json:"arguments"`
}

// ToolCalls returns the record's call as pkg/spec takes it.
func (r *Record) ToolCalls() []tools.Call {
	out := make([]tools.Call, len(r.Calls))
	for i, c := range r.Calls {
		out[i] = tools.Call{Name: c.Name, Arguments: c.Arguments}
	}
	return out
}

// With returns the record with other calls instead of its own.
func (r *Record) With(calls []tools.Call) *Record {
	out := *r
	out.Calls = make([]Output, len(calls))
	for i, c := range calls {
		out.Calls[i] = Output{c.Name, c.Arguments}
	}
	return &out
}

// Source says where a query is from.
type Source string

// The sources.
const (
	FromSQL  Source = "sql"  // the SQL of a dataset's question
	FromGrid Source = "grid" // the combinations of arguments over a schema
)

// Complexity is how many of the tool's arguments a query has besides the collection
// (section 3.2 of the paper).
type Complexity string

// The complexities. A query of no argument is simple, too.
const (
	Simple   Complexity = "simple"   // 1 argument
	Moderate Complexity = "moderate" // 2
	Complex  Complexity = "complex"  // 3 and more
)

// Components are the arguments of the paper that a query has.
type Components struct {
	Search       bool   `json:"search"`
	Filters      []Type `json:"filters"`      // of the properties, each type once
	Aggregations []Type `json:"aggregations"` // the same; a count of objects is one of numbers
	Grouped      bool   `json:"grouped"`
}

// ComponentsOf returns the components of a query. Dates are texts here.
func ComponentsOf(q Query, collections []Collection) Components {
	c := Find(collections, q.Collection)
	out := Components{Search: q.Search != "", Grouped: len(q.GroupBy) > 0, Filters: []Type{}, Aggregations: []Type{}}
	has := map[Type]bool{}
	var filters func([]Filter)
	filters = func(list []Filter) {
		for _, f := range list {
			if f.Property != "" {
				has[AsPaper(c.typeOf(f.Property))] = true
			}
			filters(f.AnyOf)
			filters(f.AllOf)
		}
	}
	filters(q.Filters)
	computed := map[Type]bool{}
	for _, a := range q.Aggregations {
		t := Number
		if a.Property != "" {
			t = AsPaper(c.typeOf(a.Property))
		}
		computed[t] = true
	}
	for _, t := range paperTypes {
		if has[t] {
			out.Filters = append(out.Filters, t)
		}
		if computed[t] {
			out.Aggregations = append(out.Aggregations, t)
		}
	}
	return out
}

// Complexity says how complex a query of these components is.
func (c Components) Complexity() Complexity {
	n := len(c.Filters) + len(c.Aggregations)
	for _, is := range []bool{c.Search, c.Grouped} {
		if is {
			n++
		}
	}
	switch {
	case n <= 1:
		return Simple
	case n == 2:
		return Moderate
	}
	return Complex
}
