package mixed

import (
	"fmt"

	"github.com/birdcall/birdcall/internal/artifact/outdir"
	"github.com/birdcall/birdcall/pkg/bird"
)

// The files of a folder.
const (
	declarationFile = "apis.yaml"
	questionsFile   = "questions.json"
	reportFile      = "report.json"
)

// questionForm is a question as the file of questions has it.
type questionForm struct {
	ID         bird.ID  `json:"question_id"`
	DB         string   `json:"db_id"`
	Question   string   `json:"question"`
	Evidence   string   `json:"evidence"`
	SQL        string   `json:"SQL"`
	SQLJoin    string   `json:"sql_join,omitempty"`
	Difficulty string   `json:"difficulty,omitempty"`
	Kind       string   `json:"kind,omitempty"`
	Column     string   `json:"column,omitempty"`
	Functions  []string `json:"functions,omitempty"`
	APIs       []string `json:"apis"`
	Calls      []Call   `json:"calls"`
}

// Folder names the folder of a report among those of a run.
func (r *Report) Folder() string { return fmt.Sprintf("share-%03d-seed-%d", r.Share, r.Seed) }

// Write writes the declaration, if there is any, the questions and the report to a
// folder.
func (r *Report) Write(folder string) error {
	dir, err := outdir.Open(folder)
	if err != nil {
		return err
	}
	defer dir.Discard()
	questions := []*questionForm{}
	for _, o := range r.Questions {
		if o.record != nil {
			questions = append(questions, o.record)
		}
	}
	if text := Declare(r.Behind, r.Benchmark == 2, r.asking); text != nil {
		if err := dir.Bytes(declarationFile, text); err != nil {
			return err
		}
	}
	if err := dir.JSON(questionsFile, questions); err != nil {
		return err
	}
	if err := dir.JSON(reportFile, r); err != nil {
		return err
	}
	return dir.Publish()
}
