package sel_test

import (
	"context"
	"fmt"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/sel"
	"github.com/birdcall/birdcall/pkg/slot"
)

// From SQL to verified calls of functions with few arguments.
func ExampleConverter_Convert() {
	ctx := context.Background()
	db, err := slot.Open(ctx, &bird.Database{ID: "bird_club", FS: sample.FS(), Name: "dev_databases/bird_club/bird_club.sqlite"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	question := &bird.Question{Text: "Which sites have a hide?", SQL: "SELECT name FROM site WHERE hide = 1 ORDER BY name"}
	record, err := sel.NewConverter(db, slot.Options{}).Convert(ctx, question)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, call := range record.Calls {
		fmt.Println(call.Name)
	}
	for _, name := range record.GoldAnswer.([]any) {
		fmt.Println("answer:", name)
	}
	// Output:
	// select_data_equal_to
	// sort_data_ascending
	// get_site_names
	// answer: City Park
	// answer: Fisherman's Point
	// answer: North Slob
}
