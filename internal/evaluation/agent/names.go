package agent

import (
	"fmt"
	"strings"
)

// longestName is how long the names of tools and arguments may be: the bound of
// OpenAI's function calls.
const longestName = 64

// names hands out names, each once.
type names struct{ taken map[string]bool }

func newNames(taken ...string) *names {
	n := &names{taken: map[string]bool{}}
	for _, name := range taken {
		n.taken[name] = true
	}
	return n
}

// unique returns a name, with a number behind it if it is taken.
func (n *names) unique(name string) string {
	out := name
	for i := 2; n.taken[out]; i++ {
		out = fmt.Sprintf("%s_%d", name, i)
	}
	n.taken[out] = true
	return out
}

// plain returns a name of letters, digits, underscores and hyphens, which all
// endpoints take.
func (n *names) plain(name string) string {
	name = strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
	const room = 4 // for the number of unique
	if len(name) > longestName-room {
		name = name[:longestName-room]
	}
	if name == "" {
		name = "_"
	}
	return n.unique(name)
}
