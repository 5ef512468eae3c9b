// Polars, asked lazily: each line is a plan, collected into a data frame by the
// in-memory engine. Texts are strings, as they are read, and not categories.
"use strict";

const { default: pl } = require("nodejs-polars");
const { serve } = require("./serve.js");

const table = pl.readCSV(process.argv[2]).rechunk().lazy();
const col = pl.col;
const position = pl.intRange(pl.len()).modulo(1000);

// line collects a plan; of its result the expression is added up.
const line = (plan, expression) => ({
  run: () => plan.collectSync(),
  sum: (result) => {
    const total = result.lazy().select(expression.cast(pl.Float64).sum()).collectSync();
    return { rows: result.height, sum: total.row(0)[0] };
  },
});

const filter = (condition) => line(table.filter(condition), col("id"));

serve(`nodejs-polars ${pl.version}`, {
  "filter integer": filter(col("group").gt(900)),
  "filter text": filter(col("text").eq(pl.lit("text 7"))),
  "filter like": filter(col("text").str.contains("7", true)),
  "filter columns": filter(col("id").lt(col("real"))),
  "sort integer": line(table.sort("group"), col("group").mul(position)),
  "sort real": line(table.sort("real"), col("real").mul(position)),
  "sort text": line(table.sort(["text", "id"]), col("id").mul(position)),
  "sum real": line(table.select(col("real").sum()), col("real")),
  "sum integer": line(table.select(col("group").sum()), col("group")),
  "group and sum": line(table.groupBy(["group"]).agg(col("real").sum()), col("group").mul(col("real"))),
  "group two keys": line(table.groupBy(["group", "text"]).agg(pl.len().alias("rows")), col("group").mul(col("rows"))),
  distinct: line(table.select("text").unique(), col("text").str.lengths()),
  add: line(table.withColumns(col("id").add(col("group")).alias("sum")), col("sum")),
  upper: line(table.withColumns(col("text").str.toUpperCase()), col("text").str.contains("TEXT", true)),
  join: line(table.join(table, { on: "id", suffix: "_right" }), col("id").mul(col("group_right"))),
  window: line(table.withColumns(col("real").rank("min").over("group").alias("rank")), col("id").mul(col("rank"))),
});
