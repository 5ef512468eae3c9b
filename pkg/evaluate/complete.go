package evaluate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/internal/evaluation/calltext"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
	"github.com/birdcall/birdcall/pkg/verify"
)

// trial is calls that were run.
type trial struct {
	calls   []calltext.Call
	results []Result // one for each call
}

// try runs calls one after the other. One that fails returns nothing, and those
// that read its result fail too.
func try(ctx context.Context, e Executor, s *Sample, calls []calltext.Call) (*trial, error) {
	episode, err := e.Episode(ctx, s)
	if err != nil {
		return nil, err
	}
	t := &trial{calls: calls, results: make([]Result, len(calls))}
	for i, c := range calls {
		if c.Malformed != "" {
			t.results[i].Err = errors.New("the call " + c.Malformed)
			continue
		}
		t.results[i] = episode.Call(ctx, c.Call)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// reads reports, for each call, whether a later one reads its result.
func (t *trial) reads() []bool {
	out := make([]bool, len(t.calls))
	at := map[string]int{}
	for i, c := range t.calls {
		for _, label := range labelsIn(c.Arguments, nil) {
			if from, ok := at[label]; ok {
				out[from] = true
			}
		}
		if t.results[i].Err == nil && c.Label != "" {
			at[c.Label] = i
		}
	}
	return out
}

// labelsIn appends the labels that a value refers to.
func labelsIn(v any, out []string) []string {
	switch v := v.(type) {
	case string:
		if label, ok := labelOf(v); ok {
			return append(out, label)
		}
	case []any:
		for _, item := range v {
			out = labelsIn(item, out)
		}
	case tools.Arguments:
		for _, a := range v {
			out = labelsIn(a.Value, out)
		}
	}
	return out
}

// exact says whether calls give the right answer, and shows theirs: the rows of
// the last call, or those of all results that no call reads, side by side, if
// that is right.
func (t *trial) exact(ctx context.Context, s *Sample) (answer string, right bool, err error) {
	n := len(t.calls)
	if n == 0 {
		return "", false, nil
	}
	if last := t.results[n-1]; last.Err == nil {
		if answer, right, err = s.judge(ctx, []Result{last}); right || err != nil {
			return answer, right, err
		}
	}
	read := t.reads()
	var parts []Result
	for i, r := range t.results {
		if r.Err == nil && !read[i] {
			parts = append(parts, r)
		}
	}
	if len(parts) > 1 {
		joined, right, err := s.judge(ctx, parts)
		if right || err != nil {
			return joined, right, err
		}
	}
	return answer, false, nil
}

// judge says whether results, side by side, are the right answer, and shows the
// last of them. It reads rows only where there are as many as there should be.
func (s *Sample) judge(ctx context.Context, parts []Result) (shows string, right bool, err error) {
	want, err := s.rows()
	if err != nil {
		return "", false, fmt.Errorf("sample %s: %w", s.Key(), err)
	}
	last := parts[len(parts)-1]
	if slices.ContainsFunc(parts, func(r Result) bool { return r.RowCount != len(want) }) {
		shows, err = last.Show(ctx)
		return shows, false, err
	}
	var rows [][]value.Value
	for i, r := range parts {
		more, err := r.Rows(ctx)
		if err != nil {
			return "", false, err
		}
		if i == 0 {
			rows = slices.Clone(more)
			continue
		}
		for j := range rows {
			rows[j] = slices.Concat(rows[j], more[j])
		}
	}
	right, err = s.isAnswer(rows)
	return shown(spec.Answer(writable(rows))), right, err
}

// isAnswer reports whether rows are the right answer, by the order and the ties
// that the record has.
func (s *Sample) isAnswer(rows [][]value.Value) (bool, error) {
	want, err := s.rows()
	if err != nil {
		return false, fmt.Errorf("sample %s: %w", s.Key(), err)
	}
	how := verify.Options{Ordered: s.Facts.Gold.Ordered}
	if how.Ordered {
		how.Ties = s.groups(len(want))
	}
	return verify.Compare(want, writable(rows), how).Equal, nil
}

// groups numbers the rows of an ordered answer: those of one number may change
// places.
func (s *Sample) groups(rows int) []int {
	out := make([]int, rows)
	for i := range out {
		out[i] = i
	}
	for _, run := range s.Facts.Gold.Ties {
		for i := max(run[0], 0); i <= min(run[1], rows-1); i++ {
			out[i] = run[0]
		}
	}
	return out
}

// writable returns rows as a record has them, where text that is not UTF-8 is a
// BLOB.
func writable(rows [][]value.Value) [][]value.Value {
	out := rows
	for i, row := range rows {
		for j, v := range row {
			if v.Kind() != value.Text || utf8.ValidString(v.Raw()) {
				continue
			}
			if &out[0] == &rows[0] {
				out = slices.Clone(rows)
			}
			out[i] = slices.Clone(out[i])
			out[i][j] = value.Bytes(v.Raw())
		}
	}
	return out
}

// tooMuch stands for an answer with more values than the right one has, which
// need not be read. It is equal to nothing.
type tooMuch struct{}

// MarshalText says so in reports.
func (tooMuch) MarshalText() ([]byte, error) { return []byte("more values than the answer has"), nil }

// paper does what the paper's code does: the answer is what no argument of any
// call names, in the order of the calls, by itself if it is one result. It has
// the shape that gold_answer has. The code stops where a call reads a result that
// is not there.
func (t *trial) paper(ctx context.Context, s *Sample) (answer any, err error) {
	named := map[string]bool{}
	for _, c := range t.calls {
		for _, a := range c.Arguments {
			if text, ok := a.Value.(string); ok {
				named[strings.Trim(text, "$")] = true
			}
		}
	}
	var order []string
	results := map[string]Result{}
	if s.Start != nil && !named[s.Start.Initialization.Label] && !named[agentStart] && len(t.calls) > 0 {
		return nil, nil // the starting table would be a part of the answer
	}
	for i, c := range t.calls {
		r := t.results[i]
		if missing(c, results, s) {
			break
		}
		label := c.Label
		if !s.HasLabels() {
			label = c.Name
		}
		if r.Err != nil || label == "" {
			continue
		}
		if _, known := results[label]; !known {
			order = append(order, label)
		}
		results[label] = r
	}
	want, err := s.rows()
	if err != nil {
		return nil, fmt.Errorf("sample %s: %w", s.Key(), err)
	}
	cells := len(want) * len(s.Facts.Gold.Columns)
	list := []any{}
	for _, label := range order {
		if named[label] {
			continue
		}
		if r := results[label]; r.RowCount*r.Columns > cells {
			return tooMuch{}, nil
		}
		rows, err := results[label].Rows(ctx)
		if err != nil {
			return nil, err
		}
		list = append(list, spec.Answer(rows))
	}
	if len(list) == 1 {
		return list[0], nil
	}
	return list, nil
}

// missing reports whether an argument is the label of a result that is not there.
func missing(c calltext.Call, results map[string]Result, s *Sample) bool {
	if !s.HasLabels() {
		return false
	}
	for _, a := range c.Arguments {
		text, _ := a.Value.(string)
		label, ok := labelOf(text)
		if !ok {
			continue
		}
		_, isResult := results[label]
		if _, isStart := s.start(label); !isResult && !isStart {
			return true
		}
	}
	return false
}

// paperEqual compares two answers as the paper's code does: lists of one
// dimension as texts in any order, others cell by cell in their order.
func paperEqual(a, b any, of *variant.Variant) bool {
	x, isX := a.([]any)
	y, isY := b.([]any)
	if of.Calls == variant.Endpoints || !isX || !isY {
		return pythonEqual(a, b)
	}
	if isTable(x) || isTable(y) {
		return tablesEqual(x, y)
	}
	return len(x) == len(y) && multiset(texts(x), texts(y)) == Counts{TP: len(x)}
}

func texts(list []any) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = pythonText(v)
	}
	return out
}

// isTable reports whether a list is of rows.
func isTable(list []any) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(v any) bool { _, ok := v.([]any); return !ok })
}

// tablesEqual compares rows as numpy's array_equal does: cells are texts if any
// of them is one, unless there is a NULL, with which each cell keeps its type.
func tablesEqual(x, y []any) bool {
	asText := isText(x) || isText(y)
	return slices.EqualFunc(x, y, func(a, b any) bool {
		r, ok := a.([]any)
		q, isRow := b.([]any)
		return ok && isRow && slices.EqualFunc(r, q, func(v, w any) bool {
			if asText {
				return pythonText(v) == pythonText(w)
			}
			return pythonEqual(v, w)
		})
	})
}

// isText reports whether a table has a text and no NULL.
func isText(table []any) bool {
	found := false
	for _, row := range table {
		cells, _ := row.([]any)
		for _, v := range cells {
			if v == nil {
				return false
			}
			_, isText := v.(string)
			found = found || isText
		}
	}
	return found
}

// pythonEqual reports whether two values are equal in Python: numbers by their
// value, and nothing else across types.
func pythonEqual(a, b any) bool {
	return pythonText(byValue(a)) == pythonText(byValue(b)) && isString(a) == isString(b)
}

func isString(v any) bool {
	_, ok := v.(string)
	return ok
}

// byValue writes numbers in a value so that equal ones have the same text.
func byValue(v any) any { return uniform(v, "") }
