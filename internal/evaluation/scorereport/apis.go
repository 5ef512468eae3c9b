package scorereport

import (
	"fmt"
	"strconv"
	"time"

	"github.com/birdcall/birdcall/internal/text/table"
	"github.com/birdcall/birdcall/pkg/evaluate"
)

// apiTable sets what predictions asked of APIs next to what gold's statements ask,
// nil where they use no API.
func apiTable(r *evaluate.Report) *table.Table {
	a := r.Total.APIs
	if a == nil {
		return nil
	}
	t := &table.Table{
		Title: fmt.Sprintf("What was asked of APIs, by the %s rules", r.Rules),
		Columns: []table.Column{
			{Name: "samples", Words: true}, {Name: "n"}, {Name: "calls"}, {Name: "requests"}, {Name: "bytes"},
			{Group: "each", Name: "calls"}, {Group: "each", Name: "bytes"},
		},
	}
	for _, part := range []struct {
		name string
		sum  evaluate.APISum
	}{{"completed", a.Completed}, {"all", a.All}} {
		s := part.sum
		add := func(whose string, asked evaluate.APIUsage, calls, bytes float64) {
			t.Add(part.name+", "+whose, table.Count(s.Samples), table.Count(asked.Calls), table.Count(asked.Requests), table.Count(int(asked.Bytes)),
				strconv.FormatFloat(calls, 'f', 2, 64), table.Count(int(bytes+0.5)))
		}
		add("predicted", s.Predicted, s.MeanCalls, s.MeanBytes)
		add("gold's", s.Gold, s.GoldMeanCalls, s.GoldMeanBytes)
	}
	return t
}

// apiFact says in a line what completed samples asked of APIs, "" where they use no
// API.
func apiFact(r *evaluate.Report) string {
	a := r.Total.APIs
	if a == nil {
		return ""
	}
	c := a.Completed
	return fmt.Sprintf("calls of APIs in %s that were completed: %s, gold's %s", samples(c.Samples), table.Count(c.Predicted.Calls), table.Count(c.Gold.Calls))
}

// apiTime says how long the statements took, which is printed and in no file.
func apiTime(r *evaluate.Report) string {
	a := r.Total.APIs
	if a == nil || a.All.Samples == 0 || a.All.Time == 0 {
		return ""
	}
	each := func(d time.Duration) string {
		return strconv.FormatFloat(d.Seconds()*1000/float64(a.All.Samples), 'f', 1, 64)
	}
	return fmt.Sprintf("time: %s ms a statement, gold's %s ms", each(a.All.Time), each(a.All.GoldTime))
}
