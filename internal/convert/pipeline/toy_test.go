package pipeline

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

const toyName, toyPrefix = "toy", "toy_"

// toyMaker makes SLOT samples whose tools have other names.
type toyMaker struct{ slotMaker }

func openToy(_ context.Context, opts Options) (maker, error) { return toyMaker{slotMaker{opts}}, nil }

func (m toyMaker) open(ctx context.Context, info *bird.Database) (database, error) {
	in, err := m.slotMaker.open(ctx, info)
	if err != nil {
		return nil, err
	}
	return &toyDatabase{in}, nil
}

type toyDatabase struct{ database }

func (d *toyDatabase) sample(ctx context.Context, o *outcome) error {
	if err := d.database.sample(ctx, o); err != nil {
		return err
	}
	o.sample.calls = slices.Clone(o.sample.calls)
	for i := range o.sample.calls {
		o.sample.calls[i].Name = toyPrefix + o.sample.calls[i].Name
	}
	toyList(o.sample)
	return nil
}

func (d *toyDatabase) restore(o *outcome, k *shardOutcome) error {
	err := d.database.restore(o, k)
	if err == nil {
		toyList(o.sample)
	}
	return err
}

func (d *toyDatabase) tools(samples []*prepared) []spec.Tool {
	return toyTools(d.database.tools(samples))
}

func toyList(s *prepared) {
	list := s.tools
	s.tools = func() []spec.Tool { return toyTools(list()) }
}

func toyTools(list []spec.Tool) []spec.Tool {
	out := slices.Clone(list)
	for i := range out {
		out[i].Name = toyPrefix + out[i].Name
	}
	return out
}

// TestToyVariant adds a variant by a description and a method, converts the sample with it, in
// one run and in shards, and reads its samples for scoring.
func TestToyVariant(t *testing.T) {
	variants := variant.List
	variant.List = append(slices.Clone(variants), &variant.Variant{
		Name: toyName, Usage: "with a prefix", Record: record.Slot{}, Calls: variant.Tables,
		Examples: variant.Of(record.SLOT).Examples, Summary: "Toys.",
	})
	methods[toyName] = perQuestion{openToy, planToolset}
	t.Cleanup(func() {
		variant.List = variants
		delete(methods, toyName)
	})
	opts := sampleOptions(t, t.TempDir(), toyName, Writing{Format: "jsonl", MaxTools: 5})
	report, err := Run(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	want, err := Run(t.Context(), sampleOptions(t, t.TempDir(), record.SLOT, Writing{}))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.Totals, report.Totals); diff != "" {
		t.Errorf("(-slot +toy):\n%s", diff)
	}
	written := files(t, opts.Out)
	if card := written[filepath.Join(toyName, "README.md")]; !strings.Contains(card, "Toys.") {
		t.Errorf("the card is %s", card)
	}
	merged := withOut(opts, t.TempDir())
	if _, err := Merge(t.Context(), merged, runShards(t, withOut(opts, t.TempDir()), 2)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(written, files(t, merged.Out)); diff != "" {
		t.Errorf("(-one run +merged):\n%.2000s", diff)
	}
	d, err := evaluate.Load(t.Context(), opts.Folder())
	if err != nil || len(d.Samples) != report.Totals.Verified || len(d.Problems) > 0 {
		t.Fatalf("%d samples of %d, problems %v: %v", len(d.Samples), report.Totals.Verified, d.Problems, err)
	}
	for _, s := range d.Samples {
		if slices.ContainsFunc(s.Gold, func(c tools.Call) bool {
			return !slices.ContainsFunc(s.Tools, func(tool spec.Tool) bool { return tool.Name == c.Name && strings.HasPrefix(c.Name, toyPrefix) })
		}) {
			t.Errorf("%s: the calls %v are not of the tools", s.Key(), s.Gold)
		}
	}
}

// TestMethods says that each variant has a method.
func TestMethods(t *testing.T) {
	for _, name := range variant.Names() {
		if methods[name] == nil {
			t.Errorf("%s has none", name)
		}
	}
	if len(methods) != len(variant.List) {
		t.Errorf("%d methods for %d variants", len(methods), len(variant.List))
	}
}
