// Package dialect reads SQLite's SELECT with a MySQL parser.
//
// The planner walks the syntax tree of github.com/xwb1989/sqlparser, a MySQL
// grammar. Handed SQLite text as it stands, that grammar refuses a tenth of
// what people write and, worse, misreads some of it in silence: a || b
// becomes a logical OR, "name" becomes a string, and | binds tighter than &.
// So the text is lowered first. Lowering walks SQLite's own tokens (from
// github.com/sqlc-dev/meyer) by SQLite's own grammar
// (https://www.sqlite.org/lang_select.html, lang_expr.html) and writes text
// in the common part of the two languages:
//
//   - every name is backquoted, so that no keyword of one dialect can hide a
//     name of the other;
//   - every operand that the two dialects might group differently gets its
//     parentheses;
//   - what MySQL has no word for becomes a call of a function whose name
//     starts with '?', which no SQLite name that passes here does. The As*
//     functions of decode.go turn those calls back into what was written;
//   - common table expressions, the arms of UNION, INTERSECT and EXCEPT, and
//     all subqueries are split off into statements of their own. Where a
//     subquery stood, a table named ?1, ?2, ... stands for it.
//
// Parse never guesses: what it cannot lower is an *Error that names the
// construct and its place. A test renders every tree back to SQLite's SQL
// and compares the rows of both, so that no statement is silently misread.
package dialect
