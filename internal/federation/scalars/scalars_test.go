package scalars

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/pkg/value"
)

func TestCountSyllables(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, " -!": 0, "a": 1, "I": 1, "name": 1, "table": 2, "tables": 2, "called": 1, "wanted": 2, "changes": 2, "boxes": 2, "bees": 1,
		"the": 1, "hour": 1, "Maria": 3, "station": 2, "social": 2, "radio": 3, "stadium": 3, "Leo": 2, "year": 1, "young": 1, "my": 1,
		"prism": 2, "Zoë": 1, "Märchenhaus": 3, "José García": 3, "don't": 1, "BMW": 1, "Mr. Smith": 2, "Todor Salparov": 5,
		"007": 6, "1984": 4, "B12": 3, "Łódź": 1, "東京": 0, "Москва": 0, "smile": 1, "Straße": 1, "ski-ing": 2, "yell": 1, "cycle": 2,
	} {
		if got := CountSyllables(text); got != want {
			t.Errorf("%q has %d syllables, want %d", text, got, want)
		}
	}
}

func TestCountCharacters(t *testing.T) {
	for text, want := range map[string]int{"": 0, "abc": 3, "Märchen": 7, "東京": 2, "a b\n": 4, "e\u0301": 2, "\xff": 1} {
		if got := CountCharacters(text); got != want {
			t.Errorf("%q has %d characters, want %d", text, got, want)
		}
	}
}

// The numbers up to a thousand by the definitions themselves.
func TestNumbers(t *testing.T) {
	const most = 1000
	square, fibonacci := map[int64]bool{}, map[int64]bool{}
	for i := int64(0); i*i <= most; i++ {
		square[i*i] = true
	}
	for a, b := int64(0), int64(1); a <= most; a, b = b, a+b {
		fibonacci[a] = true
	}
	for n := int64(-5); n <= most; n++ {
		divisors := 0
		for d := int64(1); d <= n; d++ {
			if divides, err := IsDivisible(n, d); err != nil || divides != (n/d*d == n) {
				t.Fatalf("%d by %d: %t, %v", n, d, divides, err)
			}
			if n/d*d == n {
				divisors++
			}
		}
		if IsPrime(n) != (divisors == 2) || IsPerfectSquare(n) != square[n] || IsFibonacci(n) != fibonacci[n] {
			t.Errorf("%d: prime %t, square %t, Fibonacci %t", n, IsPrime(n), IsPerfectSquare(n), IsFibonacci(n))
		}
	}
}

func TestGreatNumbers(t *testing.T) {
	const root = 3037000499                 // the greatest whose square has 64 bits
	for n, want := range map[int64][3]bool{ // prime, square, Fibonacci
		math.MaxInt64:             {false, false, false},
		math.MinInt64:             {false, false, false},
		9223372036854775783:       {true, false, false},
		root * root:               {false, true, false},
		root*root - 1:             {false, false, false},
		7540113804746346429:       {false, false, true},
		(1 << 53) + 1:             {false, false, false},
		(1<<31 - 1) * (1<<31 - 1): {false, true, false},
	} {
		if got := [3]bool{IsPrime(n), IsPerfectSquare(n), IsFibonacci(n)}; got != want {
			t.Errorf("%d: %v, want %v", n, got, want)
		}
	}
	if yes, err := IsDivisible(math.MinInt64, -1); !yes || err != nil {
		t.Error("the least number is not divisible by -1")
	}
	if _, err := IsDivisible(1, 0); !errors.Is(err, ErrDivisor) {
		t.Error("0 divides 1")
	}
}

// TestPlacesFile has every line of the gazetteer in order.
func TestPlacesFile(t *testing.T) {
	countries := map[string]bool{}
	for i, line := range strings.Split(strings.TrimSuffix(places, "\n"), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 7 {
			t.Fatalf("line %d has %d fields", i+1, len(f))
		}
		if i == 0 {
			continue
		}
		lat, err1 := strconv.ParseFloat(f[5], 64)
		lon, err2 := strconv.ParseFloat(f[6], 64)
		if err1 != nil || err2 != nil || math.Abs(lat) > 90 || math.Abs(lon) > 180 {
			t.Errorf("line %d: latitude %s, longitude %s", i+1, f[5], f[6])
		}
		if f[1] == string(Country) {
			countries[f[2]] = true
		}
	}
	for _, p := range gazetteer().places {
		switch {
		case !countries[p.Country]:
			t.Errorf("%+v is in no country", p)
		case p.Kind == Province && p.Province == "", p.Kind == County && (p.County == "" || p.Province == ""), p.Kind == Locality && p.Locality == "":
			t.Errorf("%+v does not say what it is", p)
		case p.Kind != Country && p.Kind != Province && p.Kind != County && p.Kind != Locality:
			t.Errorf("%+v is of no kind", p)
		}
	}
}

func TestFind(t *testing.T) {
	for _, c := range []struct{ name, address string }{
		{"Germany", "Germany"}, {"DEU", "Germany"}, {"uk", "United Kingdom"}, {" são  paulo ", "São Paulo, São Paulo, Brazil"}, {"SAO PAULO", "São Paulo, São Paulo, Brazil"},
		{"Georgia", "Georgia, United States"}, {"New York", "New York, United States"}, {"New York, NY", "New York City, New York, United States"},
		{"Springfield", "Springfield, Missouri, United States"}, {"Springfield, IL, USA", "Springfield, Illinois, United States"},
		{"Vienna, Austria", "Vienna, Vienna, Austria"}, {"Alameda", "California, United States"}, {"Alameda County", "California, United States"},
		{"Alameda, Alameda, CA, United States", "Alameda, California, United States"}, {"Washington, D.C.", "Washington, D.C., District of Columbia, United States"},
		{"Berlin", "Berlin, Berlin, Germany"}, {"Washington", "Washington, United States"},
		{"Vienna, Germany", ""}, {"", ""}, {",", ""}, {"Atlantis", ""}, {"Vienna,", ""}, {"Germany, Germany", ""},
	} {
		p, ok := Find(c.name)
		if got := p.Address(); got != c.address || ok != (c.address != "") {
			t.Errorf("%q is %q, want %q", c.name, got, c.address)
		}
	}
}

func TestDistance(t *testing.T) {
	between := func(a, b string) float64 {
		p, _ := Find(a)
		q, ok := Find(b)
		if !ok {
			t.Fatalf("no %s or no %s", a, b)
		}
		return Distance(p, q)
	}
	if got := between("Paris", "London"); math.Abs(got-343) > 2 || got != between("London", "Paris") {
		t.Errorf("London is %v km from Paris", got)
	}
	if got := Distance(Place{}, Place{Longitude: 180}); got != 20015.114 {
		t.Errorf("halfway round the Earth is %v km", got)
	}
	if got := between("Lyon", "Lyon"); got != 0 {
		t.Errorf("Lyon is %v km from Lyon", got)
	}
}

func TestCall(t *testing.T) {
	null := value.NullValue()
	for _, c := range []struct {
		name string
		args []value.Value
		want value.Value
		err  string
	}{
		{"is_prime", []value.Value{value.Int(7)}, value.Int(1), ""},
		{"is_prime", []value.Value{value.Float(7.99)}, value.Int(1), ""},
		{"is_fibonacci", []value.Value{value.Float(-0.5)}, value.Int(1), ""},
		{"is_prime", []value.Value{null}, null, ""},
		{"is_prime", []value.Value{value.Str("7")}, null, "is_prime: number: it is no number; give a number such as 7 or 7.5"},
		{"is_prime", []value.Value{value.Float(1e19)}, null, "it is beyond what 64 bits hold"},
		{"is_prime", []value.Value{value.Float(math.Inf(-1))}, null, "it is beyond what 64 bits hold"},
		{"is_prime", nil, null, "there are 0 arguments; give 1"},
		{"is_divisible", []value.Value{value.Float(9.5), value.Int(-3)}, value.Int(1), ""},
		{"is_divisible", []value.Value{value.Int(9), value.Float(0.5)}, null, "is_divisible: divisor: it is 0, which divides nothing; give another number"},
		{"is_divisible", []value.Value{value.Int(9), null}, null, ""},
		{"count_syllables", []value.Value{value.Str("Salparov")}, value.Int(3), ""},
		{"count_characters", []value.Value{value.Int(12)}, null, "it is no text"},
		{"count_characters", []value.Value{value.Str("\xff")}, null, "it is not UTF-8"},
		{"count_characters", []value.Value{value.Str(strings.Repeat("x", MaxText+1))}, null, "it has 8193 bytes"},
		{"get_latitude_of_place", []value.Value{value.Str("paris")}, value.Float(48.86), ""},
		{"get_country_of_place", []value.Value{value.Str("Paris")}, value.Str("France"), ""},
		{"get_county_of_place", []value.Value{value.Str("Hayward")}, value.Str("Alameda"), ""},
		{"get_county_of_place", []value.Value{value.Str("Paris")}, null, ""},
		{"get_locality_of_place", []value.Value{value.Str("nowhere")}, null, ""},
		{"get_address_of_place", []value.Value{value.Str("Graz")}, value.Str("Graz, Styria, Austria"), ""},
		{"calculate_distance", []value.Value{value.Str("Graz"), value.Str("nowhere")}, null, ""},
		{"calculate_distance", []value.Value{value.Str("Graz"), value.Str("Graz")}, value.Float(0), ""},
	} {
		got, err := Named(c.name).Call(c.args...)
		var wrong *ArgumentError
		if got != c.want || (err == nil) != (c.err == "") || err != nil && (!strings.Contains(err.Error(), c.err) || !errors.As(err, &wrong)) {
			t.Errorf("%s(%v): %v, %v, want %v, %s", c.name, c.args, got, err, c.want, c.err)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"", "Märchen 007", "don't", "東京", "\xffyoe"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if n := CountSyllables(s); n < 0 || CountSyllables(strings.ToUpper(s)+" a") < 1 {
			t.Errorf("%q has %d syllables", s, n)
		}
		Find(s)
	})
}
