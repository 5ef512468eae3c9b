package value

import "strings"

// lengthSum returns the bytes of the texts of all values.
func lengthSum(values []Value) int {
	n := 0
	for _, v := range values {
		n += len(AsText(v))
	}
	return n
}

func concat(args []Value) (Value, error) { return join("concat", "", args) }

func concatWithSeparator(args []Value) (Value, error) {
	if args[0].kind == Null {
		return Value{}, nil
	}
	return join("concat_ws", AsText(args[0]), args[1:])
}

// join leaves out NULLs, with their separators.
func join(name, separator string, args []Value) (Value, error) {
	if lengthSum(args)+len(args)*len(separator) > MaxLength {
		return Value{}, tooBig(name)
	}
	var parts []string
	for _, v := range args {
		if v.kind != Null {
			parts = append(parts, AsText(v))
		}
	}
	return Str(strings.Join(parts, separator)), nil
}

func likeFunction(args []Value) (Value, error) {
	escape := rune(0)
	if len(args) == 3 && args[0].kind != Blob && args[1].kind != Blob {
		if args[2].kind == Null {
			return Value{}, nil
		}
		text := cstring(AsText(args[2]))
		if countLeads(text) != 1 {
			return Value{}, &FunctionError{"like", "ESCAPE expression must be a single character"}
		}
		escape, _ = readChar(text)
	}
	return boundedMatch("like", args, func(p string) *Pattern { return CompileLike(p, escape) })
}

func globFunction(args []Value) (Value, error) { return boundedMatch("glob", args, CompileGlob) }

// boundedMatch refuses the patterns that SQLite finds too long.
func boundedMatch(name string, args []Value, compile func(string) *Pattern) (Value, error) {
	const maxPattern = 50000
	if args[0].kind != Blob && args[1].kind != Blob && len(AsText(args[0])) > maxPattern {
		return Value{}, &FunctionError{name, "LIKE or GLOB pattern too complex"}
	}
	return match(args[0], args[1], compile), nil
}

// skipLead returns the bytes of the first character of s, where only a lead
// byte takes the continuation bytes that follow it.
func skipLead(s string) int {
	n := 1
	if s[0] >= 0xC0 {
		for continues(s, n) {
			n++
		}
	}
	return n
}

// skipAny is skipLead, except that a stray continuation byte, too, takes those
// that follow it. SQLite has both rules.
func skipAny(s string) int {
	n := 1
	if s[0] >= 0x80 {
		for continues(s, n) {
			n++
		}
	}
	return n
}

func countLeads(s string) int {
	n := 0
	for ; s != ""; n++ {
		s = s[skipLead(s):]
	}
	return n
}

// length counts the characters of a text up to its first NUL, and the bytes of
// anything else.
func length(v Value) Value {
	switch v.kind {
	case Null:
		return v
	case Text:
		n := int64(0)
		for s := cstring(v.str); s != ""; n++ {
			s = s[skipAny(s):]
		}
		return Int(n)
	}
	return octetLength(v)
}

func octetLength(v Value) Value {
	if v.kind == Null {
		return v
	}
	return Int(int64(len(AsText(v))))
}

// mapBytes is lower() or upper(), which know ASCII only.
func mapBytes(f func(byte) byte) func(Value) Value {
	return func(v Value) Value {
		if v.kind == Null {
			return v
		}
		b := []byte(AsText(v))
		for i, c := range b {
			b[i] = f(c)
		}
		return Str(string(b))
	}
}

// instr counts characters, but bytes between two blobs.
func instr(haystack, needle Value) Value {
	if haystack.kind == Null || needle.kind == Null {
		return Value{}
	}
	h, n := AsText(haystack), AsText(needle)
	bytes := haystack.kind == Blob && needle.kind == Blob
	position := int64(1)
	for !strings.HasPrefix(h, n) {
		if len(h) < len(n) {
			return Int(0)
		}
		skip := 1
		for !bytes && continues(h, skip) {
			skip++
		}
		h = h[skip:]
		position++
	}
	return Int(position)
}

func substr(args []Value) Value {
	v := args[0]
	if v.kind == Null || args[1].kind == Null || len(args) == 3 && args[2].kind == Null {
		return Value{}
	}
	if v.kind == Blob && v.str == "" {
		return Value{}
	}
	s := AsText(v)
	size := int64(len(s))
	if v.kind != Blob {
		s = cstring(s)
		size = int64(countLeads(s))
	}
	count := int64(1<<63 - 1)
	if len(args) == 3 {
		count = ToInt64(args[2])
	}
	start, count := window(ToInt64(args[1]), count, size)
	if v.kind == Blob {
		start = min(start, size)
		return Bytes(s[start : start+min(count, size-start)])
	}
	s = s[prefix(s, start):]
	return Str(s[:prefix(s, count)])
}

// window turns the arguments of substr into a start from 0 and a count from 0.
// A negative start counts from the end, a negative count goes to the left, and
// start 0 is the place before the first character.
func window(start, count, size int64) (int64, int64) {
	switch {
	case start < 0:
		start += size
		if start < 0 {
			count = max(max(count, 0)+start, 0)
			start = 0
		}
	case start > 0:
		start--
	case count > 0:
		count--
	}
	if count < 0 {
		if count < -start {
			count = start
		} else {
			count = -count
		}
		start -= count
	}
	return start, count
}

// prefix returns the bytes of the first n characters of s.
func prefix(s string, n int64) int64 {
	i := 0
	for ; n > 0 && i < len(s); n-- {
		i += skipAny(s[i:])
	}
	return int64(i)
}

func replace(args []Value) (Value, error) {
	if args[0].kind == Null || args[1].kind == Null {
		return Value{}, nil
	}
	s, old := AsText(args[0]), AsText(args[1])
	if old == "" || old[0] == 0 {
		return Str(s), nil
	}
	if args[2].kind == Null {
		return Value{}, nil
	}
	with := AsText(args[2])
	if grown := len(with) - len(old); grown > 0 && len(s)+strings.Count(s, old)*grown > MaxLength {
		return Value{}, tooBig("replace")
	}
	return Str(strings.ReplaceAll(s, old, with)), nil
}

// trimmer is trim() or one of its halves. The second argument lists the
// characters to remove instead of the space.
func trimmer(left, right bool) func([]Value) Value {
	return func(args []Value) Value {
		set := []string{" "}
		if args[0].kind == Null {
			return Value{}
		}
		if len(args) == 2 {
			if args[1].kind == Null {
				return Value{}
			}
			set = characters(cstring(AsText(args[1])))
		}
		s := AsText(args[0])
		if left {
			s = trimAll(s, set, strings.CutPrefix)
		}
		if right {
			s = trimAll(s, set, strings.CutSuffix)
		}
		return Str(s)
	}
}

func characters(s string) []string {
	var list []string
	for s != "" {
		n := skipLead(s)
		list = append(list, s[:n])
		s = s[n:]
	}
	return list
}

func trimAll(s string, set []string, cut func(s, part string) (string, bool)) string {
	for s != "" {
		before := len(s)
		for _, part := range set {
			var found bool
			if s, found = cut(s, part); found {
				break
			}
		}
		if len(s) == before {
			break
		}
	}
	return s
}
