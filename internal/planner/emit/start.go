package emit

import (
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/pkg/tools"
)

// start writes a starting relation as an initialization step. The second use
// of a table has its own keys: <table>_1_<column>.
func (e *emitter) start(id plan.StepID, s *plan.Start) *table {
	label := tools.StartLabel
	if n := len(e.seq.Starts); n > 0 {
		label = fmt.Sprintf("%s_%d", tools.StartLabel, n)
	}
	start := tools.Start{Label: label}
	aliases, modified := aliases(s.Tables), modifiedNames(s.Tables)
	for i, t := range s.Tables {
		start.Tables = append(start.Tables, tools.StartTable{Alias: aliases[i], Original: t.Name, Modified: modified[i]})
	}
	for _, j := range s.Joins {
		j = e.oldFirst(s, j)
		c := tools.JoinKey{Left: aliases[j.Left], Right: aliases[j.Right], Type: tools.JoinKind(strings.ToLower(string(j.Kind)))}
		if j.Kind != plan.Cross {
			c.Left += "." + j.LeftColumn
			c.Right += "." + j.RightColumn
		}
		start.Conditions = append(start.Conditions, c)
	}
	e.seq.Starts = append(e.seq.Starts, start)
	t := &table{label: label, keys: e.startKeys(s), of: map[plan.Col]string{}}
	e.bind(id, s, t)
	return t
}

// oldFirst has a join name the column of the tables joined so far first, and the
// new table's second. That exchanges the sides of an equality, which matters only
// where they would be compared in different ways: the left side's collation
// counts (datatype3.html, section 7.1).
func (e *emitter) oldFirst(s *plan.Start, j plan.StartJoin) plan.StartJoin {
	if j.Kind != plan.Inner || j.Left <= j.Right {
		return j
	}
	left, right := e.schema.Table(s.Tables[j.Left].Name).Column(j.LeftColumn), e.schema.Table(s.Tables[j.Right].Name).Column(j.RightColumn)
	if left == nil || right == nil || left.Collation != right.Collation {
		return j
	}
	j.Left, j.Right = j.Right, j.Left
	j.LeftColumn, j.RightColumn = j.RightColumn, j.LeftColumn
	return j
}

// startKeys lists the keys of a starting table.
func (e *emitter) startKeys(s *plan.Start) []string {
	modified := modifiedNames(s.Tables)
	var names []string
	for i, t := range s.Tables {
		for _, c := range e.columns(t.Name) {
			names = append(names, tools.KeyName(modified[i], c))
		}
	}
	return tools.UniqueKeys(names)
}

// bind finds the keys of the plan's columns of a starting table.
func (e *emitter) bind(id plan.StepID, s *plan.Start, t *table) {
	first := make([]int, len(s.Tables))
	at := 0
	for i, st := range s.Tables {
		first[i] = at
		at += len(e.columns(st.Name))
	}
	for c, col := range e.plan.Columns {
		if !col.IsBase || col.Start != id {
			continue
		}
		for i, name := range e.columns(s.Tables[col.Table].Name) {
			if name == col.Name {
				t.of[plan.Col(c)] = t.keys[first[col.Table]+i]
			}
		}
	}
}

// aliases returns the tables' aliases, with what would not read as one word
// replaced, so that "alias.column" can be taken apart.
func aliases(tables []plan.StartTable) []string {
	names := make([]string, len(tables))
	for i, t := range tables {
		names[i] = t.Alias
		if t.Alias == "" || strings.ContainsAny(t.Alias, ". ") {
			names[i] = fmt.Sprintf("T%d", i+1)
		}
	}
	return tools.UniqueKeys(names)
}

// modifiedNames returns the names that the tables' keys begin with: the
// table's own, and <table>_1, <table>_2, ... for its further uses.
func modifiedNames(tables []plan.StartTable) []string {
	names := make([]string, len(tables))
	for i, t := range tables {
		names[i] = t.Name
	}
	return tools.UniqueKeys(names)
}
