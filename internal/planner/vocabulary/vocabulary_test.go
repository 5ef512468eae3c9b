package vocabulary

import (
	"slices"
	"testing"

	"github.com/birdcall/birdcall/internal/db/sqlfunc"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// TestOperations holds the table against the tools' definitions: it has each operation
// once, as an operation or a condition.
func TestOperations(t *testing.T) {
	var want, got []string
	for _, d := range tools.Operations() {
		want = append(want, d.Name)
	}
	for _, o := range operations {
		got = append(got, string(o.Op))
	}
	for _, c := range conditions {
		got = append(got, string(c.Condition))
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("the table has\n%q, and the tools have\n%q", got, want)
	}
	for _, o := range operations {
		if o.Suffix != "" && o.Infix != "" {
			t.Errorf("%s has a suffix and an infix", o.Op)
		}
		if (o.Operator == "") != (o.Compute == nil) || o.Operator == "" && o.Commutes {
			t.Errorf("%s: an operator has a way to compute it, and nothing else has", o.Op)
		}
	}
}

// TestFunctions gives each operation that is a function as many arguments as it has
// parameters, which the function must take.
func TestFunctions(t *testing.T) {
	for _, o := range operations {
		if o.Function == "" {
			continue
		}
		if f := sqlfunc.SQLite(o.Function); !f.Is(sqlfunc.Scalar) || sqlfunc.Canonical(f.Name) != f.Name {
			t.Errorf("%s is %s, which is no canonical name of a scalar function", o.Op, o.Function)
		}
		required := 0
		for i, p := range o.Parameters() {
			if p.Required {
				required++
			}
			if p.Kind == tools.KindValues && i != len(o.Parameters())-1 {
				t.Errorf("%s: the list %s is not the last parameter", o.Op, p.Name)
			}
		}
		if !value.Known(o.Function, required+1) || o.Key > required || !value.Known(o.Function, len(o.Parameters())+1) {
			t.Errorf("%s: %s takes neither %d nor %d arguments", o.Op, o.Function, required+1, len(o.Parameters())+1)
		}
		if got, ok := OfFunction(o.Function); !ok || got.Op != o.Op {
			t.Errorf("%s is %s, not %s", o.Function, got.Op, o.Op)
		}
	}
	for alias, want := range map[string]tools.Operation{"ifnull": tools.OpCoalesce, "substring": tools.OpSubstr, "printf": ""} {
		if got, _ := OfFunction(alias); got.Op != want {
			t.Errorf("%s is %q, want %q", alias, got.Op, want)
		}
	}
}

// TestConditions says that the opposite of an opposite, and what is mirrored twice, is
// the condition itself.
func TestConditions(t *testing.T) {
	for _, c := range conditions {
		if Opposite(c.Opposite) != c.Condition {
			t.Errorf("the opposite of %s is %s, whose opposite is %s", c.Condition, c.Opposite, Opposite(c.Opposite))
		}
		if c.Mirrored != "" && Mirrored(c.Mirrored) != c.Condition {
			t.Errorf("%s mirrored is %s, which mirrored is %s", c.Condition, c.Mirrored, Mirrored(c.Mirrored))
		}
	}
}

// TestAggregates holds the aggregate and window functions against the tools' choices and
// the functions of SQL.
func TestAggregates(t *testing.T) {
	choices := func(tool, argument string) (out []string) {
		for _, d := range tools.Definitions() {
			for _, p := range d.Parameters {
				if d.Name != tool || p.Name != argument {
					continue
				}
				for _, c := range p.Choices {
					out = append(out, c.Name)
				}
			}
		}
		return out
	}
	aggregations, windows := choices(toolname.Aggregate, toolname.ArgAggregationType), choices(toolname.Window, toolname.ArgFunction)
	for _, a := range aggregates {
		f := sqlfunc.SQLite(a.function)
		if f.Is(sqlfunc.Aggregate) != (a.aggregation != "") || !f.Is(sqlfunc.Aggregate|sqlfunc.Window) || a.window == "" {
			t.Errorf("%s is of the class %b", a.function, f.Class)
		}
		if a.aggregation != "" && !slices.Contains(aggregations, string(a.aggregation)) || !slices.Contains(windows, string(a.window)) {
			t.Errorf("the tools have no %s or no %s", a.aggregation, a.window)
		}
	}
	if len(aggregates) != len(windows) {
		t.Errorf("%d window functions of %d", len(aggregates), len(windows))
	}
}
