package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/cli"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/federation/vtab"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/internal/text/table"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/find"
	"github.com/birdcall/birdcall/pkg/value"
)

// sqlFlags are those of convert sql besides the ones that it shares.
type sqlFlags struct {
	explain bool
	as      string
	repair  bool
	index   string
}

// The values of --as.
const (
	asTable = "table"
	asJSON  = "json"
	asCSV   = "csv"
)

// sqlCommand runs a statement.
func sqlCommand(f *flags) *cobra.Command {
	own := &sqlFlags{}
	c := &cobra.Command{
		Use:   "sql STATEMENT",
		Short: "Run a SELECT over a database and the tables and functions of APIs",
		Long: `Run one SELECT over a database and print its rows. With --apis it can read the
tables and call the functions of APIs, too, as docs/apis.md says. Without a
database there are only those.

With --repair, texts that their columns do not store are replaced by the stored
texts that they mean before it runs, as docs/find.md says.`,
		Example: `  convert sql --db birds.sqlite "SELECT count(*) FROM sighting"
  convert sql --dataset bird/dev --db california_schools --repair "SELECT ... WHERE City = 'san fransisco'"
  convert sql --apis apis.yaml --db birds.sqlite --explain "SELECT * FROM museum"
  convert sql --apis apis.yaml --dataset bird/dev --db superhero --as csv "SELECT ..."`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return f.runSQL(c, own, args[0]) },
	}
	c.Flags().BoolVar(&own.explain, "explain", false, "print how the statement reads each table, and the calls that it made, before the rows")
	c.Flags().StringVar(&own.as, "as", asTable, "how to print rows: table, json for a line with an array for each, or csv")
	c.Flags().BoolVar(&own.repair, "repair", false, "replace texts that their columns do not store by the stored ones that they mean, and say so on stderr")
	c.Flags().StringVar(&own.index, "index", "", "folder of the index of --repair, or - for memory alone (default: the folder find of the dataset; memory for the embedded sample and for files)")
	complete(c, "as", []string{asTable, asJSON, asCSV})
	return c
}

func (f *flags) runSQL(c *cobra.Command, own *sqlFlags, sql string) error {
	for _, err := range []error{
		onlyFlags(c, "dataset", "split", "questions", "db", "apis", "timeout"),
		cli.OneOf("--as", own.as, []string{asTable, asJSON, asCSV}),
		cli.NotEmpty(c.Flags(), cli.DatasetFlags...),
		cli.NotEmpty(c.Flags(), cli.Flag{Name: "index", Hint: "give a folder, or - for memory alone"}),
		f.numbers(),
	} {
		if err != nil {
			return err
		}
	}
	if own.index != "" && !own.repair {
		return errors.New("--index: it is the index of --repair; give that too, or leave the flag out")
	}
	info, err := f.oneDatabase(c.Context())
	if err != nil {
		return err
	}
	if own.repair {
		if sql, err = f.repaired(c, own, info, sql); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(c.Context(), f.timeout)
	defer cancel()
	db, err := vtab.Open(ctx, info, sqlite.Options{}, false)
	if err != nil {
		return err
	}
	defer db.Close()
	out := bufio.NewWriter(c.OutOrStdout())
	width := cli.Width(c.OutOrStdout(), 100)
	if own.explain {
		lines, err := db.Explain(ctx, sql)
		if err != nil {
			return err
		}
		fmt.Fprintln(out, "Plan")
		for _, line := range lines {
			fmt.Fprintln(out, "  "+table.Plain(line))
		}
		fmt.Fprintln(out)
		if err := out.Flush(); err != nil {
			return err
		}
	}
	log := &vtab.Log{}
	start := time.Now()
	result, err := db.Query(vtab.WithLog(ctx, log), sql)
	if own.explain {
		writeCalls(out, log, time.Since(start), width)
	}
	if err == nil {
		err = writeRows(out, own.as, result, width)
	}
	return errors.Join(err, out.Flush())
}

// repaired returns a statement with texts that are stored instead of those that are
// not, and prints what was changed.
func (f *flags) repaired(c *cobra.Command, own *sqlFlags, info *bird.Database, sql string) (string, error) {
	if info.APIs != nil {
		return "", errors.New("--repair: it is about databases alone, as it would fetch all rows of an API's tables; leave out the flag or --apis")
	}
	folder := cli.IndexFolder(own.index, f.dataset, f.questions)
	warn := func(text string) { cli.Warn(c.ErrOrStderr(), text) }
	index, err := find.Open(c.Context(), &bird.Dataset{Databases: []*bird.Database{info}}, find.Options{Dir: folder, Warn: warn})
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(c.Context(), f.timeout)
	defer cancel()
	sql, changes, err := index.RepairSQL(ctx, info.ID, sql)
	for _, change := range changes {
		fmt.Fprintln(c.ErrOrStderr(), "repaired:", table.Plain(fmt.Sprint(change)))
	}
	return sql, err
}

// oneDatabase returns the database of the flags, with its APIs.
func (f *flags) oneDatabase(ctx context.Context) (*bird.Database, error) {
	dataset, err := cli.FilesOf(f.databases)
	if err == nil && dataset == nil {
		switch {
		case f.embedded() && len(f.databases) == 0:
			dataset = &bird.Dataset{Databases: []*bird.Database{vtab.Empty()}}
		default:
			load := bird.Options{Dir: f.dataset, Split: f.split, Questions: f.questions, Databases: f.databases, AllDatabases: true}
			if f.embedded() {
				load.FS = sample.FS()
			}
			dataset, err = bird.Load(load)
		}
	}
	if err != nil {
		return nil, err
	}
	if err := f.apis.Attach(ctx, dataset, true); err != nil {
		return nil, err
	}
	if len(dataset.Databases) != 1 {
		return nil, fmt.Errorf("a statement is about one database, and there are %d; name it with --db", len(dataset.Databases))
	}
	return dataset.Databases[0], nil
}

// writeCalls prints the calls that a statement made.
func writeCalls(w io.Writer, log *vtab.Log, took time.Duration, width int) {
	calls, rounds := log.Calls()
	t := table.Table{
		Title: "Calls", Columns: []table.Column{{Name: "operation", Words: true}, {Name: "request", Words: true}, {Name: "status"}, {Name: "attempts"}, {Name: "rows"}, {Name: "bytes"}},
	}
	attempts, bytes := 0, int64(0)
	for _, c := range calls {
		t.Add(c.Operation, c.Method+" "+brief(c.URL), strconv.Itoa(c.Status), strconv.Itoa(c.Attempts), table.Count(c.Rows), table.Count(int(c.Bytes)))
		attempts, bytes = attempts+c.Attempts, bytes+c.Bytes
	}
	t.Notes = []string{fmt.Sprintf("calls: %d, rounds: %d, requests: %d, bytes: %s, time: %d ms", len(calls), rounds, attempts, table.Count(int(bytes)), took.Milliseconds())}
	t.Text(w, width)
	fmt.Fprintln(w)
}

// brief returns the path and the parameters of a URL; of many values of one there is
// the first.
func brief(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return text
	}
	out, between := u.Path, "?"
	seen := map[string]bool{}
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		name, _, _ := strings.Cut(pair, "=")
		if pair == "" || seen[name] {
			continue
		}
		seen[name] = true
		out += between + pair
		between = "&"
		if n := strings.Count("&"+u.RawQuery, "&"+name+"="); n > 1 {
			out += fmt.Sprintf(" (and %d more)", n-1)
		}
	}
	return out
}

// writeRows prints rows.
func writeRows(w io.Writer, as string, result *sqlite.Result, width int) error {
	if as != asTable {
		return writeLines(w, as, result)
	}
	t := table.Table{Notes: []string{"rows: " + table.Count(len(result.Rows))}}
	for _, name := range result.Columns {
		t.Columns = append(t.Columns, table.Column{Name: name, Words: true})
	}
	for _, row := range result.Rows {
		t.Add(texts(row)...)
	}
	t.Text(w, width)
	return nil
}

// writeLines prints rows as CSV or JSON, as endpoints do.
func writeLines(w io.Writer, as string, result *sqlite.Result) error {
	var line []byte
	if as == asCSV {
		for i, name := range result.Columns {
			if i > 0 {
				line = append(line, ',')
			}
			line = jsontext.AppendQuoted(line, []byte(name))
		}
		line = append(line, '\n')
	}
	for _, values := range result.Rows {
		row := sqlite.RowOf(values)
		if as == asJSON {
			line = append(line, '[')
		}
		for i := range values {
			if i > 0 {
				line = append(line, ',')
			}
			if as == asCSV {
				line = row.AppendCSV(line, i)
			} else {
				line = row.AppendJSON(line, i)
			}
		}
		if as == asJSON {
			line = append(line, ']')
		}
		line = append(line, '\n')
		if _, err := w.Write(line); err != nil {
			return err
		}
		line = line[:0]
	}
	_, err := w.Write(line) // a header without rows
	return err
}

// texts returns what is shown of values; NULL is nothing.
func texts(row []value.Value) []string {
	out := make([]string, len(row))
	for i, v := range row {
		if !v.IsNull() {
			out[i] = table.Plain(value.AsText(v))
		}
	}
	return out
}
