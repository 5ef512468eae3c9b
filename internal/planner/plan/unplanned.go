package plan

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/db/sqlfunc"
)

// Unsupported is a statement that cannot be planned.
type Unsupported struct {
	Construct string // in SQL's words, for counting
	Reason    string // a sentence for people
}

func (e *Unsupported) Error() string { return e.Construct + ": " + e.Reason }

// construct names the construct of an *Unsupported, or is "".
func construct(err error) string {
	var u *Unsupported
	if errors.As(err, &u) {
		return u.Construct
	}
	return ""
}

func unsupported(construct, format string, args ...any) error {
	return &Unsupported{Construct: construct, Reason: fmt.Sprintf(format, args...)}
}

// fullText is the construct of all that only full-text tables have
// (https://www.sqlite.org/fts5.html, fts3.html).
const fullText = "full-text search"

// fullTextFunctions are the functions of full-text tables.
var fullTextFunctions = map[string]bool{
	"bm25": true, "highlight": true, "snippet": true, "match": true,
	"offsets": true, "matchinfo": true, "optimize": true,
}

// tableFunction is the construct of functions in FROM.
const tableFunction = "table-valued function"

// unplannedFunctions are functions of SQLite that no calls can compute: they read
// or make JSONB or shapes, or ask for what only SQLite knows. So are those that are
// not deterministic. A final _ stands for any rest of the name.
var unplannedFunctions = []string{
	"json_", "jsonb", "jsonb_", "geopoly_", "rtreecheck", "rtreedepth", "rtreenode", "subtype", "sqlite_",
}

// unplannedFunction refuses a call by the function's lower-case name.
func unplannedFunction(name string, nargs int) error {
	if fullTextFunctions[name] || name == "fts5" || strings.HasPrefix(name, "fts5_") {
		return unsupported(fullText, "the function %s() is not planned", name)
	}
	isListed := slices.ContainsFunc(unplannedFunctions, func(f string) bool {
		return name == f || strings.HasSuffix(f, "_") && strings.HasPrefix(name, f)
	})
	if isListed || sqlfunc.SQLite(name).Volatility != sqlfunc.Deterministic {
		return unsupported("function "+name, "the function %s() is not planned", name)
	}
	return unsupported("function", "there is no function %s of %d arguments", name, nargs)
}
