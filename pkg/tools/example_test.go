package tools_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/birdcall/birdcall/internal/text/toolname"

	_ "modernc.org/sqlite"

	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// How many pages do the long books of each genre have?
func Example() {
	err := tools.FromCSV("testdata/books.csv").
		Filter("pages", tools.Greater, 300).
		GroupBy("genre").
		Aggregate(tools.Sum, "pages").
		Sort(tools.Descending, "sum_pages").
		Print(context.Background(), os.Stdout)
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// genre  sum_pages
	// novel        886
	// poems        704
}

// A misspelt name is an error that lists the right ones.
func Example_errors() {
	err := tools.FromCSV("testdata/books.csv").
		Filter("page", tools.Greater, 300).
		Limit(1).
		Print(context.Background(), os.Stdout)
	fmt.Println(err)
	// Output:
	// filter_data: key_name: unknown key "page"; use one of title, genre, pages, price
}

// The longest book of each genre, with a column of our own.
func ExampleQuery() {
	err := tools.FromCSV("testdata/books.csv").
		Filter("pages", tools.IsNotNull).
		Transform(tools.TransformArgs{
			Key:       "price",
			Operation: tools.OpDivide,
			Args:      map[string]tools.Operand{toolname.ArgValue: tools.Col("pages")},
			OutputKey: "price_per_page",
		}).
		GroupBy("genre").
		Aggregate(tools.ArgMax, "pages").
		Select("genre", "title", "price_per_page").
		Print(context.Background(), os.Stdout)
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// genre  title  price_per_page
	// novel  Emma         0.014768
	// poems  Iliad        0.017756
	// comic  Maus         0.050676
}

// Several values, a slice, another column and another table to compare with.
func ExampleQuery_Filter() {
	ctx := context.Background()
	books := tools.FromCSV("testdata/books.csv")
	average, err := books.Aggregate(tools.Mean, "pages").Table(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, q := range []tools.Query{
		books.Filter("pages", tools.Between, 400, 500),
		books.Filter("genre", tools.In, []string{"comic", "poems"}),
		books.Filter("title", tools.Less, tools.Col("genre")),
		books.Filter("pages", tools.Greater, average),
	} {
		titles, err := q.Select("title").Table(ctx)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(strings.Fields(titles.String())[1:])
	}
	// Output:
	// [Dune Emma]
	// [Odes Iliad Maus]
	// [Dune Emma Odes Iliad Maus]
	// [Emma Iliad]
}

// Types are inferred; a code of digits is declared to be text.
func ExampleReadCSV() {
	const file = "zip,city,people\n1010,Vienna,16000\n8010,Graz,\n"
	table, err := tools.ReadCSV(context.Background(), strings.NewReader(file), tools.CSVOptions{Types: map[string]string{"zip": "TEXT"}})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range table.Fields() {
		fmt.Println(f.Key, f.Type)
	}
	fmt.Print(table)
	// Output:
	// zip TEXT
	// city TEXT
	// people INTEGER
	// zip   city    people
	// 1010  Vienna   16000
	// 8010  Graz      NULL
}

// The rows of any database/sql driver become a table.
func ExampleFromSQL() {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		log.Fatal(err)
	}
	rows, err := db.Query("SELECT 'Dune' AS title, 412 AS pages UNION ALL SELECT 'Odes', NULL") //nolint:rowserrcheck // FromSQL does
	if err != nil {
		log.Fatal(err)
	}
	table, err := tools.FromSQL(rows)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(table)
	if err := db.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// title  pages
	// Dune     412
	// Odes    NULL
}

// A wide table is cut to the width of the terminal.
func ExampleTable_Print() {
	ctx := context.Background()
	books, err := tools.FromCSV("testdata/books.csv").Table(ctx)
	if err != nil {
		log.Fatal(err)
	}
	if err := books.Print(ctx, os.Stdout, tools.PrintOptions{Width: 22, Rows: 2}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// title  genre  pages
	// Dune   novel    412
	// Emma   novel    474
	// … 3 more rows and 1 more column
}

// Who wrote what: two tables joined on keys of different names.
func ExampleJoinData() {
	type author struct {
		ID   int `tools:"id"`
		Name string
	}
	type book struct {
		Title string
		By    *int
	}
	authors, err := tools.FromStructs([]author{{1, "Homer"}, {2, "Austen"}})
	if err != nil {
		log.Fatal(err)
	}
	books, err := tools.FromStructs([]book{{"Emma", new(2)}, {"Iliad", new(1)}, {"Edda", nil}})
	if err != nil {
		log.Fatal(err)
	}
	joined, err := tools.JoinData(context.Background(), books, authors, tools.JoinArgs{
		Type: tools.LeftJoin, Keys: []string{"By"}, OtherKeys: []string{"id"},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(joined)
	// Output:
	// Title    By    id  Name
	// Emma      2     2  Austen
	// Iliad     1     1  Homer
	// Edda   NULL  NULL  NULL
}

// Books by genre, as structs again.
func ExampleToStructs() {
	type book struct {
		Genre string `tools:"genre"`
		Pages int    `tools:"pages"`
	}
	type genre struct {
		Name  string `tools:"genre"`
		Pages int    `tools:"sum_pages"`
	}
	books, err := tools.FromStructs([]book{{"novel", 474}, {"epic", 704}, {"novel", 412}})
	if err != nil {
		log.Fatal(err)
	}
	table, err := tools.From(books).GroupBy("genre").Aggregate(tools.Sum, "pages").Sort(tools.Descending, "sum_pages").Table(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	genres, err := tools.ToStructs[genre](context.Background(), table)
	fmt.Println(genres, err)
	// Output: [{novel 886} {epic 704}] <nil>
}

// The tags of each article, which are a JSON array in one of its columns.
func ExampleExpandJSON() {
	type article struct {
		Title string
		Tags  string
	}
	articles, err := tools.FromStructs([]article{{"Owls", `["birds", "night"]`}, {"Nothing", `[]`}, {"Rain", `["weather"]`}})
	if err != nil {
		log.Fatal(err)
	}
	err = tools.From(articles).
		Expand(tools.ExpandArgs{Value: tools.Col("Tags")}).
		Select("Title", "json_value").
		Print(context.Background(), os.Stdout)
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// Title  json_value
	// Owls   birds
	// Owls   night
	// Rain   weather
}

// The books of each genre numbered by their pages.
func ExampleWindowData() {
	ctx := context.Background()
	books, err := tools.FromCSV("testdata/books.csv").Select("title", "genre", "pages").Table(ctx)
	if err != nil {
		log.Fatal(err)
	}
	numbered, err := tools.WindowData(ctx, books, tools.WindowArgs{
		Function: tools.RowNumber, PartitionBy: []string{"genre"}, OrderBy: []string{"pages"}, OutputKey: "place",
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(numbered)
	// Output:
	// title  genre  pages  place
	// Dune   novel    412      1
	// Emma   novel    474      2
	// Odes   poems   NULL      1
	// Iliad  poems    704      2
	// Maus   comic    296      1
}

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
		Condition: tools.Greater,
		Value:     tools.Literal("450"), // a text: the column's INTEGER affinity makes it a number
	})
	if err != nil {
		log.Fatal(err)
	}
	rows, err := long.Rows(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range rows {
		fmt.Println(row[0], row[2])
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
