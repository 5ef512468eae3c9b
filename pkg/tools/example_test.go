package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"time"

	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// library is a database of one table of books.
func library() *tools.Memory {
	m := tools.NewMemory()
	err := m.Add("book", []tools.ColumnInfo{{Name: "title", Type: "TEXT"}, {Name: "genre", Type: "TEXT"}, {Name: "pages", Type: "INTEGER"}}, [][]value.Value{
		{value.Str("Dune"), value.Str("novel"), value.Int(412)},
		{value.Str("Emma"), value.Str("novel"), value.Int(474)},
		{value.Str("Odes"), value.Str("poems"), value.NullValue()},
		{value.Str("Iliad"), value.Str("poems"), value.Int(704)},
	})
	if err != nil {
		log.Fatal(err)
	}
	return m
}

// A session runs calls as a model writes them: which genre has the most pages?
func ExampleSession_Run() {
	ctx := context.Background()
	session := tools.NewSession(library(), tools.Options{Now: time.Now()})
	_, err := session.Init(ctx, tools.Start{Tables: []tools.StartTable{{Alias: "b", Original: "book", Modified: "book"}}})
	if err != nil {
		log.Fatal(err)
	}
	var calls []tools.Call
	err = json.Unmarshal([]byte(`[
		{"name": "group_data_by", "arguments": {"data_source": "$starting_table_var$", "key_name": "book_genre"}, "label": "g"},
		{"name": "aggregate_data", "arguments": {"data_source": "$g$", "key_name": "book_pages", "aggregation_type": "sum", "output_key": "pages"}, "label": "s"},
		{"name": "aggregate_data", "arguments": {"data_source": "$g$", "key_name": "pages", "aggregation_type": "max"}, "label": "m"},
		{"name": "sort_data", "arguments": {"data_source": "$s$", "key_name": "pages", "ascending": false}, "label": "o"},
		{"name": "retrieve_data", "arguments": {"data_source": "$o$", "key_name": ["book_genre", "pages"], "limit": 1}, "label": "answer"}]`), &calls)
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range calls {
		if _, err := session.Run(ctx, c); err != nil {
			fmt.Println(err)
		}
	}
	answer, _ := session.Table("answer")
	fmt.Print(answer)
	// Output:
	// aggregate_data: key_name: unknown key "pages"; use one of book_title, book_genre, book_pages
	// book_genre  pages
	// novel         886
}

// The tools are Go functions, too.
func ExampleFilterData() {
	ctx := context.Background()
	books, err := tools.NewSession(library(), tools.Options{}).Init(ctx, tools.Start{Tables: []tools.StartTable{{Alias: "book", Original: "book"}}})
	if err != nil {
		log.Fatal(err)
	}
	long, err := tools.FilterData(ctx, books, tools.FilterArgs{
		Key:       "book_pages",
		Condition: "greater_than",
		Value:     tools.Literal(value.Str("450")), // a text: the column's INTEGER affinity makes it a number
	})
	if err != nil {
		log.Fatal(err)
	}
	rows, err := long.Rows(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range rows {
		fmt.Println(row[0].Raw(), row[2].Int64())
	}
	// Output:
	// Emma 474
	// Iliad 704
}

// A column is named by the tag tools or json of its field.
func ExampleFromStructs() {
	type Book struct {
		Title string `json:"title"`
		Pages *int   `json:"pages"`
	}
	pages := 412
	books, err := tools.FromStructs([]Book{{"Dune", &pages}, {"Odes", nil}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(books)
	// Output:
	// title  pages
	// Dune     412
	// Odes    NULL
}
