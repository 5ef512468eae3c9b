package value

// jsonRemove is json_remove() and, without paths, json().
func jsonRemove(c *jsonCall, args []Value) (Value, error) {
	for _, path := range args[1:] {
		text := cstring(AsText(path))
		if path.kind == Null || text == "$" {
			return Value{}, nil
		}
		if _, err := c.change(text, editRemove, nil); err != nil {
			return Value{}, err
		}
	}
	return c.text(c.root)
}

// jsonPut is json_set(), json_insert() or json_replace(): pairs of a path and a
// value follow the JSON.
func jsonPut(e edit) func(*jsonCall, []Value) (Value, error) {
	return func(c *jsonCall, args []Value) (Value, error) {
		if len(args)%2 == 0 {
			return Value{}, &FunctionError{c.name, c.name + "() needs an odd number of arguments"}
		}
		for i := 1; i < len(args); i += 2 {
			if args[i].kind == Null {
				continue
			}
			n, err := jsonArgument(c.name, args[i+1])
			if err != nil {
				return Value{}, err
			}
			if _, err := c.change(AsText(args[i]), e, n); err != nil {
				return Value{}, err
			}
		}
		return c.text(c.root)
	}
}

// jsonArgument is jsonOf, except that a REAL is written as a text has it.
func jsonArgument(name string, v Value) (*jsonNode, error) {
	if v.kind != Real {
		return jsonOf(name, v)
	}
	n := &jsonNode{kind: jsonFloat, text: AsText(v)}
	switch n.text {
	case "Inf":
		n.text = "9e999"
	case "-Inf":
		n.text = "-9e999"
	}
	return n, nil
}

// jsonPatch is json_patch(), the merge patch of RFC 7396.
func jsonPatch(c *jsonCall, args []Value) (Value, error) {
	if args[1].kind == Null {
		return Value{}, nil
	}
	patch, err := parseArgument(c.name, args[1])
	if err != nil {
		return Value{}, err
	}
	return c.text(mergePatch(c.root, patch))
}

// mergePatch returns the target changed by a patch. Neither is nested deeper
// than the parser lets it be.
func mergePatch(target, patch *jsonNode) *jsonNode {
	if patch.kind != jsonObject {
		return patch
	}
	if target.kind != jsonObject {
		target = &jsonNode{kind: jsonObject}
	}
	for i := 0; i < len(patch.kids); i += 2 {
		label, value := patch.kids[i], patch.kids[i+1]
		at := 0
		for at < len(target.kids) && !sameLabel(label.text, label.isRaw(), target.kids[at].text, target.kids[at].isRaw()) {
			at += 2
		}
		switch {
		case at == len(target.kids) && value.kind == jsonNull:
		case at == len(target.kids):
			target.kids = append(target.kids, label, mergePatch(&jsonNode{kind: jsonNull}, value))
		case value.kind == jsonNull:
			target.kids = append(target.kids[:at:at], target.kids[at+2:]...)
		default:
			target.kids[at+1] = mergePatch(target.kids[at+1], value)
		}
	}
	return target
}
