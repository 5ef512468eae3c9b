package find_test

import (
	"context"
	"fmt"
	"log"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/find"
)

func ExampleOpen() {
	dataset, err := bird.Load(bird.Options{FS: sample.FS()}) // or Dir: "bird/dev"
	if err != nil {
		log.Fatal(err)
	}
	index, err := find.Open(context.Background(), dataset, find.Options{})
	if err != nil {
		log.Fatal(err)
	}
	found, err := index.Find(context.Background(), find.Query{Text: "What is the district of the branch Rivreside?", K: 2})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(found.Answerable, "-", found.Reason)
	for _, hit := range found.Tables {
		fmt.Printf("%s.%s: %s\n", hit.DB, hit.Table, hit.Reason)
	}
	for _, hit := range found.Values {
		fmt.Printf("%s is %s in %s.%s: %s\n", hit.Span, hit.Value.Raw(), hit.Table, hit.Column, hit.Reason)
	}
	// Output:
	// true - known in city_library: district, branch; only in stored values: Rivreside (Riverside)
	// city_library.branch: name: branch; columns: district, code, name
	// city_library.member: columns: branch_code
	// Rivreside is Riverside in branch.name: one letter differs
}

func ExampleIndex_RepairSQL() {
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		log.Fatal(err)
	}
	index, err := find.Open(context.Background(), dataset, find.Options{})
	if err != nil {
		log.Fatal(err)
	}
	sql, changes, err := index.RepairSQL(context.Background(), "city_library", "SELECT title FROM book WHERE language = 'Irish'")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(sql)
	for _, c := range changes {
		fmt.Println(c)
	}
	// Output:
	// SELECT title FROM book WHERE language = 'ga'
	// book.language stores no "Irish"; "ga" is meant (ga: Irish)
}
