package plan

import (
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// TestEdit changes a plan and reads it back: what refers to steps and columns
// follows them.
func TestEdit(t *testing.T) {
	const sql = "SELECT customer, count(*) FROM orders WHERE total > (SELECT avg(total) FROM orders) GROUP BY customer ORDER BY 2 LIMIT 3"
	for _, c := range []struct {
		about string
		edit  func(*Plan)
		want  string
	}{
		{"insert before the filter", func(p *Plan) {
			p.Insert(2, &Filter{In: 0, Col: p.Steps[2].(*Filter).Col, Condition: tools.IsNotNull})
			p.Steps[3].(*Filter).In = 2
		}, `0: start orders orders
1: aggregate 0: mean#5 = mean(orders.total)
2: filter 0: orders.total is_not_null
3: filter 2: orders.total greater_than $1
4: group 3: by [orders.customer]
5: aggregate 4: count#6 = count(*)
6: sort 5: by [count#6] desc=false
7: project 6: [orders.customer, count#6] distinct=false limit=3 offset=0
answer: 7 [orders.customer, count#6]
cut at 7, sorted 6
`},
		{"replace the filter by its source, and drop what nothing reads then", func(p *Plan) {
			p.Replace(map[StepID]StepID{2: 0}, nil)
			p.Prune()
		}, `0: start orders orders
1: group 0: by [orders.customer]
2: aggregate 1: count#6 = count(*)
3: sort 2: by [count#6] desc=false
4: project 3: [orders.customer, count#6] distinct=false limit=3 offset=0
answer: 4 [orders.customer, count#6]
cut at 4, sorted 3
`},
		{"replace a column by another", func(p *Plan) {
			group := p.Steps[3].(*Group)
			p.Replace(nil, map[Col]Col{group.Keys[0]: p.Steps[2].(*Filter).Col})
		}, `0: start orders orders
1: aggregate 0: mean#5 = mean(orders.total)
2: filter 0: orders.total greater_than $1
3: group 2: by [orders.total]
4: aggregate 3: count#6 = count(*)
5: sort 4: by [count#6] desc=false
6: project 5: [orders.total, count#6] distinct=false limit=3 offset=0
answer: 6 [orders.total, count#6]
cut at 6, sorted 5
`},
	} {
		p, err := build(sql, shop)
		if err != nil {
			t.Fatal(err)
		}
		c.edit(p)
		got := p.String()
		for _, choice := range p.Choices {
			if choice.Kind == Cut {
				got += strings.ReplaceAll("cut at N", "N", string(rune('0'+choice.Step)))
			}
		}
		got += strings.ReplaceAll(", sorted N\n", "N", string(rune('0'+p.Order.Sorted)))
		if got != c.want {
			t.Errorf("%s:\n%swant:\n%s", c.about, got, c.want)
		}
	}
}

// TestCopy holds that a copied step is another one: what is changed in it stays
// there.
func TestCopy(t *testing.T) {
	d := &Derive{From: 1, Out: 2, Op: tools.OpAdd, Args: []Arg{{Name: toolname.ArgValue, Values: []Operand{{Kind: ColumnOf, Col: 1}}}}}
	own := Copy(d, map[Col]Col{1: 7}).(*Derive)
	own.Args[0].Name = "other"
	ReplaceOperand(own, 7, constant(value.Int(3)))
	if own.From != 7 || own.Args[0].Values[0].Value != value.Int(3) {
		t.Errorf("the copy reads %v and %v", own.From, own.Args[0].Values[0])
	}
	if d.From != 1 || d.Args[0].Name != toolname.ArgValue || d.Args[0].Values[0].Col != 1 {
		t.Errorf("the step itself has changed: %v", d)
	}
	if Copy(&Pick{}, nil) != nil {
		t.Error("a step that is no filter and no derivation was copied")
	}
}
