package openapi

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// The places of a parameter. A member of the JSON body is one too.
const (
	inPath   = "path"
	inQuery  = "query"
	inHeader = "header"
	inBody   = "body"
)

// operation is an operation of a document.
type operation struct {
	doc          *document
	id           string // its operationId, or its method and path where it has none
	method, path string
	op           *openapi3.Operation
	item         *openapi3.PathItem
}

// parameter is a value that an operation takes.
type parameter struct {
	name     string
	in       string
	required bool
	shape    shape // of one value
	list     bool  // it takes several values
	maxItems int   // 0 if that is not bounded
	// between separates several values; "" if the parameter is repeated for
	// each, or if they are an array of the body.
	between string
	pointer []string // of a member of the body
	// plain says that the values are written as they are: no other style.
	plain bool
}

// parameters returns what an operation takes: those of its path, its own, and the
// members of its JSON body.
func (o *operation) parameters() []*parameter {
	var all []*parameter
	for _, refs := range []openapi3.Parameters{o.op.Parameters, o.item.Parameters} {
		for _, ref := range refs {
			if ref == nil || ref.Value == nil {
				continue
			}
			p := o.parameter(ref.Value)
			if !slices.ContainsFunc(all, func(q *parameter) bool { return q.name == p.name && q.in == p.in }) {
				all = append(all, p)
			}
		}
	}
	body := o.body()
	for _, member := range body.properties {
		p := &parameter{name: member.name, in: inBody, pointer: []string{member.name}, plain: true, required: slices.Contains(body.required, member.name)}
		p.takes(o.doc, member.schema)
		all = append(all, p)
	}
	return all
}

func (o *operation) parameter(v *openapi3.Parameter) *parameter {
	p := &parameter{name: v.Name, in: v.In, required: v.Required || v.In == inPath}
	schema := v.Schema
	if schema == nil {
		schema = openapi3.NewStringSchema().NewRef() // it has a media type, which with cannot write
	} else {
		style := cmp.Or(v.Style, map[string]string{inPath: "simple", inHeader: "simple", inQuery: "form"}[v.In])
		explode := style == "form"
		if v.Explode != nil {
			explode = *v.Explode
		}
		p.plain = true
		switch {
		case v.In == "cookie":
			p.plain = false
		case style == "simple", style == "form" && !explode:
			p.between = ","
		case style == "form":
		case style == "spaceDelimited" && !explode:
			p.between = " "
		case style == "pipeDelimited" && !explode:
			p.between = "|"
		default:
			p.plain = false
		}
	}
	p.takes(o.doc, schema)
	return p
}

// takes fills in what the values of a parameter are.
func (p *parameter) takes(d *document, ref *openapi3.SchemaRef) {
	p.shape = d.shapeOf(ref)
	if !p.shape.types.has(isArray) || len(p.shape.items) == 0 {
		return
	}
	p.list = true
	if limit := p.shape.maxItems; limit != nil && *limit > 0 && *limit < 1<<30 {
		p.maxItems = int(*limit)
	}
	p.shape = d.shapeOf(p.shape.items[0])
}

// scalar reports whether a value of a column can be written as the parameter's.
func (p *parameter) scalar() bool {
	return p.plain && !p.shape.types.only(isNested)
}

// bodyParameter returns the parameter that a JSON pointer into the body names.
func (o *operation) bodyParameter(pointer string) (*parameter, error) {
	tokens, err := parsePointer(pointer)
	if err != nil || len(tokens) == 0 {
		return nil, fmt.Errorf("%q is no JSON pointer into the body, such as /filter/id", pointer)
	}
	if o.op.RequestBody == nil {
		return nil, fmt.Errorf("%s takes no body", o.id)
	}
	p := &parameter{name: pointer, in: inBody, pointer: tokens, plain: true}
	s := o.body()
	for i, token := range tokens {
		ref := s.property(token)
		switch {
		case ref == nil && len(s.properties) > 0:
			return nil, fmt.Errorf("the body has no %q at %s; %s", token, cmp.Or(writePointer(tokens[:i]), "its top"), nearest(token, s.names()))
		case ref == nil:
			return p, nil // the document does not say
		case i == len(tokens)-1:
			p.takes(o.doc, ref)
		default:
			s = o.doc.shapeOf(ref)
		}
	}
	return p, nil
}

// names returns the names of an object's properties.
func (s *shape) names() []string {
	names := make([]string, len(s.properties))
	for i, p := range s.properties {
		names[i] = p.name
	}
	return names
}

// body returns the shape of the JSON body that an operation takes.
func (o *operation) body() shape {
	if o.op.RequestBody == nil || o.op.RequestBody.Value == nil {
		return shape{}
	}
	return o.jsonOf(o.op.RequestBody.Value.Content)
}

// response returns the shape of the JSON that an operation answers with.
func (o *operation) response() shape {
	if o.op.Responses == nil {
		return shape{}
	}
	responses := o.op.Responses.Map()
	for _, status := range append(slices.Sorted(maps.Keys(responses)), "default") {
		if ref := responses[status]; (status[0] == '2' || status == "default") && ref != nil && ref.Value != nil {
			if s := o.jsonOf(ref.Value.Content); s.types != 0 || len(s.properties) > 0 {
				return s
			}
		}
	}
	return shape{}
}

// documents reports whether the document mentions responses with a status.
func (o *operation) documents(status int) bool {
	return o.op.Responses != nil && o.op.Responses.Status(status) != nil
}

// jsonOf returns the shape of the JSON among media types.
func (o *operation) jsonOf(content openapi3.Content) shape {
	for _, name := range slices.Sorted(maps.Keys(content)) {
		kind, _, _ := strings.Cut(strings.ToLower(name), ";")
		if kind = strings.TrimSpace(kind); kind != "application/json" && !strings.HasSuffix(kind, "+json") && kind != "*/*" {
			continue
		}
		if m := content[name]; m != nil && m.Schema != nil {
			return o.doc.shapeOf(m.Schema)
		}
	}
	return shape{}
}

// find returns the parameter of that name, or nil. A name that starts with a slash
// is a JSON pointer into the body.
func find(all []*parameter, name string) *parameter {
	for _, p := range all {
		if p.name == name {
			return p
		}
	}
	return nil
}

// pathOf returns the path of a call with the values of its parameters.
func pathOf(path string, values map[string]string) string {
	for name, v := range values {
		path = strings.ReplaceAll(path, "{"+name+"}", v)
	}
	return path
}

// escapePath escapes a value as a segment of a path.
func escapePath(text string) string { return url.PathEscape(text) }
