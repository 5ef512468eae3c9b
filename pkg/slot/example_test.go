package slot_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/slot"
)

// club is a database of the embedded sample. A file of one's own is
// &bird.Database{ID: "zoo", Path: "zoo.sqlite"}.
var club = &bird.Database{ID: "bird_club", FS: sample.FS(), Name: "dev_databases/bird_club/bird_club.sqlite"}

// From SQL to verified calls.
func ExampleConverter_Convert() {
	ctx := context.Background()
	db, err := slot.Open(ctx, club)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	question := &bird.Question{Text: "How many sites have a hide?", SQL: "SELECT COUNT(*) FROM site WHERE hide = 1"}
	record, err := slot.NewConverter(db, slot.Options{}).Convert(ctx, question)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, call := range record.Calls {
		arguments, err := json.Marshal(call.Arguments)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s = %s %s\n", call.Label, call.Name, arguments)
	}
	fmt.Println("answer:", record.GoldAnswer)
	// Output:
	// FILTERED_DF_0 = filter_data {"data_source":"$starting_table_var$","key_name":"site_hide","value":1,"condition":"equal_to"}
	// COUNT = aggregate_data {"data_source":"$FILTERED_DF_0$","aggregation_type":"count"}
	// answer: 3
}

// An error says why there are no calls, and which construct is in the way.
func ExampleError() {
	ctx := context.Background()
	db, err := slot.Open(ctx, club)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	converter := slot.NewConverter(db, slot.Options{Toolset: slot.Paper})
	_, err = converter.Convert(ctx, &bird.Question{SQL: "SELECT name FROM site WHERE hide IS NULL"})
	var why *slot.Error
	if errors.As(err, &why) {
		fmt.Println(errors.Is(err, slot.ErrUnsupported), why.Construct)
	}
	// Output:
	// true IS NULL
}
