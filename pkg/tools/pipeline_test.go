package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// birds fills an oracle with tables that have NULLs, ties, outer-join misses
// and keys of different types.
func birds(t testing.TB) *oracle {
	o := newOracle(t)
	o.add("species", []string{"id INTEGER", "name TEXT COLLATE NOCASE", "family TEXT", "mass REAL"},
		[]any{1, "Robin", "thrush", 18.0}, []any{2, "robin", "thrush", 77}, []any{3, "Wren", "wren", 9.5},
		[]any{4, "Heron", nil, 1600}, []any{5, "Owl", "owl", nil}, []any{nil, "Ghost", "owl", 0})
	o.add("sighting", []string{"id INTEGER", "species_id TEXT", "site INTEGER", "count INTEGER", "seen TEXT"},
		[]any{10, "1", 1, 3, "2021-05-01"}, []any{11, "2", 1, nil, "2021-05-02"}, []any{12, "1", 2, 3, "2020-01-31"},
		[]any{13, "3", 2, 12, nil}, []any{14, nil, 3, 1, "not a date"}, []any{15, "99", 9, 7, "2022-12-31"},
		[]any{16, "1.0", 1, 3, "2021-05-01"}, []any{17, "3", 1, -2, "2021-05-02 10:20:30.0"}, []any{18, "1", 1, 5, ""})
	o.add("site", []string{"id NUMERIC", "town TEXT"}, []any{1, "Aa"}, []any{2, "Bb"}, []any{3, nil}, []any{4, "Dd"}, []any{"2", "Ee"})
	return o
}

// start writes the start of a sequence: tables as "alias=table" and conditions
// as "T1.a T2.b INNER".
func start(tables string, conditions ...string) Start {
	var s Start
	for _, t := range strings.Fields(tables) {
		alias, table, _ := strings.Cut(t, "=")
		s.Tables = append(s.Tables, StartTable{Alias: alias, Original: table})
	}
	for _, c := range conditions {
		f := strings.Fields(c)
		s.Conditions = append(s.Conditions, JoinKey{Left: f[0], Right: f[1], Type: JoinKind(f[2])})
	}
	return s
}

// step writes a call as "tool(arguments) -> label"; the arguments are JSON
// without the outer braces, and $s stands for the starting table.
func step(t testing.TB, text string) Call {
	t.Helper()
	head, label, _ := strings.Cut(text, " -> ")
	name, arguments, ok := strings.Cut(strings.TrimSuffix(head, ")"), "(")
	if !ok {
		t.Fatalf("bad step %s", text)
	}
	c := Call{Name: name, Label: label}
	if err := json.Unmarshal([]byte("{"+strings.ReplaceAll(arguments, `"$s"`, `"$starting_table_var$"`)+"}"), &c.Arguments); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return c
}

// checkPipeline runs a sequence and compares its last result with SQLite's.
func (o *oracle) checkPipeline(t *testing.T, s Start, query string, steps ...string) {
	t.Helper()
	session := NewSession(o.memory, Options{Now: testNow})
	got, err := session.Init(context.Background(), s)
	for _, text := range steps {
		if err != nil {
			break
		}
		if got, err = session.Run(context.Background(), step(t, text)); err != nil {
			err = fmt.Errorf("%s: %w", text, err)
		}
	}
	if err != nil {
		t.Error(err)
		return
	}
	if d := diff(o.query(query), rows(t, got)); d != "" {
		t.Errorf("%s\n%s\nkeys %v:\n%s", query, strings.Join(steps, "\n"), got.Keys(), d)
	}
}

// TestStart compares every type of join with SQLite, in the order of the
// nested loops.
func TestStart(t *testing.T) {
	o := birds(t)
	for _, test := range []struct {
		start Start
		query string
	}{
		{start("a=species"), "SELECT * FROM species"},
		{start("a=species b=sighting", "a.id b.species_id INNER"), "SELECT * FROM species a CROSS JOIN sighting b ON a.id = b.species_id ORDER BY a.rowid, b.rowid"},
		{start("a=species b=sighting", "b.species_id a.id INNER"), "SELECT * FROM species a CROSS JOIN sighting b ON a.id = b.species_id ORDER BY a.rowid, b.rowid"},
		{start("a=sighting b=species", "a.species_id b.id LEFT"), "SELECT * FROM sighting a LEFT JOIN species b ON a.species_id = b.id ORDER BY a.rowid, b.rowid"},
		{start("a=sighting b=site", "a.site b.id LEFT"), "SELECT * FROM sighting a LEFT JOIN site b ON a.site = b.id ORDER BY a.rowid, b.rowid"},
		{start("a=species b=sighting", "a.id b.species_id RIGHT"), "SELECT * FROM species a RIGHT JOIN sighting b ON a.id = b.species_id ORDER BY a.rowid IS NULL, a.rowid, b.rowid"},
		{start("a=species b=sighting", "a.id b.species_id FULL"), "SELECT * FROM species a FULL JOIN sighting b ON a.id = b.species_id ORDER BY a.rowid IS NULL, a.rowid, b.rowid"},
		{start("a=species b=site", "a b CROSS"), "SELECT * FROM species a CROSS JOIN site b ORDER BY a.rowid, b.rowid"},
		{start("a=species b=species", "a.name b.name INNER"), "SELECT * FROM species a CROSS JOIN species b ON a.name = b.name ORDER BY a.rowid, b.rowid"},
		{start("a=species b=species", "a.family b.name INNER"), "SELECT * FROM species a CROSS JOIN species b ON a.family = b.name ORDER BY a.rowid, b.rowid"},
		{start("a=species b=species", "b.name a.family INNER"), "SELECT * FROM species a CROSS JOIN species b ON b.name = a.family ORDER BY a.rowid, b.rowid"},
		{start("a=species b=species", "a.name b.name INNER", "a.family b.family INNER"), "SELECT * FROM species a CROSS JOIN species b ON a.name = b.name AND a.family = b.family ORDER BY a.rowid, b.rowid"},
		{start("a=species b=species", "a.name b.name LEFT", "a.mass b.mass LEFT"), "SELECT * FROM species a LEFT JOIN species b ON a.name = b.name AND a.mass = b.mass ORDER BY a.rowid, b.rowid"},
		{start("a=species b=sighting c=site", "a.id b.species_id INNER", "b.site c.id INNER", "a.id c.id INNER"),
			"SELECT * FROM species a CROSS JOIN sighting b CROSS JOIN site c WHERE a.id = b.species_id AND b.site = c.id AND a.id = c.id ORDER BY a.rowid, b.rowid, c.rowid"},
		{start("a=species b=sighting c=site", "a.id b.species_id LEFT", "b.site c.id LEFT"),
			"SELECT * FROM species a LEFT JOIN sighting b ON a.id = b.species_id LEFT JOIN site c ON b.site = c.id ORDER BY a.rowid, b.rowid, c.rowid"},
		{start("a=species b=sighting", "a.id b.species_id INNER", "a.id b.site INNER"),
			"SELECT * FROM species a CROSS JOIN sighting b WHERE a.id = b.species_id AND a.id = b.site ORDER BY a.rowid, b.rowid"},
		{start("a=sighting", "a.id a.site INNER"), "SELECT * FROM sighting WHERE id = site"},
	} {
		o.checkPipeline(t, test.start, test.query)
	}
}

// TestPipelines shows what short sequences mean in SQL.
func TestPipelines(t *testing.T) {
	o := birds(t)
	species, sighting := start("t=species"), start("t=sighting")
	for _, test := range []struct {
		start Start
		query string
		steps []string
	}{
		// Sorting.
		{species, "SELECT * FROM species ORDER BY mass", []string{`sort_data("data_source": "$s", "key_name": "t_mass", "ascending": true)`}},
		{species, "SELECT * FROM species ORDER BY mass DESC", []string{`sort_data("data_source": "$s", "key_name": "t_mass", "ascending": false)`}},
		{species, "SELECT * FROM species ORDER BY mass NULLS LAST", []string{`sort_data("data_source": "$s", "key_name": "t_mass", "ascending": true, "nulls": "last")`}},
		{species, "SELECT * FROM species ORDER BY mass DESC NULLS FIRST", []string{`sort_data("data_source": "$s", "key_name": "t_mass", "ascending": false, "nulls": "first")`}},
		{species, "SELECT * FROM species ORDER BY family DESC, name DESC", []string{`sort_data("data_source": "$s", "key_name": ["t_family", "t_name"], "ascending": false)`}},
		{species, "SELECT * FROM species ORDER BY family, mass DESC", []string{
			`sort_data("data_source": "$s", "key_name": "t_mass", "ascending": false) -> a`,
			`sort_data("data_source": "$a$", "key_name": "t_family", "ascending": true)`}},
		{species, "SELECT * FROM species ORDER BY name COLLATE BINARY", []string{`sort_data("data_source": "$s", "key_name": "t_name", "ascending": true, "collation": "binary")`}},
		// Retrieving.
		{sighting, "SELECT site, id, site FROM sighting LIMIT 3 OFFSET 2", []string{`retrieve_data("data_source": "$s", "key_name": ["t_site", "t_id", "t_site"], "limit": 3, "offset": 2)`}},
		{sighting, "SELECT DISTINCT site, count FROM sighting LIMIT 3 OFFSET 1", []string{`retrieve_data("data_source": "$s", "key_name": ["t_site", "t_count"], "distinct": true, "limit": 3, "offset": 1)`}},
		{species, "SELECT DISTINCT name FROM species", []string{`retrieve_data("data_source": "$s", "key_name": "t_name") -> a`, `select_unique_values("unique_array": "$a$")`}},
		{species, "SELECT * FROM species LIMIT 0", []string{`retrieve_data("data_source": "$s", "limit": 0)`}},
		{species, "SELECT * FROM species LIMIT 9 OFFSET 99", []string{`retrieve_data("data_source": "$s", "limit": 9, "offset": 99)`}},
		// Aggregating a table.
		{sighting, "SELECT count(*) FROM sighting", []string{`aggregate_data("data_source": "$s", "aggregation_type": "count")`}},
		{sighting, "SELECT count(count) FROM sighting", []string{`aggregate_data("data_source": "$s", "key_name": "t_count", "aggregation_type": "count")`}},
		{sighting, "SELECT count(DISTINCT count) FROM sighting", []string{`aggregate_data("data_source": "$s", "key_name": "t_count", "aggregation_type": "count", "distinct": true)`}},
		{sighting, "SELECT sum(DISTINCT count) FROM sighting", []string{`aggregate_data("data_source": "$s", "key_name": "t_count", "aggregation_type": "sum", "distinct": true)`}},
		{sighting, "SELECT avg(count) FROM sighting", []string{`aggregate_data("data_source": "$s", "key_name": "t_count", "aggregation_type": "mean")`}},
		{sighting, "SELECT min(seen) FROM sighting", []string{`aggregate_data("data_source": "$s", "key_name": "t_seen", "aggregation_type": "min")`}},
		{species, "SELECT max(name) FROM species", []string{`aggregate_data("data_source": "$s", "key_name": "t_name", "aggregation_type": "max")`}},
		{species, "SELECT group_concat(name, ' | ') FROM species", []string{`aggregate_data("data_source": "$s", "key_name": "t_name", "aggregation_type": "concat", "separator": " | ")`}},
		{species, "SELECT total(family) FROM species", []string{`aggregate_data("data_source": "$s", "key_name": "t_family", "aggregation_type": "total")`}},
		{sighting, "SELECT sum(count) FROM (SELECT count FROM sighting LIMIT 3)", []string{`aggregate_data("data_source": "$s", "key_name": "t_count", "aggregation_type": "sum", "limit": 3)`}},
		{species, "SELECT * FROM species WHERE mass = (SELECT max(mass) FROM species)", []string{`aggregate_data("data_source": "$s", "key_name": "t_mass", "aggregation_type": "argmax")`}},
		{sighting, "SELECT * FROM sighting WHERE count IS NOT NULL ORDER BY count LIMIT 1", []string{`aggregate_data("data_source": "$s", "key_name": "t_count", "aggregation_type": "argmin")`}},
		{species, "SELECT sum(mass) FROM species WHERE 0", []string{
			`filter_data("data_source": "$s", "key_name": "t_id", "condition": "equal_to", "value": 77) -> a`,
			`aggregate_data("data_source": "$a$", "key_name": "t_mass", "aggregation_type": "sum")`}},
		// Grouping.
		{sighting, "SELECT site, count(*), sum(count), max(seen) FROM sighting GROUP BY site ORDER BY min(rowid)", []string{
			`group_data_by("data_source": "$s", "key_name": "t_site") -> g`,
			`aggregate_data("data_source": "$g$", "aggregation_type": "count") -> g`,
			`aggregate_data("data_source": "$g$", "key_name": "t_count", "aggregation_type": "sum") -> g`,
			`aggregate_data("data_source": "$g$", "key_name": "t_seen", "aggregation_type": "max") -> g`,
			`retrieve_data("data_source": "$g$", "key_name": ["t_site", "count", "sum_t_count", "max_t_seen"])`}},
		{sighting, "SELECT site, sum(count) AS n FROM sighting GROUP BY site HAVING count(*) > 1 ORDER BY n DESC", []string{
			`group_data_by("data_source": "$s", "key_name": ["t_site"]) -> g`,
			`aggregate_data("data_source": "$g$", "aggregation_type": "count", "output_key": "rows") -> g`,
			`filter_data("data_source": "$g$", "key_name": "rows", "condition": "greater_than", "value": 1) -> h`,
			`aggregate_data("data_source": "$h$", "key_name": "t_count", "aggregation_type": "sum", "output_key": "n") -> h`,
			`sort_data("data_source": "$h$", "key_name": "n", "ascending": false) -> h`,
			`retrieve_data("data_source": "$h$", "key_name": ["t_site", "n"])`}},
		{species, "SELECT name, count(*) FROM species GROUP BY name ORDER BY min(rowid)", []string{
			`group_data_by("data_source": "$s", "key_name": "t_name") -> g`,
			`aggregate_data("data_source": "$g$", "aggregation_type": "count") -> g`,
			`retrieve_data("data_source": "$g$", "key_name": ["t_name", "count"])`}},
		{sighting, "SELECT id, seen, max(count) FROM sighting GROUP BY site ORDER BY site", []string{
			`group_data_by("data_source": "$s", "key_name": "t_site") -> g`,
			`aggregate_data("data_source": "$g$", "key_name": "t_count", "aggregation_type": "argmax") -> g`,
			`aggregate_data("data_source": "$g$", "key_name": "t_count", "aggregation_type": "max") -> g`,
			`retrieve_data("data_source": "$g$", "key_name": ["t_id", "t_seen", "max_t_count"])`}},
		{sighting, "SELECT count(*), max(count) - min(count) FROM sighting WHERE site = 77", []string{
			`filter_data("data_source": "$s", "key_name": "t_site", "condition": "equal_to", "value": 77) -> a`,
			`group_data_by("data_source": "$a$", "key_name": []) -> g`,
			`aggregate_data("data_source": "$g$", "aggregation_type": "count") -> g`,
			`aggregate_data("data_source": "$g$", "key_name": "t_count", "aggregation_type": "max") -> g`,
			`aggregate_data("data_source": "$g$", "key_name": "t_count", "aggregation_type": "min") -> g`,
			`transform_data("data_source": "$g$", "key_name": "max_t_count", "operation_type": "subtract", "operation_args": {"value": {"key_name": "min_t_count"}}, "output_key": "d") -> g`,
			`retrieve_data("data_source": "$g$", "key_name": ["count", "d"])`}},
		{sighting, "SELECT avg(n) FROM (SELECT count(*) AS n FROM sighting GROUP BY site)", []string{
			`group_data_by("data_source": "$s", "key_name": "t_site") -> g`,
			`aggregate_data("data_source": "$g$", "aggregation_type": "count", "output_key": "n") -> g`,
			`retrieve_data("data_source": "$g$", "key_name": "n") -> a`,
			`aggregate_data("data_source": "$a$", "key_name": "n", "aggregation_type": "mean")`}},
		// Combining.
		{sighting, "SELECT site FROM sighting UNION ALL SELECT species_id FROM sighting", []string{
			`retrieve_data("data_source": "$s", "key_name": "t_site") -> a`, `retrieve_data("data_source": "$s", "key_name": "t_species_id") -> b`,
			`combine_data("data_source": "$a$", "other_data_source": "$b$", "operation": "union_all")`}},
		{sighting, "SELECT DISTINCT site, count FROM (SELECT site, count FROM sighting WHERE count = 3 UNION ALL SELECT site, count FROM sighting WHERE site = 1)", []string{
			`retrieve_data("data_source": "$s", "key_name": ["t_site", "t_count"]) -> r`,
			`filter_data("data_source": "$r$", "key_name": "t_count", "condition": "equal_to", "value": 3) -> a`,
			`filter_data("data_source": "$r$", "key_name": "t_site", "condition": "equal_to", "value": 1) -> b`,
			`combine_data("data_source": "$a$", "other_data_source": "$b$", "operation": "union")`}},
		{sighting, "SELECT site FROM sighting INTERSECT SELECT count FROM sighting ORDER BY 1", []string{
			`retrieve_data("data_source": "$s", "key_name": "t_site") -> a`, `retrieve_data("data_source": "$s", "key_name": "t_count") -> b`,
			`combine_data("data_source": "$a$", "other_data_source": "$b$", "operation": "intersect")`}},
		{sighting, "SELECT site FROM sighting EXCEPT SELECT count FROM sighting ORDER BY 1", []string{
			`retrieve_data("data_source": "$s", "key_name": "t_site") -> a`, `retrieve_data("data_source": "$s", "key_name": "t_count") -> b`,
			`combine_data("data_source": "$a$", "other_data_source": "$b$", "operation": "except")`}},
		{sighting, "SELECT * FROM sighting WHERE count = 3 OR site = 1 OR id = 15", []string{
			`filter_data("data_source": "$s", "key_name": "t_count", "condition": "equal_to", "value": 3) -> a`,
			`filter_data("data_source": "$s", "key_name": "t_site", "condition": "equal_to", "value": 1) -> b`,
			`filter_data("data_source": "$s", "key_name": "t_id", "condition": "equal_to", "value": 15) -> c`,
			`sort_data("data_source": "$b$", "key_name": "t_id", "ascending": false) -> b`,
			`combine_data("data_source": "$a$", "other_data_source": "$b$", "operation": "either") -> d`,
			`combine_data("data_source": "$d$", "other_data_source": "$c$", "operation": "either")`}},
		// Joining results.
		{sighting, "SELECT site, n FROM sighting JOIN (SELECT site AS s, count(*) AS n FROM sighting GROUP BY site) ON site = s ORDER BY sighting.rowid", []string{
			`group_data_by("data_source": "$s", "key_name": "t_site") -> g`,
			`aggregate_data("data_source": "$g$", "aggregation_type": "count", "output_key": "n") -> g`,
			`retrieve_data("data_source": "$g$", "key_name": ["t_site", "n"]) -> g`,
			`join_data("data_source": "$s", "other_data_source": "$g$", "key_name": "t_site", "other_key_name": "t_site", "join_type": "inner") -> j`,
			`retrieve_data("data_source": "$j$", "key_name": ["t_site", "n"])`}},
		{species, "SELECT a.id, b.id FROM species a FULL JOIN species b ON a.family = b.name AND a.mass = b.mass ORDER BY a.rowid IS NULL, a.rowid, b.rowid", []string{
			`retrieve_data("data_source": "$s", "key_name": ["t_id", "t_family", "t_mass"]) -> a`,
			`join_data("data_source": "$a$", "other_data_source": "$s", "key_name": ["t_family", "t_mass"], "other_key_name": ["t_name", "t_mass"], "join_type": "full") -> j`,
			`retrieve_data("data_source": "$j$", "key_name": ["t_id", "t_id_1"])`}},
		{species, "SELECT a.id, b.id FROM species a CROSS JOIN species b WHERE a.family IS b.family ORDER BY a.rowid, b.rowid", []string{
			`join_data("data_source": "$s", "other_data_source": "$s", "key_name": "t_family", "other_key_name": "t_family", "join_type": "inner", "null_equal": true) -> j`,
			`retrieve_data("data_source": "$j$", "key_name": ["t_id", "t_id_1"])`}},
		{species, "SELECT * FROM species a WHERE EXISTS (SELECT 1 FROM species b WHERE a.family = b.name)", []string{
			`join_data("data_source": "$s", "other_data_source": "$s", "key_name": "t_family", "other_key_name": "t_name", "join_type": "semi")`}},
		{species, "SELECT * FROM species a WHERE NOT EXISTS (SELECT 1 FROM species b WHERE a.name = b.family)", []string{
			`join_data("data_source": "$s", "other_data_source": "$s", "key_name": "t_name", "other_key_name": "t_family", "join_type": "anti")`}},
	} {
		o.checkPipeline(t, test.start, test.query, test.steps...)
	}
}

// TestOuterRows works on columns that an outer join filled with NULL.
func TestOuterRows(t *testing.T) {
	o := birds(t)
	outer := start("a=sighting b=species c=site", "a.species_id b.id LEFT", "a c CROSS")
	const from = " FROM sighting a LEFT JOIN species b ON a.species_id = b.id CROSS JOIN site c "
	const order = " ORDER BY a.rowid, b.rowid, c.rowid"
	for _, test := range []struct {
		query string
		steps []string
	}{
		{"SELECT a.id, b.name" + from + "WHERE b.name = 'ROBIN'" + order, []string{
			`filter_data("data_source": "$s", "key_name": "b_name", "condition": "equal_to", "value": "ROBIN") -> f`,
			`retrieve_data("data_source": "$f$", "key_name": ["a_id", "b_name"])`}},
		{"SELECT a.id, upper(b.family)" + from + "WHERE b.family NOT LIKE 't%' OR b.family IS NULL" + order, []string{
			`filter_data("data_source": "$s", "key_name": "b_family", "condition": "not_like", "value": "t%") -> f`,
			`filter_data("data_source": "$s", "key_name": "b_family", "condition": "is_null") -> g`,
			`combine_data("data_source": "$f$", "other_data_source": "$g$", "operation": "either") -> h`,
			`transform_data("data_source": "$h$", "key_name": "b_family", "operation_type": "upper") -> h`,
			`retrieve_data("data_source": "$h$", "key_name": ["a_id", "b_family"])`}},
		{"SELECT a.id" + from + "WHERE b.mass > 10" + order, []string{
			`filter_data("data_source": "$s", "key_name": "b_mass", "condition": "greater_than", "value": 10) -> f`,
			`retrieve_data("data_source": "$f$", "key_name": "a_id")`}},
		{"SELECT a.id, b.family" + from + "ORDER BY b.family DESC, b.mass DESC, a.rowid, c.rowid", []string{
			`sort_data("data_source": "$s", "key_name": ["b_family", "b_mass"], "ascending": false) -> f`,
			`retrieve_data("data_source": "$f$", "key_name": ["a_id", "b_family"])`}},
		{"SELECT family, n FROM (SELECT b.family AS family, count(*) AS n, min(a.rowid) AS r" + from + "GROUP BY b.family) ORDER BY r", []string{
			`group_data_by("data_source": "$s", "key_name": "b_family") -> g`,
			`aggregate_data("data_source": "$g$", "aggregation_type": "count") -> g`,
			`retrieve_data("data_source": "$g$", "key_name": ["b_family", "count"])`}},
		{"SELECT min(lower(b.family), b.name), nullif(lower(b.name), b.name)" + from + order, []string{
			`transform_data("data_source": "$s", "key_name": "b_family", "operation_type": "lower", "output_key": "l") -> f`,
			`transform_data("data_source": "$f$", "key_name": "l", "operation_type": "least", "operation_args": {"values": {"key_name": "b_name"}}, "output_key": "m") -> f`,
			`transform_data("data_source": "$f$", "key_name": "b_name", "operation_type": "lower", "output_key": "l") -> f`,
			`transform_data("data_source": "$f$", "key_name": "l", "operation_type": "nullif", "operation_args": {"value": {"key_name": "b_name"}}) -> f`,
			`retrieve_data("data_source": "$f$", "key_name": ["m", "l"])`}},
	} {
		o.checkPipeline(t, outer, test.query, test.steps...)
	}
}

// TestStd checks the one aggregation that SQLite has not.
func TestStd(t *testing.T) {
	o := birds(t)
	got := run(t, o.session("sighting"), `{"name": "aggregate_data", "arguments": {"data_source": "$starting_table_var$", "key_name": "t_count", "aggregation_type": "std"}}`)
	want := o.query("SELECT sqrt((sum(count * count) - count(count) * avg(count) * avg(count)) / (count(count) - 1)) FROM sighting")[0][0].Float64()
	if v := rows(t, got)[0][0].Float64(); v < want*(1-1e-12) || v > want*(1+1e-12) {
		t.Errorf("std is %v, want %v", v, want)
	}
}
