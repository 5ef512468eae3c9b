package find

import (
	"context"
	"fmt"
	"math"
	"strings"
)

// Embedder gives texts vectors of one length, in which texts of a like meaning are near
// each other.
type Embedder interface {
	// Model names what makes the vectors; vectors of different models are not compared.
	Model() string
	// Embed returns the vectors of texts, in their order.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// vectors are those of all that can be found but stored values, each of length 1.
type vectors struct {
	embedder Embedder
	of       map[Kind][][]float32 // by the places of the kind
}

// maxNear is how many of a ranking by vectors are joined with that by words, and
// fusion is the k of fuse that Cormack, Clarke and Büttcher found good.
const (
	maxNear = 200
	fusion  = 60
)

// embed asks for the vectors of an index.
func (x *Index) embed(ctx context.Context, e Embedder) error {
	texts := map[Kind][]string{}
	for i, p := range x.parts {
		var tables []string
		for _, t := range x.names.schemas[i].Tables {
			tables = append(tables, t.Name)
		}
		texts[KindDatabase] = append(texts[KindDatabase], fmt.Sprintf("database %s with the tables %s", p.id, strings.Join(tables, ", ")))
	}
	for _, p := range x.names.tables {
		about := x.names.schemas[p.db].Tables[p.table]
		var columns []string
		for _, c := range about.Columns {
			columns = append(columns, c.Name)
		}
		texts[KindTable] = append(texts[KindTable], fmt.Sprintf("table %s %s with the columns %s", about.Name, about.Text, strings.Join(columns, ", ")))
	}
	for _, p := range x.names.columns {
		about := x.names.schemas[p.db].Tables[p.table].Columns[p.column]
		texts[KindColumn] = append(texts[KindColumn], fmt.Sprintf("column %s %s of the table %s: %s %s", about.Name, about.Readable, x.tableName(p), about.Description, about.Values))
	}
	for _, t := range x.tools.list {
		texts[KindTool] = append(texts[KindTool], t.Name+": "+t.Description)
	}
	v := &vectors{embedder: e, of: map[Kind][][]float32{}}
	var all []string
	for _, k := range Kinds() {
		all = append(all, texts[k]...)
	}
	list, err := v.ask(ctx, all)
	if err != nil {
		return err
	}
	for _, k := range Kinds() {
		v.of[k], list = list[:len(texts[k])], list[len(texts[k]):]
	}
	x.vectors = v
	return nil
}

// ask returns the vectors of texts, of length 1.
func (v *vectors) ask(ctx context.Context, texts []string) ([][]float32, error) {
	list, err := v.embedder.Embed(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("find: vectors of %s: %w", v.embedder.Model(), err)
	}
	if len(list) != len(texts) {
		return nil, fmt.Errorf("find: %s gave %d vectors for %d texts", v.embedder.Model(), len(list), len(texts))
	}
	out := make([][]float32, len(list))
	for i, one := range list {
		if len(one) != len(list[0]) {
			return nil, fmt.Errorf("find: %s gave vectors of %d and of %d numbers; give a model whose vectors have one length", v.embedder.Model(), len(list[0]), len(one))
		}
		out[i] = unit(one)
	}
	return out, nil
}

// unit returns a vector of length 1 in the direction of another one.
func unit(v []float32) []float32 {
	sum := 0.
	for _, n := range v {
		sum += float64(n) * float64(n)
	}
	out := make([]float32, len(v))
	if sum > 0 {
		for i, n := range v {
			out[i] = float32(float64(n) / math.Sqrt(sum))
		}
	}
	return out
}

// near returns the places of a kind whose vectors are nearest to that of a question, by
// the cosine of the angle between them.
func (v *vectors) near(kind Kind, question []float32) []int {
	scores := make([]float64, len(v.of[kind]))
	for i, one := range v.of[kind] {
		for k := range min(len(one), len(question)) {
			scores[i] += float64(one[k]) * float64(question[k])
		}
	}
	return first(order(scores), maxNear)
}
