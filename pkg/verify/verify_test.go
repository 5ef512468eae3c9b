package verify_test

import (
	"math"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/pkg/value"
	"github.com/birdcall/birdcall/pkg/verify"
)

var (
	null = value.NullValue()
	i    = value.Int
	f    = value.Float
	s    = value.Str
	b    = value.Bytes
)

type rows = [][]value.Value

func row(cells ...value.Value) []value.Value { return cells }

// column makes rows of one cell.
func column(cells ...value.Value) rows {
	var list rows
	for _, c := range cells {
		list = append(list, row(c))
	}
	return list
}

func TestCells(t *testing.T) {
	for _, c := range []struct {
		a, b          value.Value
		strict, loose bool
	}{
		{null, null, true, true},
		{null, i(0), false, false},
		{null, s(""), false, false},
		{i(3), i(3), true, true},
		{i(3), f(3), false, true},
		{i(3), f(3.0000000001), false, false},
		{i(1<<53 + 1), f(1 << 53), false, false},
		{i(1<<53 + 1), i(1 << 53), false, false},
		{i(1), s("1"), false, false},
		{f(0.3), f(0.1 + 0.2), true, true},
		{f(1e300), f(1e300 * (1 + 1e-10)), true, true},
		{f(1), f(1 + 1e-8), false, false},
		{f(0), f(1e-13), true, true},
		{f(0), f(1e-11), false, false},
		{f(0), f(math.Copysign(0, -1)), true, true},
		{f(math.Inf(1)), f(math.Inf(1)), true, true},
		{f(math.Inf(1)), f(math.MaxFloat64), false, false},
		{f(math.Inf(1)), f(math.Inf(-1)), false, false},
		{s("a"), s("a"), true, true},
		{s("a"), s("A"), false, false},
		{s("a"), s("a "), false, false},
		{s("a"), b("a"), false, false},
		{b("\x00\xff"), b("\x00\xff"), true, true},
	} {
		for _, ordered := range []bool{false, true} {
			for _, o := range []verify.Options{{Ordered: ordered}, {Ordered: ordered, Loose: true}} {
				want := c.strict
				if o.Loose {
					want = c.loose
				}
				for _, pair := range [][2]value.Value{{c.a, c.b}, {c.b, c.a}} {
					if v := verify.Compare(column(pair[0]), column(pair[1]), o); v.Equal != want || want == (v.Reason != "") {
						t.Errorf("%v against %v under %+v: %+v", pair[0], pair[1], o, v)
					}
				}
			}
		}
	}
}

func TestReasons(t *testing.T) {
	long := s(strings.Repeat("x", 50))
	for _, c := range []struct {
		name      string
		want, got rows
		options   verify.Options
		reason    string
	}{
		{"no rows", nil, nil, verify.Options{}, ""},
		{"row missing", column(i(1), i(2)), column(i(1)), verify.Options{}, "got 1 rows, want 2"},
		{"column missing", rows{row(i(1), i(2))}, rows{row(i(1))}, verify.Options{}, "row 1: got 1 columns, want 2"},
		{"column more, ordered", rows{row(i(1))}, rows{row(i(1), i(2))}, verify.Options{Ordered: true}, "row 1: got 2 columns, want 1"},
		{"another order", column(i(1), i(2)), column(i(2), i(1)), verify.Options{}, ""},
		{"another order where it is fixed", column(i(1), i(2)), column(i(2), i(1)), verify.Options{Ordered: true}, "row 1, column 1: got integer 2, want integer 1"},
		{"counted", column(i(1), i(1), i(2)), column(i(1), i(2), i(2)), verify.Options{}, "row 2, column 1: got integer 2, want integer 1"},
		{"the closest row is shown", rows{row(i(1), s("a"), i(5)), row(i(2), s("b"), f(0.5))}, rows{row(i(9), s("x"), i(7)), row(i(2), s("b"), f(0.25))}, verify.Options{},
			"row 1, column 1: got integer 9, want integer 1"},
		{"the closest row is shown, other rows apart", rows{row(i(1), s("a")), row(i(2), s("b"))}, rows{row(i(3), s("b")), row(i(1), s("a"))}, verify.Options{}, "row 2, column 1: got integer 3, want integer 2"},
		{"type", column(s("1")), column(i(1)), verify.Options{}, `row 1, column 1: got integer 1, want text "1"`},
		{"null and blob", column(null), column(b("\x01\xab")), verify.Options{}, "row 1, column 1: got blob x'01ab', want NULL"},
		{"real", column(f(0.1)), column(f(1e100)), verify.Options{}, "row 1, column 1: got real 1.0e+100, want real 0.1"},
		{"long", column(long), column(s("x\n")), verify.Options{}, `row 1, column 1: got text "x\n", want text "` + strings.Repeat("x", 40) + `" and 10 bytes more`},
		{"ties change places", column(i(1), i(2), i(3)), column(i(2), i(1), i(3)), verify.Options{Ordered: true, Ties: []int{7, 7, 3}}, ""},
		{"ties end", column(i(1), i(2), i(3)), column(i(1), i(3), i(2)), verify.Options{Ordered: true, Ties: []int{7, 7, 3}}, "row 2, column 1: got integer 3, want integer 2"},
		{"groups are runs", column(i(1), i(2), i(3)), column(i(3), i(2), i(1)), verify.Options{Ordered: true, Ties: []int{0, 1, 0}}, "row 1, column 1: got integer 3, want integer 1"},
		{"ties of other rows", column(i(1)), column(i(1)), verify.Options{Ordered: true, Ties: []int{1, 2}}, "the ties number 2 rows of 1: give one number for each wanted row"},
		{"ties count only in order", column(i(1)), column(i(1)), verify.Options{Ties: []int{1, 2}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := verify.Compare(c.want, c.got, c.options)
			if v.Reason != c.reason || v.Equal != (c.reason == "") {
				t.Errorf("got %+v, want reason %q", v, c.reason)
			}
		})
	}
}

// Rows are paired so that rounding errors, which are not transitive, do not
// depend on the order.
func TestTolerantPairing(t *testing.T) {
	const d = 0.9e-9
	for _, c := range []struct {
		name      string
		want, got rows
		equal     bool
	}{
		{"a chain of one column", column(f(1), f(1+d), f(1+2*d)), column(f(1+3*d), f(1+d), f(1+2*d)), true},
		{"a chain that does not reach", column(f(1), f(1), f(1+d)), column(f(1+d), f(1+2*d), f(1+2*d)), false},
		{"a chain of two columns", rows{row(f(1), f(1+d)), row(f(1+d), f(1))}, rows{row(f(1+2*d), f(1)), row(f(1), f(1+d))}, true},
		{"order by the first column misleads", rows{row(f(1), f(5)), row(f(1+d/2), f(7))}, rows{row(f(1+d/4), f(7)), row(f(1+d), f(5))}, true},
		{"two columns that cross", rows{row(f(1), f(1+1.5*d)), row(f(1+d/10), f(1))}, rows{row(f(1), f(1+d/10)), row(f(1+d/10), f(1+d))}, true},
		{"duplicates count", column(f(1), f(1), f(2)), column(f(1), f(2), f(2)), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if v := verify.Compare(c.want, c.got, verify.Options{}); v.Equal != c.equal {
				t.Errorf("got %+v", v)
			}
			if v := verify.Compare(c.got, c.want, verify.Options{}); v.Equal != c.equal {
				t.Errorf("the other way: %+v", v)
			}
		})
	}
}

func TestOneOf(t *testing.T) {
	byKey := column(s("a1"), s("a2"), s("b1"), s("b2"), s("b3"), s("c1"))
	groups := []int{1, 1, 2, 2, 2, 3}
	for _, c := range []struct {
		name          string
		got           rows
		groups        []int
		limit, offset int64
		want          bool
	}{
		{"whole groups", column(s("a2"), s("a1")), groups, 2, 0, true},
		{"part of a group", column(s("a1"), s("a2"), s("b3")), groups, 3, 0, true},
		{"two of a group", column(s("a1"), s("a2"), s("b3"), s("b1")), groups, 4, 0, true},
		{"a row twice", column(s("a1"), s("a2"), s("b3"), s("b3")), groups, 4, 0, false},
		{"a later group too early", column(s("a1"), s("a2"), s("c1")), groups, 3, 0, false},
		{"groups in another order", column(s("b1"), s("a1"), s("a2")), groups, 3, 0, false},
		{"too few rows", column(s("a1")), groups, 2, 0, false},
		{"too many rows", column(s("a1"), s("a2")), groups, 1, 0, false},
		{"offset into a group", column(s("a2"), s("b2")), groups, 2, 1, true},
		{"offset and limit in one group", column(s("b2")), groups, 1, 3, true},
		{"offset behind the end", nil, groups, 2, 9, true},
		{"limit behind the end", column(s("b2"), s("c1")), groups, 9, 4, true},
		{"no limit", column(s("c1")), groups, -1, 5, true},
		{"limit 0", nil, groups, 0, 0, true},
		{"a negative offset", column(s("a1")), groups, 1, -3, true},
		{"no order", column(s("c1"), s("a1")), nil, 2, 0, true},
		{"no order, not a candidate", column(s("c1"), s("x")), nil, 2, 0, false},
		{"groups of other rows", column(s("a1")), []int{1}, 1, 0, false},
		{"huge numbers", column(s("c1")), groups, math.MaxInt64, 5, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := verify.OneOf(c.got, verify.Candidates{Rows: byKey, Groups: c.groups, Limit: c.limit, Offset: c.offset}); got != c.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

func TestOneOfEach(t *testing.T) {
	x := rows{row(s("x"), i(1)), row(s("x"), i(2))}
	y := rows{row(s("y"), i(1)), row(s("y"), f(0.5))}
	either := rows{row(s("x"), i(1)), row(s("y"), i(1))}
	for _, c := range []struct {
		name               string
		got                rows
		groups             [][][]value.Value
		ordered, unordered bool
	}{
		{"one of each", rows{row(s("x"), i(2)), row(s("y"), f(0.5))}, [][][]value.Value{x, y}, true, true},
		{"another order", rows{row(s("y"), f(0.5)), row(s("x"), i(2))}, [][][]value.Value{x, y}, false, true},
		{"two of one", rows{row(s("x"), i(1)), row(s("x"), i(2))}, [][][]value.Value{x, y}, false, false},
		{"not in the group", rows{row(s("x"), i(3)), row(s("y"), i(1))}, [][][]value.Value{x, y}, false, false},
		{"groups that share rows", rows{row(s("y"), i(1)), row(s("x"), i(1)), row(s("x"), i(2))}, [][][]value.Value{either, x, x}, true, true},
		{"groups that share rows, matched back", rows{row(s("x"), i(1)), row(s("y"), i(1))}, [][][]value.Value{either, x}, false, true},
		{"too few", rows{row(s("x"), i(1))}, [][][]value.Value{x, y}, false, false},
		{"an empty group", rows{row(s("x"), i(1))}, [][][]value.Value{nil}, false, false},
		{"nothing", nil, nil, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := verify.OneOfEach(c.got, c.groups, true); got != c.ordered {
				t.Errorf("ordered: %v", got)
			}
			if got := verify.OneOfEach(c.got, c.groups, false); got != c.unordered {
				t.Errorf("unordered: %v", got)
			}
		})
	}
}
