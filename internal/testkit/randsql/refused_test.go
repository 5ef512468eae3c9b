package randsql

import (
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
)

// TestRefusedEverywhere draws statements, and puts a function that nobody has around one
// column after another. The plan must refuse it wherever it is, but where another
// function would make no other plan either, as nothing reads its result.
func TestRefusedEverywhere(t *testing.T) {
	count := map[string]int{}
	for i := 0; i*perDatabase < statements(t, 1500)/10 && count["planned"] < maxFailures; i++ {
		db := (&gen{draws: fresh(i, 0)}).database()
		s, err := newSubject(t.Context(), t.TempDir(), db.script(false), "")
		if err != nil {
			t.Fatal(err)
		}
		for j := range perDatabase {
			src := fresh(i, j+1)
			whole := &gen{draws: src, db: db}
			whole.statement()
			for leaf := range whole.leaves {
				q := (&gen{draws: again(src.now), db: db, strange: leaf + 1}).statement()
				if !strings.Contains(q.sql, "strange(") {
					continue // what was drawn is left out of the statement
				}
				with := func(function string) (string, error) {
					tree, err := sqltree.Read(strings.ReplaceAll(q.sql, "strange(", function+"("), s.schema)
					if err != nil {
						return "", err
					}
					p, err := plan.Build(tree, s.schema, plan.Options{AsOf: asOf})
					if err != nil {
						return "", err
					}
					return p.String(), nil
				}
				if _, err := with("strange"); err != nil {
					count["refused"]++
					continue
				}
				one, errOne := with("hex")
				other, errOther := with("lower")
				if one == other && errOne == nil && errOther == nil {
					count["not read"]++
					continue
				}
				count["planned"]++
				t.Errorf("database %d: there is a plan for %s", i, q.sql)
				break
			}
		}
		s.close()
	}
	report(t, count)
}
