package emit

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/internal/sql/dialect"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/internal/testkit/randsql/hostile"
	"github.com/birdcall/birdcall/internal/text/toolname"
)

// letters is a schema of the one table that hostile statements read.
var letters = &engine.Schema{Tables: []*engine.Table{baseTable("t", "", "a", "b", "c")}}

// planned plans a statement and writes it as calls. What cannot be is to be
// refused by name.
func planned(sql string) (*Sequence, error) {
	q, err := sqltree.Read(sql, letters)
	if err != nil {
		return nil, err
	}
	p, err := plan.Build(q, letters, plan.Options{})
	if err != nil {
		return nil, err
	}
	return Emit(p, letters, false)
}

func isRefusal(err error) bool {
	var u *plan.Unsupported
	return errors.As(err, &u) || dialect.Construct(err) != ""
}

// TestHostileStatements plans statements of every hostile shape, as large as
// they may be, and writes them as calls.
func TestHostileStatements(t *testing.T) {
	for _, shape := range hostile.Shapes() {
		if _, err := planned(shape.Of(dialect.MaxSize)); err != nil && !isRefusal(err) {
			t.Errorf("%s: %v", shape.Name, err)
		}
	}
}

// TestManySteps holds what is read later, and which keys are free, to the plan's
// own size: a sequence of a thousand calls, of which hundreds are filters in two
// branches.
func TestManySteps(t *testing.T) {
	var columns, filters []string
	for i := range 300 {
		columns = append(columns, fmt.Sprintf("a + %d", i))
	}
	for i := range 200 {
		filters = append(filters, fmt.Sprintf("(a = %d OR b = '%d')", i, i))
	}
	sql := "SELECT " + strings.Join(columns, ", ") + " FROM t WHERE abs(c) = 1 AND " + strings.Join(filters, " AND ")
	seq, err := planned(sql)
	if err != nil {
		t.Fatal(err)
	}
	made := map[string]bool{}
	for _, c := range seq.Calls {
		if key, ok := c.Arguments.Get(toolname.ArgOutputKey); ok {
			made[key.(string)] = true
		}
	}
	if len(made) != 301 || !made["a_plus_299"] {
		t.Errorf("%d keys are made", len(made))
	}
}

// FuzzPlan looks for statements that panic or do not end.
func FuzzPlan(f *testing.F) {
	for _, shape := range hostile.Shapes() {
		f.Add(shape.Of(300))
	}
	f.Fuzz(func(t *testing.T, sql string) {
		if _, err := planned(sql); err != nil && !isRefusal(err) {
			t.Errorf("%q: %v", sql, err)
		}
	})
}

func BenchmarkHostile(b *testing.B) {
	for _, shape := range hostile.Shapes() {
		for size := 8 << 10; size <= dialect.MaxSize; size *= 2 {
			sql := shape.Of(size)
			b.Run(fmt.Sprintf("%s/%dK", shape.Name, size>>10), func(b *testing.B) {
				b.SetBytes(int64(len(sql)))
				for b.Loop() {
					_, _ = planned(sql)
				}
			})
		}
	}
}
