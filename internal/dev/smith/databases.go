package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // the driver that writes the databases

	sample "github.com/birdcall/birdcall/data/bird"
)

// generated is a database whose rows are drawn. Its names need no quotes, since
// sqlsmith writes none.
type generated struct {
	name   string
	schema []string
	tables []drawn
}

type drawn struct {
	name    string
	rows    int
	columns []func(*rand.Rand, int) any // given the row's number
}

// own are the databases that are not the sample's: two like those of question
// datasets, one with what SQLite allows beyond them.
var own = []generated{
	{
		name: "shop",
		schema: []string{
			"CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, city TEXT, born DATE, credit REAL)",
			"CREATE TABLE product (id INTEGER PRIMARY KEY, title TEXT NOT NULL, price REAL, kind TEXT)",
			"CREATE TABLE sale (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer, product_id INTEGER REFERENCES product, amount INTEGER, day DATE)",
		},
		tables: []drawn{
			{"customer", 25, []func(*rand.Rand, int) any{key, oneOf("Ann", "Bob", "Cy", "Di", nil), oneOf("Oslo", "Rome", "Lima"), oneOf("1980-02-29", "1999-12-31", nil), oneOf(0.5, 10.0, -3.25, nil)}},
			{"product", 15, []func(*rand.Rand, int) any{key, oneOf("tea", "cup", "pot", "jar"), oneOf(1.5, 2.0, 19.99), oneOf("food", "ware", nil)}},
			{"sale", 40, []func(*rand.Rand, int) any{key, upTo(25), upTo(15), oneOf(1, 2, 3, nil), oneOf("2024-01-01", "2024-06-30", "2024-12-31")}},
		},
	},
	{
		name: "school",
		schema: []string{
			"CREATE TABLE student (student_id INTEGER PRIMARY KEY, first_name TEXT, class TEXT, mentor_id INTEGER REFERENCES student)",
			"CREATE TABLE course (course_id INTEGER PRIMARY KEY, name TEXT UNIQUE, hours INTEGER)",
			"CREATE TABLE exam (student_id INTEGER NOT NULL REFERENCES student, course_id INTEGER NOT NULL REFERENCES course, score REAL, passed INTEGER)",
			"CREATE TABLE room (building TEXT, number INTEGER, seats INTEGER)",
		},
		tables: []drawn{
			{"student", 20, []func(*rand.Rand, int) any{key, oneOf("Eva", "Finn", "Gus", ""), oneOf("1a", "1b", "2a", nil), oneOf(1, 2, 3, nil)}},
			{"course", 8, []func(*rand.Rand, int) any{key, func(_ *rand.Rand, i int) any { return fmt.Sprintf("course %d", i) }, oneOf(2, 4, nil)}},
			{"exam", 40, []func(*rand.Rand, int) any{upTo(20), upTo(8), oneOf(1.0, 2.5, 4.0, nil), oneOf(0, 1)}},
			{"room", 10, []func(*rand.Rand, int) any{oneOf("North", "South"), upTo(5), oneOf(10, 20, 30, nil)}},
		},
	},
	{
		name: "mixed",
		schema: []string{
			"CREATE TABLE item (code TEXT PRIMARY KEY, size INTEGER, note TEXT COLLATE NOCASE, raw BLOB) WITHOUT ROWID",
			"CREATE TABLE reading (at INTEGER, value NUMERIC, tag TEXT, item_code TEXT REFERENCES item)",
			"CREATE TABLE pair (a INTEGER, b INTEGER, PRIMARY KEY (a, b))",
			"CREATE VIEW tagged AS SELECT at, value, tag FROM reading WHERE tag IS NOT NULL",
		},
		tables: []drawn{
			{"item", 12, []func(*rand.Rand, int) any{func(_ *rand.Rand, i int) any { return fmt.Sprintf("c%d", i) }, oneOf(1, 2, "large", nil), oneOf("Red", "red", "RED ", ""), oneOf([]byte("ab"), []byte{}, nil)}},
			{"reading", 30, []func(*rand.Rand, int) any{upTo(9), oneOf(1, 1.5, "1e2", "x", nil), oneOf("a", "B", "", nil), func(r *rand.Rand, _ int) any { return fmt.Sprintf("c%d", 1+r.IntN(14)) }}},
			{"pair", 20, []func(*rand.Rand, int) any{upTo(4), key}},
		},
	},
}

func key(_ *rand.Rand, i int) any { return i }

func oneOf(values ...any) func(*rand.Rand, int) any {
	return func(r *rand.Rand, _ int) any { return values[r.IntN(len(values))] }
}

func upTo(n int) func(*rand.Rand, int) any {
	return func(r *rand.Rand, _ int) any { return 1 + r.IntN(n) }
}

// sampled are those of the sample whose tables' names sqlsmith can write.
var sampled = []string{"bird_club", "city_library"}

// writeDatabases writes the sample's databases and those of our own as
// NAME.sqlite, and returns their names.
func writeDatabases(ctx context.Context, dir string) ([]string, error) {
	var names []string
	for _, name := range sampled {
		names = append(names, name)
		file := name + ".sqlite"
		data, err := fs.ReadFile(sample.FS(), path.Join("dev_databases", name, file))
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, file), data, 0o644); err != nil {
			return nil, err
		}
	}
	for i, d := range own {
		names = append(names, d.name)
		file := filepath.Join(dir, d.name+".sqlite")
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if err := d.write(ctx, file, rand.New(rand.NewPCG(1, uint64(i)))); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	return names, nil
}

func (d generated) write(ctx context.Context, file string, random *rand.Rand) (err error) {
	file, err = filepath.Abs(file)
	if err != nil {
		return err
	}
	db, err := sql.Open("sqlite", "file://"+(&url.URL{Path: file}).EscapedPath())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, s := range d.schema {
		if _, err := db.ExecContext(ctx, s); err != nil {
			return err
		}
	}
	for _, t := range d.tables {
		insert := "INSERT INTO " + t.name + " VALUES (?" + strings.Repeat(", ?", len(t.columns)-1) + ")"
		for i := 1; i <= t.rows; i++ {
			row := make([]any, len(t.columns))
			for j, draw := range t.columns {
				row[j] = draw(random, i)
			}
			if _, err := db.ExecContext(ctx, insert, row...); err != nil {
				return err
			}
		}
	}
	return nil
}
