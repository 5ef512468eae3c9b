package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/birdcall/birdcall/internal/cli"
	"github.com/birdcall/birdcall/internal/convert/multi"
	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/record"
)

// multiFlags are those of --variant multi alone.
type multiFlags struct {
	calls string
	pairs int
}

func (f *multiFlags) addFlags(set *pflag.FlagSet) {
	set.StringVar(&f.calls, "calls", record.SLOT, "with --variant multi: whose calls answer the questions: "+spelling.List(multi.Forms(), "or"))
	set.IntVar(&f.pairs, "multi", 0, "with --variant multi: how many pairs to draw; 0 for as many as there are questions to draw from")
}

// maxPairs bounds --multi.
const maxPairs = 1_000_000

// pairs checks the flags of questions over two databases.
func (f *flags) pairs(given *pflag.FlagSet) (out pipeline.Pairs, err error) {
	if !variant.Of(f.variant).Pairs {
		return out, nil
	}
	if err := cli.OneOf("--calls", f.multi.calls, multi.Forms()); err != nil {
		return out, err
	}
	out = pipeline.Pairs{Form: f.multi.calls, Count: f.multi.pairs}
	switch {
	case f.multi.pairs < 0 || f.multi.pairs > maxPairs:
		return out, fmt.Errorf("--multi %d: give a number of 1 or more, up to %d, or 0 for as many as there are questions", f.multi.pairs, maxPairs)
	case f.shard != "":
		return out, fmt.Errorf("--shard: pairs are drawn from all questions; leave it out with --variant %s", f.variant)
	case f.apis.IsSet():
		return out, fmt.Errorf("--apis: --variant %s works on the databases' own tables; leave it out", f.variant)
	case out.Form == record.REST && given.Changed("toolset"):
		return out, fmt.Errorf("--toolset %s: endpoints have no toolset; leave the flag out, or give --calls %s", f.toolset, record.SLOT)
	}
	return out, nil
}
