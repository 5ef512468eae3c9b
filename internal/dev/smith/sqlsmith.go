package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// smith runs sqlsmith.
type smith struct {
	program string
	dir     string // for the library that answers its question of SQLite's version
	library string
	rewrite bool // what SQLite does not know is taken out of a query, instead of the query
}

// sqlsmith insists on the very SQLite that it was compiled with, and Debian's
// is newer. It names it where it says what it was compiled with.
var compiledWith = regexp.MustCompile(`SQLite (\d+)\.(\d+)\.(\d+) (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [0-9a-z]+)`)

// answer is the source of a library that answers what sqlsmith asks for.
const answer = `
const char *sqlite3_libversion(void) { return "%s"; }
int sqlite3_libversion_number(void) { return %d; }
const char *sqlite3_sourceid(void) { return "%s"; }
`

// newSmith finds sqlsmith and a C compiler, and compiles the library.
func newSmith(ctx context.Context, rewrite bool) (*smith, error) {
	program, err := exec.LookPath("sqlsmith")
	if err != nil {
		return nil, errors.New("there is no sqlsmith: apt-get install sqlsmith")
	}
	compiler, err := exec.LookPath("cc")
	if err != nil {
		return nil, errors.New("there is no C compiler: apt-get install gcc")
	}
	binary, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	version := compiledWith.FindSubmatch(binary)
	if version == nil {
		return nil, fmt.Errorf("%s does not say which SQLite it was compiled with: take a version that has --sqlite, such as Debian's", program)
	}
	number := 0 // https://www.sqlite.org/c3ref/c_source_id.html
	for _, part := range version[1:4] {
		n, err := strconv.Atoi(string(part))
		if err != nil {
			return nil, err
		}
		number = 1000*number + n
	}
	dir, err := os.MkdirTemp("", "smith")
	if err != nil {
		return nil, err
	}
	s := &smith{program, dir, filepath.Join(dir, "version.so"), rewrite}
	source := fmt.Sprintf(answer, bytes.Join(version[1:4], []byte(".")), number, version[4])
	c := exec.CommandContext(ctx, compiler, "-shared", "-fPIC", "-x", "c", "-o", s.library, "-")
	c.Stdin = strings.NewReader(source)
	if out, err := c.CombinedOutput(); err != nil {
		s.close()
		return nil, fmt.Errorf("%s: %w: %s", compiler, err, out)
	}
	return s, nil
}

func (s *smith) close() { _ = os.RemoveAll(s.dir) }

// notSQLite is what sqlsmith writes and SQLite does not know: LATERAL, and a
// share of a table's rows.
var notSQLite = regexp.MustCompile(`\blateral | tablesample \w+ \([0-9.]+\)`)

// queries has sqlsmith write n statements for a database, and returns those
// that only read and may be SQLite's.
func (s *smith) queries(ctx context.Context, path string, seed, n int) ([]string, error) {
	c := exec.CommandContext(ctx, s.program, "--sqlite=file:"+path+"?mode=ro", "--dry-run", "--exclude-catalog",
		"--seed="+strconv.Itoa(seed), "--max-queries="+strconv.Itoa(n))
	c.Env = append(os.Environ(), "LD_PRELOAD="+s.library)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", s.program, err, bytes.TrimSpace(stderr.Bytes()))
	}
	var queries []string
	for statement := range strings.SplitSeq(string(out), ";") { // its texts have none
		words := strings.Fields(statement)
		if len(words) == 0 || words[0] != "select" && words[0] != "with" {
			continue
		}
		query := strings.Join(words, " ")
		known := notSQLite.ReplaceAllString(query, "")
		if known == query || s.rewrite {
			queries = append(queries, known)
		}
	}
	return queries, nil
}
