// Package pgsql reads one SELECT of Postgres' into the tree of internal/sql/sqltree.
//
// Package parse has Postgres' own grammar make its tree, and this package makes
// the other one of that. A node of Postgres' has only where it begins, or where
// its operator is, so that its place in the text is found by the tokens: from
// the first to the last of what it is made of, with what the grammar has after
// them. Places are bytes of the statement as it was given; nothing is ever
// printed from the tree to be run.
//
// What becomes of Postgres' nodes:
//
//	A_Const                      Literal, in a Unary for each sign, which the grammar folds;
//	                             a number that no int64 and no float64 holds is an Other
//	ColumnRef                    Column; in the list of results, * is a Star
//	A_Expr with an operator      Binary, Unary or Pattern (LIKE, ILIKE, SIMILAR TO, ~ and ~*)
//	A_Expr IN, BETWEEN           In, Between
//	IS [NOT] DISTINCT FROM       Binary with IS NOT or IS, which is what these mean in SQLite
//	NullTest, BooleanTest        Binary with IS or IS NOT and a Literal
//	BoolExpr                     Binary with AND and OR, from the left; Unary with NOT
//	SubLink                      Subquery, Exists; = ANY and <> ALL are In, those of ARRAY[...] too
//	FuncCall, COALESCE, NULLIF,
//	GREATEST, LEAST              Call, by the function's name; EXTRACT(f FROM x) is extract('f', x),
//	                             x AT TIME ZONE z is timezone(z, x)
//	now(), CURRENT_TIMESTAMP     Clock
//	TypeCast, and DATE 'x'       Cast
//	CASE, COLLATE, ROW           Case, Collate, Row
//	other operators and kinds
//	of expression                Other, with its text; its names are resolved all the same
//	a UNION (b EXCEPT c)         an arm that selects * from the second operand
//
// What changes data, locks rows or takes $1 is refused, and so are the few
// constructs whose place is not known, such as JSON_TABLE. The error is a
// *dialect.Error that names them.
package pgsql
