package queryscore

import (
	"fmt"
	"slices"
	"strings"
)

// Metric says what a match is.
type Metric string

// The metrics.
const (
	// Strict takes queries for the same if they mean the same by their form alone:
	// the order of filters, aggregations and chosen properties, the case of names
	// and the space in a search do not count, and 1 is 1.0.
	Strict Metric = "strict"
	// Paper takes arguments for the same if they are identical JSON values, of
	// which null is none. Its AST score compares filters and aggregations as sets.
	Paper Metric = "paper"
	// Published is what the scripts of the paper's repository compute, bug for bug.
	// Of the three types of filters, one that both queries lack is right, one that
	// both have is right if it is the same in everything, and one that only one of
	// them has does not count; where nothing counts, all is wrong. Aggregations are
	// compared in the same way, without top_occurrences_limit. A match is an AST
	// score of 1, which is far from identical arguments.
	Published Metric = "published"
	// Execution runs the query: a match has gold's answer.
	Execution Metric = "execution"
)

// Metrics returns all of them.
func Metrics() []Metric { return []Metric{Strict, Paper, Published, Execution} }

// Calls says which call of an answer is scored where it has several.
type Calls string

// The choices.
const (
	First Calls = "first" // the first one; the default
	Best  Calls = "best"  // the one with the highest score, as the paper does
	One   Calls = "one"   // the only one: several calls are no match
)

// AllCalls returns the choices.
func AllCalls() []Calls { return []Calls{First, Best, One} }

// ParseMetrics reads the names of metrics.
func ParseMetrics(names []string) ([]Metric, error) {
	var out []Metric
	for _, name := range names {
		m := Metric(strings.TrimSpace(name))
		if !slices.Contains(Metrics(), m) {
			return nil, fmt.Errorf("unknown metric %q: use %s", name, list(Metrics()))
		}
		if !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no metric: use %s", list(Metrics()))
	}
	return out, nil
}

// list joins names for messages.
func list[T ~string](names []T) string {
	texts := make([]string, len(names))
	for i, n := range names {
		texts[i] = string(n)
	}
	return strings.Join(texts, ", ")
}
