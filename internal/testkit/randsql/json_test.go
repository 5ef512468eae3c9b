package randsql

import (
	"context"
	"fmt"
	"testing"
)

// json draws an array or object as JSON (https://www.sqlite.org/json1.html).
func (g *gen) json(e *env, depth int) string {
	x := func() string { return g.expr(e, kind(g.n(int(anything))), depth) }
	if depth > 0 && g.chance(30) {
		inner := g.json(e, depth-1)
		return pick(g, "json("+inner+")", fmt.Sprintf("json_array(%s, %s)", inner, x()), fmt.Sprintf("json_object('k', %s)", inner),
			fmt.Sprintf("json_set(%s, '$.k', %s, '$[0]', %s)", inner, x(), inner), fmt.Sprintf("json_remove(%s, '$.k', '$[#-1]')", inner),
			fmt.Sprintf("json_patch(%s, %s)", inner, g.json(e, depth-1)))
	}
	return pick(g, "json_array("+x()+")", fmt.Sprintf("json_array(%s, %s)", x(), x()), fmt.Sprintf("json_object('k', %s)", x()),
		fmt.Sprintf("json_object('k', %s, 'a b', %s)", x(), x()), "'[1,\"x\",[2.5]]'", "'{k:[1,2],\"a b\":null}'")
}

// ofJSON draws what is read of JSON.
func (g *gen) ofJSON(e *env, k kind, depth int) string {
	doc := g.json(e, depth)
	path := pick(g, "'$'", "'$[0]'", "'$.k'", "'$[#-1]'", "'$.\"a b\"'", "'$[0][1]'", "'$.k[0]'")
	if k == number {
		return fmt.Sprintf(pick(g, "json_array_length(%s, %s)", "json_extract(%s, %s)", "(%s ->> %s)"), doc, path)
	}
	return fmt.Sprintf(pick(g, "(%s -> %s)", "json_type(%s, %s)", "(%s ->> %s)", "json_extract(%s, %s)", "json_extract(%s, %s, '$')"), doc, path)
}

// elements draws json_each or json_tree in FROM, of a constant or of columns
// before it.
func (g *gen) elements(before []*relation) (string, *relation) {
	doc, tame := pick(g, "'[1,2,\"a\",null]'", "'{\"a\":1,\"b\":[2.5,7]}'", "'[]'"), true
	if len(before) > 0 && g.chance(70) {
		doc, tame = "json_array("+pick(g, qualified(pick(g, before...))...).sql+", 1)", false
	}
	r := &relation{alias: g.name("j"), cols: []ref{
		{name: "key", kind: anything}, {name: "value", kind: anything, tame: tame}, {name: "type", kind: text}, {name: "atom", kind: number, tame: tame},
		{name: "id", kind: number, tame: true}, {name: "parent", kind: number, tame: true}, {name: "fullkey", kind: text}, {name: "path", kind: text},
	}}
	return fmt.Sprintf("%s(%s%s) AS %s", pick(g, "json_each", "json_tree"), doc, pick(g, "", ", '$'", ", '$[0]'"), r.alias), r
}

const documents = `CREATE TABLE d(id INTEGER PRIMARY KEY, doc TEXT, tag TEXT);
	INSERT INTO d VALUES (1, '{"a":[1,2,"x",null],"n":{"k":7},"s":"y"}', 'x'), (2, '{"a":[],"n":{"k":"7"},"s":null}', 'y'),
		(3, '[5, 6.5, [7]]', '2'), (4, NULL, 'x'), (5, '{a:[2,2],''s'':"x"}', NULL), (6, '3', 'k');
	CREATE TABLE u(k TEXT, v INTEGER); INSERT INTO u VALUES ('x', 1), ('y', 2), ('y', 3);`

// TestJSONStatements compares statements on JSON with SQLite.
func TestJSONStatements(t *testing.T) {
	ctx := context.Background()
	s, err := newSubject(ctx, t.TempDir(), documents, "")
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	for _, sql := range []string{
		// Functions and operators.
		"SELECT id, json_extract(doc, '$.s'), json_extract(doc, '$.a', '$.n.k'), doc -> '$.a', doc ->> '$.n.k', doc -> 0, doc ->> -1, doc ->> 's' FROM d",
		"SELECT id FROM d WHERE json_extract(doc, '$.n.k') = 7",
		"SELECT id FROM d WHERE doc ->> '$.n.k' = '7'",
		"SELECT doc ->> 's', count(*), sum(doc ->> '$.n.k') FROM d GROUP BY doc ->> 's'",
		"SELECT id, json_type(doc), json_type(doc, '$.a'), json_valid(doc), json_valid(doc, 2), json_array_length(doc), json_array_length(doc, '$.a') FROM d ORDER BY json_array_length(doc) DESC, id",
		"SELECT json(doc), json_quote(tag), json_array(id, tag, NULL, 1.5), json_object('id', id, 'tag', tag) FROM d",
		"SELECT json_set(doc, '$.z', id), json_insert(doc, '$.a[#]', tag), json_replace(doc, '$.s', 0), json_remove(doc, '$.a[0]', '$.n'), json_patch(doc, '{\"s\":1,\"n\":null}') FROM d",
		"SELECT json_array(json(doc), doc), json_object('a', doc -> '$.a', 'b', json_array(id, json_quote(tag))), json_set('{}', '$.x', json(doc)) FROM d",
		"SELECT json_array(json('[1]'), '[1]'), json_extract('{\"a\":2}', '$.a') + id FROM d",
		"SELECT '[' || id || ']' -> 0, json_array(doc || ''), json_array(doc ->> '$.a') FROM d",
		"SELECT json_array(count(*), max(tag)), json_object('n', json_array(min(id))) FROM d",
		"SELECT tag, json_object('n', count(*)) FROM d GROUP BY tag HAVING json_array_length(json_array(count(*))) = 1",
		// json_each and json_tree.
		"SELECT d.id, e.key, e.value, e.type, e.atom, e.fullkey, e.path FROM d, json_each(d.doc) e",
		"SELECT d.id, e.key, value, e.id, parent FROM d JOIN json_tree(d.doc, '$.n') e ORDER BY d.id, e.id",
		"SELECT d.id FROM d, json_each(d.doc, '$.a') WHERE json_each.value = 2",
		"SELECT DISTINCT d.id FROM d, json_each(d.doc, '$.a') AS j WHERE j.value = d.tag",
		"SELECT d.id, u.v FROM d CROSS JOIN json_each(d.doc, '$.a') j JOIN u ON u.k = j.value",
		"SELECT d.id, u.v FROM d JOIN u ON u.k = d.tag, json_each(d.doc) WHERE d.id < 3 AND key = 'a'",
		"SELECT type, count(*) FROM d, json_tree(d.doc) GROUP BY type HAVING count(*) > 1 ORDER BY 2 DESC, 1",
		"SELECT v FROM u WHERE k IN (SELECT value FROM json_each('[\"x\",\"z\"]'))",
		"SELECT v, (SELECT max(value) FROM json_each('[4,5]')) FROM u",
		"WITH e AS (SELECT d.id AS i, value AS x FROM d, json_each(d.doc, '$.a')) SELECT i, count(x) FROM e GROUP BY i",
		"SELECT j.value FROM (SELECT doc FROM d WHERE json_valid(doc)) AS v, json_each(v.doc) AS j",
		"SELECT d.id, e.key, x.value FROM d, json_each('{\"a\":{\"b\":[1]}}') e, json_tree(e.value) x WHERE d.id = 1",
		"SELECT d.id, b.value FROM d, json_each(d.doc, '$') a, json_each(a.value) b WHERE d.id IN (1, 2) AND a.type IN ('array', 'object')",
		"SELECT (SELECT count(*) FROM json_tree('{\"a\":{\"b\":[1]}}') WHERE type = 'integer'), (SELECT sum(value) FROM json_each('[1,2,3]', '$') WHERE value > 1) FROM u",
		// In subqueries that read the row around them.
		"SELECT id FROM d WHERE EXISTS (SELECT 1 FROM json_each(d.doc, '$.a') WHERE value = 2)",
		"SELECT id FROM d WHERE NOT EXISTS (SELECT 1 FROM json_each(d.doc) AS j WHERE j.key = 's')",
		"SELECT id, (SELECT count(*) FROM json_each(d.doc)) FROM d",
		"SELECT id, (SELECT sum(value) FROM json_each(d.doc, '$.a') WHERE value <> d.id) FROM d",
		"SELECT id, (SELECT value FROM json_each(d.doc) ORDER BY key LIMIT 1) FROM d WHERE id <> 6",
		"SELECT id FROM d WHERE 2 IN (SELECT value FROM json_each(d.doc, '$.a'))",
		"SELECT id FROM d WHERE tag NOT IN (SELECT value FROM json_each(d.doc, '$.a'))",
		"SELECT id FROM d WHERE 2 = (SELECT count(*) FROM json_each(d.doc, '$.a') j JOIN u ON u.v = j.value OR u.k = j.value)",
	} {
		if o := s.try(ctx, query{sql: sql}); o.failure != "" || o.refused != "" || o.skipped != "" {
			t.Errorf("%s\n%s %s %s\n%s", sql, o.refused, o.skipped, o.failure, o.trace())
		}
	}
	for sql, construct := range map[string]string{
		"SELECT json FROM d, json_each(d.doc)":         "table-valued function",
		"SELECT * FROM d LEFT JOIN json_each(d.doc) e": "table-valued function",
		"SELECT json_group_array(id) FROM d":           "function json_group_array",
	} {
		if o := s.try(ctx, query{sql: sql}); o.refused != construct && o.class != "refused "+construct {
			t.Errorf("%s: %s %s, want %s", sql, o.refused, o.failure, construct)
		}
	}
}
