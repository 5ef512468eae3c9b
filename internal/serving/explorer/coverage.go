package explorer

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/pkg/episode"
)

type coverageView struct {
	Variants   []variantView `json:"variants"` // those with a report
	Databases  []groupView   `json:"databases"`
	Constructs []groupView   `json:"constructs"`
	Failures   []failureView `json:"failures"`
}

type variantView struct {
	Variant       string  `json:"variant"`
	Toolset       string  `json:"toolset,omitempty"`
	Questions     int     `json:"questions"`
	Verified      int     `json:"verified"`
	TieDependent  int     `json:"tie_dependent"`
	AverageLength float64 `json:"average_length"`
	MaximumLength int     `json:"maximum_length"`
	SlotsPerCall  float64 `json:"slots_per_call"`
}

// groupView is the questions that have something in common.
type groupView struct {
	Name      string   `json:"name"`
	Questions int      `json:"questions"`
	Verified  []*int   `json:"verified"` // by variant; nil where its report does not have them
	IDs       []string `json:"-"`
}

type failureView struct {
	Variant   string `json:"variant"`
	DB        string `json:"db"`
	ID        string `json:"id"`
	Status    string `json:"status"`
	Construct string `json:"construct"`
	Reason    string `json:"reason"`
}

// coverage answers with what the reports of the folders of samples say of the
// dataset's questions. Without folders it has the questions alone.
func (x *Explorer) coverage(*http.Request) (any, error) {
	v := coverageView{Variants: []variantView{}, Databases: []groupView{}, Failures: []failureView{}}
	for _, r := range x.reports {
		v.Variants = append(v.Variants, variantView{
			r.Variant, r.Toolset, r.Totals.Questions, r.Totals.Verified, r.Totals.TieDependent,
			r.Sequences.AverageLength, r.Sequences.MaximumLength, r.Sequences.SlotsPerCall,
		})
		for _, f := range r.Failures {
			v.Failures = append(v.Failures, failureView{r.Variant, f.DB, f.QuestionID.String(), string(f.Status), f.Construct, f.Reason})
		}
	}
	failed := x.failedQuestions()
	constructs := map[string]*groupView{}
	for _, db := range x.env.Dataset().Databases {
		all := x.byDB[db.ID]
		if all == nil {
			continue
		}
		one := x.newGroup(db.ID)
		names := all.constructs()
		for i, q := range all.list {
			key := q.DB + "/" + q.ID.String()
			x.count(&one, q.DB, key, failed)
			for _, name := range names[i] {
				if constructs[name] == nil {
					g := x.newGroup(name)
					constructs[name] = &g
				}
				x.count(constructs[name], q.DB, key, failed)
			}
		}
		v.Databases = append(v.Databases, one)
	}
	v.Constructs = make([]groupView, 0, len(constructs))
	for _, name := range slices.Sorted(maps.Keys(constructs)) {
		v.Constructs = append(v.Constructs, *constructs[name])
	}
	slices.SortStableFunc(v.Constructs, func(a, b groupView) int { return cmp.Compare(b.Questions, a.Questions) })
	return v, nil
}

// failedQuestions returns the questions that each report has no sample of.
func (x *Explorer) failedQuestions() []map[string]bool {
	out := make([]map[string]bool, len(x.reports))
	for i, r := range x.reports {
		out[i] = map[string]bool{}
		for _, f := range r.Failures {
			out[i][f.DB+"/"+f.QuestionID.String()] = true
		}
	}
	return out
}

func (x *Explorer) newGroup(name string) groupView {
	return groupView{Name: name, Verified: make([]*int, len(x.reports))}
}

// count adds a question to a group.
func (x *Explorer) count(g *groupView, db, key string, failed []map[string]bool) {
	g.Questions++
	for i, r := range x.reports {
		if !slices.ContainsFunc(r.Databases, func(d pipeline.DatabaseCounts) bool { return d.DB == db }) {
			continue
		}
		if g.Verified[i] == nil {
			g.Verified[i] = new(int)
		}
		if !failed[i][key] {
			*g.Verified[i]++
		}
	}
}

// Bounds of one request for conversions, so that the page can show how far it is.
const (
	maxConverted = 10
	convertTime  = 2 * time.Second // after which no other question is begun
)

type convertedView struct {
	Next    int             `json:"next"` // the first question that was not tried; Total at the end
	Total   int             `json:"total"`
	Results []convertedItem `json:"results"`
}

type convertedItem struct {
	ID     string `json:"id"`
	Reason string `json:"reason,omitempty"` // why there is no sample
}

// converted answers whether a few of a database's questions have samples of a
// variant. Those that the environment does not have are converted.
func (x *Explorer) converted(r *http.Request) (any, error) {
	db, variant := r.FormValue("db"), r.FormValue("variant")
	all := x.byDB[db]
	if all == nil {
		return nil, missing("database", "The dataset has no questions on "+db+".")
	}
	from, err := strconv.Atoi(cmp.Or(r.FormValue("from"), "0"))
	if err != nil || from < 0 {
		return nil, &wrong{http.StatusBadRequest, "Wrong number", "from is the number of a question, such as 0."}
	}
	v := convertedView{Next: min(from, len(all.list)), Total: len(all.list), Results: []convertedItem{}}
	enough, cancel := context.WithTimeout(r.Context(), convertTime)
	defer cancel()
	for _, q := range all.list[v.Next:min(v.Next+maxConverted, v.Total)] {
		one := convertedItem{ID: q.ID.String()}
		_, err := x.env.Task(r.Context(), variant, db, one.ID)
		var none *episode.NoTaskError
		switch {
		case errors.As(err, &none):
			one.Reason = reason(none)
		case err != nil:
			return nil, err
		}
		v.Results = append(v.Results, one)
		v.Next++
		if enough.Err() != nil {
			break
		}
	}
	return v, nil
}
