package find

import (
	"errors"
	"fmt"
	"slices"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/search/valueindex"
	"github.com/birdcall/birdcall/internal/text/spelling"
)

// Index knows the databases of a dataset. It does not change, and several
// goroutines may use it at once. Make it with Open or Build.
type Index struct {
	parts  []*part // by database
	names  *names
	values []*values // by database
	tools  *ToolIndex
	ofTool []int   // the database of each tool
	takes  [][]int // by tool: the columns, of names.columns, that its arguments are compared with

	vectors *vectors // or nil

	w weightsOfAll
}

// weightsOfAll are the weights of an index.
type weightsOfAll struct {
	names weights
	value valueWeights
	tools toolWeights
}

var defaults = weightsOfAll{defaultWeights, defaultValueWeights, defaultToolWeights}

// part is what is known of one database, apart from the others.
type part struct {
	id     string
	has    *engine.Schema
	schema *schema
	values *valueindex.Index
	// partial has why not all values of a column were read, by its place in values.
	partial map[int]string
}

// newIndex joins databases and tools.
func newIndex(parts []*part, list []Tool, w weightsOfAll) (*Index, error) {
	x := &Index{parts: parts, w: w}
	schemas := make([]*schema, len(parts))
	place := map[string]int{}
	for i, p := range parts {
		schemas[i], place[p.id] = p.schema, i
	}
	x.names = newNames(schemas, w.names)
	for i, p := range parts {
		x.values = append(x.values, x.names.valuesOf(i, p.values))
	}
	for _, t := range list {
		at, ok := place[t.DB]
		if !ok {
			return nil, fmt.Errorf("find: the tool %s is of the database %q, which the dataset does not have", t.Name, t.DB)
		}
		x.ofTool = append(x.ofTool, at)
		x.takes = append(x.takes, x.names.takenBy(at, t))
	}
	x.tools = newToolIndex(list, w.tools)
	return x, nil
}

// takenBy returns the columns that a tool's arguments are compared with, each once.
func (n *names) takenBy(db int, tool Tool) []int {
	var out []int
	for t, table := range n.schemas[db].Tables {
		for c, column := range table.Columns {
			for _, of := range tool.Columns {
				if at := n.first[db][t] + c; spelling.Same(of.Table, table.Name) && spelling.Same(of.Name, column.Name) && !slices.Contains(out, at) {
					out = append(out, at)
				}
			}
		}
	}
	return out
}

// Databases returns the ids of the databases.
func (x *Index) Databases() []string {
	out := make([]string, len(x.parts))
	for i, p := range x.parts {
		out[i] = p.id
	}
	return out
}

// Values returns how many different stored values are indexed, counted for each
// column.
func (x *Index) Values() int {
	n := 0
	for _, p := range x.parts {
		for i := range p.values.Columns() {
			n += p.values.Distinct(i)
		}
	}
	return n
}

// Bytes returns the size of the stored values in the index.
func (x *Index) Bytes() int {
	n := 0
	for _, p := range x.parts {
		n += len(p.values.Bytes())
	}
	return n
}

// Reasons why a query is refused, for errors.Is.
var (
	ErrText     = errors.New("the text of the query is not one to look for")
	ErrDatabase = errors.New("there is no such database")
	ErrKind     = errors.New("there is no such kind")
	ErrK        = errors.New("the number of hits is out of range")
)

// check fails if a query is not one to answer, and returns the place of its database,
// or -1.
func (x *Index) check(q *Query) (db int, err error) {
	db = -1
	switch {
	case q.Text == "":
		return db, fmt.Errorf("%w: it is empty; give the words of a question", ErrText)
	case len(q.Text)+len(q.Evidence) > MaxText:
		return db, fmt.Errorf("%w: with the evidence it has %d bytes; give at most %d", ErrText, len(q.Text)+len(q.Evidence), MaxText)
	case q.K < 0 || q.K > MaxK:
		return db, fmt.Errorf("%w: %d; give 1 to %d", ErrK, q.K, MaxK)
	}
	for _, k := range q.Kinds {
		if !slices.Contains(Kinds(), k) {
			return db, fmt.Errorf("%w: %q; there are %v", ErrKind, k, Kinds())
		}
	}
	if q.DB != "" {
		return x.database(q.DB)
	}
	return db, nil
}

// database returns the place of a database.
func (x *Index) database(id string) (int, error) {
	at := slices.IndexFunc(x.parts, func(p *part) bool { return p.id == id })
	if at < 0 {
		return at, fmt.Errorf("%w: %q; %s", ErrDatabase, id, spelling.Suggest(id, x.Databases()))
	}
	return at, nil
}
