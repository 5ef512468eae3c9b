package value

import (
	"strconv"
	"strings"
)

// JSONElement is one row of the table-valued functions json_each and json_tree
// (https://www.sqlite.org/json1.html, section 4.24).
type JSONElement struct {
	Key     Value  // the label, or the index, of the element in what holds it
	Value   Value  // an array or object as JSON
	Type    string // as json_type() has it
	Atom    Value  // the value, but NULL for an array or object
	ID      Value  // an INTEGER that no other element of the JSON has
	Parent  Value  // the ID of what holds the element; NULL from JSONEach
	FullKey Value  // the path to the element
	Path    Value  // the path to what holds it
}

// JSONEach returns the elements of the array or object at a path, "$" being the
// whole, or the one element there if it is neither. There are none where doc or
// path is NULL, or the path leads nowhere. The error is a *FunctionError.
func JSONEach(doc, path Value) ([]JSONElement, error) {
	w, err := walkJSON("json_each", doc, path)
	if err != nil || w == nil {
		return nil, err
	}
	if w.start.kind < jsonArray {
		return w.rows, w.add(w.start, Value{}, w.place, w.path, w.path)
	}
	err = w.kids(w.start, w.at, w.path, func(n *jsonNode, key Value, place, _ int, fullKey string) error {
		return w.add(n, key, place, fullKey, w.path)
	})
	return w.rows, err
}

// JSONTree is JSONEach for the element at the path and all that it holds, at
// any depth.
func JSONTree(doc, path Value) ([]JSONElement, error) {
	w, err := walkJSON("json_tree", doc, path)
	if err != nil || w == nil {
		return nil, err
	}
	key, above := w.parentPath()
	if err := w.add(w.start, key, w.place, w.path, above); err != nil {
		return nil, err
	}
	return w.rows, w.below(w.start, w.at, Int(int64(w.place)), w.path)
}

// jsonWalk lists elements. Places are those in SQLite's JSONB, which are the
// IDs: where an element of an object is, its label is before it.
type jsonWalk struct {
	call  *jsonCall
	path  string
	start *jsonNode
	at    int // the place of start
	place int // the same, or that of its label
	rows  []JSONElement
}

// walkJSON finds where to start; nil if nowhere.
func walkJSON(name string, doc, path Value) (*jsonWalk, error) {
	if doc.kind == Null {
		return nil, nil
	}
	root, err := parseArgument(name, doc)
	if err != nil || path.kind == Null {
		return nil, err
	}
	w := &jsonWalk{call: &jsonCall{name: name, root: root}, path: cstring(AsText(path))}
	if w.start, err = w.call.find(w.path); err != nil || w.start == nil {
		return nil, err
	}
	w.at, w.place, _ = findNode(root, w.start, 0)
	return w, nil
}

// findNode returns the place of a node below another one, and that of its
// label.
func findNode(from, wanted *jsonNode, at int) (place, label int, found bool) {
	if from == wanted {
		return at, at, true
	}
	at += headerSize(from.payload())
	before := at
	for i, kid := range from.kids {
		if place, label, found := findNode(kid, wanted, at); found {
			if kid == wanted && from.kind == jsonObject && i%2 == 1 {
				label = before
			}
			return place, label, true
		}
		before = at
		at += kid.size()
	}
	return 0, 0, false
}

// add appends a row.
func (w *jsonWalk) add(n *jsonNode, key Value, place int, fullKey, path string) error {
	v, err := w.call.value(n)
	if err != nil {
		return err
	}
	e := JSONElement{Key: key, Value: v, Type: n.kind.String(), ID: Int(int64(place)), FullKey: Str(fullKey), Path: Str(path)}
	if n.kind < jsonArray {
		e.Atom = v
	}
	w.rows = append(w.rows, e)
	return nil
}

// kids calls visit for each element of an array or object that is at a
// place, with its key, its place with and without label, and its path.
func (w *jsonWalk) kids(n *jsonNode, at int, path string, visit func(n *jsonNode, key Value, place, at int, fullKey string) error) error {
	at += headerSize(n.payload())
	for i := 0; i < len(n.kids); i++ {
		kid, key, place, fullKey := n.kids[i], Int(int64(i)), at, path+"["+strconv.Itoa(i)+"]"
		if n.kind == jsonObject {
			key, _ = kid.value()
			fullKey = path + pathName(kid.text)
			at += kid.size()
			i++
			kid = n.kids[i]
		}
		if err := visit(kid, key, place, at, fullKey); err != nil {
			return err
		}
		at += kid.size()
	}
	return nil
}

// below lists all that an element holds.
func (w *jsonWalk) below(n *jsonNode, at int, parent Value, path string) error {
	return w.kids(n, at, path, func(kid *jsonNode, key Value, place, at int, fullKey string) error {
		if err := w.add(kid, key, place, fullKey, path); err != nil {
			return err
		}
		w.rows[len(w.rows)-1].Parent = parent
		return w.below(kid, at, Int(int64(place)), fullKey)
	})
}

// pathName writes a label as a step of a path.
func pathName(label string) string {
	plain := label != "" && !isDigit(label[0])
	for i := range len(label) {
		plain = plain && isAlnum(label[i])
	}
	if plain {
		return "." + label
	}
	return `."` + label + `"`
}

// parentPath splits the path of the first row of json_tree() into the path to
// what holds it and its key. SQLite recognizes what holds it by where its first
// element is, so that for others the path is "$" and the key is all the rest.
func (w *jsonWalk) parentPath() (key Value, above string) {
	if len(w.path) == 1 {
		return Value{}, w.path
	}
	end := len(w.path) - 1
	for ; end > 1; end-- {
		if w.path[end] != '[' && w.path[end] != '.' {
			continue
		}
		n, err := w.call.find(w.path[:end])
		if err != nil || n == nil {
			continue
		}
		if at, _, _ := findNode(w.call.root, n, 0); at+headerSize(n.payload()) == w.place {
			break
		}
	}
	above, name := w.path[:end], w.path[end:]
	switch {
	case name[0] == '[':
		i, _ := parseInt(name[1:])
		return Int(i), above
	case strings.HasPrefix(name[1:], `"`):
		return Str(name[2:max(len(name)-1, 2)]), above
	}
	return Str(name[1:]), above
}
