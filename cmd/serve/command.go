package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/cli"
	"github.com/birdcall/birdcall/internal/serving/server"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/rest"
)

// flags are the command line's.
type flags struct {
	server.Options
	agents
	finding
	addr      string
	adminAddr string
	keys      secrets
	dataset   string
	split     string
	questions string
	databases []string
	apis      cli.APIs
	source    cli.Source
	asOf      string
	logLevel  string
	logFormat string
	grace     time.Duration
}

func command() *cobra.Command {
	f := &flags{}
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve a dataset's endpoints, and its tools to agents",
		Long: `Serve one REST endpoint for every query of a dataset, with OpenAPI documents at
/openapi.json, a page to try them at /docs, metrics at /metrics and health checks
at /healthz and /readyz. docs/serve.md tells more.

Agents call the tools of each question live: in sessions at /v1/sessions, and over
the Model Context Protocol at /mcp/ or, with --mcp stdio, on standard input and
output. Trainers score sessions, and people look at samples in the explorer at /.
docs/agents.md tells more.

Without --dataset, the sample dataset inside this binary is served; --db may name
SQLite files of yours then. With --source, the databases are on a Postgres server,
and their endpoints are served; docs/postgres.md tells more. Every flag can be given as an environment variable too:
--max-rows is BIRDCALL_MAX_ROWS.`,
		Example: `  serve
  serve --dataset bird/dev --db superhero,formula_1 --addr :8080
  serve --source postgres://reader@db.example/bird --dataset minidev
  serve --mcp stdio --db shop.sqlite
  serve --mcp stdio --dataset bird/dev --sample formula_1/846 --variant sel`,
		Args:              cobra.NoArgs,
		SilenceUsage:      true,
		SilenceErrors:     true,
		PersistentPreRunE: func(c *cobra.Command, _ []string) error { return fromEnvironment(c.Flags(), os.LookupEnv) },
		RunE:              func(c *cobra.Command, _ []string) error { return f.run(c) },
	}
	cli.AddVersion(c)
	c.PersistentFlags().StringVar(&f.addr, "addr", "127.0.0.1:8080", "address to listen on")
	c.PersistentFlags().StringVar(&f.adminAddr, "admin-addr", "", "a second address for /healthz, /readyz and /metrics, and /metrics there alone (default: none)")
	set := c.Flags()
	set.SortFlags = false
	set.StringVar(&f.dataset, "dataset", "", "folder of a dataset in BIRD's, Spider's or the plain layout (default: the embedded sample)")
	set.StringVar(&f.split, "split", "", "which questions of the folder, such as dev, train or train_spider")
	set.StringVar(&f.questions, "questions", "", "the questions' file, where the layout does not tell")
	cli.DatabasesVar(set, &f.databases, "only these databases, or SQLite files of yours, separated by commas; may be repeated")
	f.source.AddFlags(set)
	f.apis.AddFlags(set)
	set.BoolVar(&f.Immutable, "immutable", false, "take the databases as files that nobody writes to")
	set.BoolVar(&f.Tables, "tables", false, "serve the rows of each table and view too, at /v1/tables/")
	set.BoolVar(&f.Functions, "functions", false, "answer functions of texts, numbers and places too, at /v1/functions/")
	f.findFlags(set)
	set.DurationVar(&f.Timeout, "timeout", 5*time.Second, "time for one query")
	set.DurationVar(&f.Wait, "wait", time.Second, "time to wait for a free connection, and for another program's lock")
	set.IntVar(&f.Connections, "connections", 4, "connections to each database")
	set.IntVar(&f.InFlight, "in-flight", 512, "requests at a time")
	set.IntVar(&f.MaxRows, "max-rows", rest.DefaultMaxRows, "rows of one answer")
	set.IntVar(&f.MaxBytes, "max-bytes", rest.DefaultMaxBytes, "bytes of one answer")
	set.IntVar(&f.MaxValue, "max-value", rest.DefaultMaxValue, "bytes of one value or stored row")
	set.Int64Var(&f.AnswerMemory, "answer-memory", 256<<20, "bytes of all answers at a time, but for the first 64 KiB of each")
	set.IntVar(&f.MaxConnections, "max-connections", 1024, "open connections of clients")
	set.DurationVar(&f.IdleTimeout, "idle-timeout", 75*time.Second, "time that a connection may wait for its next request")
	set.StringVar(&f.asOf, "as-of", bird.DefaultAsOf.Format(time.RFC3339), "the instant to take for 'now', such as 2025-01-01, or now for the real clock")
	set.Var(&f.keys, "api-keys", "keys that open the service, separated by commas (default: open to all)")
	set.BoolVar(&f.PublicDocs, "public-docs", false, "with keys: show the API page and the OpenAPI documents, without values of the data, to all")
	set.StringSliceVar(&f.Origins, "origins", nil, "origins of web pages that may call the service, or * for all")
	set.Float64Var(&f.Rate, "rate", 0, "requests per second of one client; 0 is no limit")
	f.agentFlags(set)
	set.StringVar(&f.logLevel, "log-level", "info", "least level to log: debug, info, warn or error")
	set.StringVar(&f.logFormat, "log-format", "json", "how to log: json or text")
	set.DurationVar(&f.grace, "grace", 15*time.Second, "time for requests in flight when stopping")
	c.AddCommand(healthcheck(f))
	cli.Guide(c)
	return c
}

func (f *flags) run(c *cobra.Command) error {
	start := time.Now()
	log := server.NewLogWriter(c.ErrOrStderr())
	defer log.Flush()
	if err := f.complete(c.Context(), c.Flags(), log); err != nil {
		return err
	}
	f.warn(c.Flags())
	s, err := server.New(c.Context(), f.Options)
	switch {
	case errors.Is(err, server.ErrControl):
		return fmt.Errorf("--control-keys: %w", err)
	case errors.Is(err, server.ErrKeys):
		return fmt.Errorf("--api-keys: %w", err)
	case errors.Is(err, server.ErrMemory):
		return fmt.Errorf("--answer-memory: %w", err)
	case errors.Is(err, server.ErrFunctions):
		return fmt.Errorf("--functions: %w", err)
	case err != nil:
		return err
	}
	if f.mcp == stdio {
		return errors.Join(f.serveStdio(c, s), s.Close())
	}
	on, err := f.listen(c)
	if err != nil {
		return errors.Join(err, s.Close())
	}
	if len(f.APIKeys) == 0 && !server.IsLoopback(on.Main.Addr().String()) {
		f.Logger.Warn("the service is open to all who reach its address", "hint", "give --api-keys, or listen on 127.0.0.1")
	}
	f.Logger.Info("ready", "address", on.Main.Addr().String(), "databases", len(f.Dataset.Databases),
		"endpoints", s.Endpoints(), "ms", time.Since(start).Milliseconds())
	err = s.Serve(c.Context(), on, f.grace)
	f.Logger.Info("stopped")
	return errors.Join(err, s.Close())
}

// listen opens the addresses.
func (f *flags) listen(c *cobra.Command) (on server.Listeners, err error) {
	var config net.ListenConfig
	if on.Main, err = config.Listen(c.Context(), "tcp", f.addr); err != nil {
		return on, fmt.Errorf("%w; choose another --addr, such as 127.0.0.1:8080", err)
	}
	if f.adminAddr != "" {
		if on.Admin, err = config.Listen(c.Context(), "tcp", f.adminAddr); err != nil {
			return on, errors.Join(fmt.Errorf("%w; choose another --admin-addr", err), on.Main.Close())
		}
		f.Logger.Info("health and metrics", "address", on.Admin.Addr().String())
	}
	if f.controlAddr != "" {
		if on.Control, err = config.Listen(c.Context(), "tcp", f.controlAddr); err != nil {
			err = errors.Join(fmt.Errorf("%w; choose another --control-addr", err), on.Main.Close())
			if on.Admin != nil {
				err = errors.Join(err, on.Admin.Close())
			}
			return on, err
		}
		f.Logger.Info("scores, gold and the explorer", "address", on.Control.Addr().String())
	}
	return on, nil
}

// warn logs settings that are probably mistakes.
func (f *flags) warn(set *pflag.FlagSet) {
	for _, v := range unknownVariables(set, os.Environ()) {
		hint := "serve --help lists the flags"
		if v.near != "" {
			hint = "did you mean " + v.near + "?"
		}
		f.Logger.Warn("an environment variable is no flag's", "variable", v.name, "hint", hint)
	}
	if f.controlAddr != "" && f.URL == "" {
		f.Logger.Warn("sessions that are opened at the control address tell agents to go on there, where gold is open to them", "hint", "give --public-url, or open them at --addr")
	}
	if text, ok := os.LookupEnv(variable("api-keys")); ok && text == "" && len(f.keys) == 0 {
		f.Logger.Warn("an environment variable is empty, and the service is open to all", "variable", variable("api-keys"))
	}
}

// complete checks the flags and reads the dataset.
func (f *flags) complete(ctx context.Context, set *pflag.FlagSet, log *server.LogWriter) error {
	var level slog.Level
	if err := level.UnmarshalText([]byte(f.logLevel)); err != nil {
		return fmt.Errorf("--log-level %q: use debug, info, warn or error", f.logLevel)
	}
	options := &slog.HandlerOptions{Level: level}
	switch f.logFormat {
	case "json":
		f.Logger = slog.New(slog.NewJSONHandler(log, options))
		f.Access = func(a server.Access) {
			if a.Level >= level {
				log.JSON(a)
			}
		}
	case "text":
		f.Logger = slog.New(slog.NewTextHandler(log, options))
	default:
		return fmt.Errorf("--log-format %q: use json or text", f.logFormat)
	}
	if err := f.check(set); err != nil {
		return err
	}
	var err error
	if f.Dataset, err = f.ownDatabases(); err != nil {
		return err
	}
	if f.Find, err = f.finder(f.Dataset != nil); err != nil {
		return err
	}
	if f.Dataset == nil {
		if f.Dataset, err = f.load(); err != nil {
			return err
		}
	}
	return f.apis.Attach(ctx, f.Dataset, len(f.databases) > 0)
}

// load reads the dataset. A folder of databases without questions is one too.
func (f *flags) load() (*bird.Dataset, error) {
	load := bird.Options{Dir: f.dataset, Split: f.split, Questions: f.questions, Databases: f.databases, NoFiles: f.source.IsSet(), SkipMissing: true}
	if f.embedded() {
		load.FS = sample.FS()
	}
	d, err := bird.Load(load)
	if errors.Is(err, bird.ErrNoDataset) && f.questions == "" && f.split == "" {
		load.AllDatabases = true
		if d, other := bird.Load(load); other == nil {
			return d, nil
		}
	}
	return d, err
}

// embedded reports whether the dataset is the sample inside this binary. A file of
// questions alone is about the sample's databases, or about a server's.
func (f *flags) embedded() bool { return f.dataset == "" && (f.questions == "" || !f.source.IsSet()) }

// check looks for flags whose values make no sense.
func (f *flags) check(set *pflag.FlagSet) error {
	for _, check := range []struct {
		flag string
		bad  bool
	}{
		{"timeout", f.Timeout <= 0}, {"wait", f.Wait <= 0}, {"connections", f.Connections < 1}, {"in-flight", f.InFlight < 1},
		{"max-rows", f.MaxRows < 1}, {"max-bytes", f.MaxBytes < 1}, {"max-value", f.MaxValue < 1}, {"grace", f.grace < 0},
		{"answer-memory", f.AnswerMemory < 1}, {"max-connections", f.MaxConnections < 1}, {"idle-timeout", f.IdleTimeout <= 0},
	} {
		if check.bad {
			return fmt.Errorf("--%s must be greater than zero", check.flag)
		}
	}
	if math.IsNaN(f.Rate) || math.IsInf(f.Rate, 0) || f.Rate < 0 {
		return fmt.Errorf("--rate %v: give requests per second as a number such as 5 or 0.5, or 0 for no limit", f.Rate)
	}
	for i, id := range f.databases {
		f.databases[i] = strings.TrimSpace(id)
	}
	if err := cli.NotEmpty(set, cli.DatasetFlags...); err != nil {
		return err
	}
	if err := f.source.Check(set, f.embedded()); err != nil {
		return err
	}
	f.Source, f.AllowWriter = f.source.URL, f.source.AllowWriter
	if f.source.IsSet() && f.apis.IsSet() {
		return errors.New("--apis: tables of APIs are joined with those of SQLite files, and with --source there are none; leave one of them out")
	}
	if f.source.IsSet() && f.Immutable {
		return errors.New("--immutable is about database files, and with --source there are none; leave it out")
	}
	if !set.Changed("answer-memory") {
		f.AnswerMemory = 0 // which fits any --max-bytes
	}
	f.Admin, f.Version = f.adminAddr != "", cli.Version()
	var err error
	if f.APIKeys, err = f.keys.keys(); err != nil {
		return fmt.Errorf("--api-keys: %w", err)
	}
	if err := errors.Join(f.checkAgents(set), f.checkFind(set)); err != nil {
		return err
	}
	if f.Clock = f.asOf == "now"; !f.Clock {
		var ok bool
		if f.AsOf, ok = rest.ParseInstant(f.asOf); !ok {
			return fmt.Errorf("--as-of %q: write it as 2025-01-01, 2025-01-01 10:00:00 or 2025-01-01T00:00:00Z, or now", f.asOf)
		}
	}
	return nil
}
