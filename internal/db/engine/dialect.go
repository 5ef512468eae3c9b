package engine

import (
	"github.com/birdcall/birdcall/internal/db/sqlfunc"
	"github.com/birdcall/birdcall/internal/text/spelling"
)

// Dialect is how the SQL of an engine differs from that of others, as far as code
// outside of the engine's package depends on it. Such code asks for what it needs to
// know, and compares no dialects. All fields are false or empty for an engine that
// keeps to the standard.
type Dialect struct {
	Name string // such as SQLite

	// FoldNames says that the case of ASCII letters does not distinguish names.
	FoldNames bool
	// LooseNames says that a name in quotation marks that nothing is called is a text,
	// and that TRUE and FALSE are names first.
	LooseNames bool
	// AliasesInWhere says that ON, WHERE, GROUP BY and HAVING see the aliases of
	// result columns.
	AliasesInWhere bool
	// ImpliedNames says that ORDER BY and GROUP BY see result columns also by the
	// names that they have without an alias.
	ImpliedNames bool
	// ImpliedRecursion says that WITH may be recursive without the word RECURSIVE.
	ImpliedRecursion bool
	// MergedStars says that * has the columns that USING merges first.
	MergedStars bool
	// Functions returns what is known of the function of a name; nil where nothing is.
	Functions func(name string) sqlfunc.Function
	// KnownFunctions says that the functions in FROM are those of SQLite: json_each(),
	// json_tree() and full-text tables.
	KnownFunctions bool
	// Catalogs are the schemas that are the engine's own.
	Catalogs []string

	// DynamicTypes says that each value has a type, whatever the type of its column,
	// which is but an affinity.
	DynamicTypes bool
	// TypedLiterals says that a literal has a type whatever it is compared with, int4,
	// int8 or numeric for numbers, so that what replaces it has to be cast.
	TypedLiterals bool
	// LikeMindsCase says that LIKE distinguishes the cases of letters.
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

// SQLite is the dialect of SQLite, and of trees that nothing else is said of.
var SQLite = &Dialect{
	Name: "SQLite", Functions: sqlfunc.SQLite,
	FoldNames: true, LooseNames: true, AliasesInWhere: true, ImpliedRecursion: true, KnownFunctions: true,
	DynamicTypes: true, Placeholder: "?", StableOrder: true,
}

// Same reports whether two names are one.
func (d *Dialect) Same(a, b string) bool {
	return a == b || d.FoldNames && spelling.Same(a, b)
}

// Function returns what is known of the function of a name.
func (d *Dialect) Function(name string) sqlfunc.Function {
	if d.Functions == nil {
		return sqlfunc.Function{}
	}
	return d.Functions(name)
}

// Fold returns how names are written that are one.
func (d *Dialect) Fold(name string) string {
	if d.FoldNames {
		return spelling.Lower(name)
	}
	return name
}
