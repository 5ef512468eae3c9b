package mixed

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"

	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/value"
)

// Kind says what is added to a question.
type Kind string

// The kinds.
const (
	AddedCondition Kind = "condition"
	AddedColumn    Kind = "column"
)

// Augmented is a new question with its SQL in both forms.
type Augmented struct {
	Question    string
	Evidence    string   // the question's own, and which column the new words mean
	Functions   []string // that it needs, from the inside out
	FunctionSQL string
	JoinSQL     string
	Column      string // that they are about, as table.column
	Kind        Kind

	links []link
}

// Refusal says why nothing was added to a question, or to a column of it.
type Refusal struct {
	Kind   Kind   // what could not be added; "" for neither
	Column string // as table.column; "" for the whole statement
	Reason string // one of the constants of this package
}

func (r Refusal) String() string {
	var parts []string
	for _, p := range []string{string(r.Kind), r.Column, r.Reason} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, ": ")
}

// These bound what is read of a statement's rows, and what of them is looked at.
const (
	maxColumns = 12
	maxRows    = 20_000
	maxValues  = 400 // of a column, each once
)

// Augment makes at most so many new questions of one. The same question, database
// and seed make the same ones. It reads the database's columns, once each, and the
// rows that the question's SQL takes, which may last as long as that SQL itself: the
// error is that of reading them, or that ctx has ended.
func Augment(ctx context.Context, d *Database, q *bird.Question, seed uint64, most int) ([]Augmented, []Refusal, error) {
	s, reason := read(q.SQL, d.schema)
	if reason != "" {
		return nil, []Refusal{{Reason: reason}}, nil
	}
	if s.subqueries && s.grouped {
		return nil, []Refusal{{AddedCondition, "", Subquery}, {AddedColumn, "", Grouped}}, nil
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\x00%s\x00%s", q.DB, q.ID, q.SQL)
	a := &augmenter{d: d, s: s, q: q, r: rand.New(rand.NewPCG(seed, h.Sum64())), used: map[string]bool{}}
	if err := a.find(ctx); err != nil {
		return nil, nil, err
	}
	if len(a.candidates) == 0 {
		return nil, append(a.refusals, Refusal{Reason: NoColumn}), nil
	}
	if err := a.probe(ctx); err != nil {
		if ctx.Err() != nil {
			return nil, nil, err
		}
		return nil, append(a.refusals, Refusal{Reason: FailedScan}), nil
	}
	a.columns(min(1, most))
	a.conditions(most)
	a.columns(most)
	return a.out, a.refusals, nil
}

// augmenter works on one question.
type augmenter struct {
	d *Database
	s *statement
	q *bird.Question
	r *rand.Rand

	candidates []candidate
	values     [][]value.Value // of the candidates in the statement's rows, each once
	unknown    []bool          // whether a candidate is NULL in one of them
	used       map[string]bool // chains of functions, and columns
	refusals   []Refusal
	out        []Augmented
}

// find looks for columns that are fit.
func (a *augmenter) find(ctx context.Context) error {
	for _, src := range a.s.arm.Sources {
		switch {
		case src.Table == nil || src.Table.View || src.Function || src.Query != nil:
			continue
		case a.isTwice(src):
			a.refuse("", src.Table.Name, SelfJoin)
			continue
		}
		for i := range src.Columns {
			info := src.Columns[i].Info
			if info == nil || src.Columns[i].Hidden {
				continue
			}
			words := a.d.wordsOf(a.s, src, i, a.q.Text)
			if words == "" {
				continue
			}
			if a.isReference(src, i, words) {
				continue
			}
			p, err := a.d.profileOf(ctx, src.Table, info)
			if err != nil {
				return err
			}
			c := candidate{source: src, index: i, profile: p, words: words, place: placeOf(words)}
			if (p.named || p.numbers || c.isPlace()) && p.fits(info.Name, words) {
				a.candidates = append(a.candidates, c)
			}
		}
	}
	a.sort()
	return nil
}

// isReference reports whether a column holds keys of another table, and its words
// do not say so.
func (a *augmenter) isReference(src *sqltree.Source, index int, words string) bool {
	for _, key := range src.Table.ForeignKeys {
		for _, c := range key.Columns {
			if strings.EqualFold(c, src.Columns[index].Name) && lastWord(words) != "ID" {
				return true
			}
		}
	}
	return false
}

// isTwice reports whether the source's table, or its name, is there another time.
func (a *augmenter) isTwice(src *sqltree.Source) bool {
	for _, other := range a.s.arm.Sources {
		if other != src && (other.Table == src.Table || strings.EqualFold(other.Name, src.Name)) {
			return true
		}
	}
	return false
}

// sort puts the candidates in a random order, places first and keys
// last, and keeps the first.
func (a *augmenter) sort() {
	var groups [3][]candidate
	var places []candidate
	for _, at := range a.r.Perm(len(a.candidates)) {
		c := a.candidates[at]
		info := c.source.Columns[c.index].Info
		switch {
		case c.isPlace():
			places = append(places, c)
		case !c.profile.numbers:
			groups[0] = append(groups[0], c)
		case info.PrimaryKey == 0 && !strings.HasSuffix(c.words, "ID"):
			groups[1] = append(groups[1], c)
		default:
			groups[2] = append(groups[2], c)
		}
	}
	// Places are rare, and come first. Names and numbers take turns.
	a.candidates = places
	for i := 0; i < len(groups[0]) || i < len(groups[1]); i++ {
		for _, g := range groups[:2] {
			if i < len(g) {
				a.candidates = append(a.candidates, g[i])
			}
		}
	}
	a.candidates = append(a.candidates, groups[2]...)
	a.candidates = a.candidates[:min(len(a.candidates), maxColumns)]
}

// probe reads the candidates' values in the rows that the statement takes.
func (a *augmenter) probe(ctx context.Context) error {
	columns := make([]string, len(a.candidates))
	seen := make([]map[value.Value]bool, len(a.candidates))
	for i, c := range a.candidates {
		columns[i], seen[i] = c.column(), map[value.Value]bool{}
	}
	a.values, a.unknown = make([][]value.Value, len(columns)), make([]bool, len(columns))
	return a.d.db.Each(ctx, fmt.Sprintf("%s LIMIT %d", a.s.rows(columns), maxRows), func(row []value.Value) error {
		for i, v := range row {
			switch {
			case v.IsNull():
				a.unknown[i] = true
			case !seen[i][v] && len(seen[i]) < maxValues:
				seen[i][v] = true
				a.values[i] = append(a.values[i], v)
			}
		}
		return nil
	})
}

func (a *augmenter) refuse(k Kind, column, reason string) {
	a.refusals = append(a.refusals, Refusal{k, column, reason})
}

// conditions adds conditions until there are so many questions.
func (a *augmenter) conditions(most int) {
	if a.s.subqueries {
		a.refuse(AddedCondition, "", Subquery)
		return
	}
	for round := range 2 { // a column serves twice only where there are too few
		for i, c := range a.candidates {
			if len(a.out) >= most {
				return
			}
			if a.used[c.full()] && round == 0 {
				continue
			}
			all := c.predicates(a.values[i], a.r)
			if len(all) == 0 {
				if round == 0 {
					a.refuse(AddedCondition, c.full(), NotSplit)
				}
				continue
			}
			p := all[a.pick(len(all), func(i int) measure { return all[i].measure })]
			function, join := a.s.withCondition(c.column(), p)
			a.add(c, AddedCondition, p.measure, function, join, a.sentence(fmt.Sprintf(p.words, c.called(p.measure))))
		}
	}
}

// columns adds columns until there are so many questions.
func (a *augmenter) columns(most int) {
	if a.s.grouped {
		if len(a.out) == 0 {
			a.refuse(AddedColumn, "", Grouped)
		}
		return
	}
	for i, c := range a.candidates {
		if len(a.out) >= most {
			return
		}
		if a.used[c.full()] || c.profile.nulls || a.unknown[i] || len(a.values[i]) == 0 {
			continue
		}
		var all []measure
		for _, m := range c.measures(a.r) {
			if isKnown(m, a.values[i]) {
				all = append(all, m)
			}
		}
		if len(all) == 0 {
			continue
		}
		m := all[a.pick(len(all), func(i int) measure { return all[i] })]
		function, join := a.s.withColumn(c.column(), m)
		a.add(c, AddedColumn, m, function, join, "Also "+fmt.Sprintf(m.words, c.called(m))+".")
	}
}

// isKnown reports whether all values have the measure.
func isKnown(m measure, values []value.Value) bool {
	for _, v := range values {
		if m.apply(v).IsNull() {
			return false
		}
	}
	return true
}

// pick chooses one of several measures, one of a chain that the question does not
// have yet if it can.
func (a *augmenter) pick(n int, at func(int) measure) int {
	chosen := a.r.IntN(n)
	for i := range n {
		if next := (chosen + i) % n; !a.used[strings.Join(at(next).names(), " ")] {
			return next
		}
	}
	return chosen
}

func (a *augmenter) add(c candidate, k Kind, m measure, function, join, sentence string) {
	_, reason := read(function, a.d.schema)
	if _, err := sqltree.Parse(join); err != nil || reason != "" {
		a.refuse(k, c.full(), Unread)
		return
	}
	a.used[c.full()], a.used[strings.Join(m.names(), " ")] = true, true
	evidence := strings.TrimRight(strings.TrimSpace(a.q.Evidence), ";.")
	if evidence != "" {
		evidence += "; "
	}
	a.out = append(a.out, Augmented{
		Question: asked(a.q.Text) + " " + sentence, Evidence: evidence + strings.TrimPrefix(c.words, "the ") + " refers to " + c.full(),
		Functions: m.names(), FunctionSQL: function, JoinSQL: join, Column: c.full(), Kind: k, links: m.links,
	})
}

// sentence returns a condition as a sentence that fits what is asked for.
func (a *augmenter) sentence(condition string) string {
	words := strings.ToLower(a.q.Text)
	switch {
	case strings.Contains(words, "how many") && !strings.Contains(words, "percentage") && len(a.s.arm.Aggregates) == 1 && len(a.s.arm.Items) == 1 && a.s.arm.Aggregates[0].Name == "count":
		return "Count only those where " + condition + "."
	case a.s.grouped || a.s.query.Limit != nil:
		return "Consider only cases where " + condition + "."
	}
	return "Include only those where " + condition + "."
}
