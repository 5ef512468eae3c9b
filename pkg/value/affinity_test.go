package value_test

import (
	"testing"

	"github.com/birdcall/birdcall/pkg/value"
)

func TestAffinityOf(t *testing.T) {
	for _, c := range []struct {
		declared string
		want     value.Affinity
	}{
		{"INTEGER", value.AffinityInteger},
		{"unsigned big int", value.AffinityInteger},
		{"POINT", value.AffinityInteger},
		{"FLOATING POINT", value.AffinityInteger},
		{"CHARINT", value.AffinityInteger},
		{"varchar(20)", value.AffinityText},
		{"CLOB", value.AffinityText},
		{"text blob", value.AffinityText},
		{"", value.AffinityBlob},
		{"BLOB", value.AffinityBlob},
		{"REAL BLOB", value.AffinityBlob},
		{"double precision", value.AffinityReal},
		{"FLOAT", value.AffinityReal},
		{"REAL", value.AffinityReal},
		{"DECIMAL(10,5)", value.AffinityNumeric},
		{"BOOLEAN", value.AffinityNumeric},
		{"DATE", value.AffinityNumeric},
		{"STRING", value.AffinityNumeric},
	} {
		if got := value.AffinityOf(c.declared); got != c.want {
			t.Errorf("AffinityOf(%q) = %v, want %v", c.declared, got, c.want)
		}
	}
}

func TestApplyIsWhatAColumnStores(t *testing.T) {
	for _, declared := range []string{"BLOB", "TEXT", "NUMERIC", "INTEGER", "REAL"} {
		t.Run(declared, func(t *testing.T) {
			o := newOracle(t)
			values := awkward()
			o.fill(values)
			o.query("CREATE TABLE stored(id INTEGER PRIMARY KEY, x " + declared + ")")
			o.query("INSERT INTO stored SELECT id, x FROM v")
			a := value.AffinityOf(declared)
			if a.String() != declared {
				t.Errorf("String() = %q", a)
			}
			for i, row := range o.query("SELECT x FROM stored ORDER BY id") {
				if got := a.Apply(values[i]); !same(got, row[0]) {
					t.Errorf("%s becomes %s, want %s", show(values[i]), show(got), show(row[0]))
				}
			}
		})
	}
}

// Two columns, or a column and an expression without affinity, are compared
// under every pair of affinities.
func TestCoerceIsTheRuleOfComparisons(t *testing.T) {
	types := []string{"NONE", "BLOB", "TEXT", "NUMERIC", "INTEGER", "REAL"}
	affinities := map[string]value.Affinity{"NONE": value.AffinityNone}
	o := newOracle(t)
	o.fill(awkward())
	for _, declared := range types[1:] {
		affinities[declared] = value.AffinityOf(declared)
		o.query("CREATE TABLE c" + declared + "(id INTEGER PRIMARY KEY, x " + declared + ")")
		o.query("INSERT INTO c" + declared + " SELECT id, x FROM v")
	}
	source := func(declared, alias string) (table, operand string) {
		if declared == "NONE" {
			// A function's result has no affinity.
			return "v " + alias, "ifnull(" + alias + ".x, NULL)"
		}
		return "c" + declared + " " + alias, alias + ".x"
	}
	for _, left := range types {
		for _, right := range types {
			t.Run(left+" "+right, func(t *testing.T) {
				ta, a := source(left, "a")
				tb, b := source(right, "b")
				rows := o.query("SELECT a.x, b.x, " + a + " IS " + b + ", " + a + " < " + b + " FROM " + ta + ", " + tb)
				for _, row := range rows {
					x, y := value.Coerce(row[0], row[1], affinities[left], affinities[right])
					order := value.Compare(x, y, value.Binary)
					is, less := value.Bool(order == 0), value.Bool(order < 0)
					if x.IsNull() || y.IsNull() {
						less = value.NullValue()
					}
					if is != row[2] || less != row[3] {
						t.Errorf("%s against %s: order %d, want IS %s, < %s", show(row[0]), show(row[1]), order, show(row[2]), show(row[3]))
					}
				}
			})
		}
	}
}

func TestDType(t *testing.T) {
	for declared, want := range map[string]string{
		"INTEGER": "integer", "BIGINT": "integer", "REAL": "number", "DECIMAL(10,2)": "number",
		"TEXT": "string", "VARCHAR(20)": "string", "DATE": "string", "datetime": "string", "": "string",
	} {
		if got := value.DType(declared); got != want {
			t.Errorf("%q: got %s, want %s", declared, got, want)
		}
	}
}
