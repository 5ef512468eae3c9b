package sel

import (
	"sync"

	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/tools"
)

// catalog holds the functions for a set of tools, which do not depend on the keys, and
// the getters that were requested so far. Making functions, and above all their
// schemas, takes longer than most questions' SQL, and the samples of a database share
// most of them. Several goroutines may use a catalog at once.
type catalog struct {
	bound    []*function // in the order of their tools
	byName   map[string]*function
	before   int // how many of bound come before the getters
	retrieve tools.Definition

	mu      sync.Mutex
	getters map[described]*function
}

// described is what a getter depends on.
type described struct{ key, description string }

func newCatalog(definitions []tools.Definition) *catalog {
	c := &catalog{byName: map[string]*function{}, getters: map[described]*function{}}
	for _, d := range slot.ExplainKeys(definitions) {
		if d.Name == toolname.Retrieve {
			c.before, c.retrieve = len(c.bound), d
		}
		for _, f := range functionsOf(d) {
			f.spec = sync.OnceValue(f.specification)
			c.bound = append(c.bound, f)
			c.byName[f.name] = f
		}
	}
	return c
}

// set returns the functions for tables with these keys.
func (c *catalog) set(keys []record.Key) *Set {
	s := &Set{bound: c.byName, getters: map[string]*function{}}
	s.functions = append(s.functions, c.bound[:c.before]...)
	if c.retrieve.Name != "" {
		for _, k := range keys {
			f := c.getter(k)
			s.functions = append(s.functions, f)
			s.getters[f.name] = f
		}
	}
	s.functions = append(s.functions, c.bound[c.before:]...)
	return s
}

func (c *catalog) getter(k record.Key) *function {
	c.mu.Lock()
	defer c.mu.Unlock()
	of := described{k.Name, k.Description}
	f := c.getters[of]
	if f == nil {
		f = getter(c.retrieve, k.Name, k.Description)
		f.spec = sync.OnceValue(f.specification)
		c.getters[of] = f
	}
	return f
}
