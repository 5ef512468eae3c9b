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

	"github.com/birdcall/birdcall/internal/outdir"
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
	files, err := write(dir, r, o)
	if err != nil {
		return nil, fmt.Errorf("scores of %s: %w", r.Model, err)
	}
	return files, nil
}

func write(dir string, r *evaluate.Report, o Options) ([]string, error) {
	home := filepath.Join(dir, folder(r.Model))
	if err := os.MkdirAll(home, 0o755); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockTime)
	defer cancel()
	release, err := outdir.LockFile(ctx, dir, filepath.Join(dir, lockFile))
	if err != nil {
		return nil, err
	}
	defer release()

	all, err := Read(filepath.Join(home, reportFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		all = &ModelReport{Model: r.Model}
	case err != nil:
		return nil, err
	case all.Model != r.Model:
		return nil, fmt.Errorf("the folder %s is that of model %q, and both names make it the same; give one of the models another name", home, all.Model)
	}
	all.put(r)

	name := keyOf(r).name()
	contents := []struct {
		path string
		make func(*bytes.Buffer) error
	}{
		{filepath.Join(home, name+scoreEnd), func(b *bytes.Buffer) error { return writeOutcomes(b, r, o.All) }},
		{filepath.Join(home, name+".md"), func(b *bytes.Buffer) error { return writeMarkdown(b, r, all) }},
		{filepath.Join(home, name+".html"), func(b *bytes.Buffer) error { return writePage(b, r, all, name+scoreEnd) }},
		{filepath.Join(home, reportFile), func(b *bytes.Buffer) error { return all.encode(b) }},
		{filepath.Join(dir, overallFile), func(b *bytes.Buffer) error { return writeOverall(b, dir) }},
	}
	var files []string
	for _, c := range contents {
		var b bytes.Buffer
		if err := c.make(&b); err != nil {
			return nil, fmt.Errorf("%s: %w", c.path, err)
		}
		if err := WriteFile(c.path, b.Bytes()); err != nil {
			return nil, err
		}
		files = append(files, c.path)
	}
	return files, nil
}

// WriteFile makes a file appear with a content, whole or not at all.
func WriteFile(path string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".writing")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // in vain after the rename
	_, err = f.Write(content)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
