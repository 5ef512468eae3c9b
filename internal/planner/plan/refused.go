package plan

// Refused is a construct of SQL that Build refuses: the name that errors give
// it, what of it is refused, and a statement about it.
type Refused struct{ Construct, What, Example string }

// RefusedConstructs lists what SQLite runs and Build refuses, in alphabetical
// order. What is too large is not among them. The examples read the tables
// orders(id, customer, total, note) and customers(id, name), and weather(city,
// temperature) of an API that gives rows only for cities.
func RefusedConstructs() []Refused {
	return []Refused{
		{"COLLATE in IN", "one in the subquery that is not the collation of the column on the left: SQLite's answer depends on its indexes", "SELECT id FROM orders WHERE note IN (SELECT name COLLATE NOCASE FROM customers)"},
		{"ESCAPE", "an escape character that is no constant", "SELECT id FROM orders WHERE note LIKE 'a' ESCAPE customer"},
		{"JSON in JSON", "an argument that becomes part of JSON and of which only the value tells whether it is JSON or a text", "SELECT json_array(json_extract(note, '$.x')) FROM orders"},
		{"LIMIT", "a number of rows from a subquery", "SELECT id FROM orders LIMIT (SELECT 1)"},
		{"ORDER BY in a compound", "a term that is no result column", "SELECT id FROM orders UNION SELECT id FROM customers ORDER BY id + 1"},
		{"ORDER BY in an aggregate", "any", "SELECT group_concat(note ORDER BY id) FROM orders"},
		{"USING", "USING and NATURAL where a join in parentheses is on the right", "SELECT name FROM orders JOIN (customers JOIN items) USING (id)"},
		{"aggregate", "a separator of `group_concat()` that is no constant", "SELECT group_concat(note, customer) FROM orders"},
		{"correlated subquery", "an aggregate that belongs to the query around", "SELECT (SELECT max(customers.id) FROM orders) FROM customers"},
		{"correlated subquery", "a column beside an aggregate without GROUP BY", "SELECT (SELECT max(total) || note FROM orders WHERE customer > customers.id) FROM customers"},
		{"correlated subquery", "a FULL JOIN of what reads the query around", "SELECT name FROM customers WHERE EXISTS (SELECT 1 FROM orders FULL JOIN items ON total > customers.id)"},
		{"correlated subquery", "a row value from a subquery that reads the query around", "SELECT name FROM customers WHERE (id, name) = (SELECT id, note FROM orders WHERE customer = customers.id)"},
		{"full-text search", "the hidden columns and functions of full-text tables; the others are read as those of any table", "SELECT bm25(note) FROM orders"},
		{"function", "functions that extensions add, and none of SQLite's own", "SELECT frobnicate(id) FROM orders"},
		{"function random", "and every function that gives something else each time, asks for the connection, is one of geopoly, R-tree and JSONB, or is json_error_position, json_pretty, json_group_array or json_group_object; by its name", "SELECT random() FROM orders"},
		{"recursive CTE", "any", "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT i FROM n"},
		{"row value", "one that no comparison, IN or BETWEEN has as an operand", "SELECT (id, total) = (SELECT 1, 2), (id, total) FROM orders"},
		{keyedTable, "a table of an API that gives rows only for values of a column", "SELECT temperature FROM weather WHERE city = 'Ely'"},
		{"table-valued function", "`json_each()` and `json_tree()` in an outer join, and all others", "SELECT value FROM orders LEFT JOIN json_each(note)"},
		{"unknown column", "the rowid of a table that has no INTEGER PRIMARY KEY", "SELECT rowid FROM items"},
		{"window frame", "an offset that is no constant number", "SELECT sum(id) OVER (ROWS 1 + total PRECEDING) FROM orders"},
		{"window function", "numbers of rows that are no constants", "SELECT lag(id, total) OVER (ORDER BY id) FROM orders"},
	}
}
