package openapi

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/birdcall/birdcall/internal/text/spelling"
)

// document is an OpenAPI document.
type document struct {
	doc   *openapi3.T
	order propertyOrder
	// operations are those of the document by their operationId and by their
	// method and path, such as "GET /museums".
	operations map[string]*operation
	names      []string // those that are to be suggested
}

// readDocument reads an OpenAPI document, JSON or YAML.
func readDocument(text []byte) (d *document, err error) {
	defer func() {
		// The libraries under this one are not proof against all that a file may have.
		if r := recover(); r != nil {
			err = fmt.Errorf("it cannot be read: %v", r)
		}
	}()
	if err := checkNesting(text); err != nil {
		return nil, err
	}
	loader := openapi3.NewLoader()
	loader.IncludeOrigin = true // it says the order of properties in YAML
	doc, err := loader.LoadFromData(text)
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(doc.OpenAPI, "3.") {
		if doc.OpenAPI == "" {
			return nil, errors.New("it is no OpenAPI document of version 3.0 or 3.1: it has no version under openapi; a Swagger 2.0 document has to be converted first")
		}
		return nil, fmt.Errorf("it is an OpenAPI document of version %q; 3.0 and 3.1 can be read", doc.OpenAPI)
	}
	d = &document{doc: doc, operations: map[string]*operation{}}
	if text = bytes.TrimSpace(text); len(text) > 0 && text[0] == '{' {
		d.order = orderOf(text)
	}
	if doc.Paths == nil {
		return d, nil
	}
	paths := doc.Paths.Map()
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		item := paths[path]
		if item == nil {
			continue
		}
		operations := item.Operations()
		for _, method := range slices.Sorted(maps.Keys(operations)) {
			d.add(path, method, item, operations[method])
		}
	}
	slices.Sort(d.names)
	return d, nil
}

func (d *document) add(path, method string, item *openapi3.PathItem, op *openapi3.Operation) {
	o := &operation{doc: d, id: op.OperationID, method: method, path: path, op: op, item: item}
	byPath := method + " " + path
	d.operations[byPath] = o
	if o.id = cmp.Or(o.id, byPath); d.operations[o.id] == nil {
		d.operations[o.id] = o
	}
	d.names = append(d.names, o.id)
}

// operation returns the operation of that operationId, or of that method and path.
func (d *document) operation(name string) (*operation, error) {
	if o := d.operations[name]; o != nil {
		return o, nil
	}
	return nil, fmt.Errorf("the document has no operation %q; %s", name, nearest(name, d.names))
}

// nearest suggests names, those first that are spelled most like the one that is
// not known.
func nearest(name string, known []string) string {
	names := slices.Clone(known)
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(spelling.Distance(spelling.Lower(name), spelling.Lower(a)), spelling.Distance(spelling.Lower(name), spelling.Lower(b)))
	})
	return spelling.Suggest(name, names)
}

// serverURL returns the URL of the document's first server, or "".
func (d *document) serverURL() string {
	if len(d.doc.Servers) == 0 || d.doc.Servers[0] == nil {
		return ""
	}
	s := d.doc.Servers[0]
	url := s.URL
	for name, v := range s.Variables {
		if v != nil {
			url = strings.ReplaceAll(url, "{"+name+"}", v.Default)
		}
	}
	return url
}
