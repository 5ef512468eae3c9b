package gotaframe

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/birdcall/birdcall/pkg/tools"
)

// manyBooks is a CSV file of a million books.
func manyBooks() []byte {
	var b bytes.Buffer
	b.WriteString("title,genre,pages\n")
	for i := range 1_000_000 {
		fmt.Fprintf(&b, "title %d,genre %d,%d\n", i, i%50, i*7919%1000)
	}
	return b.Bytes()
}

// BenchmarkQuery measures what docs/library.md compares.
func BenchmarkQuery(b *testing.B) {
	file := manyBooks()
	ctx := context.Background()
	table, err := tools.ReadCSV(ctx, bytes.NewReader(file), tools.CSVOptions{})
	if err != nil {
		b.Fatal(err)
	}
	df := dataframe.ReadCSV(bytes.NewReader(file))
	b.Run("read/tools", func(b *testing.B) {
		for b.Loop() {
			if _, err := tools.ReadCSV(ctx, bytes.NewReader(file), tools.CSVOptions{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("read/gota", func(b *testing.B) {
		for b.Loop() {
			if read := dataframe.ReadCSV(bytes.NewReader(file)); read.Err != nil {
				b.Fatal(read.Err)
			}
		}
	})
	b.Run("query/tools", func(b *testing.B) {
		for b.Loop() {
			_, err := tools.From(table).Filter("pages", tools.Greater, 300).GroupBy("genre").
				Aggregate(tools.Sum, "pages").Sort(tools.Descending, "sum_pages").Table(ctx)
			if err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("query/gota", func(b *testing.B) {
		for b.Loop() {
			sums := df.Filter(dataframe.F{Colname: "pages", Comparator: series.Greater, Comparando: 300}).GroupBy("genre").
				Aggregation([]dataframe.AggregationType{dataframe.Aggregation_SUM}, []string{"pages"}).Arrange(dataframe.RevSort("pages_SUM"))
			if sums.Err != nil {
				b.Fatal(sums.Err)
			}
		}
	})
}
