package value

// Truth is the answer of a condition in SQL's three-valued logic.
type Truth int8

// The three answers.
const (
	False Truth = iota
	True
	Unknown
)

// TruthOf returns what WHERE, AND, OR, NOT and CASE make of v
// (lang_expr.html, "Boolean Expressions"): NULL is Unknown and zero is False.
// A text or blob counts as the number it starts with, 0 if with none.
func TruthOf(v Value) Truth {
	switch v.kind {
	case Null:
		return Unknown
	case Integer:
		return truth(v.num != 0)
	}
	return truth(ToFloat64(v) != 0)
}

func truth(b bool) Truth {
	if b {
		return True
	}
	return False
}

// And returns t AND u: False if either is False.
func (t Truth) And(u Truth) Truth {
	switch {
	case t == False || u == False:
		return False
	case t == True && u == True:
		return True
	}
	return Unknown
}

// Or returns t OR u: True if either is True.
func (t Truth) Or(u Truth) Truth {
	switch {
	case t == True || u == True:
		return True
	case t == False && u == False:
		return False
	}
	return Unknown
}

// Not returns NOT t; Unknown stays Unknown.
func (t Truth) Not() Truth {
	switch t {
	case True:
		return False
	case False:
		return True
	}
	return Unknown
}

// Value returns 1, 0 or NULL.
func (t Truth) Value() Value {
	if t == Unknown {
		return Value{}
	}
	return Bool(t == True)
}
