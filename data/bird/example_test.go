package sample_test

import (
	"fmt"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/pkg/bird"
)

func ExampleFS() {
	dataset, err := bird.Load(bird.Options{FS: sample.FS(), Databases: []string{"bird_club"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	q := dataset.Questions[0]
	fmt.Println(q.ID, q.Text)
	fmt.Println(q.SQL)
	// Output:
	// 83 How many species are vulnerable?
	// SELECT COUNT(code) FROM species WHERE `Red List` = 'VU'
}
