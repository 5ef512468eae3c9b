package scalars

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
	"sync"
)

//go:embed places.tsv
var places string

// Place is a place of the gazetteer. What a place does not have, or the gazetteer
// does not say, is "".
type Place struct {
	Kind      Kind
	Country   string
	Province  string // or state, or region
	County    string
	Locality  string
	Latitude  float64 // degrees, north of the equator if positive
	Longitude float64 // degrees, east of Greenwich if positive
}

// Kind says how large a place is.
type Kind string

// The kinds, from the largest to the smallest.
const (
	Country  Kind = "country"
	Province Kind = "province"
	County   Kind = "county"
	Locality Kind = "locality"
)

// Find returns the place of a name, without regard to case, accents and spaces
// around it. A name may be followed by the names or codes of what the place is in,
// after commas: "Vienna, Austria" or "Springfield, IL, USA". Of several places of a
// name it is the most populous one, so that New York is the state, and Georgia the
// one of the USA. ok is false if the gazetteer has no such place.
func Find(name string) (p Place, ok bool) {
	g := gazetteer()
	if at := g.named[key(name)]; len(at) > 0 {
		return g.places[at[0]], true
	}
	parts := strings.Split(name, ",")
	for _, at := range g.named[key(parts[0])] {
		if g.isIn(g.places[at], parts[1:]) {
			return g.places[at], true
		}
	}
	return Place{}, false
}

// Address returns locality, province and country, so far as the place has them,
// with commas between.
func (p Place) Address() string {
	var parts []string
	for _, part := range []string{p.Locality, p.Province, p.Country} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", ")
}

// Distance returns the kilometres between two places by the haversine formula, on a
// sphere with the Earth's mean radius of 6371.0088 km, rounded to 0.001.
func Distance(a, b Place) float64 {
	const radius = 6371.0088
	radians := func(degrees float64) float64 { return degrees * math.Pi / 180 }
	half := func(x float64) float64 { s := math.Sin(x / 2); return s * s }
	h := half(radians(b.Latitude-a.Latitude)) +
		math.Cos(radians(a.Latitude))*math.Cos(radians(b.Latitude))*half(radians(b.Longitude-a.Longitude))
	return math.Round(2*radius*math.Asin(min(1, math.Sqrt(h)))*1000) / 1000
}

// gazetteerOf is the places with the numbers of those that have a name.
type gazetteerOf struct {
	places []Place
	named  map[string][]int
}

// gazetteer reads the file when it is first asked for. Of two of its lines with one
// name, the first is of the more populous place.
var gazetteer = sync.OnceValue(func() *gazetteerOf {
	g := &gazetteerOf{named: map[string][]int{}}
	_, lines, _ := strings.Cut(places, "\n") // after the header
	for line := range strings.Lines(lines) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		names := strings.Split(f[0], "|")
		p := Place{Kind: Kind(f[1]), Country: f[2], Province: f[3], County: f[4]}
		if p.Kind == Locality {
			p.Locality = names[0]
		}
		p.Latitude, _ = strconv.ParseFloat(f[5], 64) // a test reads them all
		p.Longitude, _ = strconv.ParseFloat(f[6], 64)
		for _, name := range names {
			g.named[key(name)] = append(g.named[key(name)], len(g.places))
		}
		g.places = append(g.places, p)
	}
	return g
})

// isIn reports whether each of the names is one of something larger that a place
// is in.
func (g *gazetteerOf) isIn(p Place, names []string) bool {
	for _, name := range names {
		in := false
		for _, at := range g.named[key(name)] {
			q := g.places[at]
			switch q.Kind {
			case Country:
				in = in || p.Kind != Country && p.Country == q.Country
			case Province:
				in = in || p.Kind != Country && p.Kind != Province && p.Country == q.Country && p.Province == q.Province
			case County:
				in = in || p.Kind == Locality && p.Country == q.Country && p.Province == q.Province && p.County == q.County
			}
		}
		if !in {
			return false
		}
	}
	return len(names) > 0
}

// key returns what names that are taken for the same have in common.
func key(name string) string { return strings.Join(strings.Fields(folded(name)), " ") }
