package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/pkg/bird"
)

// coverageIntro heads a report that is written to a file; what follows is
// measured.
const coverageIntro = `# Coverage

How many of a dataset's questions use each construct of SQL, and how many of
them have a verified sequence. Written by
` + "`convert coverage --dataset DIR --write FILE`" + `, here for %s.

`

// samplesOnly are the flags that say how samples are written. A report has
// none.
var samplesOnly = []string{"variant", "out", "toolset", "spec", "format", "shortlist", "max-tools", "shortlist-by", "calls", "multi", "tools", "seed", "obfuscate", "messages", "license", "shard"}

// coverageCommand reports constructs instead of writing samples.
func coverageCommand(f *flags) *cobra.Command {
	write := ""
	c := &cobra.Command{
		Use:   "coverage",
		Short: "Report which constructs of SQL are verified, in both toolsets",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if f.source.IsSet() {
				return errors.New("--source: coverage plans sequences of calls, which work on SQLite files; leave the flag out, and give a dataset with files")
			}
			for _, name := range samplesOnly {
				if c.Flags().Changed(name) {
					return fmt.Errorf("--%s: coverage writes no samples; leave the flag out", name)
				}
			}
			opts, err := f.options(c)
			if err != nil {
				return err
			}
			var report *pipeline.Report
			if !c.Flags().Changed("write") {
				report, err = pipeline.Coverage(c.Context(), c.OutOrStdout(), opts)
			} else {
				err = writeWhole(write, func(w io.Writer) error {
					if _, err := fmt.Fprintf(w, coverageIntro, f.about(opts.Dataset)); err != nil {
						return err
					}
					report, err = pipeline.Coverage(c.Context(), w, opts)
					return err
				})
			}
			if err != nil {
				return err
			}
			return f.judge(report)
		},
	}
	c.Flags().StringVar(&write, "write", "", "file to write to instead of printing")
	return c
}

// about names a dataset without saying where it is.
func (f *flags) about(d *bird.Dataset) string {
	of := "the embedded sample"
	if !f.embedded() {
		dir := f.dataset
		if dir == "" {
			dir = filepath.Dir(f.questions)
		}
		if whole, err := filepath.Abs(dir); err == nil {
			dir = whole // "." has no name
		}
		of = "the folder " + code(filepath.Base(dir))
	}
	text := fmt.Sprintf("the split %s of\n%s, in the layout of %s", code(d.Split), of, layoutName(d.Layout))
	if len(f.databases) > 0 {
		text += fmt.Sprintf(",\nand of its databases only %s", code(strings.Join(f.databases, ", ")))
	}
	return text
}

// layoutName says a layout after "the layout of".
func layoutName(l bird.Layout) string {
	if l == bird.Plain {
		return "plain datasets"
	}
	return string(l)
}

// code sets a name in Markdown as it is.
func code(name string) string {
	return "`" + strings.Map(func(r rune) rune {
		if r == '`' || unicode.IsControl(r) {
			return '_'
		}
		return r
	}, name) + "`"
}

// writeWhole makes a file appear complete or not at all. Where a link leads to
// the file, the link stays.
func writeWhole(path string, content func(io.Writer) error) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("--write %s: it is no regular file; give another name, or leave the flag out to print", path)
	case err == nil:
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
	case path == "":
		return errors.New("--write is empty: give a file, or leave the flag out to print")
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".coverage")
	if err != nil {
		return fmt.Errorf("--write %s: %w", path, reason(err))
	}
	defer os.Remove(f.Name())
	if err := content(f); err != nil {
		f.Close()
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// reason drops the path of a temporary file from an error.
func reason(err error) error {
	if wrapped := (*fs.PathError)(nil); errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}
