package scalars

import "github.com/birdcall/birdcall/pkg/value"

var (
	aText   = Value{"string", "The text.", Text}
	aNumber = Value{"number", "The number. What is behind its point is left out.", Number}
	aPlace  = Value{"place", "The name of a place, such as Lyon, or Vienna, Austria.", Text}
	aTruth  = Value{"truth", "Whether it is.", Boolean}
	aCount  = Value{"count", "How many there are.", Integer}
)

// ofPlaces is what the functions of places have in common.
const ofPlaces = " Names are looked up in a gazetteer of the world's countries, their capitals and large cities, the states of the USA, and counties and cities of California, without regard to case and accents; after a comma may stand what the place is in. Of several places of a name it is the most populous. It is null for a place that is not there."

// functions are all there are.
var functions = []Function{
	{
		Name: "count_characters", Summary: "Count the characters of a text",
		Description: "Counts the Unicode code points of a text, spaces and punctuation among them, as SQL's length() does.",
		Args:        []Value{aText}, Result: aCount,
		of: func(a []value.Value) (value.Value, error) { return value.Int(int64(CountCharacters(a[0].Raw()))), nil },
	},
	{
		Name: "count_syllables", Summary: "Count the syllables of a text in English",
		Description: "Counts the syllables of a text in English by a fixed rule without a dictionary. Accents are left out. In each word, every run of the vowels a, e, i, o, u, y is a syllable, but for a y before a vowel at the start, and for a silent e at the end, also in -es and -ed; ia, io and iu are two, unless c, g, s, t or x stands before them, and so is eo at the end; sm at the end is one more; a word has at least one. A digit is read by its English name: 0 and 7 have two syllables, the others one. Other scripts and the empty text have none.",
		Args:        []Value{aText}, Result: aCount,
		of: func(a []value.Value) (value.Value, error) { return value.Int(int64(CountSyllables(a[0].Raw()))), nil },
	},
	{
		Name: "is_divisible", Summary: "Tell whether a number is divisible by another",
		Description: "Tells whether a number can be divided by another without a rest. What is behind the points of both is left out first. A divisor of 0 is an error.",
		Args:        []Value{aNumber, {"divisor", "What it is divided by, not 0. What is behind its point is left out.", Number}}, Result: aTruth,
		of: func(a []value.Value) (value.Value, error) {
			truth, err := IsDivisible(whole(a[0]), whole(a[1]))
			return value.Bool(truth), err
		},
	},
	ofNumber("is_prime", "Tell whether a number is prime",
		"Tells whether a number is prime: greater than 1, and divisible by 1 and itself only.", IsPrime),
	ofNumber("is_perfect_square", "Tell whether a number is a perfect square",
		"Tells whether a number is the square of a whole number, as 0, 1, 4 and 9 are.", IsPerfectSquare),
	ofNumber("is_fibonacci", "Tell whether a number is a Fibonacci number",
		"Tells whether a number is a Fibonacci number: one of 0, 1, 1, 2, 3, 5, and on, each the sum of the two before. No negative number is.", IsFibonacci),
	ofPlace("latitude", "Degrees north of the equator, negative south of it.", Real, func(p Place) value.Value { return value.Float(p.Latitude) }),
	ofPlace("longitude", "Degrees east of Greenwich, negative west of it.", Real, func(p Place) value.Value { return value.Float(p.Longitude) }),
	ofPlace("country", "The country; a country is its own.", Text, func(p Place) value.Value { return named(p.Country) }),
	ofPlace("province", "The province, state or region; null for countries, and for cities where the gazetteer does not tell it.", Text,
		func(p Place) value.Value { return named(p.Province) }),
	ofPlace("county", "The county; null where the gazetteer does not tell it.", Text, func(p Place) value.Value { return named(p.County) }),
	ofPlace("locality", "The city or town; null for larger areas.", Text, func(p Place) value.Value { return named(p.Locality) }),
	ofPlace("address", "Locality, province and country, so far as there are any, with commas between.", Text, func(p Place) value.Value { return named(p.Address()) }),
	{
		Name: "calculate_distance", Summary: "Calculate the distance between two places",
		Description: "Gives the kilometres between two places along a great circle, by the haversine formula with a radius of 6371.0088 km, rounded to 0.001." + ofPlaces,
		Args:        []Value{{"place1", "The name of a place.", Text}, {"place2", "The name of another.", Text}},
		Result:      Value{"distance", "Kilometres.", Real},
		of: func(a []value.Value) (value.Value, error) {
			from, ok := Find(a[0].Raw())
			to, ok2 := Find(a[1].Raw())
			if !ok || !ok2 {
				return value.NullValue(), nil
			}
			return value.Float(Distance(from, to)), nil
		},
	},
}

func ofNumber(name, summary, description string, is func(int64) bool) Function {
	return Function{
		Name: name, Summary: summary, Description: description + " What is behind the point is left out first.",
		Args: []Value{aNumber}, Result: aTruth,
		of: func(a []value.Value) (value.Value, error) { return value.Bool(is(whole(a[0]))), nil },
	}
}

func ofPlace(what, description string, t Type, of func(Place) value.Value) Function {
	return Function{
		Name: "get_" + what + "_of_place", Summary: "Get the " + what + " of a place",
		Description: "Gives the " + what + " of a place." + ofPlaces,
		Args:        []Value{aPlace}, Result: Value{what, description, t},
		of: func(a []value.Value) (value.Value, error) {
			p, ok := Find(a[0].Raw())
			if !ok {
				return value.NullValue(), nil
			}
			return of(p), nil
		},
	}
}

// named returns a name, or NULL where there is none.
func named(s string) value.Value {
	if s == "" {
		return value.NullValue()
	}
	return value.Str(s)
}
