package inspect

import (
	"bytes"
	_ "embed" // the files that are the same for all samples
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/tools"
)

// The names of the files.
const (
	taskFile    = "task.py"
	datasetFile = "dataset.jsonl"
	toolsFile   = "tools.json"
	readmeFile  = "README.md"
)

//go:embed task.py
var task []byte

//go:embed readme.md
var readme []byte

// line is a sample in dataset.jsonl.
type line struct {
	ID       string    `json:"id"`
	Input    []message `json:"input"`
	Target   string    `json:"target"` // the gold answer, as JSON
	Metadata metadata  `json:"metadata"`
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type metadata struct {
	DB         string       `json:"db_id"`
	ID         bird.ID      `json:"sample_id"`
	Variant    string       `json:"variant"`
	Difficulty string       `json:"difficulty,omitempty"`
	Constructs []string     `json:"constructs"`
	Tools      int          `json:"tools"` // the number of the list in tools.json
	Gold       []tools.Call `json:"gold_calls"`
}

// Export writes the task into a folder, which is made if it is not there and
// must have no other file. It returns the files that it wrote.
func Export(dir string, samples []*evaluate.Sample) ([]string, error) {
	if len(samples) == 0 {
		return nil, errors.New("there are no samples to write")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	if len(entries) > 0 {
		return nil, fmt.Errorf("%s: it holds files already, such as %s; give an empty folder, or a new one", dir, entries[0].Name())
	}
	dataset, lists, err := encode(samples)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, f := range []struct {
		name string
		data []byte
	}{{datasetFile, dataset}, {toolsFile, lists}, {readmeFile, readme}, {taskFile, task}} {
		path := filepath.Join(dir, f.name)
		if err := os.WriteFile(path, f.data, 0o644); err != nil {
			return nil, err
		}
		out = append(out, path)
	}
	return out, nil
}

// encode returns the dataset, and the lists of tools that its samples name by
// number. Most samples of a database have the same list.
func encode(samples []*evaluate.Sample) (dataset, lists []byte, err error) {
	var lines, all bytes.Buffer
	numbers := map[string]int{}
	all.WriteByte('[')
	for _, s := range samples {
		list, err := jsontext.Marshal(s.Tools, "")
		if err != nil {
			return nil, nil, fmt.Errorf("%s: its tools: %w", s.Key(), err)
		}
		number, ok := numbers[string(list)]
		if !ok {
			number = len(numbers)
			numbers[string(list)] = number
			if number > 0 {
				all.WriteByte(',')
			}
			all.WriteByte('\n')
			all.Write(list)
		}
		if err := jsontext.Append(&lines, newLine(s, number)); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", s.Key(), err)
		}
		lines.WriteByte('\n')
	}
	all.WriteString("\n]\n")
	return lines.Bytes(), all.Bytes(), nil
}

func newLine(s *evaluate.Sample, number int) *line {
	question := s.Question
	if s.Evidence != "" {
		question += "\n\nHint: " + s.Evidence
	}
	out := &line{
		ID: s.Key(), Target: string(s.Answer),
		Metadata: metadata{
			DB: s.DB, ID: s.ID, Variant: s.Variant, Difficulty: s.Facts.Difficulty, Constructs: s.Facts.Constructs,
			Tools: number, Gold: s.Listed,
		},
	}
	if s.System != "" {
		out.Input = append(out.Input, message{"system", s.System})
	}
	out.Input = append(out.Input, message{"user", question})
	return out
}
