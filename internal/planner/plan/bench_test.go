package plan

import (
	"context"
	"os"
	"testing"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/bird"
)

// BenchmarkQuestion reads, binds and plans the questions of the sample, or of
// the dataset in the folder that BIRDCALL_DATASET names.
func BenchmarkQuestion(b *testing.B) {
	load := bird.Options{Dir: os.Getenv("BIRDCALL_DATASET")}
	if load.Dir == "" {
		load.FS = sample.FS()
	}
	dataset, err := bird.Load(load)
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	schemas := map[string]*sqlite.Schema{}
	for _, info := range dataset.Databases {
		db, err := sqlite.Open(ctx, sqlite.Location{Path: info.Path, FS: info.FS, Name: info.Name}, sqlite.Options{})
		if err != nil {
			b.Fatal(err)
		}
		schema, err := sqltree.Schema(ctx, db)
		if err != nil {
			b.Fatal(err)
		}
		if err := db.Close(); err != nil {
			b.Fatal(err)
		}
		schemas[info.ID] = schema
	}
	for b.Loop() {
		for i := range dataset.Questions {
			q := &dataset.Questions[i]
			tree, err := sqltree.Read(q.SQL, schemas[q.DB])
			if err == nil {
				_, err = Build(tree, schemas[q.DB], asOf)
			}
			if err != nil {
				b.Logf("%s: %v", q.SQL, err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(len(dataset.Questions)), "us/question")
}
