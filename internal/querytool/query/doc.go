// Package query is one tool that queries a database: search, filters, aggregations
// and groups over collections of typed objects, after Shorten et al. (Querying
// Databases with Function Calling, 2025), without a model and run for real.
//
// A Collection is a table and an object a row. A Query is what a model asks for:
// Parse reads it from the arguments of a call, Arguments writes it, Validate holds
// it against the collections and names what would do instead of what is wrong,
// and Database.Run answers it. Tools describes the tool to models.
//
// The paper says nothing of what a query means. Here it means this:
//
//   - Search and filters come first, then groups and aggregations, then order and
//     limit.
//   - Filters compare by SQLite's rules (https://www.sqlite.org/datatype3.html):
//     what is compared with NULL is not found, LIKE disregards the case of ASCII
//     letters, and a number equals its text where the property is a number.
//   - A part of a date is what SQLite's strftime() and date() make of it; a text that
//     is no date has none, and is not found.
//   - Search is lexical: it finds the objects whose text properties together have all
//     words of the query, in any order, by their stems (FTS5, tokenizer porter
//     unicode61), and the best by bm25 come first, equal ones in the order of the
//     table. Dates and numbers are not searched. Objects keep the order of the search
//     under filters, within groups and where they are sorted by something else in
//     which they are equal.
//   - Objects without a search come in the order of the table (by rowid, or by the
//     primary key of a table without), groups in that of their keys, NULL first.
//     Distinct keeps the first of equal objects.
//   - Equal values are those that SQLite finds equal, by the collation of the column.
//     A group, MODE, TOP_OCCURRENCES and distinct show the first of them.
//   - MODE is the least of the most frequent values, MEDIAN the middle one or the mean
//     of the middle two in SQLite's order of values, and TOP_OCCURRENCES puts the
//     lesser of equally frequent values first. MEAN is avg() and SUM is sum(), which
//     fails where integers overflow. True is 1 and false 0; PERCENTAGE_TRUE is of 100
//     values. TYPE is the property's, whatever the values are. Other aggregations of
//     no value are NULL, but counts are 0.
//   - Groups are sorted by aggregations as SQLite sorts expressions, which have no
//     collation, and equal ones by their keys.
//   - Groups without aggregation list their objects.
package query
