package scorereport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/birdcall/birdcall/internal/artifact/outdir"
	"github.com/birdcall/birdcall/pkg/evaluate"
)

// The names of files that do not depend on the evaluation.
const (
	reportFile  = "report.json"
	overallFile = "data_overall.csv"
	lockFile    = ".score.lock"
)

// scoreEnd is how the name of a score file ends.
const scoreEnd = "_score.json"

// lockTime is how long Write waits for another program that writes to the same
// folder, which takes a moment only.
const lockTime = 30 * time.Second

// Write adds a report to the folder dir: the report replaces that of the same
// model, variant, tools, mode and rules, and the others stay. It returns the
// files that it wrote. Each of them appears whole, by a rename.
func Write(dir string, r *evaluate.Report, o Options) ([]string, error) {
	return locked(dir, r.Model, func(home string) ([]string, error) {
		return write(dir, home, r, o)
	})
}

// locked has write add files to the folder of a model, while no other program writes
// scores to dir. Its errors name the model.
func locked(dir, model string, write func(home string) ([]string, error)) ([]string, error) {
	files, err := underLock(dir, filepath.Join(dir, folder(model)), write)
	if err != nil {
		return nil, fmt.Errorf("scores of %s: %w", model, err)
	}
	return files, nil
}

func underLock(dir, home string, write func(home string) ([]string, error)) ([]string, error) {
	if err := os.MkdirAll(home, 0o755); err != nil {
		return nil, fmt.Errorf("%w; choose another --out", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockTime)
	defer cancel()
	release, err := outdir.LockFile(ctx, dir, filepath.Join(dir, lockFile))
	if err != nil {
		return nil, err
	}
	defer release()
	return write(home)
}

// sameModel fails if a folder is that of another model, whose name makes it the same.
func sameModel(home, its, model string) error {
	if its == model {
		return nil
	}
	return fmt.Errorf("the folder %s is that of model %q, and both names make it the same; give one of the models another name", home, its)
}

func write(dir, home string, r *evaluate.Report, o Options) ([]string, error) {
	all, err := Read(filepath.Join(home, reportFile))
	if errors.Is(err, fs.ErrNotExist) {
		all, err = &ModelReport{Model: r.Model}, nil
	}
	if err != nil {
		return nil, err
	}
	if err := sameModel(home, all.Model, r.Model); err != nil {
		return nil, err
	}
	all.put(r)

	name := keyOf(r).name()
	return writeEach([]content{
		{filepath.Join(home, name+scoreEnd), func(b *bytes.Buffer) error { return writeOutcomes(b, r, o.All) }},
		{filepath.Join(home, name+".md"), func(b *bytes.Buffer) error { return writeMarkdown(b, r, all) }},
		{filepath.Join(home, name+".html"), func(b *bytes.Buffer) error { return writePage(b, r, all, name+scoreEnd) }},
		{filepath.Join(home, reportFile), func(b *bytes.Buffer) error { return all.encode(b) }},
		{filepath.Join(dir, overallFile), func(b *bytes.Buffer) error { return writeOverall(b, dir) }},
	})
}

// content is a file to write.
type content struct {
	path string
	make func(*bytes.Buffer) error
}

// writeEach writes files, and returns their names.
func writeEach(contents []content) ([]string, error) {
	var files []string
	for _, c := range contents {
		var b bytes.Buffer
		if err := c.make(&b); err != nil {
			return nil, fmt.Errorf("%s: %w", c.path, err)
		}
		if err := outdir.WriteFile(c.path, b.Bytes()); err != nil {
			return nil, err
		}
		files = append(files, c.path)
	}
	return files, nil
}
