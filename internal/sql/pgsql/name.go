package pgsql

import (
	"strings"

	"github.com/birdcall/birdcall/internal/sql/pgsql/parse"
	"github.com/birdcall/birdcall/pkg/value"
)

// columnName returns what Postgres calls a result column without an alias, as
// FigureColname in its parse_target.c does.
func columnName(n parse.Node) string {
	if name, _ := figured(n); name != "" {
		return name
	}
	return "?column?"
}

// figured returns the name that an expression suggests, and whether it is better
// than the name of a type.
func figured(n parse.Node) (name string, good bool) {
	last := func(list []string) string {
		if len(list) == 0 {
			return ""
		}
		return list[len(list)-1]
	}
	switch n.Kind {
	case "ColumnRef":
		return last(n.Strings("fields")), true
	case "A_Indirection":
		for _, step := range n.List("indirection") {
			if field := step.Str("sval"); field != "" {
				name = field
			}
		}
		if name != "" {
			return name, true
		}
		return figured(n.Node("arg"))
	case "FuncCall":
		return last(n.Strings("funcname")), true
	case "A_Expr":
		if n.Str("kind") == "AEXPR_NULLIF" {
			return "nullif", true
		}
	case "TypeCast":
		if name, good = figured(n.Node("arg")); good {
			return name, true
		}
		return last(n.Node("typeName").Strings("names")), false
	case "CollateClause":
		return figured(n.Node("arg"))
	case "CaseExpr":
		if name, good = figured(n.Node("defresult")); good {
			return name, true
		}
		return "case", false
	case "SubLink":
		return ofSubquery(n)
	case "GroupingFunc":
		return "grouping", true
	case "A_ArrayExpr":
		return "array", true
	case "RowExpr":
		return "row", true
	case "CoalesceExpr":
		return "coalesce", true
	case "MinMaxExpr":
		return strings.ToLower(strings.TrimPrefix(n.Str("op"), "IS_")), true
	case "SQLValueFunction":
		return strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(n.Str("op"), "SVFOP_"), "_N")), true
	}
	return "", false
}

func ofSubquery(n parse.Node) (name string, good bool) {
	switch n.Str("subLinkType") {
	case "EXISTS_SUBLINK":
		return "exists", true
	case "ARRAY_SUBLINK":
		return "array", true
	case "EXPR_SUBLINK":
		// The name of its only column; the first arm's, of a compound.
		q := n.Node("subselect")
		for q.Has("larg") {
			q = q.Node("larg")
		}
		if list := q.List("targetList"); len(list) > 0 {
			if name := list[0].Str("name"); name != "" {
				return name, true
			}
			return figured(list[0].Node("val"))
		}
	}
	return "", false
}

// Affinity returns the affinity that stands for a type of Postgres', by its name
// in pg_type or in SQL: what the tree's readers ask about numbers and texts.
// Dates, documents, arrays and all others have that of a BLOB: neither.
func Affinity(name string) value.Affinity {
	switch name, _, _ = strings.Cut(strings.ToLower(name), "("); strings.TrimSpace(name) {
	case "int2", "int4", "int8", "smallint", "integer", "int", "bigint", "serial", "bigserial", "smallserial", "oid":
		return value.AffinityInteger
	case "float4", "float8", "real", "double precision", "float":
		return value.AffinityReal
	case "numeric", "decimal", "dec", "money", "bool", "boolean":
		return value.AffinityNumeric
	case "text", "varchar", "bpchar", "char", "character", "character varying", "name", "citext", "uuid":
		return value.AffinityText
	}
	return value.AffinityBlob
}
