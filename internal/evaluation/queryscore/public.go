package queryscore

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Public is a file of predictions as the paper's repository has them
// (github.com/weaviate/weaviate-gorilla): the answers of one model together with the
// questions, their schemas and their gold queries.
type Public struct {
	Model   string
	Samples []*Sample
	Answers map[*Sample]Answer
	// Stored are the AST scores in the file, one for each sample.
	Stored []float64
	// SameSearch says that the scores are by the first version of the script; see
	// Options.
	SameSearch bool

	misrouted []bool // whether a sample was asked with another database's tool
}

// presenceSince is the day since which the script asks only whether both queries
// search. The repository has no file between the two.
const presenceSince = "2024-11-22"

type publicFile struct {
	Timestamp string          `json:"timestamp"`
	Model     string          `json:"model_name"`
	Results   *[]publicResult `json:"detailed_results"`
}

type publicResult struct {
	Index     int              `json:"query_index"`
	Schema    int              `json:"database_schema_index"`
	Question  string           `json:"natural_language_query"`
	Gold      tools.Arguments  `json:"ground_truth_query"`
	Predicted *tools.Arguments `json:"predicted_query"`
	Score     float64          `json:"ast_score"`
	Error     *string          `json:"error"`
}

// publicSchema is the schema of a database in a gold query.
type publicSchema struct {
	Collections []struct {
		Name       string `json:"name"`
		About      string `json:"envisioned_use_case_overview"`
		Properties []struct {
			Name        string   `json:"name"`
			Types       []string `json:"data_type"`
			Description string   `json:"description"`
		} `json:"properties"`
	} `json:"weaviate_collections"`
}

// IsPublic says whether a file's content is one of the paper's repository: one
// object with detailed_results.
func IsPublic(content []byte) bool {
	var f struct {
		Results json.RawMessage `json:"detailed_results"`
	}
	return json.Unmarshal(content, &f) == nil && f.Results != nil
}

// ReadPublic reads a file of the paper's repository.
func ReadPublic(path string) (*Public, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	p, err := ParsePublic(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// ParsePublic reads the content of such a file.
func ParsePublic(content []byte) (*Public, error) {
	var f publicFile
	if err := json.Unmarshal(content, &f); err != nil {
		return nil, fmt.Errorf("it is no file of the paper's repository: %w", err)
	}
	if f.Results == nil {
		return nil, fmt.Errorf("it is no file of the paper's repository, which has detailed_results")
	}
	p := &Public{Model: f.Model, Answers: map[*Sample]Answer{}, SameSearch: f.Timestamp < presenceSince}
	schemas := map[int]map[string]int{} // how often each schema is under a number
	for i, r := range *f.Results {
		s, err := r.sample()
		if err != nil {
			return nil, fmt.Errorf("result %d: %w", i, err)
		}
		p.Samples, p.Stored = append(p.Samples, s), append(p.Stored, r.Score)
		p.Answers[s] = r.answer()
		if schemas[r.Schema] == nil {
			schemas[r.Schema] = map[string]int{}
		}
		schemas[r.Schema][s.DB]++
	}
	for i, r := range *f.Results {
		own := schemas[r.Schema][p.Samples[i].DB]
		most := 0
		for _, n := range schemas[r.Schema] {
			most = max(most, n)
		}
		p.misrouted = append(p.misrouted, own < most)
	}
	return p, nil
}

func (r *publicResult) sample() (*Sample, error) {
	schema, err := json.Marshal(get(r.Gold, "database_schema"))
	if err != nil {
		return nil, err
	}
	var from publicSchema
	if err := json.Unmarshal(schema, &from); err != nil {
		return nil, fmt.Errorf("the schema: %w", err)
	}
	s := &Sample{ID: bird.Number(r.Index), Question: r.Question, Toolset: query.Paper, Shape: query.Unified}
	for _, c := range from.Collections {
		one := query.Collection{Name: c.Name, Description: c.About}
		for _, p := range c.Properties {
			one.Properties = append(one.Properties, query.Property{Name: p.Name, Type: publicType(p.Types), Description: p.Description})
		}
		s.Collections = append(s.Collections, one)
	}
	if len(s.Collections) > 0 {
		s.DB = s.Collections[0].Name // schemas have no names
	}
	s.Gold = publicCall(r.Gold)
	s.Complexity = complexity(s.Gold.Arguments)
	return s, nil
}

func publicType(types []string) query.Type {
	if len(types) == 1 {
		switch types[0] {
		case "number":
			return query.Number
		case "boolean":
			return query.Boolean
		}
	}
	return query.Text
}

// answer reads the answer. A call is valid if the script took it for one, whatever
// the tool says.
func (r *publicResult) answer() Answer {
	if r.Predicted != nil && *r.Predicted != nil {
		return Answer{Calls: []Call{publicCall(*r.Predicted)}}
	}
	reason := "no error is told"
	if r.Error != nil {
		reason = *r.Error
	}
	says := func(texts ...string) bool {
		for _, t := range texts {
			if strings.Contains(reason, t) {
				return true
			}
		}
		return false
	}
	switch {
	case r.Error == nil || says("No tool called", "No response"):
		return Answer{Reason: reason}
	case says("validation error", "must be a mapping"): // of the script's own models
		return Answer{Calls: []Call{{Err: fmt.Errorf("%s", reason)}}}
	}
	return Answer{Failed: true, Reason: reason}
}

// publicCall reads arguments as the repository has them.
func publicCall(from tools.Arguments) Call {
	var c Call
	for _, a := range from {
		switch a.Name {
		case "database_schema", "corresponding_natural_language_query":
			continue
		case "target_collection":
			a.Name = argCollection
		}
		c.Arguments = append(c.Arguments, a)
	}
	c.Query = loose(c.Arguments)
	return c
}

// loose reads a query of the paper's toolset as far as it can be read, without
// asking whether it fits the collections: some gold queries do not.
func loose(a tools.Arguments) query.Query {
	q := query.Query{Collection: text(a, argCollection), Search: text(a, argSearch)}
	for _, name := range paperFilters {
		if o, ok := get(a, name).(tools.Arguments); ok {
			f := query.Filter{Property: text(o, argProperty), Operator: query.Operator(text(o, argOperator))}
			if v, ok := tools.LiteralValue(get(o, argValue)); ok && v != value.NullValue() {
				f.Value = v.Any()
			}
			if b, ok := get(o, argValue).(bool); ok {
				f.Value = b
			}
			q.Filters = append(q.Filters, f)
		}
	}
	for _, name := range paperAggregations {
		if o, ok := get(a, name).(tools.Arguments); ok {
			one := query.Aggregation{Property: text(o, argProperty), Metric: query.Metric(text(o, argMetrics))}
			if v, ok := tools.LiteralValue(get(o, "top_occurrences_limit")); ok && v.Kind() == value.Integer {
				one.Limit = int(v.Int64())
			}
			q.Aggregations = append(q.Aggregations, one)
		}
	}
	if g := text(a, argGroup); g != "" {
		q.GroupBy = []string{g}
	}
	return q
}

// Notes counts what is wrong with the file, and how many of its scores the metric
// Published computes again.
func (p *Public) Notes() []string {
	var unfitGold, unfit, misrouted, again, ones, later, identical, failed int
	for i, s := range p.Samples {
		a := p.Answers[s]
		if !fits(s.Gold.Arguments, s.Collections) {
			unfitGold++
		}
		if p.misrouted[i] {
			misrouted++
		}
		if a.Failed {
			failed++
		}
		score := 0.0
		if len(a.Calls) > 0 && a.Calls[0].Err == nil {
			got := a.Calls[0].Arguments
			score = script{p.SameSearch}.ast(typedOf(s.Gold.Arguments, nil), typedOf(got, nil))
			if !fits(got, s.Collections) {
				unfit++
			}
			if (script{}).ast(typedOf(s.Gold.Arguments, nil), typedOf(got, nil)) == 1 {
				later++
			}
			if score == 1 {
				ones++
				if paperMatch(s.Gold.Arguments, got) {
					identical++
				}
			}
		}
		if score == p.Stored[i] {
			again++
		}
	}
	n := len(p.Samples)
	searches := "asks only whether both queries search"
	if p.SameSearch {
		searches = "asks for the same text to search for"
	}
	notes := []string{
		fmt.Sprintf("%d of %d scores in the file are computed again to the last bit, by the version of the script that %s", again, n, searches),
		fmt.Sprintf("%d of the %d answers with a published AST of 1 are identical to gold", identical, ones),
		fmt.Sprintf("%d gold queries do not fit their own schema, nor do %d of the predicted calls", unfitGold, unfit),
		fmt.Sprintf("%d questions were asked with the tool of another database", misrouted),
		fmt.Sprintf("%d requests failed, which the published no-tool rate counts as no call", failed),
	}
	if p.SameSearch {
		notes = append(notes, fmt.Sprintf("by the later version, which asks only whether both queries search, %d answers have a published AST of 1", later))
	}
	return notes
}

// fits says whether the collection has the properties that arguments name, and of
// the types that the arguments are for.
func fits(a tools.Arguments, collections []query.Collection) bool {
	c := query.Find(collections, text(a, argCollection))
	if c == nil {
		return false
	}
	for i, t := range []query.Type{query.Number, query.Text, query.Boolean} {
		for _, name := range []string{paperFilters[i], paperAggregations[i]} {
			if o, ok := get(a, name).(tools.Arguments); ok {
				if p := c.Property(text(o, argProperty)); p == nil || p.Type != t {
					return false
				}
			}
		}
	}
	g := text(a, argGroup)
	return g == "" || c.Property(g) != nil
}
