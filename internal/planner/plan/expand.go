package plan

import (
	"slices"

	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/internal/text/spelling"
)

// plannableFunction refuses the table-valued functions that no calls stand for.
func plannableFunction(s *sqltree.Source) error {
	switch {
	case !s.Known:
		return unsupported(tableFunction, "%s(...) in FROM is not planned", s.TableName)
	case len(s.Args) == 0 || len(s.Args) > 2:
		return unsupported(tableFunction, "%s takes JSON and a path", s.TableName)
	}
	return nil
}

func (p *part) isFunction() bool { return p.of != nil && p.of.Function }

// expand plans a FROM clause with json_each or json_tree, which list the
// elements of JSON that other tables have: the other tables are joined first.
// What is left of the WHERE is returned.
func (b *builder) expand(parts []*part, where []sqltree.Expr, at around) (*relation, []sqltree.Expr, error) {
	var tables, functions []*part
	for _, p := range parts {
		if p.kind != Inner || len(p.equal) > 0 {
			return nil, nil, unsupported(tableFunction, "in an outer join, or with USING")
		}
		where = append(slices.Clone(p.on), where...)
		p.on = nil
		if p.isFunction() {
			functions = append(functions, p)
		} else {
			tables = append(tables, p)
		}
	}
	elements := func(c *sqltree.Column) bool {
		return c.State == sqltree.Bound && slices.ContainsFunc(functions, func(p *part) bool { return p.of == c.Source })
	}
	var before, after []sqltree.Expr
	for _, x := range where {
		if readsColumn(x, elements) {
			after = append(after, x)
		} else {
			before = append(before, x)
		}
	}
	rel := (*relation)(nil)
	if at.given != nil {
		rel = at.given.relation()
	}
	if len(tables) > 0 {
		own, rest, err := b.join(tables, before, at)
		if err != nil {
			return nil, nil, err
		}
		if before = rest; rel == nil || own.has(at.given) {
			rel = own
		} else {
			rel = b.joinRelations(rel, own, nil, Inner)
		}
	}
	e := &env{b: b, at: at, rel: rel}
	rest := slices.Concat(before, after)
	for _, p := range functions {
		var err error
		if rest, err = e.whereKnown(rest); err != nil {
			return nil, nil, err
		}
		if err := e.expand(p.of); err != nil {
			return nil, nil, err
		}
	}
	return e.rel, rest, nil
}

// whereKnown filters by the conditions on columns that the relation has, and
// returns the others: a row that drops out need not hold JSON.
func (e *env) whereKnown(conj []sqltree.Expr) (rest []sqltree.Expr, err error) {
	for _, x := range conj {
		if e.rel == nil || e.readsBeyond(x) {
			rest = append(rest, x)
		} else if err := e.where([]sqltree.Expr{x}); err != nil {
			return nil, err
		}
	}
	return rest, nil
}

// readsBeyond reports whether an expression reads columns that the relation
// does not have.
func (e *env) readsBeyond(x sqltree.Expr) bool {
	return readsColumn(x, func(c *sqltree.Column) bool {
		_, found := e.rel.find(c)
		return !found && c.Alias == nil && c.Coalesced == nil
	})
}

// expand joins the relation with the elements of a function.
func (e *env) expand(s *sqltree.Source) error {
	step := &Expand{In: NoStep, Path: text("$"), Recursive: spelling.Same(s.TableName, "json_tree")}
	for i, into := range []*Operand{&step.Doc, &step.Path} {
		if i == len(s.Args) {
			break
		}
		op, err := e.scalar(s.Args[i])
		if err != nil {
			return err
		}
		if op.Kind == Result {
			op = e.single(op)
		}
		*into = op
	}
	source := &sourceCols{of: s, cols: make([]Col, len(s.Columns))}
	if e.rel != nil {
		step.In = e.rel.step
	}
	id := e.b.making(step, func() {
		for _, c := range s.Columns {
			if !c.Hidden {
				step.Out = append(step.Out, e.b.column("json_"+c.Name))
			}
		}
	})
	made := e.b.steps[id].(*Expand).Out
	for i := range source.cols {
		if source.cols[i] = None; i < len(made) {
			source.cols[i] = made[i]
		}
	}
	if e.rel == nil {
		e.rel = newRelation(id, source)
		return nil
	}
	e.rel = newRelation(id, append(slices.Clone(e.rel.sources), source)...)
	return nil
}
