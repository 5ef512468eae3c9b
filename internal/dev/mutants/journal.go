package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// journal is the results of a run in a file: the code that they are of, then a result a
// line. A nil *journal keeps nothing.
type journal struct {
	mutex sync.Mutex
	file  *os.File
	done  map[string]result // by what the mutant is
	again bool              // survivors are not known
}

// header is the first line of a journal.
type header struct {
	Code string `json:"code"` // fingerprint of the mutants
}

// openJournal opens a journal of mutants with a fingerprint, and reads what it has. No
// path is no journal.
func openJournal(path, code string, again bool) (*journal, error) {
	if path == "" {
		return nil, nil
	}
	b, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	j := &journal{done: map[string]result{}, again: again}
	whole := 0 // bytes of whole lines: the last one may be cut
	for whole < len(b) {
		line, _, ok := bytes.Cut(b[whole:], []byte("\n"))
		if !ok {
			break
		}
		if err := j.read(line, whole == 0, code); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		whole += len(line) + 1
	}
	if j.file, err = os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o644); err != nil {
		return nil, err
	}
	if err := j.start(int64(whole), code); err != nil {
		return nil, errors.Join(err, j.file.Close())
	}
	return j, nil
}

// read takes on a line of a journal.
func (j *journal) read(line []byte, first bool, code string) error {
	if first {
		var h header
		if err := json.Unmarshal(line, &h); err != nil || h.Code == "" {
			return errors.New("this is no journal of mutants")
		}
		if h.Code != code {
			return errors.New("this is the journal of other code or of other packages: name another file")
		}
		return nil
	}
	r := result{mutant: &mutant{}}
	if err := json.Unmarshal(line, &r); err != nil {
		return fmt.Errorf("a line is no result: %w", err)
	}
	j.done[r.mutant.String()] = r
	return nil
}

// start goes to the end of the whole lines, and writes the first one of a new journal.
func (j *journal) start(whole int64, code string) error {
	if err := j.file.Truncate(whole); err != nil {
		return err
	}
	if _, err := j.file.Seek(whole, 0); err != nil {
		return err
	}
	if whole > 0 {
		return nil
	}
	return j.append(header{Code: code})
}

// known returns the result of a mutant, if the journal has one that counts.
func (j *journal) known(m *mutant) (result, bool) {
	if j == nil {
		return result{}, false
	}
	j.mutex.Lock()
	defer j.mutex.Unlock()
	r, ok := j.done[m.String()]
	if !ok || j.again && r.Outcome == survived {
		return result{}, false
	}
	r.mutant = m
	return r, true
}

// write adds a result to the journal.
func (j *journal) write(r result) error {
	if j == nil {
		return nil
	}
	j.mutex.Lock()
	defer j.mutex.Unlock()
	return j.append(r)
}

func (j *journal) append(line any) error {
	w := bufio.NewWriter(j.file)
	encode := json.NewEncoder(w)
	encode.SetEscapeHTML(false)
	if err := encode.Encode(line); err != nil {
		return err
	}
	return w.Flush()
}

func (j *journal) close() error {
	if j == nil {
		return nil
	}
	return j.file.Close()
}
