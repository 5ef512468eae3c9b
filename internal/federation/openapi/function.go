package openapi

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/federation/apis"
)

// function asks for the values of a function.
type function struct {
	*apis.Function
	source *source
}

// functionBuilder makes a function of its form.
type functionBuilder struct {
	*callBuilder
	form     functionForm
	function *apis.Function
	source   *source
	call     *call
	args     []*parameter
	keys     [][]string // where a row says its arguments; nil if the rows have their order
}

// buildFunction returns the function of a form, or nil if it is not right.
func (l *loader) buildFunction(n named[functionForm]) *apis.Function {
	n.form.at = cmp.Or(n.form.at, n.name.at)
	b := &functionBuilder{
		callBuilder: &callBuilder{reader: l.reader, what: "function " + n.name.s},
		form:        n.form,
		function:    &apis.Function{Name: n.name.s, Many: 1},
	}
	if b.service = l.service(n.name, n.form.api); b.service == nil {
		return nil
	}
	f := b.function
	b.source = &source{service: b.service}
	f.API, f.FunctionSource = b.service.name, &function{f, b.source}
	f.Keep = l.keep(n.form.cache, b.service.keep)
	name := n.form.operation.text
	if !name.given() {
		b.fail(n.form.at, "a function needs the operation that computes it (operation: operationId); %s", nearest(f.Name, b.doc().names))
		return nil
	}
	if b.call = b.callBuilder.call(name, n.form.safe); b.call == nil {
		return nil
	}
	b.source.compute = b.call
	f.Description = cmp.Or(strings.TrimSpace(b.call.op.op.Summary), strings.TrimSpace(b.call.op.op.Description))
	b.constants(n.form.with, b.call)
	b.arguments()
	if b.failed {
		return nil
	}
	answer := b.call.op.response()
	if n.form.many.at.line > 0 {
		b.many(answer)
	} else {
		b.result(answer)
	}
	if b.failed {
		return nil
	}
	b.decoder()
	return f
}

// arguments finds the parameters of the arguments: those that are declared, or all
// that are required.
func (b *functionBuilder) arguments() {
	for _, a := range b.form.args.all {
		in := a.name
		if a.in.given() {
			in = a.in
		}
		p := find(b.call.params, in.s)
		if p == nil && strings.HasPrefix(in.s, "/") {
			p, _ = b.call.op.bodyParameter(in.s)
		}
		switch {
		case p == nil:
			b.fail(in.at, "%s has no parameter %q; %s", b.call.op.id, in.s, nearest(in.s, parameterNames(b.call.params)))
			return
		case b.call.uses(p) || slices.Contains(b.args, p):
			b.fail(in.at, "the parameter %s has a value already", in.s)
			return
		}
		b.argument(cmp.Or(a.name.s, p.name), p, in.at)
	}
	for _, p := range b.call.params {
		if !p.required || b.call.uses(p) || slices.Contains(b.args, p) || b.service.secret(p) {
			continue
		}
		if b.form.args.at.line > 0 {
			b.fail(b.form.args.at, "%s of %s is required, and nothing gives it a value; name it under args, or say what it always is (with: {%s: …})", p.name, b.call.op.id, p.name)
			continue
		}
		b.argument(p.name, p, b.form.operation.at)
	}
}

func (b *functionBuilder) argument(name string, p *parameter, at place) {
	if !p.scalar() {
		b.fail(at, "the parameter %s of %s takes no plain values", p.name, b.call.op.id)
		return
	}
	c, _ := p.shape.column(name)
	b.function.Args = append(b.function.Args, apis.Argument{Name: name, Description: c.Description, Type: c.Type})
	b.call.filters[len(b.args)] = &filter{parameter: p, many: 1}
	b.args = append(b.args, p)
}

// result finds where an answer has the result.
func (b *functionBuilder) result(answer shape) {
	path, err := b.resultPath(answer)
	if err != nil {
		b.fail(cmp.Or(b.form.result.at, b.form.operation.at), "%w", err)
		return
	}
	s, _, _ := b.doc().walk(answer, path)
	c, convert := s.column(b.function.Name)
	if t := b.form.typ; t.given() {
		if !isTypeName(t.s) {
			b.fail(t.at, "%q is no type; use one such as INTEGER, REAL or TEXT", t.s)
			return
		}
		c.Type, convert = t.s, conversionOf(t.s)
		c.Kinds = converted(c.Kinds, convert)
	}
	b.function.Result = c
	b.source.columns = []columnSource{{path, s, convert}}
}

// resultPath returns where the result is: what is declared, or the only member
// that is no argument.
func (b *functionBuilder) resultPath(answer shape) ([]string, error) {
	if b.form.result.given() {
		path := b.pointer(b.form.result.text)
		if _, _, err := b.doc().walk(answer, path); err != nil {
			return nil, fmt.Errorf("the answer has no %w", err)
		}
		return path, nil
	}
	if len(answer.properties) == 0 && answer.types != 0 && !answer.types.has(isNested) {
		return nil, nil // the answer is the result
	}
	var paths [][]string
	for _, p := range answer.properties {
		if find(b.args, p.name) == nil && !b.doc().shapeOf(p.schema).types.has(isNested) {
			paths = append(paths, []string{p.name})
		}
	}
	if len(paths) != 1 {
		return nil, errors.New("say under result where the answer has it, such as result: /value")
	}
	return paths[0], nil
}

// many finds how one call computes the function several times.
func (b *functionBuilder) many(answer shape) {
	form := b.form.many
	b.function.Many = 0
	for _, p := range b.args {
		n, err := p.limit(form.max)
		if err == nil && n == 1 && !form.max.given() {
			err = fmt.Errorf("say under max how many values of %s one call can have", p.name)
		}
		if err == nil && p.in == inPath {
			err = fmt.Errorf("%s is in the path, which has one value; leave out many", p.name)
		}
		if err != nil {
			b.fail(cmp.Or(form.max.at, form.at), "many: %w", err)
			return
		}
		if b.function.Many == 0 || n < b.function.Many {
			b.function.Many = n
		}
	}
	if len(b.args) == 0 {
		b.fail(form.at, "many: a function without arguments is computed once")
		return
	}
	if form.rows.given() {
		b.call.rows = b.pointer(form.rows.text)
	} else {
		path, err := b.doc().findRows(answer)
		if err != nil {
			b.fail(form.at, "many: %w", err)
			return
		}
		b.call.rows = path
	}
	row, err := b.doc().rowOf(answer, b.call.rows)
	if err != nil {
		b.fail(form.rows.at, "many: %w", err)
		return
	}
	b.keyPaths(row)
	b.result(row)
}

// keyPaths finds where a row says its arguments: what is declared, or the members
// of their parameters' names.
func (b *functionBuilder) keyPaths(row shape) {
	form := b.form.many
	if form.key.at.line == 0 {
		for _, p := range b.args {
			if row.property(p.name) == nil {
				b.keys = nil
				return
			}
			b.keys = append(b.keys, []string{p.name})
		}
		return
	}
	if n := len(form.key.all); n != 0 && n != len(b.args) {
		b.fail(form.key.at, "many: the key has %d pointers, and the function %d arguments", n, len(b.args))
		return
	}
	for _, k := range form.key.all {
		path := b.pointer(k.text)
		if _, _, err := b.doc().walk(row, path); err != nil {
			b.fail(k.at, "many: the row has no %w", err)
		}
		b.keys = append(b.keys, path)
	}
}

// decoder makes what reads the results: the result comes first, the key after it.
func (b *functionBuilder) decoder() {
	row := &node{}
	column := b.source.columns[0]
	row.put(column.path, slot{0, column.convert})
	for i, path := range b.keys {
		row.put(path, slot{1 + i, asWritten})
	}
	b.call.single = b.function.Many == 1
	b.call.decoder = newDecoder(b.call, row, 1+len(b.keys))
	b.call.decoder.one = b.form.many.at.line == 0
}
