// Package engines lists the engines whose databases a URL can name.
package engines

import (
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/postgres"
)

// List has a line for each engine. The first engine also gets URLs of unknown schemes,
// and reports what is wrong with them. Only tests change List.
var List = []engine.Engine{
	postgres.Engine,
}

// Open returns the databases that a URL names, by the engine for its scheme.
func Open(url string, opts engine.Options) (engine.Source, error) {
	scheme, _, _ := strings.Cut(url, "://")
	i := slices.IndexFunc(List, func(e engine.Engine) bool { return slices.Contains(e.Schemes, scheme) })
	return List[max(i, 0)].Open(url, opts)
}
