package openapi

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// place is where something is in the file.
type place struct{ line, column int }

// reader reads the file's nodes into forms and collects what is wrong with them.
type reader struct {
	file    string
	anchors map[string]ast.Node
	within  []string // names of the aliases that are being followed
	nodes   int      // that were read
	errs    []placedError
}

// placedError is an error with its place.
type placedError struct {
	at  place
	err error
}

// readable is a form that can be read from a node, which is never null.
type readable interface {
	read(r *reader, n ast.Node)
}

// fail notes an error.
func (r *reader) fail(at place, format string, args ...any) {
	err := fmt.Errorf(format, args...)
	r.errs = append(r.errs, placedError{at, fmt.Errorf("%s:%d:%d: %w", r.file, at.line, at.column, err)})
}

// err returns all errors in the order of their places, or nil.
func (r *reader) err() error {
	slices.SortStableFunc(r.errs, func(a, b placedError) int {
		return cmp.Or(cmp.Compare(a.at.line, b.at.line), cmp.Compare(a.at.column, b.at.column))
	})
	const enough = 100
	var all []error
	for i, e := range r.errs {
		if i == enough {
			all = append(all, fmt.Errorf("%s: and %d errors more", r.file, len(r.errs)-enough))
			break
		}
		all = append(all, e.err)
	}
	return errors.Join(all...)
}

// parse reads the text of the file, which has one document, into a form.
func (r *reader) parse(text []byte, to readable) {
	// Keys that occur twice are found while reading, with their places.
	tokens := lexer.Tokenize(string(text))
	if t := tooDeep(tokens); t != nil {
		r.fail(placeOf(t), "the file is nested more than %d levels deep", maxNesting)
		return
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		at, message := place{1, 1}, err.Error()
		var typed yaml.Error
		if errors.As(err, &typed) && typed.GetToken() != nil {
			at, message = placeOf(typed.GetToken()), typed.GetMessage()
		}
		r.fail(at, "this is no YAML: %s", message)
		return
	}
	var bodies []ast.Node
	for _, d := range file.Docs {
		if d.Body != nil {
			bodies = append(bodies, d.Body)
		}
	}
	switch {
	case len(bodies) == 0:
		r.fail(place{1, 1}, "the file is empty; it declares apis, and tables or functions")
		return
	case len(bodies) > 1:
		r.fail(placeOf(bodies[1].GetToken()), "the file has a second document; leave out the line ---")
		return
	}
	for _, n := range ast.Filter(ast.AnchorType, bodies[0]) {
		if a, ok := n.(*ast.AnchorNode); ok && a.Name != nil && a.Value != nil {
			r.anchors[a.Name.GetToken().Value] = a.Value
		}
	}
	r.into(bodies[0], to)
}

// into reads a node into a form, and reports whether there is something: null is as
// if nothing were there.
func (r *reader) into(n ast.Node, to readable) bool {
	if r.nodes++; r.nodes > maxNodes {
		if r.nodes == maxNodes+1 {
			r.fail(start(n), "the file has more than %d values, those of aliases counted for each use", maxNodes)
		}
		return false
	}
	followed := len(r.within)
	defer func() { r.within = r.within[:followed] }()
	if n = r.resolve(n); n == nil || n.Type() == ast.NullType {
		return false
	}
	to.read(r, n)
	return true
}

// resolve returns the node that an alias or anchor stands for, or nil if there is
// none. What is read from it knows that it is inside the alias.
func (r *reader) resolve(n ast.Node) ast.Node {
	for {
		switch node := n.(type) {
		case *ast.AnchorNode:
			n = node.Value
		case *ast.AliasNode:
			name := node.Value.GetToken().Value
			target := r.anchors[name]
			switch {
			case target == nil:
				r.fail(placeOf(node.Start), "there is no anchor &%s", name)
				return nil
			case slices.Contains(r.within, name):
				r.fail(placeOf(node.Start), "*%s is a part of itself", name)
				return nil
			}
			r.within = append(r.within, name)
			n = target
		default:
			return n
		}
	}
}

func placeOf(t *token.Token) place {
	if t == nil || t.Position == nil {
		return place{1, 1}
	}
	return place{t.Position.Line, t.Position.Column}
}

// start is where a node is: of a mapping, where its first key does.
func start(n ast.Node) place {
	if m, ok := n.(*ast.MappingNode); ok && !m.IsFlowStyle && len(m.Values) > 0 {
		n = m.Values[0]
	}
	if v, ok := n.(*ast.MappingValueNode); ok && v.Key != nil {
		return placeOf(v.Key.GetToken())
	}
	return placeOf(n.GetToken())
}

// member is a member of a mapping.
type member struct {
	name  string
	at    place
	value ast.Node
}

// members returns the members of a mapping in their order, those of merged ones
// (<<) after its own.
func (r *reader) members(n ast.Node, what string) []member {
	mapping, ok := n.(ast.MapNode)
	if !ok {
		r.fail(start(n), "%s is %s, and should be a mapping (name: value)", what, kindOf(n))
		return nil
	}
	var own, merged []member
	for it := mapping.MapRange(); it.Next(); {
		key := it.Key()
		if key.IsMergeKey() {
			followed := len(r.within)
			if target := r.resolve(it.Value()); target != nil {
				merged = append(merged, r.members(target, "what << merges")...)
			}
			r.within = r.within[:followed]
			continue
		}
		if len(own) == maxMembers {
			r.fail(start(n), "%s has more than %d keys", what, maxMembers)
			return nil
		}
		m := member{name: key.GetToken().Value, at: placeOf(key.GetToken()), value: it.Value()}
		if i := slices.IndexFunc(own, func(o member) bool { return o.name == m.name }); i >= 0 {
			r.fail(m.at, "the key %q stands here again; it is in line %d already", m.name, own[i].at.line)
			continue
		}
		own = append(own, m)
	}
	for _, m := range merged {
		if !slices.ContainsFunc(own, func(o member) bool { return o.name == m.name }) {
			own = append(own, m)
		}
	}
	return own
}

// field is a key that a mapping may have.
type field struct {
	name string
	to   readable
}

// object reads a mapping with these keys.
func (r *reader) object(n ast.Node, what string, fields ...field) place {
	for _, m := range r.members(n, what) {
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == m.name })
		if i < 0 {
			names := make([]string, len(fields))
			for j, f := range fields {
				names[j] = f.name
			}
			r.fail(m.at, "%s has no key %q; %s", what, m.name, nearest(m.name, names))
			continue
		}
		r.into(m.value, fields[i].to)
	}
	return start(n)
}

// shortOr reads an object that may be written short, as the one of its fields.
func (r *reader) shortOr(n ast.Node, short readable, what string, fields ...field) place {
	if _, ok := n.(ast.MapNode); !ok {
		short.read(r, n)
		return start(n)
	}
	return r.object(n, what, fields...)
}

// kindOf says what a node is.
func kindOf(n ast.Node) string {
	switch n := n.(type) {
	case *ast.StringNode, *ast.LiteralNode:
		return "a text"
	case *ast.IntegerNode:
		return fmt.Sprintf("the number %s", n.Token.Value)
	case *ast.FloatNode:
		return fmt.Sprintf("the number %s", n.Token.Value)
	case *ast.InfinityNode, *ast.NanNode:
		return "a number"
	case *ast.BoolNode:
		return fmt.Sprint(n.Value)
	case *ast.SequenceNode:
		return "a list"
	case ast.MapNode:
		return "a mapping"
	case *ast.TagNode:
		return "a value with a tag"
	}
	return "something else"
}

// text is a text with its place.
type text struct {
	s  string
	at place // of no line if it was not given
}

func (t text) given() bool { return t.at.line > 0 }

func (t *text) read(r *reader, n ast.Node) {
	switch node := n.(type) {
	case *ast.StringNode:
		*t = text{node.Value, placeOf(node.Token)}
	case *ast.LiteralNode:
		*t = text{node.Value.Value, placeOf(node.Start)}
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		r.fail(start(n), "%s should be a text; put it in quotation marks", kindOf(n))
		return
	default:
		r.fail(start(n), "%s should be a text", kindOf(n))
		return
	}
	if strings.Contains(t.s, "\x00") {
		r.fail(t.at, "the text has a NUL character")
	}
}

// plain is a text that takes nothing from the environment.
type plain struct{ text }

func (t *plain) read(r *reader, n ast.Node) {
	t.text.read(r, n)
	if strings.Contains(t.s, "${") {
		r.fail(t.at, "${NAME} is filled in only in server, auth and openapi")
	}
}

// whole is a number of at least 0.
type whole struct {
	n  int
	at place
}

func (w whole) given() bool { return w.at.line > 0 }

func (w *whole) read(r *reader, n ast.Node) {
	node, ok := n.(*ast.IntegerNode)
	if ok {
		switch v := node.Value.(type) {
		case int64:
			w.n, ok = int(v), v >= 0
		case uint64:
			w.n, ok = int(v), v <= math.MaxInt
		default:
			ok = false
		}
	}
	if !ok {
		r.fail(start(n), "%s should be a whole number, 0 or more", kindOf(n))
		return
	}
	w.at = start(n)
}

// decimal is a number of at least 0.
type decimal struct {
	f  float64
	at place
}

func (d *decimal) read(r *reader, n ast.Node) {
	if node, ok := n.(*ast.FloatNode); ok && node.Value >= 0 && !math.IsInf(node.Value, 0) {
		*d = decimal{node.Value, start(n)}
		return
	}
	var w whole
	w.read(r, n)
	*d = decimal{float64(w.n), w.at}
}

// flag is true or false.
type flag struct {
	on bool
	at place
}

func (f *flag) read(r *reader, n ast.Node) {
	node, ok := n.(*ast.BoolNode)
	if !ok {
		r.fail(start(n), "%s should be true or false", kindOf(n))
		return
	}
	*f = flag{node.Value, start(n)}
}

// duration is a time such as 5s or 10m.
type duration struct {
	d  time.Duration
	at place
}

func (d *duration) read(r *reader, n ast.Node) {
	var t plain
	if t.read(r, n); !t.given() {
		return
	}
	parsed, err := time.ParseDuration(t.s)
	if err != nil || parsed <= 0 {
		r.fail(t.at, "%q is no time; write one such as 500ms, 5s or 10m", t.s)
		return
	}
	*d = duration{parsed, t.at}
}

// pointerTo is a form that is read through its pointer.
type pointerTo[T any] interface {
	*T
	readable
}

// list is a list of forms. One form alone is a list too.
type list[T any, P pointerTo[T]] struct {
	all []T
	at  place
}

func (l *list[T, P]) read(r *reader, n ast.Node) {
	l.at = start(n)
	nodes := []ast.Node{n}
	if sequence, ok := n.(*ast.SequenceNode); ok {
		nodes = sequence.Values
	}
	for _, node := range nodes {
		var one T
		if r.into(node, P(&one)) {
			l.all = append(l.all, one)
		} else {
			r.fail(start(node), "an element of the list is empty")
		}
	}
}

// named is a member of a mapping whose names are free.
type named[T any] struct {
	name text
	form T
}

// entries is a mapping whose names are free, in its order.
type entries[T any, P pointerTo[T]] struct {
	all []named[T]
	at  place
}

func (e *entries[T, P]) read(r *reader, n ast.Node) {
	e.at = start(n)
	for _, m := range r.members(n, "this") {
		one := named[T]{name: text{m.name, m.at}}
		r.into(m.value, P(&one.form))
		e.all = append(e.all, one)
	}
}
