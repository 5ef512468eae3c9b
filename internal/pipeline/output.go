package pipeline

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/birdcall/birdcall/internal/jsontext"
)

// reportFile marks a folder as one that this package wrote.
const reportFile = "report.json"

// output is a variant's folder in the making: everything is written into a
// folder beside the final place, which takes its place in the end.
type output struct {
	final, building string
}

// newOutput prepares to write out/variant. It removes what an earlier run that
// was killed has left, and refuses to replace a folder that is not ours.
func newOutput(out, variant string) (*output, error) {
	o := &output{final: filepath.Join(out, variant), building: filepath.Join(out, "."+variant+".building")}
	entries, err := os.ReadDir(o.final)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w; choose another --out", o.final, err)
	}
	if len(entries) > 0 {
		if _, err := os.Stat(filepath.Join(o.final, reportFile)); err != nil {
			return nil, fmt.Errorf("%s holds files of something else; choose another --out or move them away", o.final)
		}
	}
	if err := os.RemoveAll(o.building); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.building, 0o755); err != nil {
		return nil, fmt.Errorf("cannot write to %s: %w; choose another --out", out, err)
	}
	return o, nil
}

// json writes a value as indented JSON.
func (o *output) json(name string, v any) error {
	data, err := jsontext.Marshal(v, "  ")
	if err != nil {
		return err
	}
	return o.bytes(name, append(data, '\n'))
}

func (o *output) bytes(name string, data []byte) error {
	return o.write(name, func(w *bufio.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

func (o *output) write(name string, content func(*bufio.Writer) error) (err error) {
	f, err := os.Create(filepath.Join(o.building, name))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriter(f)
	if err := content(w); err != nil {
		return err
	}
	return w.Flush()
}

// publish puts the finished folder in its place.
func (o *output) publish() error {
	if err := os.RemoveAll(o.final); err != nil {
		return err
	}
	return os.Rename(o.building, o.final)
}

// discard removes the unfinished folder; after publish there is none.
func (o *output) discard() { _ = os.RemoveAll(o.building) }
