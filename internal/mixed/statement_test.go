package mixed

import (
	"context"
	"strings"
	"testing"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/value"
)

// open opens a database of the embedded sample.
func open(t *testing.T, id string) (*Database, *bird.Dataset) {
	t.Helper()
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	d, err := Open(context.Background(), dataset.Database(id))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d, dataset
}

// TestForms has both forms of statements with a condition and with a column.
func TestForms(t *testing.T) {
	d, _ := open(t, "city_library")
	chain := measure{links: []link{of("count_syllables"), of("is_prime")}}
	long := predicate{measure{links: []link{of("count_characters")}}, ">", value.Int(9)}
	far := predicate{measure{links: []link{of("calculate_distance", value.Str("St. John's"))}}, "<=", value.Int(500)}
	for _, c := range []struct {
		sql, column    string
		predicate      *predicate
		measure        *measure
		function, join string
	}{
		{
			"SELECT COUNT(*) FROM author", "author.name", &predicate{chain, "=", value.Int(1)}, nil,
			"SELECT COUNT(*) FROM author WHERE is_prime(count_syllables(author.name)) = 1",
			"SELECT COUNT(*) FROM author JOIN count_syllables AS cs ON cs.string = author.name JOIN is_prime AS ip ON ip.number = cs.count WHERE ip.truth = 1",
		},
		{
			"SELECT T1.name FROM author AS T1 WHERE T1.birth_year > 1950 OR T1.status = 'a;b' -- the old ones\nORDER BY T1.name LIMIT 3;", "T1.name", &long, nil,
			"SELECT T1.name FROM author AS T1 WHERE (T1.birth_year > 1950 OR T1.status = 'a;b') AND count_characters(T1.name) > 9 -- the old ones\nORDER BY T1.name LIMIT 3;",
			"SELECT T1.name FROM author AS T1 JOIN count_characters AS cc ON cc.string = T1.name WHERE (T1.birth_year > 1950 OR T1.status = 'a;b') AND cc.count > 9 -- the old ones\nORDER BY T1.name LIMIT 3;",
		},
		{
			"select country, count(*) from author AS cd group by country having count(*) > (SELECT 1 FROM book WHERE 0)", "cd.country", &far, nil,
			"select country, count(*) from author AS cd WHERE calculate_distance(cd.country, 'St. John''s') <= 500 group by country having count(*) > (SELECT 1 FROM book WHERE 0)",
			"",
		},
		{
			"SELECT cd.name FROM author AS cd, book_author AS b WHERE b.author_id = cd.author_id", "cd.country", &far, nil,
			"SELECT cd.name FROM author AS cd, book_author AS b WHERE b.author_id = cd.author_id AND calculate_distance(cd.country, 'St. John''s') <= 500",
			"SELECT cd.name FROM author AS cd, book_author AS b JOIN calculate_distance AS cd2 ON cd2.place1 = cd.country AND cd2.place2 = 'St. John''s' WHERE b.author_id = cd.author_id AND cd2.distance <= 500",
		},
		{
			"SELECT T1.name FROM author AS T1 JOIN book_author AS T2 USING (author_id) WHERE (1 OR 0) AND CASE WHEN 1 THEN 1 END", "T1.name", nil, &chain,
			"SELECT T1.name, is_prime(count_syllables(T1.name)) FROM author AS T1 JOIN book_author AS T2 USING (author_id) WHERE (1 OR 0) AND CASE WHEN 1 THEN 1 END",
			"SELECT T1.name, ip.truth FROM author AS T1 JOIN book_author AS T2 USING (author_id) JOIN count_syllables AS cs ON cs.string = T1.name JOIN is_prime AS ip ON ip.number = cs.count WHERE (1 OR 0) AND CASE WHEN 1 THEN 1 END",
		},
	} {
		s, reason := read(c.sql, d.schema)
		if c.join == "" {
			if reason != NameTaken {
				t.Errorf("%s: %q, want %q", c.sql, reason, NameTaken)
			}
			continue
		}
		if reason != "" {
			t.Errorf("%s: %s", c.sql, reason)
			continue
		}
		var function, join string
		if c.predicate != nil {
			function, join = s.withCondition(c.column, *c.predicate)
		} else {
			function, join = s.withColumn(c.column, *c.measure)
		}
		if function != c.function {
			t.Errorf("got  %s\nwant %s", function, c.function)
		}
		if join != c.join {
			t.Errorf("got  %s\nwant %s", join, c.join)
		}
	}
}

func TestRefusals(t *testing.T) {
	d, _ := open(t, "city_library")
	for sql, want := range map[string]string{
		"SELEC 1":  Unread,
		"SELECT 1": NoTable,
		"SELECT name FROM author UNION SELECT title FROM book":                   Compound,
		"WITH a AS (SELECT name FROM author) SELECT name FROM a":                 WithCTE,
		"SELECT author.name FROM author LEFT JOIN book_author USING (author_id)": OuterJoin,
		"SELECT * FROM author":                           StarItem,
		"SELECT name FROM author LIMIT 3":                OpenOrder,
		"SELECT name, country FROM author":               NameTaken,
		`SELECT name FROM author WHERE status = "place"`: NameTaken,
		"SELECT rowid FROM author":                       NameTaken,
		"SELECT name FROM author WHERE author_id IN (SELECT author_id FROM book_author)": "",
	} {
		if _, reason := read(sql, d.schema); reason != want {
			t.Errorf("%s: %q, want %q", sql, reason, want)
		}
	}
}

// TestRefusedParts names what could not be added, and to what.
func TestRefusedParts(t *testing.T) {
	d, _ := open(t, "city_library")
	for _, c := range []struct{ sql, want string }{
		{"SELECT a.name FROM author AS a JOIN author AS b ON a.author_id = b.author_id", "author: " + SelfJoin},
		{"SELECT title FROM book WHERE price = (SELECT MAX(price) FROM book)", "condition: " + Subquery},
		{"SELECT n FROM (SELECT title AS n FROM book)", NoColumn},
		{"SELECT COUNT(*) FROM author WHERE author_id < 2", "column: " + Grouped},
	} {
		_, refusals, err := Augment(context.Background(), d, &bird.Question{DB: "city_library", Text: "Which authors or books?", SQL: c.sql}, 1, 3)
		var got []string
		for _, r := range refusals {
			got = append(got, r.String())
		}
		if err != nil || !strings.Contains(strings.Join(got, "\n"), c.want) {
			t.Errorf("%s: %q, %v, want %q", c.sql, got, err, c.want)
		}
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"How many?": "How many?", "How many are there": "How many are there?", "List them ": "List them.", "Are there any": "Are there any?",
		"Give all; which are old": "Give all; which are old?", "Give them,": "Give them.", "": ".",
	} {
		if got := asked(text); got != want {
			t.Errorf("%q is asked as %q, want %q", text, got, want)
		}
	}
	for name, want := range map[string]string{"first_name": "first_name", "County Name": `"County Name"`, "order": `"order"`, "1st": `"1st"`, `a"b`: `"a""b"`} {
		if got := identifier(name); got != want {
			t.Errorf("%s is written as %s, want %s", name, got, want)
		}
	}
	if !mentions("Which countries have cards?", "country") || !mentions("Which cards?", "card") || mentions("Is it cardiac?", "card") || mentions("Which?", "card") {
		t.Error("a noun is not found, or found where it is not")
	}
}
