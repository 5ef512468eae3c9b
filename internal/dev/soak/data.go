package main

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	_ "modernc.org/sqlite"
)

// databases are what is served: one for each way to keep commits whole.
var databases = []struct{ name, journal string }{{"rollback", "DELETE"}, {"logged", "WAL"}}

// rows is how many rows the table of a database has. Every commit gives all of
// them the next stamp and leaves the sum of money as it is.
const rows = 500

// sum is the sum of money, always.
const sum = rows * 100

var queries = []string{
	"SELECT id, stamp FROM account WHERE id >= 1 ORDER BY id",
	"SELECT sum(money), max(stamp) FROM account WHERE money > -1000000",
	"SELECT owner, money, stamp FROM account WHERE id = 7",
	"SELECT owner FROM account WHERE owner LIKE '%1%' ORDER BY owner LIMIT 5",
	"SELECT count(*) FROM account AS a JOIN account AS b ON a.money <> b.id JOIN account AS c ON b.id <> c.id + a.id WHERE a.owner <> 'nobody'",
}

func openForWriting(path string) (*sql.DB, error) {
	const busy = "?_pragma=busy_timeout(5000)"
	db, err := sql.Open("sqlite", "file://"+(&url.URL{Path: path}).EscapedPath()+busy)
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

// makeDataset writes a dataset in the plain layout.
func makeDataset(dir string) error {
	type question struct {
		Question string `json:"question"`
		SQL      string `json:"sql"`
		DB       string `json:"db"`
	}
	var questions []question
	for _, d := range databases {
		if err := makeDatabase(filepath.Join(dir, d.name+".sqlite"), d.journal); err != nil {
			return err
		}
		for _, q := range queries {
			questions = append(questions, question{"What does it answer?", q, d.name})
		}
	}
	text, err := json.Marshal(questions)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "questions.json"), text, 0o600)
}

func makeDatabase(path, journal string) (err error) {
	db, err := openForWriting(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, s := range []string{
		"PRAGMA journal_mode = " + journal,
		"CREATE TABLE account (id INTEGER PRIMARY KEY, owner TEXT, money INTEGER, stamp INTEGER)",
		fmt.Sprintf("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT %d) INSERT INTO account SELECT i, 'owner ' || i, 100, 1 FROM n", rows),
	} {
		if _, err := db.Exec(s); err != nil {
			return err
		}
	}
	return nil
}

// writeCommand makes this program a writer to one database.
const writeCommand = "write"

// write changes a database until it is killed, and prints the stamp of each
// commit.
func write(path string) error {
	db, err := openForWriting(path)
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		from, to := rand.IntN(rows)+1, rand.IntN(rows)+1
		step := "UPDATE account SET stamp = stamp + 1, money = money - (id = ?) + (id = ?)"
		args := []any{from, to}
		switch {
		case i%97 == 96:
			step, args = "VACUUM", nil
		case i%41 == 40:
			step, args = "PRAGMA wal_checkpoint(TRUNCATE)", nil
		}
		_, err := db.Exec(step, args...)
		if err == nil && len(args) > 0 {
			stamp := int64(0)
			if err = db.QueryRow("SELECT max(stamp) FROM account").Scan(&stamp); err == nil {
				fmt.Println(stamp)
			}
		}
		if err != nil && !strings.Contains(err.Error(), "locked") {
			return err
		}
		if rand.IntN(20) == 0 {
			time.Sleep(4 * time.Second) // so that the service finds it quiet
		}
		time.Sleep(time.Duration(rand.IntN(20)) * time.Millisecond)
	}
}

// keepWriting has a program write to a database, kills it again and again, and
// sometimes replaces the file while nobody writes. A program that could not
// commit at all was held off by readers.
func keepWriting(ctx context.Context, dir, name string, random *rand.Rand, r *record) {
	path := filepath.Join(dir, name+".sqlite")
	for ctx.Err() == nil {
		c := command(os.Args[0], writeCommand, path)
		stamps, err := c.StdoutPipe()
		if err == nil {
			err = c.Start()
		}
		if err != nil {
			r.fail("a writer does not start: %v", err)
			return
		}
		ended, commits := make(chan error, 1), 0
		go func() {
			for lines := bufio.NewScanner(stamps); lines.Scan(); commits++ {
				stamp, _ := strconv.ParseInt(lines.Text(), 10, 64) // 0 for a line that was cut off
				r.commit(name, stamp)
			}
			ended <- c.Wait()
		}()
		select {
		case err := <-ended:
			r.fail("a writer ended: %v", err)
			return
		case <-ctx.Done():
		case <-time.After(time.Duration(6+random.IntN(12)) * time.Second):
		}
		_ = c.Process.Kill()
		<-ended
		if ctx.Err() == nil && commits == 0 {
			r.fail("a writer to %s was held off", name)
		}
		if ctx.Err() == nil && random.IntN(3) == 0 {
			if err := replace(path); err != nil {
				r.fail("replacing %s: %v", name, err)
			}
		}
	}
}

// replace puts a copy in a database's place.
func replace(path string) error {
	db, err := openForWriting(path)
	if err != nil {
		return err
	}
	copied := path + ".copy"
	mode := ""
	if err := db.QueryRow("PRAGMA journal_mode").Scan(&mode); err != nil {
		return errors.Join(err, db.Close())
	}
	if mode == "wal" { // a copy next to the log of another file is none
		return db.Close()
	}
	_, err = db.Exec("VACUUM INTO ?", copied)
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	return os.Rename(copied, path)
}
