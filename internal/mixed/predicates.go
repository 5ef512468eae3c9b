package mixed

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/birdcall/birdcall/pkg/value"
)

// units are what texts are counted in.
var units = []struct{ function, words string }{{"count_characters", "characters"}, {"count_syllables", "syllables"}}

// cities are where distances are measured from.
var cities = []string{"London", "Paris", "Berlin", "Madrid", "Rome", "Prague", "Tokyo", "Chicago", "New York City", "Los Angeles", "San Francisco", "Sydney"}

// measures returns what can be said of a column.
func (c candidate) measures(r *rand.Rand) []measure {
	var out []measure
	add := func(words string, links ...link) { out = append(out, measure{links, words}) }
	divisor := value.Int(int64(3 + r.IntN(4)))
	digits := strconv.FormatInt(divisor.Int64(), 10)
	p := c.profile
	if p.named && (!c.isPlace() || r.IntN(3) == 0) {
		for _, u := range units {
			add("give the number of "+u.words+" in %s", of(u.function))
			add("tell whether the number of "+u.words+" in %s is prime", of(u.function), of("is_prime"))
			add("tell whether the number of "+u.words+" in %s is a Fibonacci number", of(u.function), of("is_fibonacci"))
			add("tell whether the number of "+u.words+" in %s is divisible by "+digits, of(u.function), of("is_divisible", divisor))
		}
	}
	if p.numbers {
		add("tell whether %s is a prime number", of("is_prime"))
		add("tell whether %s is a Fibonacci number", of("is_fibonacci"))
		add("tell whether %s is a perfect square", of("is_perfect_square"))
		add("tell whether %s is divisible by "+digits, of("is_divisible", divisor))
	}
	if !c.isPlace() {
		return out
	}
	city := cities[r.IntN(len(cities))]
	add("give the latitude of %s", of("get_latitude_of_place"))
	add("give the longitude of %s", of("get_longitude_of_place"))
	add("give the distance in kilometres from %s to "+city, of("calculate_distance", value.Str(city)))
	if c.place < aCountry {
		add("give the country that %s is in", of("get_country_of_place"))
		add("give the number of syllables in the name of the country that %s is in", of("get_country_of_place"), of("count_syllables"))
	}
	if c.place < aProvince {
		add("give the state or province that %s is in", of("get_province_of_place"))
	}
	return out
}

// predicates returns the conditions on a column that some of its values meet and
// others do not.
func (c candidate) predicates(values []value.Value, r *rand.Rand) []predicate {
	var out []predicate
	add := func(words, op string, constant value.Value, links ...link) {
		p := predicate{measure{links, words}, op, constant}
		if splits(p, values) {
			out = append(out, p)
		}
	}
	truth := func(words string, links ...link) { add(words, "=", value.Int(1), links...) }
	if c.profile.named && (!c.isPlace() || r.IntN(3) == 0) {
		for _, u := range units {
			count := of(u.function)
			truth("%s has a prime number of "+u.words, count, of("is_prime"))
			truth("%s has a number of "+u.words+" that is a Fibonacci number", count, of("is_fibonacci"))
			truth("%s has a number of "+u.words+" that is a perfect square", count, of("is_perfect_square"))
			truth("%s has an even number of "+u.words, count, of("is_divisible", value.Int(2)))
			for k := int64(3); k <= 5; k++ {
				truth("%s has a number of "+u.words+" that is divisible by "+strconv.FormatInt(k, 10), count, of("is_divisible", value.Int(k)))
			}
			n := some(measure{links: []link{count}}, values, r)
			add("%s has exactly "+counted(n, u.words), "=", n, count)
			add("%s has more than "+counted(n, u.words), ">", n, count)
		}
	}
	if c.profile.numbers {
		truth("%s is a prime number", of("is_prime"))
		truth("%s is a Fibonacci number", of("is_fibonacci"))
		truth("%s is a perfect square", of("is_perfect_square"))
		truth("%s is an even number", of("is_divisible", value.Int(2)))
		for _, k := range []int64{3, 4, 5, 7} {
			truth("%s is divisible by "+strconv.FormatInt(k, 10), of("is_divisible", value.Int(k)))
		}
	}
	if c.isPlace() {
		c.placePredicates(values, r, add)
	}
	return out
}

// placePredicates adds the conditions on places.
func (c candidate) placePredicates(values []value.Value, r *rand.Rand, add func(words, op string, constant value.Value, links ...link)) {
	for _, along := range []struct{ function, words string }{{"get_latitude_of_place", "north of latitude"}, {"get_longitude_of_place", "east of longitude"}} {
		if at := some(measure{links: []link{of(along.function)}}, values, r); !at.IsNull() {
			whole := value.Int(int64(math.Floor(at.Float64())))
			add("%s lies "+along.words+" "+literal(whole), ">", whole, of(along.function))
		}
	}
	for range 4 {
		city := cities[r.IntN(len(cities))]
		distance := of("calculate_distance", value.Str(city))
		if far := some(measure{links: []link{distance}}, values, r); !far.IsNull() {
			const step = 50
			round := value.Int(int64(math.Ceil(far.Float64()/step)) * step)
			add("%s lies within "+literal(round)+" km of "+city, "<=", round, distance)
		}
	}
	country := of("get_country_of_place")
	if c.place < aCountry {
		if in := some(measure{links: []link{country}}, values, r); !in.IsNull() {
			add("%s lies in "+withArticle(in.Raw()), "=", in, country)
		}
		for _, u := range units {
			if n := some(measure{links: []link{country, of(u.function)}}, values, r); !n.IsNull() {
				add("%s lies in a country whose name has exactly "+counted(n, u.words), "=", n, country, of(u.function))
			}
		}
	}
	if province := of("get_province_of_place"); c.place < aProvince {
		if in := some(measure{links: []link{province}}, values, r); !in.IsNull() {
			add("%s lies in the state or province of "+in.Raw(), "=", in, province)
		}
	}
}

// splits reports whether some values meet a predicate and others do not: where there
// are many, one in twenty at least.
func splits(p predicate, values []value.Value) bool {
	holds := 0
	for _, v := range values {
		if p.holds(v) {
			holds++
		}
	}
	least := max(1, len(values)/20)
	return holds >= least && len(values)-holds >= least
}

// some returns the measure of one of the values, or NULL if none has it.
func some(m measure, values []value.Value, r *rand.Rand) value.Value {
	for range 3 {
		if len(values) == 0 {
			break
		}
		if v := m.apply(values[r.IntN(len(values))]); !v.IsNull() {
			return v
		}
	}
	return value.NullValue()
}

// counted returns a number of things in words.
func counted(n value.Value, things string) string {
	if n == value.Int(1) {
		things = things[:len(things)-1]
	}
	return literal(n) + " " + things
}

// withArticle returns the name of a country as it is in a sentence.
func withArticle(country string) string {
	if slices.Contains([]string{"United States", "United Kingdom", "Netherlands", "Czech Republic", "United Arab Emirates", "Philippines",
		"Dominican Republic", "Central African Republic", "Democratic Republic of the Congo", "Bahamas", "Gambia", "Maldives", "Marshall Islands",
		"Solomon Islands", "Seychelles", "Comoros", "Ivory Coast", "Vatican City"}, country) {
		return "the " + country
	}
	return country
}
