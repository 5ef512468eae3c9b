package bird

import (
	"strings"
	"unicode"

	"github.com/birdcall/birdcall/internal/text/spelling"
)

// index finds tables or columns by the names that description files use.
type index[T any] struct {
	exact map[string]*T // by folded name
	loose map[string]*T // by letters; nil if several names have the same letters
}

// add enters e under its name, unless the name is already taken.
func (x *index[T]) add(name string, e *T) {
	if x.exact == nil {
		x.exact, x.loose = map[string]*T{}, map[string]*T{}
	}
	key := spelling.Lower(strings.TrimSpace(name))
	if _, taken := x.exact[key]; taken {
		return
	}
	x.exact[key] = e
	if _, taken := x.loose[letters(name)]; taken {
		e = nil
	}
	x.loose[letters(name)] = e
}

// find returns the element of that name, ignoring ASCII case and surrounding spaces. If
// there is none, it returns the only element with the same letters and digits, or nil.
func (x *index[T]) find(name string) *T {
	if e, ok := x.exact[spelling.Lower(strings.TrimSpace(name))]; ok {
		return e
	}
	if letters(name) == "" {
		return nil
	}
	return x.loose[letters(name)]
}

// letters returns the letters and digits of a name in lower case.
func letters(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}
