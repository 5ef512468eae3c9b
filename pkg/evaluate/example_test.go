package evaluate_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/internal/evaluation/execute"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
)

// A model's answers in a file are held against the samples that convert wrote,
// and its calls are run on the dataset's databases.
func ExampleScore() {
	ctx := context.Background()
	dir := convert(ctx) // as convert --variant slot --out does

	samples, err := evaluate.Load(ctx, filepath.Join(dir, "slot"))
	if err != nil {
		log.Fatal(err)
	}
	answers := filepath.Join(dir, "answers.jsonl")
	if err := os.WriteFile(answers, []byte(
		`{"sample_id": 91, "model": "m", "text": "filter_data(data_source='$starting_table_var$', key_name='species_common_name', value='European Robin', condition='equal_to')\naggregate_data(data_source='$FILTERED_DF_0$', key_name='sighting_count', aggregation_type='sum')"}
		{"sample_id": 8, "model": "m", "text": "I do not know."}
	`), 0o600); err != nil {
		log.Fatal(err)
	}
	predictions, problems, err := evaluate.ReadPredictions(answers)
	if err != nil {
		log.Fatal(err)
	}
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		log.Fatal(err)
	}
	databases := execute.Open(dataset, execute.Options{})

	report, err := evaluate.Score(ctx, samples, predictions, problems, evaluate.Options{Executor: databases})
	if err != nil {
		log.Fatal(err)
	}
	for _, o := range report.Outcomes {
		fmt.Printf("%s %v %q\n", o.Question, o.Completed, o.Error)
	}
	fmt.Printf("%s completes %d of %d, intent recall %.2f by the %s rules\n",
		report.Model, report.Total.Completed, report.Total.Samples, *report.Total.Intent.Recall, report.Rules)
	if err := errors.Join(databases.Close(), os.RemoveAll(dir)); err != nil {
		log.Fatal(err)
	}
	// Output:
	// What are the titles of the books written by Nuala Quinn? false "instruction_alignment_failure"
	// How many robins were counted in all? true ""
	// m completes 1 of 2, intent recall 0.40 by the exact rules
}

// convert writes the SLOT samples of the embedded dataset into a new folder.
func convert(ctx context.Context) string {
	dir, err := os.MkdirTemp("", "samples")
	if err != nil {
		log.Fatal(err)
	}
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := pipeline.Run(ctx, pipeline.Options{
		Dataset: dataset, Variant: record.SLOT, Out: dir, Toolset: slot.Auto, Timeout: time.Minute, Jobs: 2, AsOf: bird.DefaultAsOf,
	}); err != nil {
		log.Fatal(err)
	}
	return dir
}
