package naming

import (
	"fmt"
	"slices"
	"strings"
)

// maxName is how long the name of an endpoint may be in bytes. Clients put the
// name of a server before it, and what calls functions by name refuses more than
// 60 or 64.
const maxName = 45

// segments puts the parts of a name together: what comes first, and by what it
// is given, so many at most.
func segments(count int, first ...any) [][]string {
	var out [][]string
	for _, part := range first {
		switch part := part.(type) {
		case []string:
			if len(part) > 0 {
				out = append(out, part)
			}
		case [][]string:
			for i, name := range part[:min(count, len(part))] {
				out = append(out, append([]string{pick(i == 0, "by", "and")}, name...))
			}
		}
	}
	return out
}

// Names yields names for the endpoint, better ones first. All are valid, and
// there is no end of them: the last ones only differ in a number.
func (e *Endpoint) Names(yield func(string) bool) {
	if !yield(e.first) {
		return
	}
	of := append([]string{"of"}, e.tables...)
	for _, parts := range [][][]string{
		segments(3, e.subject, e.order, e.groups, e.exact),
		segments(1, e.subject, e.groups, e.order, e.by, e.fixed),
		segments(3, e.subject, e.exact, e.order, e.groups, e.fixed),
		segments(2, e.subject, of, e.order, e.by),
		segments(3, e.subject, of, e.exact, e.order, e.groups),
	} {
		if !yield(endpointName(parts, maxName)) {
			return
		}
	}
	for i := 2; ; i++ {
		suffix := fmt.Sprintf("_%d", i)
		if !yield(endpointName(segments(2, e.subject, e.order, e.groups, e.by), maxName-len(suffix)) + suffix) {
			return
		}
	}
}

// endpointName joins the parts of a name to at most size bytes, without the
// least telling words where they are too many.
func endpointName(parts [][]string, size int) string {
	list := fitting(parts, size)
	name := snake(list, size)
	if name == "" || name[0] < 'a' || name[0] > 'z' {
		name = snake(append([]string{"values"}, list...), size)
	}
	return name
}

// fitting leaves words out until a name has at most size bytes: first those that
// are there before, then those that only link others, then the first words of
// what is given, then whole parts from the end.
func fitting(parts [][]string, size int) []string {
	list := shortened(slices.Concat(parts...), size)
	fits := func() bool { return len(strings.Join(list, "_")) <= size }
	if fits() {
		return list
	}
	parts = slices.Clone(parts)
	for i, part := range parts {
		if n := len(part); n > 3 && i > 0 && (part[0] == "by" || part[0] == "and") {
			parts[i] = append([]string{part[0]}, part[n-2:]...)
		}
	}
	for n := len(parts); n > 2 && !fits(); n-- {
		list = shortened(slices.Concat(parts[:n]...), size)
	}
	return list
}

// shortened leaves single words out so far as a name is too long.
func shortened(list []string, size int) []string {
	list = dedupe(list)
	drop := func(isSpare func(i int) bool) {
		for i := len(list) - 1; i > 0 && len(strings.Join(list, "_")) > size; i-- {
			if i < len(list) && isSpare(i) {
				list = slices.Delete(list, i, i+1)
			}
		}
	}
	drop(func(i int) bool {
		return !isStop(list[i]) && slices.ContainsFunc(list[:i], func(w string) bool { return singular(w) == singular(list[i]) })
	})
	drop(func(i int) bool {
		switch list[i] {
		case "of", "and", "to", "in", "for":
			return true
		}
		return false
	})
	drop(func(i int) bool { // two linking words in a row
		return isStop(list[i]) && (i+1 == len(list) || isStop(list[i+1]))
	})
	return dedupe(list)
}
