package find

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/pkg/value"
)

// result writes down what was found.
func (x *Index) result(a *asked) *Result {
	r := &Result{}
	x.judge(r, a)
	for _, k := range Kinds() {
		if len(a.q.Kinds) > 0 && !slices.Contains(a.q.Kinds, k) {
			continue
		}
		switch k {
		case KindDatabase:
			for _, f := range x.ranked(a, k, a.ranking.database, func(i int) int { return i }) {
				r.Databases = append(r.Databases, Hit{Kind: k, DB: x.parts[f.place].id, Score: round(f.score), Reason: x.whyDatabase(a, f.place)})
			}
		case KindTable:
			for _, f := range x.ranked(a, k, a.ranking.table, func(i int) int { return x.names.tables[i].db }) {
				p := x.names.tables[f.place]
				r.Tables = append(r.Tables, Hit{Kind: k, DB: x.parts[p.db].id, Table: x.tableName(p), Score: round(f.score), Reason: x.whyTable(a, f.place)})
			}
		case KindColumn:
			for _, f := range x.ranked(a, k, a.ranking.column, func(i int) int { return x.names.columns[i].db }) {
				p := x.names.columns[f.place]
				r.Columns = append(r.Columns, Hit{Kind: k, DB: x.parts[p.db].id, Table: x.tableName(p), Column: x.columnName(p), Score: round(f.score), Reason: x.whyColumn(a, f.place)})
			}
		case KindValue:
			r.Values = x.valueHits(a)
		case KindTool:
			best := bestValues(a.values)
			for _, f := range x.ranked(a, k, x.toolScores(a, best), func(i int) int { return x.ofTool[i] }) {
				t := x.tools.list[f.place]
				r.Tools = append(r.Tools, Hit{Kind: k, DB: t.DB, Tool: t.Name, Score: round(f.score), Reason: x.whyTool(a, f.place, best)})
			}
		}
	}
	if a.ofParts != nil {
		r.Parts = x.partsOf(a)
	}
	return r
}

// ranked returns the best of a kind by their scores, or by these and the vectors
// together. db says the database of each.
func (x *Index) ranked(a *asked, kind Kind, scores []float64, db func(int) int) []fused {
	elsewhere := func(i int) bool { return a.db >= 0 && db(i) != a.db }
	best := slices.DeleteFunc(order(scores), elsewhere)
	var out []fused
	if a.vector == nil {
		for _, i := range first(best, a.q.K) {
			out = append(out, fused{i, scores[i]})
		}
		return out
	}
	out = fuse([][]int{first(best, maxNear), slices.DeleteFunc(x.vectors.near(kind, a.vector), elsewhere)}, fusion)
	return out[:min(len(out), a.q.K)]
}

// round leaves of a score what does not depend on how a processor rounds.
func round(score float64) float64 { return math.Round(score*1e4) / 1e4 }

func first(list []int, n int) []int { return list[:min(len(list), n)] }

// valueHits returns the values, those of good databases first.
func (x *Index) valueHits(a *asked) []ValueHit {
	type scored struct {
		meant
		score float64
	}
	var all []scored
	top := slices.Max(a.ranking.database)
	for d, list := range a.values {
		for _, m := range list {
			factor := 1.
			if top > 0 {
				factor = a.ranking.database[d] / top
			}
			all = append(all, scored{m, m.score * factor})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	type stored struct {
		column int
		value  value.Value
	}
	reported := map[stored]bool{} // the question and its evidence often have the same
	var out []ValueHit
	for _, m := range all {
		if len(out) == a.q.K || m.score < leastValue*all[0].score {
			break
		}
		one := stored{m.column, m.value}
		if reported[one] {
			continue
		}
		reported[one] = true
		p := x.names.columns[m.column]
		h := ValueHit{DB: x.parts[p.db].id, Table: x.tableName(p), Column: x.columnName(p), Value: m.value, Start: -1, Score: round(m.score), Reason: m.reason}
		if h.Span = a.span(m.meant); m.text == 0 {
			h.Start = m.start
		}
		out = append(out, h)
	}
	return out
}

// leastValue is what a value must score besides the best one to be worth reporting.
const leastValue = .1

// toolScores returns the scores of all tools. best has the best value of each column.
func (x *Index) toolScores(a *asked, best map[int]meant) []float64 {
	top := slices.Max(a.ranking.database)
	ofDatabase := make([]float64, len(x.parts))
	for d, score := range a.ranking.database {
		ofDatabase[d] = 1
		if top > 0 {
			ofDatabase[d] = math.Pow(max(score/top, leastDatabase), x.w.tools.Database)
		}
	}
	return x.tools.scores(a.stems, a.q.Text, a.q.Evidence, func(i int) float64 { return ofDatabase[x.ofTool[i]] }, func(i int) float64 {
		sum := 0.
		for _, column := range x.takes[i] {
			sum += best[column].score
		}
		return sum
	})
}

// leastDatabase is what the database of a tool counts at least, so that tools of
// databases without a word of the question are ranked, too.
const leastDatabase = 1e-3

// bestValues returns the best value of each column of which a question has one.
func bestValues(values [][]meant) map[int]meant {
	out := map[int]meant{}
	for _, list := range values {
		for _, m := range list {
			if _, ok := out[m.column]; !ok {
				out[m.column] = m
			}
		}
	}
	return out
}

// partsOf returns the parts of a question about several databases. Clauses that follow
// each other about one database are one part.
func (x *Index) partsOf(a *asked) []Part {
	var out []Part
	from := 0
	for i, d := range a.ofParts {
		c := a.clauses[i]
		if i > 0 && a.ofParts[i-1] == d {
			out[len(out)-1].Text = a.q.Text[from:c.end]
			continue
		}
		from = c.start
		out = append(out, Part{Text: c.text, DB: x.parts[d].id, Score: round(a.ranking.database[d])})
	}
	return out
}

func (x *Index) tableName(p place) string { return x.names.schemas[p.db].Tables[p.table].Name }

func (x *Index) columnName(p place) string {
	return x.names.schemas[p.db].Tables[p.table].Columns[p.column].Name
}

// whyDatabase names the best tables of a database, and its best value.
func (x *Index) whyDatabase(a *asked, d int) string {
	from := x.names.ofTable[d]
	scores := make([]float64, len(from))
	for t, i := range from {
		scores[t] = a.ranking.table[i]
	}
	var tables []string
	for _, t := range first(order(scores), 3) {
		tables = append(tables, x.names.schemas[d].Tables[t].Name)
	}
	out := "tables: " + strings.Join(tables, ", ")
	if list := a.values[d]; len(list) > 0 && !list[0].typo {
		out += "; " + x.whyValue(list[0])
	}
	return out
}

func (x *Index) whyValue(m meant) string {
	p := x.names.columns[m.column]
	return fmt.Sprintf("value: %s in %s.%s", value.AsText(m.value), x.tableName(p), x.columnName(p))
}

// wordsIn returns the question's words that have one of the stems. With all, words of
// asking are among them.
func (a *asked) wordsIn(stems []string, all bool) []string {
	var out []string
	for _, s := range stems {
		if _, ok := a.weights[s]; ok && (all || !asking[s]) {
			out = append(out, a.words[s])
		}
	}
	return out
}

// whyTable names the words of a table's name, and the columns that the question is
// about; else what the table is joined with.
func (x *Index) whyTable(a *asked, i int) string {
	p := x.names.tables[i]
	about := x.names.schemas[p.db].Tables[p.table]
	var out []string
	if words := a.wordsIn(distinct(x.names.titled[i]), false); len(words) > 0 {
		out = append(out, "name: "+strings.Join(words, ", "))
	}
	var columns []string
	from := x.names.first[p.db][p.table]
	for _, c := range order(a.ranking.column[from : from+len(about.Columns)]) {
		if len(columns) < 3 && (len(a.wordsIn(x.names.called[from+c], false)) > 0 || x.valueOf(a, from+c) != nil) {
			columns = append(columns, about.Columns[c].Name)
		}
	}
	if len(columns) > 0 {
		out = append(out, "columns: "+strings.Join(columns, ", "))
	}
	if len(out) > 0 {
		return strings.Join(out, "; ")
	}
	return x.whyJoined(a, i)
}

// whyJoined names the best table that a table is joined with.
func (x *Index) whyJoined(a *asked, i int) string {
	p := x.names.tables[i]
	best := -1
	take := func(t int) {
		if at := x.names.ofTable[p.db][t]; at != i && (best < 0 || a.ranking.table[at] > a.ranking.table[best]) {
			best = at
		}
	}
	for t, about := range x.names.schemas[p.db].Tables {
		for _, k := range about.Keys {
			switch {
			case t == p.table:
				take(k.Table)
			case k.Table == p.table:
				take(t)
			}
		}
	}
	if best < 0 {
		return "in the same database"
	}
	return "joined with " + x.tableName(x.names.tables[best])
}

// valueOf returns the best value of a column that the question has, or nil.
func (x *Index) valueOf(a *asked, column int) *meant {
	list := a.values[x.names.columns[column].db]
	if i := slices.IndexFunc(list, func(m meant) bool { return m.column == column }); i >= 0 {
		return &list[i]
	}
	return nil
}

// whyColumn names the words of a column's name and description, and its value; else
// what it is good for in its table.
func (x *Index) whyColumn(a *asked, i int) string {
	p := x.names.columns[i]
	table := x.names.schemas[p.db].Tables[p.table]
	about := table.Columns[p.column]
	var out []string
	if words := a.wordsIn(x.names.called[i], false); len(words) > 0 {
		out = append(out, "name: "+strings.Join(words, ", "))
	} else if words := a.wordsIn(x.names.said[i], false); len(words) > 0 {
		out = append(out, "description: "+strings.Join(words, ", "))
	}
	if m := x.valueOf(a, i); m != nil {
		out = append(out, "value: "+value.AsText(m.value))
	}
	if len(out) > 0 {
		return strings.Join(out, "; ")
	}
	for _, k := range table.Keys {
		if k.From == p.column {
			return "refers to " + x.names.schemas[p.db].Tables[k.Table].Name
		}
	}
	if about.Primary {
		return "key of " + table.Name
	}
	return "in the table " + table.Name
}

// whyTool names the words of a tool, and the values that it takes.
func (x *Index) whyTool(a *asked, i int, best map[int]meant) string {
	var out []string
	stems := x.tools.stems[i]
	words := a.wordsIn(stems, false)
	if len(words) == 0 {
		words = a.wordsIn(stems, true)
	}
	if len(words) > 0 {
		out = append(out, "words: "+strings.Join(words, ", "))
	}
	for _, column := range x.takes[i] {
		if m, ok := best[column]; ok {
			out = append(out, x.whyValue(m))
		}
	}
	if len(out) == 0 {
		return "words for the same things"
	}
	return strings.Join(out, "; ")
}
