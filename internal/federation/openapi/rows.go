package openapi

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// maxDepth is how deep in an answer its rows are looked for.
const maxDepth = 4

// findRows returns where the rows are in an answer: the only array of objects that
// is not inside of another array; if there are several, the only one of those that
// are the least deep.
func (d *document) findRows(answer shape) ([]string, error) {
	if answer.types.has(isArray) {
		return nil, nil
	}
	type level struct {
		path []string
		s    shape
	}
	at := []level{{nil, answer}}
	for range maxDepth {
		var arrays [][]string
		var below []level
		for _, l := range at {
			for _, p := range l.s.properties {
				s := d.shapeOf(p.schema)
				path := append(slices.Clone(l.path), p.name)
				switch {
				case s.types.has(isArray) && len(s.items) > 0:
					if row := d.shapeOf(s.items[0]); len(row.properties) > 0 {
						arrays = append(arrays, path)
					}
				case len(s.properties) > 0:
					below = append(below, level{path, s})
				}
			}
		}
		if len(arrays) == 1 {
			return arrays[0], nil
		}
		if len(arrays) > 1 {
			names := make([]string, len(arrays))
			for i, path := range arrays {
				names[i] = writePointer(path)
			}
			return nil, fmt.Errorf("the answer has several arrays of objects, %s; say under rows which one has the rows", strings.Join(names, ", "))
		}
		at = below
	}
	return nil, errors.New("the document tells of no array of objects in the answer; say where the rows are, such as rows: /data")
}

// rowOf returns the schema of the rows at a path of an answer.
func (d *document) rowOf(answer shape, path []string) (shape, error) {
	s, known, err := d.walk(answer, path)
	switch {
	case err != nil:
		return shape{}, fmt.Errorf("the answer has no %w", err)
	case !known:
		return shape{}, nil
	case s.types.has(isArray) && len(s.items) > 0:
		return d.shapeOf(s.items[0]), nil
	}
	return s, nil
}
