package engine

import (
	"github.com/birdcall/birdcall/internal/db/sqlfunc"
	"github.com/birdcall/birdcall/internal/text/spelling"
)

// Dialect says how the SQL of an engine differs from that of others, as far as code
// outside the engine's package depends on it. Such code reads the fields and does not
// compare dialects. All fields are false or empty for an engine that follows the
// standard.
type Dialect struct {
	Name string // such as SQLite

	// FoldNames says that names are compared regardless of the case of ASCII letters.
	FoldNames bool
	// LooseNames says that a name in quotation marks that names nothing is a text, and
	// that TRUE and FALSE are looked up as names first.
	LooseNames bool
	// AliasesInWhere says that ON, WHERE, GROUP BY and HAVING see the aliases of
	// result columns.
	AliasesInWhere bool
	// ImpliedNames says that ORDER BY and GROUP BY can also refer to result columns by
	// the names that these have without an alias.
	ImpliedNames bool
	// ImpliedRecursion says that WITH may be recursive without the keyword RECURSIVE.
	ImpliedRecursion bool
	// MergedStars says that * lists the columns merged by USING first.
	MergedStars bool
	// Functions returns what is known of a function by its name. A nil Functions knows
	// no function.
	Functions func(name string) sqlfunc.Function
	// KnownFunctions says that the functions in FROM are those of SQLite: json_each(),
	// json_tree() and full-text tables.
	KnownFunctions bool
	// Catalogs are the schemas that belong to the engine itself.
	Catalogs []string

	// DynamicTypes says that each value has its own type. The type of a column is only
	// an affinity.
	DynamicTypes bool
	// TypedLiterals says that a literal has a type of its own, int4, int8 or numeric
	// for numbers, whatever it is compared with. A value that replaces a literal must
	// be cast to that type.
	TypedLiterals bool
	// LikeMindsCase says that LIKE distinguishes upper and lower case.
	LikeMindsCase bool
	// Placeholder is the sign before the number of a parameter.
	Placeholder string
	// RowAddress are the hidden columns that say where a row of a table is stored.
	RowAddress []string
	// StableOrder says that a statement without ORDER BY returns the rows of the same
	// data in the same order each time.
	StableOrder bool
	// WithTies says that there are FETCH FIRST n ROWS WITH TIES and dense_rank().
	WithTies bool
}

// SQLite is the dialect of SQLite, and the default of trees without a dialect.
var SQLite = &Dialect{
	Name: "SQLite", Functions: sqlfunc.SQLite,
	FoldNames: true, LooseNames: true, AliasesInWhere: true, ImpliedRecursion: true, KnownFunctions: true,
	DynamicTypes: true, Placeholder: "?", StableOrder: true,
}

// Same reports whether a and b name the same thing.
func (d *Dialect) Same(a, b string) bool {
	return a == b || d.FoldNames && spelling.Same(a, b)
}

// Function returns the function of a name; its zero value is an unknown function.
func (d *Dialect) Function(name string) sqlfunc.Function {
	if d.Functions == nil {
		return sqlfunc.Function{}
	}
	return d.Functions(name)
}

// Fold returns a name in the form that all its spellings share.
func (d *Dialect) Fold(name string) string {
	if d.FoldNames {
		return spelling.Lower(name)
	}
	return name
}
