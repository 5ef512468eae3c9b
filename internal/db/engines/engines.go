// Package engines is the list of the engines whose databases a URL can name.
package engines

import (
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/postgres"
)

// List has a line for each engine. The first one also gets URLs of unknown schemes,
// and says what is wrong with them. Only tests change it.
var List = []engine.Engine{
	postgres.Engine,
}

// Open returns the databases that a URL names, of the engine that its scheme names.
func Open(url string, opts engine.Options) (engine.Source, error) {
	scheme, _, _ := strings.Cut(url, "://")
	i := slices.IndexFunc(List, func(e engine.Engine) bool { return slices.Contains(e.Schemes, scheme) })
	return List[max(i, 0)].Open(url, opts)
}
