package querygrid

import (
	"testing"

	"github.com/birdcall/birdcall/pkg/bird"
)

func TestNameOf(t *testing.T) {
	for _, test := range []struct {
		column, readable string
		words, several   string
		plural           bool
	}{
		{"price", "price", "price", "prices", false},
		{"waiting_days", "waiting days", "waiting days", "waiting days", true},
		{"years_in_practice", "", "years in practice", "years in practice", true},
		{"body_area", "", "body area", "body areas", false},
		{"specialty", "", "specialty", "specialties", false},
		{"CustomerID", "", "customer ID", "customer IDs", false},
		{"constructorId", "constructor Id", "constructor id", "constructor ids", false},
		{"is_open_on_mondays", "is open on Mondays", "is open on Mondays", "is opens on Mondays", false},
		{"Enrollment (K-12)", "Enrollment (K-12)", "Enrollment (K-12)", "Enrollment (K-12)s", false},
		{"NumTstTakr", "Number of Test Takers", "number of test takers", "numbers of test takers", false},
		{"AvgScrMath", "average scores in Math", "average scores in Math", "average scores in Math", false},
		{"status", "status", "status", "statuses", false},
		{"Diagnosis", "diagnosis", "diagnosis", "diagnoses", false},
	} {
		n := nameOf(test.column, test.readable)
		if n.words != test.words || n.several() != test.several || n.plural != test.plural {
			t.Errorf("%s, %q: got %q, %q, plural %v; want %q, %q, %v", test.column, test.readable, n.words, n.several(), n.plural, test.words, test.several, test.plural)
		}
	}
}

func TestNounOf(t *testing.T) {
	for _, test := range []struct{ table, readable, want string }{
		{"dishes", "dishes", "dishes"},
		{"order_line", "", "order lines"},
		{"lapTimes", "lapTimes", "lap times"},
		{"frpm", "", "frpm records"},
		{"connected", "connected", "connected records"},
		{"Country", "Country", "countries"},
		{"person", "", "people"},
	} {
		if got := nounOf(test.table, &bird.Table{Readable: test.readable}); got != test.want {
			t.Errorf("%s: got %q, want %q", test.table, got, test.want)
		}
	}
}

func TestAn(t *testing.T) {
	for noun, want := range map[string]string{
		"price": "a price", "audience": "an audience", "ID": "an ID", "RVVT": "an RVVT", "user name": "a user name", "SEX": "a SEX", "unit": "a unit",
	} {
		if got := an(noun); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
