package bird_test

import (
	"fmt"
	"testing/fstest"

	"github.com/birdcall/birdcall/pkg/bird"
)

func ExampleLoad() {
	files := fstest.MapFS{
		"dev.json": {Data: []byte(`[{"question_id": 3, "db_id": "zoo", "question": "How heavy is Ida?",
			"evidence": "", "SQL": "SELECT mass FROM animal WHERE name = 'Ida'", "difficulty": "simple"}]`)},
		"dev_tables.json":              {Data: []byte(`[]`)},
		"dev_databases/zoo/zoo.sqlite": {},
		"dev_databases/zoo/database_description/animal.csv": {Data: []byte(
			"original_column_name,column_name,column_description,data_format,value_description\n" +
				"mass,weight,what the animal weighs,real,in kg\n")},
	}
	dataset, err := bird.Load(bird.Options{FS: files})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(dataset.Layout)
	for _, q := range dataset.Questions {
		fmt.Println(q.ID, q.DB, q.Text)
	}
	fmt.Println(dataset.Database("zoo").Describe("animal", "mass").ValueDescription)
	// Output:
	// BIRD dev
	// 3 zoo How heavy is Ida?
	// in kg
}
