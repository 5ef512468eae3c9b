package valueindex_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/birdcall/birdcall/internal/search/valueindex"
	"github.com/birdcall/birdcall/pkg/value"
)

// TestNear lists texts with the values that are like them, the nearest first.
func TestNear(t *testing.T) {
	texts := func(list ...string) (out []value.Value) {
		for _, s := range list {
			out = append(out, value.Str(s))
		}
		return out
	}
	for _, c := range []struct {
		name   string
		stored []value.Value
		text   string
		want   []string // the value and its similarity
	}{
		{"the same, and others like it", texts("Fresno", "Fresco", "Modesto"), "Fresno", []string{"Fresno 1.00", "Fresco 0.83"}},
		{"another case", texts("Fresno", "FRESNO", "Oslo"), "fresno", []string{"FRESNO 0.98", "Fresno 0.98"}},
		{"one edit, and two", texts("Alameda", "Almeda", "Almada"), "Alamedaa", []string{"Alameda 0.88", "Almeda 0.75"}},
		{"a swap is one edit", texts("Ohio"), "Oiho", []string{"Ohio 0.75"}},
		{"a token too many", texts("san francisco", "san diego"), "San Francisco City", []string{"san francisco 0.86"}},
		{"a token too few", texts("Fresno County Office of Education"), "Fresno County Education", []string{"Fresno County Office of Education 0.84"}},
		{"tokens in another order", texts("Smith, John", "John Smithers"), "john smith", []string{"Smith, John 0.97", "John Smithers 0.76"}},
		{"the same date", texts("2012-08-24", "2012-08-25"), "8/24/2012", []string{"2012-08-24 0.98", "2012-08-25 0.53"}},
		{"numbers are the same or not near", []value.Value{value.Int(10), value.Int(11)}, "10", []string{"10 1.00"}},
		{"nothing alike", texts("Oslo", "+", ""), "Fresno", nil},
		{"no words", texts("+", "Oslo"), "+", []string{"+ 1.00"}},
	} {
		near, err := indexOf(t, c.stored).Near(t.Context(), 0, c.text, 3)
		var got []string
		for _, n := range near {
			got = append(got, fmt.Sprintf("%s %.2f", value.AsText(n.Value), n.Similarity))
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
	x := indexOf(t, texts("a b", "a c", "a d"))
	for _, n := range []int{0, 1, 2} {
		if near, err := x.Near(t.Context(), 0, "a d", n); err != nil || len(near) != n {
			t.Errorf("%d at most: %v, %v", n, near, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.Near(ctx, 0, "a", 1); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// BenchmarkNear reads a column of 100,000 texts.
func BenchmarkNear(b *testing.B) {
	var names, dates []value.Value
	for i := range 100_000 {
		names = append(names, value.Str(fmt.Sprintf("%s Elementary School %s", word(i), word(i/7+1))))
		dates = append(dates, value.Str(fmt.Sprintf("%04d-%02d-%02d", 1700+i/336, i/28%12+1, i%28+1)))
	}
	x := indexOf(b, names, dates)
	for column, text := range []string{"Kabemo Elementry School", "1812-03-41"} {
		b.Run(x.Columns()[column].Name, func(b *testing.B) {
			for b.Loop() {
				if _, err := x.Near(context.Background(), column, text, 10); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// word returns a word for a number.
func word(n int) string {
	out := "K"
	for ; n > 0; n /= 50 {
		out += string("bcdfghlmnp"[n%10]) + string("aeiou"[n/10%5])
	}
	return out
}

// indexOf indexes columns a, b, ... of one table.
func indexOf(t testing.TB, columns ...[]value.Value) *valueindex.Index {
	t.Helper()
	var list []valueindex.Column
	for i := range columns {
		list = append(list, valueindex.Column{Table: "t", Name: string(rune('a' + i))})
	}
	x, err := valueindex.Build(context.Background(), list, func(_ context.Context, column int, yield func(value.Value) error) error {
		for _, v := range columns[column] {
			if err := yield(v); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return x
}
