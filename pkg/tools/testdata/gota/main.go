package main

import (
	"fmt"
	"log"
	"os"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

func main() {
	file, err := os.Open("books.csv")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	sums := dataframe.ReadCSV(file).
		Filter(dataframe.F{Colname: "pages", Comparator: series.Greater, Comparando: 300}).
		GroupBy("genre").
		Aggregation([]dataframe.AggregationType{dataframe.Aggregation_SUM}, []string{"pages"}).
		Arrange(dataframe.RevSort("pages_SUM"))
	if sums.Err != nil {
		log.Fatal(sums.Err)
	}
	fmt.Println(sums)
}
