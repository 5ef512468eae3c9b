package find_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/pkg/find"
)

// TestParts lists questions about one database and about two, with their parts.
func TestParts(t *testing.T) {
	x := sampleIndex(t, find.Options{})
	const larger = "Which question has a larger number as its answer. "
	for _, c := range []struct {
		text string
		db   string
		want []string // database: text
	}{
		{larger + "Q1: How many branches does the library have?; Q2: How many species are vulnerable?", "", []string{"city_library: How many branches does the library have", "bird_club: How many species are vulnerable"}},
		{"How many sightings were made by observers? And how many beans of the shops are organic?", "", []string{"bird_club: How many sightings were made by observers", "coffee_roastery: And how many beans of the shops are organic"}},
		{"List the authors of books. Give their country and birth year. Which coffee beans have a cup score?", "", []string{"city_library: List the authors of books. Give their country and birth year", "coffee_roastery: Which coffee beans have a cup score"}},
		{larger + "Q1: How many branches does the library have?; Q2: How many books cost 10 euros?", "", nil},
		{larger + "Q1: How many branches does the library have?; Q2: How many species are vulnerable?", "bird_club", nil},
		{"How many branches does the library have?", "", nil},
		{"Which shops are open? List their names.", "", nil},
		{"Zebra? Giraffe?", "", nil},
	} {
		r, err := x.Find(t.Context(), find.Query{Text: c.text, DB: c.db})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range r.Parts {
			got = append(got, p.DB+": "+p.Text)
			if !strings.Contains(c.text, p.Text) || p.Score <= 0 {
				t.Errorf("%s: %+v", c.text, p)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
		if len(c.want) > 0 && (r.Databases[0].DB != r.Parts[0].DB && r.Databases[0].DB != r.Parts[1].DB || r.Databases[1].DB == r.Databases[0].DB) {
			t.Errorf("%s: the databases of the parts are not the first: %+v", c.text, r.Databases)
		}
	}
}

// TestPartsOfSample asks the questions of the sample, each of one database, by itself and
// with one of another database.
func TestPartsOfSample(t *testing.T) {
	dataset, x := embeddedSample(t), sampleIndex(t, find.Options{})
	var single, double, split, both int
	for i, q := range dataset.Questions {
		r, err := x.Find(t.Context(), find.Query{Text: q.Text, Evidence: q.Evidence})
		if err != nil {
			t.Fatal(err)
		}
		if single++; r.Parts != nil {
			split++
		}
		other := dataset.Questions[(i+45)%len(dataset.Questions)]
		if other.DB == q.DB {
			continue
		}
		r, err = x.Find(t.Context(), find.Query{Text: "Which is larger? Q1: " + q.Text + "; Q2: " + other.Text})
		if err != nil {
			t.Fatal(err)
		}
		double++
		if best := []string{r.Databases[0].DB, r.Databases[1].DB}; slices.Contains(best, q.DB) && slices.Contains(best, other.DB) {
			both++
		}
	}
	if float64(split) > .02*float64(single) || float64(both) < .9*float64(double) {
		t.Errorf("%d of %d single questions were split; of %d double questions both databases of %d were found", split, single, double, both)
	}
}
