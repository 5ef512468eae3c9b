package pipeline

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"

	"github.com/birdcall/birdcall/internal/artifact/outdir"
	"github.com/birdcall/birdcall/internal/convert/shard"
	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/engines"
	"github.com/birdcall/birdcall/internal/db/fingerprint"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/bird"
)

// outcomesEnd is what a part's file in a shard's folder ends in, behind the name
// of the database.
const outcomesEnd = ".outcomes.jsonl"

// RunShard works on the questions of one shard of a dataset, and writes what
// became of them into shard.Folder, for Merge. It does not look at how records
// are written. The report is that of the shard's questions.
func RunShard(ctx context.Context, opts Options, number shard.Number) (*Report, error) {
	opts.data = newData(opts)
	defer opts.data.close()
	return publish(ctx, shard.Folder(opts.Folder(), number), func(out *outdir.Dir) (*Report, error) {
		if err := newWriter(out, opts).checkNames(); err != nil {
			return nil, err
		}
		manifest := shard.New(number, opts.conversion())
		report := newReport(opts)
		parts := shard.Divide(opts.Dataset, number.Of)[number.Index]
		if len(parts) > 0 {
			opts.Dataset = only(opts.Dataset, parts)
			if err := writeParts(ctx, opts, out, parts, manifest, report); err != nil {
				return nil, err
			}
		}
		if err := manifest.Close(); err != nil {
			return nil, err
		}
		return report, out.JSON(shard.ManifestFile, manifest)
	})
}

// conversion returns all that a question's outcome depends on.
func (o Options) conversion() shard.Conversion {
	return shard.Conversion{
		Program: o.Program, Variant: o.Variant, Toolset: o.method().toolset(o), Tool: string(o.Queries.Shape),
		AsOf: o.AsOf.UTC().Format(time.RFC3339Nano), Timeout: o.Timeout.String(), MaxValue: o.maxValue(), Memory: cmp.Or(o.Memory, DefaultMemory), Messages: o.Writing.Messages,
		Questions: shard.StateOfQuestions(o.Dataset),
	}
}

// tables returns a text that differs if what is known of a database's tables is
// another.
func (o Options) tables(ctx context.Context, info *bird.Database) (string, error) {
	if o.Source == "" {
		return shard.StateOfTables(info, nil)
	}
	source, err := engines.Open(o.Source, engine.Options{AllowWriter: o.AllowWriter})
	if err != nil {
		return "", err
	}
	defer source.Close()
	db, err := source.Database(ctx, info.ID)
	if err != nil {
		return "", err
	}
	schema, err := db.Schema(ctx)
	if err != nil {
		return "", err
	}
	return shard.StateOfTables(info, schema)
}

// only returns a dataset with the databases of parts. It has all their questions,
// since questions of a database share endpoints.
func only(dataset *bird.Dataset, parts []shard.Part) *bird.Dataset {
	isPart := func(db string) bool {
		return slices.ContainsFunc(parts, func(p shard.Part) bool { return p.DB == db })
	}
	out := *dataset
	out.Questions = slices.DeleteFunc(slices.Clone(dataset.Questions), func(q bird.Question) bool { return !isPart(q.DB) })
	out.Databases = slices.DeleteFunc(slices.Clone(dataset.Databases), func(d *bird.Database) bool { return !isPart(d.ID) })
	return &out
}

// writeParts works on a shard's parts and enters them in its manifest.
func writeParts(ctx context.Context, opts Options, out *outdir.Dir, parts []shard.Part, manifest *shard.Manifest, report *Report) error {
	m, err := opts.method().maker(ctx, opts)
	if err != nil {
		return err
	}
	defer m.close()
	for _, p := range parts {
		written, err := writePart(ctx, m, p, opts, out, report)
		if err != nil {
			return err
		}
		manifest.Parts = append(manifest.Parts, written)
	}
	return nil
}

func writePart(ctx context.Context, m maker, p shard.Part, opts Options, out *outdir.Dir, report *Report) (shard.Written, error) {
	info := opts.Dataset.Database(p.DB)
	written := shard.Written{Part: p, File: p.DB + outcomesEnd}
	var err error
	if written.Tables, err = opts.tables(ctx, info); err != nil {
		return written, err
	}
	opts.data.open(info)
	in, err := m.open(ctx, info)
	if err != nil {
		return written, err
	}
	defer in.close()
	opts.data.start(ctx, info)
	outcomes, err := convertAll(ctx, in, opts, opts.questions(p.DB)[p.From:p.To])
	if err != nil {
		return written, err
	}
	if written.Database, err = opts.data.of(info); err != nil {
		return written, err
	}
	report.add(p.DB, outcomes)
	written.Needs = in.needs()
	h := sha256.New()
	size := int64(0)
	err = out.Write(written.File, func(w *bufio.Writer) error {
		for _, o := range outcomes {
			k, err := o.keep()
			if err != nil {
				return err
			}
			line, err := jsontext.Marshal(k, "")
			if err != nil {
				return err
			}
			line = append(line, '\n')
			size += int64(len(line))
			h.Write(line)
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
		return nil
	})
	written.Sum = &fingerprint.Sum{Bytes: size, SHA256: hex.EncodeToString(h.Sum(nil))}
	return written, err
}
