// Package dialect reads SQLite's SELECT with a MySQL parser.
//
// The syntax tree is that of github.com/xwb1989/sqlparser, a MySQL grammar.
// Handed SQLite text as it is, that grammar refuses a tenth of what people
// write and, worse, misreads some of it in silence: a || b becomes a logical
// OR, "name" becomes a string, and | binds tighter than &. So the text is
// lowered first. Lowering walks SQLite's own tokens (from
// github.com/sqlc-dev/meyer) by SQLite's own grammar
// (https://www.sqlite.org/lang_select.html, lang_expr.html) and writes text in
// the common part of the two languages:
//
//   - every operand that the two dialects might group differently gets its
//     parentheses;
//   - every literal, name, call and table travels as a marker: a number that
//     stands for an entry of Statement.Mark, which says what was written, and
//     where. No text of the statement reaches the other grammar;
//   - what MySQL has no word for is a call of a marker;
//   - common table expressions, the arms of UNION, INTERSECT and EXCEPT, and
//     all subqueries are separate statements.
//
// Parse never guesses: what it cannot lower is an *Error that names the
// construct and its place. Package sqltree turns the trees into what everyone
// else reads, and proves there that no statement is misread.
package dialect
