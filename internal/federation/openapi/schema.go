package openapi

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json/jsontext"
)

// types is a set of the types of JSON, null aside.
type types uint8

const (
	isInteger types = 1 << iota
	isNumber
	isString
	isBoolean
	isObject
	isArray

	isNested = isObject | isArray
)

// has reports whether one of the types of b is in the set.
func (a types) has(b types) bool { return a&b != 0 }

// only reports whether the set is not empty and all of its types are in b.
func (a types) only(b types) bool { return a != 0 && a&^b == 0 }

var typeNames = map[string]types{
	"integer": isInteger, "number": isNumber, "string": isString,
	"boolean": isBoolean, "object": isObject, "array": isArray,
}

// shape is what a schema says of a value, with the schemas that it is composed of
// taken together.
type shape struct {
	types       types // of none, anything is allowed
	null        bool
	properties  []property
	required    []string
	items       []*openapi3.SchemaRef
	enum        []any
	description string
	minimum     *float64
	maximum     *float64
	standard    any // the default
	minLength   uint64
	maxLength   *uint64
	maxItems    *uint64
	extensions  map[string]any
}

// property is a member of an object.
type property struct {
	name   string
	schema *openapi3.SchemaRef
}

// property returns the schema of a member, or nil.
func (s *shape) property(name string) *openapi3.SchemaRef {
	for _, p := range s.properties {
		if p.name == name {
			return p.schema
		}
	}
	return nil
}

// maxParts is how many schemas one is composed of at most. Schemas that refer to
// each other could go on for ever.
const maxParts = 10_000

// flattener takes schemas together.
type flattener struct {
	order propertyOrder
	parts int
	path  []*openapi3.Schema // those that are being taken together
}

// shapeOf returns what a schema says. Of a part that is a part of itself nothing is
// said.
func (d *document) shapeOf(ref *openapi3.SchemaRef) shape {
	f := flattener{order: d.order}
	return f.shape(ref)
}

func (f *flattener) shape(ref *openapi3.SchemaRef) shape {
	var s shape
	f.parts++
	if ref == nil || ref.Value == nil || f.parts > maxParts || slices.Contains(f.path, ref.Value) {
		return s
	}
	f.path = append(f.path, ref.Value)
	defer func() { f.path = f.path[:len(f.path)-1] }()
	s = f.own(ref.Value)
	for _, part := range ref.Value.AllOf {
		s.and(f.shape(part))
	}
	for _, alternatives := range [][]*openapi3.SchemaRef{ref.Value.OneOf, ref.Value.AnyOf} {
		if len(alternatives) == 0 {
			continue
		}
		either := f.shape(alternatives[0])
		for _, part := range alternatives[1:] {
			either.or(f.shape(part))
		}
		s.and(either)
	}
	for name, v := range ref.Extensions {
		s.extend(name, v)
	}
	return s
}

// own returns what a schema says by itself.
func (f *flattener) own(v *openapi3.Schema) shape {
	s := shape{
		null: v.Nullable, required: slices.Clone(v.Required), enum: v.Enum, description: v.Description,
		minimum: v.Min, maximum: v.Max, standard: v.Default, minLength: v.MinLength, maxLength: v.MaxLength, maxItems: v.MaxItems,
	}
	if v.Type != nil {
		for _, name := range *v.Type {
			s.types |= typeNames[name]
			s.null = s.null || name == "null"
		}
	}
	if v.Const != nil {
		s.enum = []any{v.Const}
	}
	if s.types == 0 && v.Type == nil {
		s.guess(v)
	}
	if v.Items != nil {
		s.items = []*openapi3.SchemaRef{v.Items}
	}
	for _, name := range f.order.of(v.Properties) {
		s.properties = append(s.properties, property{name, v.Properties[name]})
	}
	for name, value := range v.Extensions {
		s.extend(name, value)
	}
	return s
}

// guess finds the types of a schema that names none, where its keywords imply them.
func (s *shape) guess(v *openapi3.Schema) {
	if len(v.Properties) > 0 {
		s.types |= isObject
	}
	if v.Items != nil {
		s.types |= isArray
	}
	for _, e := range s.enum {
		switch e := e.(type) {
		case string:
			s.types |= isString
		case bool:
			s.types |= isBoolean
		case float64:
			if e == float64(int64(e)) {
				s.types |= isInteger
			} else {
				s.types |= isNumber
			}
		}
	}
}

func (s *shape) extend(name string, v any) {
	if s.extensions == nil {
		s.extensions = map[string]any{}
	}
	if _, ok := s.extensions[name]; !ok {
		s.extensions[name] = v
	}
}

// and adds what another schema says that holds as well.
func (s *shape) and(o shape) {
	both := s.types & o.types
	if s.types.has(isNumber) && o.types.has(isInteger) || s.types.has(isInteger) && o.types.has(isNumber) {
		both = both&^isNumber | isInteger // each integer is a number
	}
	switch {
	case both != 0:
		s.types = both
	case s.types == 0 || o.types == 0:
		s.types |= o.types
	}
	// A schema may say that it can be null besides a reference that does not.
	s.null = s.null || o.null
	s.join(o, func(a, b *openapi3.SchemaRef) *openapi3.Schema {
		return &openapi3.Schema{AllOf: openapi3.SchemaRefs{a, b}}
	})
	for _, name := range o.required {
		if !slices.Contains(s.required, name) {
			s.required = append(s.required, name)
		}
	}
	if s.enum == nil {
		s.enum = o.enum
	}
	s.minimum, s.maximum = cmp.Or(s.minimum, o.minimum), cmp.Or(s.maximum, o.maximum)
	s.minLength, s.maxLength, s.maxItems = cmp.Or(s.minLength, o.minLength), cmp.Or(s.maxLength, o.maxLength), cmp.Or(s.maxItems, o.maxItems)
	if s.standard == nil {
		s.standard = o.standard
	}
}

// or adds what another schema says that may hold instead.
func (s *shape) or(o shape) {
	onlyNull := func(a shape) bool { return a.types == 0 && a.null }
	switch {
	case onlyNull(o):
		s.null = true
		return
	case onlyNull(*s):
		*s, s.null = o, true
		return
	case s.types == 0 || o.types == 0:
		s.types = 0
	default:
		s.types |= o.types
	}
	s.null = s.null || o.null
	s.join(o, func(a, b *openapi3.SchemaRef) *openapi3.Schema {
		return &openapi3.Schema{AnyOf: openapi3.SchemaRefs{a, b}}
	})
	s.required = slices.DeleteFunc(s.required, func(name string) bool { return !slices.Contains(o.required, name) })
	if s.enum != nil && o.enum != nil {
		s.enum = slices.Concat(s.enum, o.enum)
	} else {
		s.enum = nil
	}
	s.minimum, s.maximum, s.minLength, s.maxLength, s.maxItems, s.standard = nil, nil, 0, nil, nil, nil
}

// join adds properties, items and annotations; both makes one schema of two.
func (s *shape) join(o shape, both func(a, b *openapi3.SchemaRef) *openapi3.Schema) {
	for _, p := range o.properties {
		i := slices.IndexFunc(s.properties, func(own property) bool { return own.name == p.name })
		if i < 0 {
			s.properties = append(s.properties, p)
			continue
		}
		s.properties[i].schema = both(s.properties[i].schema, p.schema).NewRef()
	}
	if s.items == nil {
		s.items = o.items
	}
	s.description = cmp.Or(s.description, o.description)
	for name, v := range o.extensions {
		s.extend(name, v)
	}
}

// propertyOrder is the order of properties in a JSON document: of the names in
// alphabetical order, joined by NUL, to the names as they are. The library that
// reads documents says it for YAML only.
type propertyOrder map[string][]string

// orderOf finds the order of the properties in a JSON document. Where it is none,
// there is no order to be found.
func orderOf(text []byte) propertyOrder {
	order := propertyOrder{}
	d := jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	type object struct {
		names  []string
		listed bool // it is the value of "properties"
	}
	var open []object
	last, isName := "", false // the token before, if it was a name
	for {
		t, err := d.ReadToken()
		if err != nil {
			return order
		}
		switch t.Kind() {
		case '{', '[':
			open = append(open, object{listed: t.Kind() == '{' && isName && last == "properties"})
			isName = false
		case '}', ']':
			if o := open[len(open)-1]; o.listed {
				key := orderKey(o.names)
				if order[key] == nil {
					order[key] = o.names
				}
			}
			open, isName = open[:len(open)-1], false
		default:
			// Names and values take turns in an object.
			isName = false
			if depth := d.StackDepth(); depth > 0 {
				kind, n := d.StackIndex(depth)
				isName = kind == '{' && n%2 == 1
			}
			if isName {
				last = t.String()
				o := &open[len(open)-1]
				o.names = append(o.names, last)
			}
		}
	}
}

func orderKey(names []string) string {
	return strings.Join(slices.Sorted(slices.Values(names)), "\x00")
}

// of returns the names of properties in the order of the document, or, where it is
// not known, of the alphabet.
func (o propertyOrder) of(properties openapi3.Schemas) []string {
	names := make([]string, 0, len(properties))
	placed := true
	for name, ref := range properties {
		names = append(names, name)
		placed = placed && ref != nil && ref.Origin != nil && ref.Origin.Key != nil
	}
	slices.Sort(names)
	if order := o[orderKey(names)]; order != nil {
		return order
	}
	if placed {
		slices.SortStableFunc(names, func(a, b string) int {
			x, y := properties[a].Origin.Key, properties[b].Origin.Key
			return cmp.Or(cmp.Compare(x.Line, y.Line), cmp.Compare(x.Column, y.Column))
		})
	}
	return names
}
