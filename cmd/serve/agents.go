package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/birdcall/birdcall/internal/artifact/folder"
	"github.com/birdcall/birdcall/internal/cli"
	"github.com/birdcall/birdcall/internal/serving/mcpserver"
	"github.com/birdcall/birdcall/internal/serving/server"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/record"
)

// agents are the flags about sessions and who may know gold.
type agents struct {
	control     secrets
	controlAddr string
	mcp         string
	variant     string
	sample      string
}

// stdio is the value of --mcp that serves one client.
const stdio = "stdio"

// agentFlags adds the flags about agents.
func (f *flags) agentFlags(set *pflag.FlagSet) {
	d := episode.DefaultLimits()
	set.StringSliceVar(&f.Samples, "samples", nil, "folders that convert wrote of the dataset, or one that has them: sessions take tool lists and gold from there")
	set.IntVar(&f.Episodes.Episodes, "sessions", d.Episodes, "sessions at a time; one more ends the one that is idle longest")
	set.DurationVar(&f.Episodes.Idle, "session-idle", d.Idle, "time without a call after which a session ends")
	set.IntVar(&f.Episodes.Calls, "session-calls", d.Calls, "calls of one session")
	set.Int64Var(&f.Episodes.Memory, "session-memory", d.Memory, "bytes of one session's results")
	set.Int64Var(&f.Episodes.AllMemory, "sessions-memory", d.AllMemory, "bytes of all sessions' results; what is idle longest makes room")
	set.Int64Var(&f.Episodes.Columns, "column-memory", d.Columns, "bytes of the databases' columns to keep for sessions")
	set.IntVar(&f.Episodes.Rows, "call-rows", d.Rows, "rows of the result of one call")
	set.IntVar(&f.Episodes.Bytes, "call-bytes", d.Bytes, "bytes of text that one call makes")
	set.DurationVar(&f.Episodes.Time, "call-time", d.Time, "time for one call of a session")
	set.StringVar(&f.URL, "public-url", "", "how clients reach the service, such as https://birds.example, for the addresses that it tells (default: by the request's Host)")
	set.BoolVar(&f.AnyHost, "any-host", false, "answer on a loopback address whatever the request's Host is, as a proxy on this computer needs")
	set.Var(&f.control, "control-keys", "keys for scores, gold and the explorer, separated by commas (default: open on a loopback address without --api-keys, else closed)")
	set.StringVar(&f.controlAddr, "control-addr", "", "a second address for the whole service without keys, scores, gold and the explorer included; these are there alone then (default: none)")
	set.StringVar(&f.Evaluation, "evaluation", "", "folder of a report of evaluate, for the explorer to show")
	set.StringVar(&f.mcp, "mcp", "", "stdio: serve one client of the Model Context Protocol over standard input and output, and nothing else")
	set.StringVar(&f.variant, "variant", record.SLOT, "with --mcp stdio: whose tools, slot, sel, rest or query (with --source: rest)")
	set.StringVar(&f.sample, "sample", "", "with --mcp stdio: the tools of one question, as DATABASE/ID; without it those of the --db")
}

// checkAgents looks for values that make no sense.
func (f *flags) checkAgents(set *pflag.FlagSet) error {
	l := f.Episodes
	for _, check := range []struct {
		flag string
		bad  bool
	}{
		{"sessions", l.Episodes < 1}, {"session-idle", l.Idle <= 0}, {"session-calls", l.Calls < 1}, {"session-memory", l.Memory < 1},
		{"sessions-memory", l.AllMemory < 1}, {"column-memory", l.Columns < 1}, {"call-rows", l.Rows < 1}, {"call-bytes", l.Bytes < 1}, {"call-time", l.Time <= 0},
	} {
		if check.bad {
			return fmt.Errorf("--%s must be greater than zero", check.flag)
		}
	}
	switch {
	case f.mcp != "" && f.mcp != stdio:
		return fmt.Errorf("--mcp %q: the only value is %s; over HTTP, MCP is always there, at /mcp/", f.mcp, stdio)
	case f.mcp == "" && set.Changed("sample"):
		return errors.New("--sample is for --mcp stdio; over HTTP a session names its sample")
	case f.mcp == "" && set.Changed("variant"):
		return errors.New("--variant is for --mcp stdio; over HTTP a session or the path names it")
	case f.mcp == stdio && !slices.Contains([]string{record.SLOT, record.SEL, record.REST, record.QUERY}, f.variant):
		return fmt.Errorf("--variant %q: use slot, sel, rest or query", f.variant)
	case f.variant == record.QUERY && f.sample != "":
		return errors.New("--sample: the variant query has one tool for all questions of a database; give --db instead")
	case f.source.IsSet() && set.Changed("variant") && f.variant != record.REST:
		return fmt.Errorf("--variant %s works on database files, and with --source there are endpoints only; use rest, or leave the flag out", f.variant)
	}
	if f.source.IsSet() {
		f.variant = record.REST
	}
	var err error
	if f.ControlKeys, err = f.control.keys(); err != nil {
		return fmt.Errorf("--control-keys: %w", err)
	}
	if f.Samples, err = sampleFolders(f.Samples, f.variants()); err != nil {
		return fmt.Errorf("--samples: %w", err)
	}
	f.Open = len(f.ControlKeys) == 0 && f.controlAddr == "" && len(f.APIKeys) == 0 && server.IsLoopback(f.addr)
	return nil
}

// variants returns those whose tools there can be.
func (f *flags) variants() []string {
	if f.source.IsSet() {
		return []string{record.REST}
	}
	return []string{record.SLOT, record.SEL, record.REST}
}

// sampleFolders returns the folders that convert wrote: those given, or those of
// the variants within them.
func sampleFolders(given, variants []string) ([]string, error) {
	var out []string
	for _, path := range given {
		if _, err := os.Stat(filepath.Join(path, folder.ReportFile)); err == nil {
			out = append(out, path)
			continue
		}
		found := false
		for _, variant := range variants {
			inner := filepath.Join(path, variant)
			if _, err := os.Stat(filepath.Join(inner, folder.ReportFile)); err == nil {
				out, found = append(out, inner), true
			}
		}
		if !found {
			return nil, fmt.Errorf("%s has no %s, and no folder %s with one; name what convert wrote, such as out/%s or out", path, folder.ReportFile, strings.Join(variants, " or "), variants[0])
		}
	}
	return out, nil
}

// ownDatabases returns a dataset without questions if the databases are SQLite
// files and no dataset is given, and else nil.
func (f *flags) ownDatabases() (*bird.Dataset, error) {
	if f.dataset != "" || f.questions != "" {
		return nil, nil
	}
	return cli.FilesOf(f.databases)
}

// tools returns whose tools --mcp stdio serves.
func (f *flags) tools() (mcpserver.Tools, error) {
	t := mcpserver.Tools{Variant: f.variant}
	if f.sample != "" {
		at := strings.LastIndexByte(f.sample, '/')
		if at < 1 {
			return t, fmt.Errorf("--sample %s: write DATABASE/ID, such as formula_1/846", f.sample)
		}
		t.DB, t.ID = f.sample[:at], f.sample[at+1:]
		return t, nil
	}
	if len(f.Dataset.Databases) != 1 {
		return t, fmt.Errorf("--mcp stdio serves the tools of one sample or one database, and there are %d; add --sample DATABASE/ID or --db NAME", len(f.Dataset.Databases))
	}
	t.DB = f.Dataset.Databases[0].ID
	return t, nil
}

// serveStdio serves one client over standard input and output.
func (f *flags) serveStdio(c *cobra.Command, s *server.Server) error {
	t, err := f.tools()
	if err != nil {
		return err
	}
	err = s.Stdio(c.Context(), t, c.InOrStdin(), c.OutOrStdout())
	if none := (*episode.NoTaskError)(nil); errors.As(err, &none) {
		return fmt.Errorf("--mcp stdio: %w", err)
	}
	return err
}
