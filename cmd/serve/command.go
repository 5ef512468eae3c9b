package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/server"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/rest"
)

// flags are the command line's.
type flags struct {
	server.Options
	addr      string
	dataset   string
	split     string
	questions string
	databases []string
	asOf      string
	logLevel  string
	logFormat string
	grace     time.Duration
}

// environment is what the names of environment variables start with.
const environment = "BIRDCALL_"

func command() *cobra.Command {
	f := &flags{}
	c := &cobra.Command{
		Use:   "serve",
		Short: "Answer the questions of a dataset as REST endpoints",
		Long: `Serve one REST endpoint for every query of a dataset, with OpenAPI documents at
/openapi.json, a page to try them at /docs, metrics at /metrics and health checks
at /healthz and /readyz.

Without --dataset, the sample dataset inside this binary is served. Every flag
can be given as an environment variable too: --max-rows is BIRDCALL_MAX_ROWS.`,
		Example: `  serve
  serve --dataset bird/dev --db superhero,formula_1 --addr :8080`,
		Args:              cobra.NoArgs,
		SilenceUsage:      true,
		SilenceErrors:     true,
		PersistentPreRunE: func(c *cobra.Command, _ []string) error { return fromEnvironment(c.Flags(), os.LookupEnv) },
		RunE:              func(c *cobra.Command, _ []string) error { return f.run(c) },
	}
	c.PersistentFlags().StringVar(&f.addr, "addr", "127.0.0.1:8080", "address to listen on")
	set := c.Flags()
	set.SortFlags = false
	set.StringVar(&f.dataset, "dataset", "", "folder of a dataset in BIRD's, Spider's or the plain layout (default: the embedded sample)")
	set.StringVar(&f.split, "split", "", "which questions of the folder, such as dev, train or train_spider")
	set.StringVar(&f.questions, "questions", "", "the questions' file, where the layout does not tell")
	set.StringSliceVar(&f.databases, "db", nil, "only these databases, separated by commas")
	set.DurationVar(&f.Timeout, "timeout", 5*time.Second, "time for one query")
	set.DurationVar(&f.Wait, "wait", time.Second, "time to wait for a free connection")
	set.IntVar(&f.Connections, "connections", 4, "connections to each database")
	set.IntVar(&f.InFlight, "in-flight", 512, "requests at a time")
	set.IntVar(&f.MaxRows, "max-rows", 10_000, "rows of one answer")
	set.IntVar(&f.MaxBytes, "max-bytes", 16<<20, "bytes of one answer")
	set.StringVar(&f.asOf, "as-of", rest.DefaultAsOf.Format(time.RFC3339), "the instant to take for 'now', or now for the real clock")
	set.StringSliceVar(&f.APIKeys, "api-keys", nil, "keys that open the service, separated by commas (default: open to all)")
	set.StringSliceVar(&f.Origins, "origins", nil, "origins of web pages that may call the service, or * for all")
	set.Float64Var(&f.Rate, "rate", 0, "requests per second of one client (default: no limit)")
	set.StringVar(&f.logLevel, "log-level", "info", "least level to log: debug, info, warn or error")
	set.StringVar(&f.logFormat, "log-format", "json", "how to log: json or text")
	set.DurationVar(&f.grace, "grace", 15*time.Second, "time for requests in flight when stopping")
	c.AddCommand(healthcheck(f))
	return c
}

// fromEnvironment sets the flags that are not on the command line.
func fromEnvironment(set *pflag.FlagSet, lookup func(string) (string, bool)) error {
	var errs []error
	set.VisitAll(func(flag *pflag.Flag) {
		name := environment + strings.ToUpper(strings.ReplaceAll(flag.Name, "-", "_"))
		text, ok := lookup(name)
		if !ok || text == "" || flag.Changed || flag.Name == "help" {
			return
		}
		if err := set.Set(flag.Name, text); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		}
	})
	return errors.Join(errs...)
}

func (f *flags) run(c *cobra.Command) error {
	start := time.Now()
	log := server.NewLogWriter(c.ErrOrStderr())
	defer log.Flush()
	if err := f.complete(log); err != nil {
		return err
	}
	s, err := server.New(c.Context(), f.Options)
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(c.Context(), "tcp", f.addr)
	if err != nil {
		return errors.Join(fmt.Errorf("%w; choose another --addr", err), s.Close())
	}
	f.Logger.Info("ready", "address", listener.Addr().String(), "databases", len(f.Dataset.Databases),
		"endpoints", s.Endpoints(), "ms", time.Since(start).Milliseconds())
	err = s.Serve(c.Context(), listener, f.grace)
	f.Logger.Info("stopped")
	return errors.Join(err, s.Close())
}

// complete checks the flags and reads the dataset.
func (f *flags) complete(log *server.LogWriter) error {
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
	for _, check := range []struct {
		flag string
		bad  bool
	}{
		{"timeout", f.Timeout <= 0}, {"wait", f.Wait <= 0}, {"connections", f.Connections < 1}, {"in-flight", f.InFlight < 1},
		{"max-rows", f.MaxRows < 1}, {"max-bytes", f.MaxBytes < 1}, {"rate", f.Rate < 0}, {"grace", f.grace < 0},
	} {
		if check.bad {
			return fmt.Errorf("--%s must be greater than zero", check.flag)
		}
	}
	if f.asOf == "now" {
		f.Clock = true
	} else {
		var err error
		if f.AsOf, err = time.Parse(time.RFC3339, f.asOf); err != nil {
			return fmt.Errorf("--as-of %q: write it as 2025-01-01T00:00:00Z, or now", f.asOf)
		}
	}
	load := bird.Options{Dir: f.dataset, Split: f.split, Questions: f.questions, Databases: f.databases}
	if f.dataset == "" {
		load.FS = sample.FS()
	}
	var err error
	f.Dataset, err = bird.Load(load)
	return err
}
