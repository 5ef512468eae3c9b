package emit

import (
	"slices"

	"github.com/birdcall/birdcall/pkg/tools"
)

// completeMade adds to the keys that calls made those of results, such as the
// one of a single aggregate, that later calls name as columns. A result whose
// key nobody names adds nothing to what the tools list.
func (e *emitter) completeMade() {
	definitions := tools.Definitions()
	for _, c := range e.seq.Calls {
		for _, key := range namedKeys(c, definitions) {
			if !e.isStart[key] && !slices.Contains(e.seq.Made, key) {
				e.seq.Made = append(e.seq.Made, key)
			}
		}
	}
}

// namedKeys returns the columns that a call's own arguments name.
func namedKeys(c tools.Call, definitions []tools.Definition) []string {
	var keys []string
	for _, d := range definitions {
		if d.Name != c.Name {
			continue
		}
		for _, p := range d.Parameters {
			if !p.IsKey() {
				continue
			}
			switch v, _ := c.Arguments.Get(p.Name); v := v.(type) {
			case string:
				keys = append(keys, v)
			case []any:
				for _, key := range v {
					keys = append(keys, key.(string))
				}
			}
		}
	}
	return keys
}
