package main

import (
	"context"
	"log"
	"os"

	"github.com/birdcall/birdcall/pkg/tools"
)

func main() {
	err := tools.FromCSV("books.csv").
		Filter("pages", tools.Greater, 300).
		GroupBy("genre").
		Aggregate(tools.Sum, "pages").
		Sort(tools.Descending, "sum_pages").
		Print(context.Background(), os.Stdout)
	if err != nil {
		log.Fatal(err)
	}
}
