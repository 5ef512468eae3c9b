// Package bird reads question/SQL datasets: BIRD's development, training and mini-dev
// sets, Spider, and plain lists of questions next to their databases. It recognizes the
// layout by the file names, reads the questions record by record, and collects what the
// dataset says about its tables and columns. It locates databases but does not open
// them.
//
// The layouts are listed here, where <db> is a database's id:
//
//	BIRD dev       dev.json, dev_tables.json, dev_databases/<db>/<db>.sqlite
//	BIRD train     train.json, train_tables.json, train_databases/<db>/<db>.sqlite
//	BIRD mini-dev  mini_dev_sqlite.json, mini_dev_postgresql.json, mini_dev_mysql.json, dev_tables.json, dev_databases/<db>/<db>.sqlite
//	Spider         dev.json, train_spider.json, train_others.json, tables.json, database/<db>/<db>.sqlite
//	               test.json, test_tables.json, test_database/<db>/<db>.sqlite
//	plain          questions.json or questions.jsonl, <db>.sqlite or <db>/<db>.sqlite
//
// If a record repeats an earlier record with the same id, it is left out with a
// warning. Two records of mini-dev do.
//
// BIRD's folders may hold database_description/<table>.csv next to a database.
// A database file may also end in .db or .sqlite3.
package bird
