package mixed

import (
	"context"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/federation/scalars"
	"github.com/birdcall/birdcall/pkg/value"
)

// local is an External with the functions of package scalars, computed within the
// program: what the API has to give, without it.
type local struct{ functions []*scalars.Function }

func (l local) Tables() []*sqlite.Table { return nil }

func (l local) Functions() []sqlite.Function {
	var all []sqlite.Function
	for _, f := range l.functions {
		all = append(all, sqlite.Function{Name: f.Name, Args: len(f.Args)})
	}
	return all
}

func (l local) Kinds(int, int) []value.Kind                  { return nil }
func (l local) Values(int, int) []value.Value                { return nil }
func (l local) Plan(int, []int) sqlite.Plan                  { return sqlite.Plan{} }
func (l local) Describe(int, []int, bool) string             { return "" }
func (l local) Rewrite(sql string) string                    { return sql }
func (l local) Begin(context.Context, string) sqlite.Reading { return l }
func (l local) Version() (string, bool)                      { return "", true }

// Rows implements sqlite.Reading.
func (l local) Rows(int, []sqlite.Equal, int64) (sqlite.Rows, error) { return sqlite.Rows{}, nil }

// Call implements sqlite.Reading. A NULL among the arguments makes it NULL, as it
// does where the function is an API's.
func (l local) Call(i int, args []value.Value) (value.Value, error) {
	for _, v := range args {
		if v.IsNull() {
			return v, nil
		}
	}
	return l.functions[i].Call(args...)
}

// Fetch implements sqlite.Reading.
func (l local) Fetch(context.Context) (bool, error) { return false, nil }

// End implements sqlite.Reading.
func (l local) End() {}
