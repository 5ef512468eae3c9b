package rowscore

import (
	"fmt"

	"github.com/sqlc-dev/meyer/lexer"
	"github.com/sqlc-dev/meyer/token"
)

// Report is the scores of a file of predictions.
type Report struct {
	Total     Scores
	Databases []Group  // in the order in which gold has them
	Problems  []string // gold questions without rows, which are left out, and predictions that cannot be used
}

// Group is the scores of one database.
type Group struct {
	DB     string
	Scores Scores
}

// Scores sums up questions.
type Scores struct {
	Questions int
	Missing   int // without a prediction, or with one that has no rows; they do not match
	Matched   int // the rows are there
	Exact     int // and nothing else, in gold's order of columns
	Timed     int // predictions with a time
	Seconds   float64
}

// IsOrdered reports whether a query fixes the order of its rows: by an ORDER BY
// outside of parentheses.
func IsOrdered(sql string) bool {
	depth := 0
	for _, t := range lexer.Lex(sql) {
		switch {
		case t.Kind == token.LP:
			depth++
		case t.Kind == token.RP:
			depth--
		case t.Kind == token.ORDER && depth == 0:
			return true
		}
	}
	return false
}

// Score holds predictions against gold, by the questions' ids.
func Score(gold, predicted []Answer) *Report {
	r := &Report{}
	by := map[string]*Answer{}
	for i := range predicted {
		by[predicted[i].ID] = &predicted[i]
	}
	at := map[string]int{}
	known := map[string]bool{}
	for _, g := range gold {
		known[g.ID] = true
		if !g.HasRows {
			r.problem("gold", g, "left out")
			continue
		}
		i, ok := at[g.DB]
		if !ok {
			i = len(r.Databases)
			at[g.DB] = i
			r.Databases = append(r.Databases, Group{DB: g.DB})
		}
		one := score(g, by[g.ID])
		r.Total.add(one)
		r.Databases[i].Scores.add(one)
	}
	for _, p := range predicted {
		if !known[p.ID] {
			r.Problems = append(r.Problems, fmt.Sprintf("predictions, line %d: %s is no question of gold", p.Line, p.ID))
		} else if !p.HasRows {
			r.problem("predictions", p, "no match")
		}
	}
	return r
}

// problem notes an answer that has no rows.
func (r *Report) problem(file string, a Answer, so string) {
	why := a.Wrong
	if why == "" {
		why = "there are no rows"
	}
	r.Problems = append(r.Problems, fmt.Sprintf("%s, line %d: %s: %s: %s", file, a.Line, a.ID, why, so))
}

// score scores one question; p is nil if it has no prediction.
func score(g Answer, p *Answer) Scores {
	s := Scores{Questions: 1}
	if p != nil && p.Seconds > 0 {
		s.Timed, s.Seconds = 1, p.Seconds
	}
	if p == nil || !p.HasRows {
		s.Missing = 1
		return s
	}
	ordered := IsOrdered(g.SQL)
	if Match(g.Rows, p.Rows, ordered) {
		s.Matched = 1
	}
	if Exact(g.Rows, p.Rows, ordered) {
		s.Exact = 1
	}
	return s
}

func (s *Scores) add(o Scores) {
	s.Questions += o.Questions
	s.Missing += o.Missing
	s.Matched += o.Matched
	s.Exact += o.Exact
	s.Timed += o.Timed
	s.Seconds += o.Seconds
}
