package openapi

import (
	"cmp"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/federation/apis"
	"github.com/birdcall/birdcall/internal/federation/fetch"
)

// request returns the request of a call: values are those of its filters.
func (c *call) request(values map[int][]sent) *fetch.Request {
	r := &fetch.Request{Operation: c.op.id, Method: c.op.method, Query: url.Values{}, Header: http.Header{}, Missing: c.single && c.op.documents(http.StatusNotFound)}
	path := map[string]string{}
	var body object
	put := func(p *parameter, all []sent) {
		list := make([]string, len(all))
		for i, s := range all {
			list[i] = s.text
		}
		switch p.in {
		case inPath:
			for i := range list {
				list[i] = escapePath(list[i])
			}
			path[p.name] = strings.Join(list, cmp.Or(p.between, ","))
		case inQuery:
			if p.between != "" {
				list = []string{strings.Join(list, p.between)}
			}
			r.Query[p.name] = append(r.Query[p.name], list...)
		case inHeader:
			r.Header.Set(p.name, strings.Join(list, cmp.Or(p.between, ",")))
		case inBody:
			body.set(p.pointer, jsonOf(p, all))
		}
	}
	for _, f := range c.fixed {
		put(f.parameter, f.values)
	}
	for _, i := range slices.Sorted(maps.Keys(values)) {
		f := c.filters[i]
		put(f.parameter, values[i])
		r.Missing = r.Missing || f.parameter.in == inPath
	}
	r.Path = pathOf(c.op.path, path)
	if c.op.method == http.MethodPost {
		r.Body = body.append(nil)
	}
	return r
}

// jsonOf writes values as a member of the body has them.
func jsonOf(p *parameter, all []sent) string {
	if !p.list {
		return all[0].json()
	}
	list := make([]string, len(all))
	for i, s := range all {
		list[i] = s.json()
	}
	return "[" + strings.Join(list, ",") + "]"
}

// object is an object of JSON with its members in the order in which they came.
type object struct {
	names   []string
	members []*object
	text    string // of a value
}

// set puts a value at a path.
func (o *object) set(path []string, text string) {
	for _, token := range path {
		i := slices.Index(o.names, token)
		if i < 0 {
			i = len(o.names)
			o.names, o.members = append(o.names, token), append(o.members, &object{})
		}
		o = o.members[i]
	}
	o.text = text
}

func (o *object) append(b []byte) []byte {
	if o.text != "" {
		return append(b, o.text...)
	}
	b = append(b, '{')
	for i, name := range o.names {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, sent{text: name, quoted: true}.json()...)
		b = o.members[i].append(append(b, ':'))
	}
	return append(b, '}')
}

// counter is a meter as package fetch uses it.
type counter struct{ *apis.Meter }

// Made counts what a call has brought.
func (m counter) Made(c fetch.Call) error { return m.Add(apis.Call(c)) }
