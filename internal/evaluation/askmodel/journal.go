package askmodel

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/birdcall/birdcall/internal/artifact/outdir"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/evaluate"
)

// sampleKey identifies a sample.
type sampleKey struct {
	db string
	id bird.ID
}

func keyOf(s *evaluate.Sample) sampleKey { return sampleKey{s.DB, s.ID} }

// turn is an answer in the course of ReAct, or that there was none.
type turn struct {
	DB      string            `json:"db_id"`
	ID      bird.ID           `json:"sample_id"`
	Message *evaluate.Message `json:"message,omitempty"` // nil where there was no answer
	Finish  string            `json:"finish_reason,omitempty"`
	Reason  string            `json:"reason,omitempty"` // why there was none
	Usage   evaluate.Usage    `json:"usage"`

	Simulated bool `json:"simulated,omitempty"`
}

// journal has the answers so far. Its maps are read once it is open, and do not
// change.
type journal struct {
	release func() // the lock
	results lines
	turns   lines

	recorded map[sampleKey]evaluate.Prediction // the last of each sample
	earlier  map[sampleKey][]turn
}

// openJournal locks and reads the journal of a run.
func openJournal(o *Options, s settings) (j *journal, err error) {
	folder := filepath.Join(o.Out, "result", ModelFolder(o.Model))
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, fmt.Errorf("cannot write to %s: %w; choose another --out", o.Out, err)
	}
	file := func(end string) string { return filepath.Join(folder, o.Name+end) }
	j = &journal{results: lines{path: file("_result.jsonl")}, turns: lines{path: file("_loops.jsonl")}}
	now, cancel := context.WithCancel(context.Background())
	cancel() // nobody waits for another run, which may take hours
	if j.release, err = outdir.LockFile(now, j.results.path, filepath.Join(folder, "."+o.Name+".lock")); err != nil {
		return nil, err
	}
	if err := j.read(o, s, file("_settings.json")); err != nil {
		j.release()
		return nil, err
	}
	return j, nil
}

func (j *journal) read(o *Options, s settings, settingsFile string) error {
	results, err := j.results.read()
	if err != nil {
		return err
	}
	turns, err := j.turns.read()
	if err != nil {
		return err
	}
	if err := s.agree(settingsFile, len(results)+len(turns) == 0); err != nil {
		return err
	}
	known := map[sampleKey]bool{}
	for _, s := range o.Samples {
		known[keyOf(s)] = true
	}
	j.recorded, j.earlier = map[sampleKey]evaluate.Prediction{}, map[sampleKey][]turn{}
	for i, line := range results {
		var p evaluate.Prediction
		if err := decodeLine(line, &p, known, func() sampleKey { return sampleKey{p.DB, p.ID} }); err != nil {
			return fmt.Errorf("%s:%d: %w; move the file away to ask again", j.results.path, i+1, err)
		}
		j.recorded[sampleKey{p.DB, p.ID}] = p
	}
	for i, line := range turns {
		var t turn
		if err := decodeLine(line, &t, known, func() sampleKey { return sampleKey{t.DB, t.ID} }); err != nil {
			return fmt.Errorf("%s:%d: %w; move the file away to ask again", j.turns.path, i+1, err)
		}
		key := sampleKey{t.DB, t.ID}
		j.earlier[key] = append(j.earlier[key], t)
	}
	return nil
}

// decodeLine reads a line that this package has written, of a known sample.
func decodeLine(line []byte, v any, known map[sampleKey]bool, key func() sampleKey) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("the line cannot be read: %w", err)
	}
	if k := key(); !known[k] {
		return fmt.Errorf("the dataset has no sample %s/%s", k.db, k.id)
	}
	return nil
}

// finish brings the journal into the order of the samples. Turns stay only where
// they are still needed.
func (j *journal) finish(predictions []evaluate.Prediction) error {
	done := map[sampleKey]bool{}
	for _, p := range predictions {
		done[sampleKey{p.DB, p.ID}] = p.Status != evaluate.Failed
	}
	var turns []turn
	all, err := j.turns.read()
	if err != nil {
		return err
	}
	for _, line := range all {
		var t turn
		if err := json.Unmarshal(line, &t); err != nil {
			return err
		}
		if !done[sampleKey{t.DB, t.ID}] {
			turns = append(turns, t)
		}
	}
	if err := rewrite(&j.results, predictions); err != nil {
		return err
	}
	return rewrite(&j.turns, turns)
}

// close lets go of the journal.
func (j *journal) close() error {
	err := errors.Join(j.results.close(), j.turns.close())
	j.release()
	return err
}
