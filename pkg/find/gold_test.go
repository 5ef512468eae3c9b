package find

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/sqlc-dev/meyer/lexer"
	"github.com/sqlc-dev/meyer/token"
	modernc "modernc.org/sqlite"

	"github.com/birdcall/birdcall/pkg/bird"
)

// gold is what a question's SQL reads, as SQLite says itself: its authorizer is called
// of each column while the statement is prepared
// (https://www.sqlite.org/c3ref/c_alter_table.html, SQLITE_READ).
type gold struct {
	tables   []string // lower case
	columns  []Column // lower case
	literals []literal

	db   int // the place of the question's database
	tool int // the place of its endpoint, or -1
}

// literal is a text of the SQL that one of its columns stores.
type literal struct {
	text    string
	span    [2]int   // of the SQL, with its quotation marks
	columns []Column // that store it
}

// reader reads what questions' SQL does of one database.
type reader struct {
	db   *sql.DB
	conn *sql.Conn
	read map[Column]bool
}

func newReader(ctx context.Context, path string) (*reader, error) {
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		return nil, err
	}
	r := &reader{db: db, read: map[Column]bool{}}
	if r.conn, err = db.Conn(ctx); err != nil {
		return nil, err
	}
	return r, r.conn.Raw(func(c any) error {
		return c.(modernc.AuthorizerRegisterer).RegisterAuthorizer(func(action modernc.AuthorizerActionCode, table, column, _, _ string) modernc.AuthorizerReturnCode {
			if action == modernc.AuthRead {
				r.read[Column{strings.ToLower(table), strings.ToLower(column)}] = true
			}
			return modernc.AuthorizerOK
		})
	})
}

func (r *reader) gold(ctx context.Context, q *bird.Question) (*gold, error) {
	clear(r.read)
	s, err := r.conn.PrepareContext(ctx, q.SQL)
	if err != nil {
		return nil, fmt.Errorf("question %s: %w", q.ID, err)
	}
	defer s.Close()
	g := &gold{}
	for c := range r.read {
		if !slices.Contains(g.tables, c.Table) {
			g.tables = append(g.tables, c.Table)
		}
		if c.Name != "" { // of count(*)
			g.columns = append(g.columns, c)
		}
	}
	slices.Sort(g.tables)
	slices.SortFunc(g.columns, func(a, b Column) int { return strings.Compare(a.Table+"."+a.Name, b.Table+"."+b.Name) })
	seen := map[string]bool{}
	for _, t := range lexer.Lex(q.SQL) {
		if t.Kind != token.STRING && t.Kind != token.ID {
			continue
		}
		text, span := q.SQL[t.Pos:t.End], [2]int{t.Pos, t.End}
		if text[0] != '\'' && text[0] != '"' {
			continue
		}
		text = strings.ReplaceAll(text[1:len(text)-1], text[:1]+text[:1], text[:1])
		if seen[text] {
			continue
		}
		seen[text] = true
		l := literal{text: text, span: span}
		for _, c := range g.columns {
			var n int
			err := r.conn.QueryRowContext(ctx, fmt.Sprintf(`SELECT count(*) FROM (SELECT 1 FROM "%s" WHERE "%s" = ? AND typeof("%s") = 'text' LIMIT 1)`, c.Table, c.Name, c.Name), text).Scan(&n)
			if err == nil && n > 0 {
				l.columns = append(l.columns, c)
			}
		}
		if len(l.columns) > 0 {
			g.literals = append(g.literals, l)
		}
	}
	return g, nil
}

func (r *reader) close() {
	r.conn.Close()
	r.db.Close()
}

// maxTime is how long a statement may take.
const maxTime = 10 * time.Second

// answer returns the rows of a statement as a text, or "" where it fails or takes too
// long.
func (r *reader) answer(query string) string {
	ctx, cancel := context.WithTimeout(context.Background(), maxTime)
	defer cancel()
	rows, err := r.conn.QueryContext(ctx, query)
	if err != nil {
		return ""
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return ""
	}
	var out strings.Builder
	out.WriteString("rows:")
	for rows.Next() {
		row := make([]any, len(columns))
		to := make([]any, len(columns))
		for i := range row {
			to[i] = &row[i]
		}
		if err := rows.Scan(to...); err != nil {
			return ""
		}
		fmt.Fprintf(&out, "%#v\n", row)
	}
	if rows.Err() != nil {
		return ""
	}
	return out.String()
}

// isNumber reports whether a statement gives one row with one number.
func (r *reader) isNumber(query string) bool {
	answer := r.answer(query)
	return oneNumber.MatchString(answer)
}

// oneNumber is a row of one number, as %#v writes it.
var oneNumber = regexp.MustCompile(`^rows:\[\]interface \{\}\{[-+0-9.e]+\}\n$`)
