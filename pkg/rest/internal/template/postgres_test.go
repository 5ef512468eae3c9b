package template

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/postgres"
	"github.com/birdcall/birdcall/pkg/value"
)

// farm is the schema of the examples.
var farm = &engine.Schema{Tables: []*engine.Table{
	{Name: "animal", Columns: []engine.Column{
		{Name: "id", Type: "integer", Affinity: value.AffinityInteger, PrimaryKey: 1},
		{Name: "name", Type: "text", Affinity: value.AffinityText},
		{Name: "Name", Type: "text", Affinity: value.AffinityText},
		{Name: "mass", Type: "real", Affinity: value.AffinityReal},
		{Name: "born", Type: "date", Affinity: value.AffinityBlob},
	}},
}}

func TestPostgresParameters(t *testing.T) {
	for _, c := range []struct{ where, want, params string }{
		{"id = 5", "id = $1::int4", "integer = 5"},
		{"id = -5 AND id <> +6", "id = $1::int4 AND id <> $2::int4", "integer = -5, integer <> 6"},
		{"id = - (5)", "id = $1::int4", "integer = -5"},
		{"id < 3000000000", "id < $1::int8", "integer < 3000000000"},
		{"id > -2147483648", "id > $1::int4", "integer > -2147483648"},
		{"mass > 0.1", "mass > $1::numeric", "number > 0.1"},
		{"id > 0.5", "id > $1::numeric", "number > 0.5"},
		// What has a fraction may be compared with one.
		{"mass > 5", "mass > $1::numeric", "number > 5"},
		{"mass / 2 > 5", "mass / 2 > $1::numeric", "number > 5"},
		// No float64 is this number.
		{"mass > 0.12345678901234567890123", "mass > 0.12345678901234567890123", ""},
		// A text is read as what it is compared with.
		{"name = 'it''s' AND born < '2020-01-01'", "name = $1 AND born < $2", "string = it's, string < 2020-01-01"},
		{"name = E'\\n'", "name = $1", "string = \n"},
		{"born < DATE '2020-01-01'", "born < $1::DATE", "string < 2020-01-01"},
		{"born < '2020-01-01'::date", "born < $1::date", "string < 2020-01-01"},
		{"born < CAST('2020-01-01' AS date)", "born < $1::date", "string < 2020-01-01"},
		{"mass = 5::real", "mass = $1::int4::real", "integer = 5"},
		{"age(now(), born) > INTERVAL '1' YEAR", "age($1::timestamptz, born) > $2::INTERVAL YEAR", "string now, string > 1"},
		{"name LIKE 'I%' OR name ILIKE 'i%' OR name ~ '^i'", "name LIKE $1 OR name ILIKE $2 OR name ~ $3", "string like I%, string ilike i%, string ~ ^i"},
		{"id IN (1, 3000000000)", "id IN ($1::int8, $2::int8, $3::int8, $4::int8, $5::int8, $6::int8, $7::int8, $8::int8, $9::int8, $10::int8)", "integer in 1 3000000000"},
		{"id IN (1, 2::int8)", "id IN (1, 2::int8)", ""},
		{"id BETWEEN 1 AND 2 AND id IS DISTINCT FROM 3", "id BETWEEN $1::int4 AND $2::int4 AND id IS DISTINCT FROM $3::int4", "integer >= 1, integer <= 2, integer <> 3"},
		{"EXTRACT(YEAR FROM born) = 2020", "EXTRACT(YEAR FROM born) = $1::int4", "integer = 2020"},
		{"born < CURRENT_DATE AND born < now() AND age(born) > '1 year'",
			"born < $1::timestamptz::date AND born < $1::timestamptz AND age($1::timestamptz::date, born) > $2", "string now, string > 1 year"},
		{"EXISTS (SELECT 1 FROM animal AS b WHERE b.id = 5 LIMIT 3)", "EXISTS (SELECT 1 FROM animal AS b WHERE b.id = $1::int4 LIMIT $2::int8)", "integer = 5, integer limit 3"},
		{"id > ANY (ARRAY[1, 2]) AND (id = 4) IS TRUE", "id > ANY (ARRAY[1, 2]) AND (id = $1::int4) IS TRUE", "integer = 4"},
		{"name <> ALL (ARRAY['a', 'b'])", "name <> ALL (ARRAY[$1, $2, $3, $4, $5, $6, $7, $8, $9, $10])", "string not in a b"},
	} {
		made, err := New(postgres.Dialect, "SELECT 1 FROM animal WHERE "+c.where+";", farm)
		if err != nil {
			t.Errorf("%s: %v", c.where, err)
			continue
		}
		got, ok := strings.CutPrefix(made.SQL, "SELECT 1 FROM animal WHERE ")
		if params := said(made.Params); !ok || got != c.want || params != c.params {
			t.Errorf("%s:\n\tgot  %s: %s\n\twant %s: %s", c.where, got, params, c.want, c.params)
		}
	}
}

// said writes parameters with their values.
func said(params []*Param) string {
	var out []string
	for _, p := range params {
		text := fmt.Sprintf("%s %s", p.Type, cmp.Or(map[Role]string{Instant: "now", RowLimit: "limit", RowOffset: "offset"}[p.Role], p.Operator))
		for _, v := range p.Values {
			text += " " + value.AsText(v)
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

func TestPostgresKeys(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"SELECT name FROM animal WHERE id = 5", "select A.NAME from Animal as a where a.id=6 -- x", true},
		{"SELECT name FROM animal", `SELECT "name" FROM "animal"`, true},
		{"SELECT name FROM animal", `SELECT "Name" FROM animal`, false},
		{"SELECT name FROM animal WHERE id = 5", "SELECT name FROM animal WHERE id = 3000000000", false},
		{"SELECT name FROM animal WHERE name = 'a' AND id = 5", "SELECT name FROM animal WHERE id = 6 AND name = 'b'", true},
		{"SELECT name FROM animal WHERE name = 'a'", "SELECT name FROM animal WHERE name = 'a'::text", false},
		{"SELECT $$a$$", "SELECT 'a'", false},
	} {
		key := func(sql string) string {
			made, err := New(postgres.Dialect, sql, farm)
			if err != nil {
				t.Fatalf("%s: %v", sql, err)
			}
			return made.Key
		}
		if a, b := key(c.a), key(c.b); (a == b) != c.same {
			t.Errorf("%s\n%s\n\t%s\n\t%s", c.a, c.b, a, b)
		}
	}
}

// TestPostgresOneLiteral keeps a literal one parameter in the clauses that have
// to be equal.
func TestPostgresOneLiteral(t *testing.T) {
	made, err := New(postgres.Dialect, "SELECT CASE WHEN mass > 5 THEN 'x' END, count(*) FROM animal GROUP BY CASE WHEN mass > 5 THEN 'x' END", farm)
	if err != nil {
		t.Fatal(err)
	}
	if want := "SELECT CASE WHEN mass > $1::numeric THEN 'x' END, count(*) FROM animal GROUP BY CASE WHEN mass > $1::numeric THEN 'x' END"; made.SQL != want {
		t.Errorf("got %s", made.SQL)
	}
}

func TestPostgresRefuses(t *testing.T) {
	for sql, want := range map[string]string{
		"SELECT gen_random_uuid()":   "random values",
		"SELECT random() FROM t":     "random values",
		"SELECT a FROM t FOR UPDATE": "FOR UPDATE",
		"SELECT $1":                  "$1",
		"SELECT":                     "result column",
	} {
		if _, err := New(postgres.Dialect, sql, farm); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", sql, err, want)
		}
	}
}
