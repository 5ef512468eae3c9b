// DuckDB in memory: each line makes a table of its result. Lines that compute a
// column make a table of that alone, as nobody would copy the others for it. It
// uses all cores unless DUCKDB_THREADS says how many.
"use strict";

const { DuckDBInstance, version } = require("@duckdb/node-api");
const { serve } = require("./serve.js");

const file = process.argv[2];
const threads = process.env.DUCKDB_THREADS;

const main = async () => {
  const connection = await (await DuckDBInstance.create(":memory:", threads ? { threads } : {})).connect();
  await connection.run(`CREATE TABLE t AS FROM read_csv('${file}')`);

  // line makes a table of a query; of its rows the expression is added up.
  const line = (query, expression) => ({
    before: () => connection.run("DROP TABLE IF EXISTS result"),
    run: () => connection.run(`CREATE TEMP TABLE result AS ${query}`),
    sum: async () => {
      const reader = await connection.runAndReadAll(`SELECT count(*)::DOUBLE, sum(${expression})::DOUBLE FROM result`);
      const [rows, sum] = reader.getRows()[0];
      return { rows, sum };
    },
  });
  const filter = (condition) => line(`FROM t WHERE ${condition}`, "id");

  await serve(`DuckDB ${version()}`, {
    "filter integer": filter(`"group" > 900`),
    "filter text": filter("text = 'text 7'"),
    "filter like": filter("text LIKE '%7%'"),
    "filter columns": filter("id < real"),
    "sort integer": line(`FROM t ORDER BY "group"`, `rowid % 1000 * "group"`),
    "sort real": line("FROM t ORDER BY real", "rowid % 1000 * real"),
    "sort text": line("FROM t ORDER BY text, id", "rowid % 1000 * id"),
    "sum real": line("SELECT sum(real) AS sum FROM t", "sum"),
    "sum integer": line(`SELECT sum("group") AS sum FROM t`, "sum"),
    "group and sum": line(`SELECT "group", sum(real) AS sum FROM t GROUP BY "group"`, `"group" * sum`),
    "group two keys": line(`SELECT "group", text, count(*) AS rows FROM t GROUP BY "group", text`, `"group" * rows`),
    distinct: line("SELECT DISTINCT text FROM t", "length(text)"),
    add: line(`SELECT id + "group" AS sum FROM t`, "sum"),
    upper: line("SELECT upper(text) AS text FROM t", "starts_with(text, 'TEXT')::INTEGER"),
    join: line(`SELECT a.*, b."group" AS group_b, b.real AS real_b, b.text AS text_b FROM t AS a JOIN t AS b ON a.id = b.id`, `id * group_b`),
    window: line(`SELECT id, rank() OVER (PARTITION BY "group" ORDER BY real) AS rank FROM t`, "id * rank"),
  });
};

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
