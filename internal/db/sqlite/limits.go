package sqlite

import (
	"cmp"
	"strings"

	modernc "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// Limits bound what one statement may cost. A zero field means its default.
type Limits struct {
	Rows     int   // rows of a Result; default 10 million
	Bytes    int64 // memory of a Result in bytes; default 2 GiB
	Value    int   // bytes of one value or stored row; default 256 MiB
	SQL      int   // bytes of a statement; default 64 KiB
	Depth    int   // depth of an expression tree; default 200
	Compound int   // SELECTs in one UNION, EXCEPT or INTERSECT; default 16
	Pattern  int   // bytes of a LIKE or GLOB pattern; default 1000
}

func (l Limits) withDefaults() Limits {
	return Limits{
		Rows:     cmp.Or(l.Rows, 10_000_000),
		Bytes:    cmp.Or(l.Bytes, 2<<30),
		Value:    cmp.Or(l.Value, maxValue),
		SQL:      cmp.Or(l.SQL, 64<<10),
		Depth:    cmp.Or(l.Depth, 200),
		Compound: cmp.Or(l.Compound, 16),
		Pattern:  cmp.Or(l.Pattern, 1000),
	}
}

// maxValue bounds one value wherever there is no lower limit.
const maxValue = 256 << 20

// maxColumns is SQLite's own default bound on the columns of a result
// (https://www.sqlite.org/limits.html, item 2).
const maxColumns = 2000

// limit is one of SQLite's run-time limits (c3ref/c_limit_attached.html).
type limit struct{ id, value int }

func (l Limits) list() []limit {
	return []limit{
		{lib.SQLITE_LIMIT_LENGTH, l.Value},
		{lib.SQLITE_LIMIT_SQL_LENGTH, l.SQL},
		{lib.SQLITE_LIMIT_COLUMN, maxColumns},
		{lib.SQLITE_LIMIT_EXPR_DEPTH, l.Depth},
		{lib.SQLITE_LIMIT_COMPOUND_SELECT, l.Compound},
		{lib.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, l.Pattern},
		{lib.SQLITE_LIMIT_ATTACHED, 0},
	}
}

// authorize allows reading and the pragmas that only describe the schema. It
// also runs for the statements inside views, so a hostile schema gains
// nothing.
func authorize(action modernc.AuthorizerActionCode, arg1, arg2, _, _ string) modernc.AuthorizerReturnCode {
	switch action {
	case modernc.AuthSelect, modernc.AuthRead, modernc.AuthRecursive:
		return modernc.AuthorizerOK
	case modernc.AuthFunction:
		switch strings.ToLower(arg2) {
		case "load_extension", "fts3_tokenizer":
			return modernc.AuthorizerDeny
		}
		return modernc.AuthorizerOK
	case modernc.AuthPragma:
		switch strings.ToLower(arg1) {
		case "table_list", "table_xinfo", "index_list", "foreign_key_list":
			return modernc.AuthorizerOK
		case "data_version", "page_size":
			// Full-text tables and Version ask for them. With an argument,
			// page_size would be set.
			if arg2 == "" {
				return modernc.AuthorizerOK
			}
		}
	}
	return modernc.AuthorizerDeny
}
