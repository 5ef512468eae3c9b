package scorereport

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/birdcall/birdcall/pkg/evaluate"
)

// Name returns what the names of an evaluation's files begin with, such as
// slot_direct_exact. No two evaluations of a model have the same one.
func Name(r *evaluate.Report) string { return keyOf(r).name() }

// Models reads the reports of all models in a folder that Write wrote, in the
// order of their folders' names. Other folders in it are passed over.
func Models(dir string) ([]*ModelReport, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []*ModelReport
	for _, e := range entries {
		m, err := Read(filepath.Join(dir, e.Name(), reportFile))
		if errors.Is(err, fs.ErrNotExist) || !e.IsDir() {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// Outcomes reads the samples of an evaluation from the folder dir that Write
// wrote: those that failed, or all of them after Options.All.
func Outcomes(dir string, r *evaluate.Report) ([]evaluate.Outcome, error) {
	path := filepath.Join(dir, folder(r.Model), Name(r)+scoreEnd)
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	d := json.NewDecoder(bufio.NewReader(file))
	var head json.RawMessage
	if err := d.Decode(&head); err != nil {
		return nil, fmt.Errorf("%s: it is no score file of evaluate: %w; evaluate the model again", path, err)
	}
	var out []evaluate.Outcome
	for {
		var o evaluate.Outcome
		err := d.Decode(&o)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: sample %d: %w; evaluate the model again", path, len(out), err)
		}
		out = append(out, o)
	}
}
