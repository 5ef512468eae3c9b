package find

import (
	"cmp"
	"slices"

	"github.com/birdcall/birdcall/internal/search/bm25"
)

// names ranks databases, tables and columns by the words that they are called and
// described by, and by the values that they store.
type names struct {
	w       weights
	schemas []*schema // by database
	columns []place   // of all databases
	tables  []place   // the same, without a column
	first   [][]int   // by database and table: where in columns its columns begin
	ofTable [][]int   // by database and table: where in tables it is

	words  *bm25.Index // of columns
	titles *bm25.Index // of tables
	whole  [][]string  // the stems of each column's name in plain words
	called [][]string  // the stems of each column's names
	titled [][]string  // the stems of each table's names
	said   [][]string  // the stems of each column's description
}

// place names a database, a table and a column by their places; table and column are
// -1 where there is none.
type place struct{ db, table, column int }

func newNames(schemas []*schema, w weights) *names {
	n := &names{w: w, schemas: schemas}
	var columns, tables [][][]string
	for d, s := range schemas {
		n.first, n.ofTable = append(n.first, nil), append(n.ofTable, nil)
		for t, about := range s.Tables {
			n.first[d] = append(n.first[d], len(columns))
			n.ofTable[d] = append(n.ofTable[d], len(tables))
			title := bm25.Stems(about.Name + " " + about.Text)
			tables = append(tables, [][]string{title})
			n.titled = append(n.titled, title)
			n.tables = append(n.tables, place{d, t, -1})
			for c, col := range about.Columns {
				n.columns = append(n.columns, place{d, t, c})
				n.whole = append(n.whole, distinct(bm25.Stems(cmp.Or(col.Readable, col.Name))))
				name := distinct(bm25.Stems(col.Name + " " + col.Readable))
				n.called = append(n.called, name)
				description, values := bm25.Stems(col.Description), bm25.Stems(col.Values)
				n.said = append(n.said, distinct(slices.Concat(description, values)))
				columns = append(columns, [][]string{name, title, description, values})
			}
		}
	}
	n.words = bm25.New([]bm25.Field{{Weight: w.Name, Length: .5}, {Weight: w.Table, Length: .5}, {Weight: w.Description, Length: .75}, {Weight: w.Meaning, Length: .75}}, columns)
	n.titles = bm25.New([]bm25.Field{{Weight: 1, Length: .3}}, tables)
	return n
}

// ranking has the scores of everything.
type ranking struct {
	database []float64
	table    []float64 // as names.tables
	column   []float64 // as names.columns
}

// hit is that a question has a value of a column, and how much that says.
type hit struct {
	column int // of names.columns
	score  float64
}

// rank scores everything for a question: columns by their words and values, from them
// tables and databases, and then columns and tables again by what they belong to and
// what they join.
func (n *names) rank(terms []term, hits []hit) *ranking {
	r := &ranking{make([]float64, len(n.schemas)), make([]float64, len(n.tables)), make([]float64, len(n.columns))}
	best := n.byWords(r.column, terms)
	n.byWhole(r.column, terms)
	for _, h := range hits {
		r.column[h.column] += n.w.Value * h.score
	}
	for _, t := range terms {
		rarity := n.titles.Rarity(t.stem) * t.weight
		n.titles.Each(t.stem, func(doc int, weight float64) { r.table[doc] += n.w.Title * rarity * weight })
	}
	for i, p := range n.tables {
		from := n.first[p.db][p.table]
		r.table[i] += decayed(r.column[from:from+len(n.schemas[p.db].Tables[p.table].Columns)], n.w.Decay)
	}
	for d, s := range n.schemas {
		if len(s.Tables) > 0 {
			from := n.ofTable[d][0]
			r.database[d] = decayed(r.table[from:from+len(s.Tables)], n.w.Decay) + n.w.Words*best[d]
		}
	}
	n.complete(r)
	return r
}

// byWords adds what terms count in columns, and returns what they count where each
// database has them best.
func (n *names) byWords(scores []float64, terms []term) []float64 {
	all, best := make([]float64, len(n.schemas)), make([]float64, len(n.schemas))
	for _, t := range terms {
		rarity := n.words.Rarity(t.stem) * t.weight
		clear(best)
		n.words.Each(t.stem, func(doc int, weight float64) {
			scores[doc] += rarity * weight
			d := n.columns[doc].db
			best[d] = max(best[d], rarity*weight)
		})
		for d, b := range best {
			all[d] += b
		}
	}
	return all
}

// byWhole adds what it counts that a name is there with all its words, or most.
func (n *names) byWhole(scores []float64, terms []term) {
	weight := map[string]float64{}
	for _, t := range terms {
		weight[t.stem] = t.weight
	}
	for i, stems := range n.whole {
		if scores[i] == 0 {
			continue
		}
		if all, has := n.weigh(stems, nil, weight); all > 0 {
			share := has / all
			scores[i] += n.w.Whole * has * share * share
		}
	}
}

// weigh returns what stems weigh by how rare they are, and how much of it is in a
// question: of those that are not among without, by the weights of its terms.
func (n *names) weigh(stems, without []string, weights map[string]float64) (all, has float64) {
	for _, s := range stems {
		rarity := n.words.Rarity(s)
		all += rarity
		if !slices.Contains(without, s) {
			has += rarity * weights[s]
		}
	}
	return all, has
}

// complete gives tables and columns what they have of others: SQL that reads two tables
// also reads what joins them.
func (n *names) complete(r *ranking) {
	own := slices.Clone(r.table)
	for i, p := range n.tables {
		for _, k := range n.schemas[p.db].Tables[p.table].Keys {
			to := n.ofTable[p.db][k.Table]
			r.table[i] += n.w.Joins / 2 * own[to]
			r.table[to] += n.w.Joins * own[i]
		}
		r.table[i] += n.w.FromDatabase * r.database[p.db]
	}
	for i, p := range n.columns {
		of := r.table[n.ofTable[p.db][p.table]]
		r.column[i] += n.w.FromTable*of + n.w.ColumnOfDatabase*r.database[p.db]
		if n.schemas[p.db].Tables[p.table].Columns[p.column].Primary {
			r.column[i] += n.w.Primary * of
		}
	}
	for i, p := range n.tables {
		for _, k := range n.schemas[p.db].Tables[p.table].Keys {
			both := n.w.Foreign * min(r.table[i], r.table[n.ofTable[p.db][k.Table]])
			r.column[n.first[p.db][p.table]+k.From] += both
			r.column[n.first[p.db][k.Table]+k.To] += both
		}
	}
}

// maxDecayed is how many scores decayed adds.
const maxDecayed = 5

// decayed adds the best scores, each multiplied with the decay once more.
func decayed(scores []float64, decay float64) float64 {
	best := slices.Clone(scores)
	slices.SortFunc(best, func(a, b float64) int { return cmp.Compare(b, a) })
	out, factor := 0., 1.
	for _, s := range best[:min(len(best), maxDecayed)] {
		out += s * factor
		factor *= decay
	}
	return out
}

// order returns the places of scores above 0, the best first, equally good ones as they
// come.
func order(scores []float64) []int {
	var out []int
	for i, s := range scores {
		if s > 0 {
			out = append(out, i)
		}
	}
	slices.SortFunc(out, func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
	return out
}
