package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/birdcall/birdcall/internal/cli"
	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/record"
)

// Where queries are from, as --source says it with --variant query.
const (
	fromSQL  = string(query.FromSQL)
	fromGrid = string(query.FromGrid)
	fromBoth = "both"
)

var sources = []string{fromSQL, fromGrid, fromBoth}

// queryFlags are those of --variant query alone.
type queryFlags struct {
	tool           string
	perCombination int
	// from is the value of --source, which for other variants is the URL of a server.
	from string
}

func (f *queryFlags) addFlags(set *pflag.FlagSet) {
	set.StringVar(&f.tool, "tool", string(query.Unified), "with --variant query: how models are given the tool: "+spelling.List(query.Shapes(), "or"))
	set.IntVar(&f.perCombination, "per-combination", 1, "with --source grid or both: queries of each combination of arguments")
}

// queries checks the flags of queries and returns how they are made.
func (f *flags) queries(given *pflag.FlagSet) (out pipeline.Queries, err error) {
	if variant.Of(f.variant).Calls != variant.Queries {
		return out, nil
	}
	out = pipeline.Queries{Toolset: query.Full, Shape: query.Shape(f.query.tool)}
	if given.Changed("toolset") {
		out.Toolset = query.Toolset(f.toolset)
	}
	if err := cli.OneOf("--tool", f.query.tool, query.Shapes()); err != nil {
		return out, err
	}
	f.query.from, f.source.URL = f.source.URL, ""
	if !given.Changed("source") {
		f.query.from = fromSQL
	}
	switch {
	case strings.Contains(f.query.from, "://"):
		return out, fmt.Errorf("--source: --variant %s works on SQLite files, and of a server's databases there are endpoints only; give --variant %s, or a --source of %s", f.variant, record.REST, strings.Join(sources, ", "))
	case !slices.Contains(sources, f.query.from):
		return out, fmt.Errorf("--source %q: with --variant %s, use %s", f.query.from, f.variant, strings.Join(sources, ", "))
	case !slices.Contains(query.Toolsets(), string(out.Toolset)):
		return out, fmt.Errorf("--toolset %s: queries have %s", f.toolset, strings.Join(query.Toolsets(), " and "))
	case f.query.from == fromSQL && given.Changed("per-combination"):
		return out, errors.New("--per-combination is about the grid: leave it out, or give --source grid or both")
	case f.query.perCombination < 1 || f.query.perCombination > maxPerCombination:
		return out, fmt.Errorf("--per-combination %d: give a number of 1 or more, up to %d", f.query.perCombination, maxPerCombination)
	case f.obfuscate:
		return out, fmt.Errorf("--obfuscate hides the names of functions and arguments, and a query names properties, too; leave it out with --variant %s", f.variant)
	case f.messages && out.Shape == query.Structured:
		return out, errors.New("--messages has calls of tools, and --tool structured has none: leave one of them out")
	}
	return out, nil
}

// maxPerCombination bounds the grid.
const maxPerCombination = 1000
