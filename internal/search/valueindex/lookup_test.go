package valueindex_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/birdcall/birdcall/internal/search/valueindex"
	"github.com/birdcall/birdcall/pkg/value"
)

// TestLookup lists texts with what is found in them, as "span = value (how)", in the
// order of the result.
func TestLookup(t *testing.T) {
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
		want   []string
	}{
		{"the same bytes", texts("Fresno"), "schools in Fresno?", []string{"Fresno = Fresno (same)"}},
		{"case", texts("San Francisco"), "schools of san francisco", []string{"san francisco = San Francisco (folded)"}},
		{"accents, ligatures and full width", texts("Málaga", "office", "Łódź", "Straße"), "MALAGA ｏｆﬁｃｅ Lodz STRASSE",
			[]string{"MALAGA = Málaga (folded)", "ｏｆﬁｃｅ = office (folded)", "Lodz = Łódź (folded)", "STRASSE = Straße (folded)"}},
		{"punctuation around it", texts("C#", "C"), "in C# and c", []string{"C# = C# (same)", "C = C (same)", "c = C (folded)", "c = C# (folded)"}},
		{"punctuation in it", texts("O'Brien", "e-mail", "USA", "St. Louis"), "obrien, email; U.S.A. - st louis",
			[]string{"U.S.A = USA (folded)", "st louis = St. Louis (folded)", "obrien = O'Brien (folded)", "email = e-mail (folded)"}},
		{"possessive", texts("Fresno", "S"), "Fresno's schools", []string{"Fresno = Fresno (same)"}},
		{"plural", texts("city", "Church", "Women's Club", "countries"), "all cities, churches, Women's clubs in a country",
			[]string{"Women's clubs = Women's Club (folded)", "cities = city (folded)", "churches = Church (folded)", "country = countries (folded)"}},
		{"irregular plural", texts("woman", "child"), "women and children", []string{"women = woman (folded)", "children = child (folded)"}},
		{"the longest first", texts("Fresno", "Fresno County", "County"), "Fresno County",
			[]string{"Fresno County = Fresno County (same)", "Fresno = Fresno (same)", "County = County (same)"}},

		{"a letter is missing", texts("Alameda"), "in Alamda", []string{"Alamda = Alameda (typo)"}},
		{"a letter too many", texts("Alameda"), "in Alamedda", []string{"Alamedda = Alameda (typo)"}},
		{"another letter", texts("Alameda"), "in Alaneda", []string{"Alaneda = Alameda (typo)"}},
		{"letters that changed places", texts("Alameda"), "in Aalmeda", []string{"Aalmeda = Alameda (typo)"}},
		{"two edits", texts("Alameda"), "in Aalmda", nil},
		{"a typo in one of several words", texts("San Jose City"), "in Sna jose city", []string{"Sna jose city = San Jose City (typo)"}},
		{"a typo in a plural", texts("Meeting"), "all meetigns", []string{"meetigns = Meeting (typo)"}},
		{"a word of three letters", texts("Kev"), "Kef", []string{"Kef = Kev (typo)"}},
		{"a word of two letters", texts("Bo"), "Ba", nil},
		{"letters of a code", texts("TR024", "A7"), "RT024 TR025 B7", []string{"RT024 = TR024 (typo)"}},
		{"digits are no typos", texts("at06080", "TRACK01"), "at06081 and TRACK02", nil},
		{"words written as one, and apart", texts("San Francisco", "basketball"), "SanFrancisco basket ball",
			[]string{"basket ball = basketball (typo)", "SanFrancisco = San Francisco (typo)"}},
		{"no typo in what is as it is", texts("Fresno", "Fresco"), "Fresno", []string{"Fresno = Fresno (same)"}},
		{"no typo in a function word", texts("wheres", "Here"), "where there", nil},

		{"function words", texts("is", "OR", "in", "How", "the"), "How is the sky or the sea in OR, or 'the'?",
			[]string{"OR = OR (same)", "the = the (same)"}},
		{"a function word among others", texts("The Dark Knight", "dark"), "who made the dark knight",
			[]string{"the dark knight = The Dark Knight (folded)", "dark = dark (same)"}},

		{"dates", texts("2012-08-24"), "August 24th, 2012; 24 August 2012; 24th of Aug 2012; 8/24/2012; 24.8.2012; 2012/8/24; 20120824",
			[]string{
				"24th of Aug 2012 = 2012-08-24 (form)", "August 24th, 2012 = 2012-08-24 (form)", "24 August 2012 = 2012-08-24 (form)",
				"8/24/2012 = 2012-08-24 (form)", "24.8.2012 = 2012-08-24 (form)", "2012/8/24 = 2012-08-24 (form)", "20120824 = 2012-08-24 (form)",
			}},
		{"other forms that are stored", texts("2012-08-24 00:00:00.0", "2012-08-25T00:00:00Z", "1995/3/24"), "2012/8/24, August 25, 2012 and March 24 1995",
			[]string{"2012/8/24 = 2012-08-24 00:00:00.0 (form)", "August 25, 2012 = 2012-08-25T00:00:00Z (form)", "March 24 1995 = 1995/3/24 (form)"}},
		{"two dates in one", texts("2012-08-09", "2012-09-08"), "on 8/9/2012", []string{"8/9/2012 = 2012-08-09 (form)", "8/9/2012 = 2012-09-08 (form)"}},
		{"a time that distinguishes", texts("2012-08-24 10:00:00", "2012-08-25 11:00:00"), "August 24, 2012", nil},
		{"the same time everywhere", texts("2012-08-24 12:00:00", "2012-08-25 12:00:00"), "August 24, 2012", []string{"August 24, 2012 = 2012-08-24 12:00:00 (form)"}},
		{"months", texts("201207", "201208"), "consumption in August 2012 and January of 2012", []string{"August 2012 = 201208 (form)"}},
		{"codes that look like months", texts("201207", "201299"), "July 2012", nil},
		{"no such day", texts("2011-02-29"), "February 29, 2011", nil},

		{"symbols", texts("+", "-", "#", "'"), "bond type '#' and + but not-this", []string{"# = # (same)", "+ = + (same)"}},
		{"numbers", []value.Value{value.Int(1000), value.Float(3.5), value.Int(-5), value.Str("1000"), value.Float(2)}, "1,000 or 3.5, -5 and 5 or 2",
			[]string{"3.5 = 3.5 (same)", "1,000 = 1000 (folded)", "1,000 = 1000 (folded)", "-5 = -5 (same)", "2 = 2.0 (folded)"}},
		{"no letters", texts("", " ", "..."), "what... is this", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, m := range indexOf(t, c.stored).Lookup(valueindex.Prepare(c.text)) {
				how := map[valueindex.MatchKind]string{valueindex.Same: "same", valueindex.Folded: "folded", valueindex.Form: "form", valueindex.Typo: "typo"}[m.Kind]
				got = append(got, fmt.Sprintf("%s = %s (%s)", c.text[m.Start:m.End], value.AsText(m.Value), how))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%q (-want +got):\n%s", c.text, diff)
			}
		})
	}
}

// TestLookupTexts looks up two texts, which keep their places, and whose ends do not
// make a value together.
func TestLookupTexts(t *testing.T) {
	x := indexOf(t, []value.Value{value.Str("San Jose")}, []value.Value{value.Str("San Jose"), value.Int(7)})
	got := x.Lookup(valueindex.Prepare("seven in San", `Jose refers to "San Jose" = 7`))
	same := func(column int, v value.Value, start, end, tokens int, quoted bool) valueindex.Match {
		return valueindex.Match{Column: column, Value: v, Text: 1, Start: start, End: end, Tokens: tokens, Quoted: quoted}
	}
	want := []valueindex.Match{
		same(0, value.Str("San Jose"), 16, 24, 2, true),
		same(1, value.Str("San Jose"), 16, 24, 2, true),
		same(1, value.Int(7), 28, 29, 1, false),
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
}

// TestLookupBounds has more matches than are returned, and a text that is too long.
func TestLookupBounds(t *testing.T) {
	columns := make([][]value.Value, 20)
	for i := range columns {
		for _, letter := range "bcdefghjklmnopqr" {
			columns[i] = append(columns[i], value.Str(string(letter)))
		}
		columns[i] = append(columns[i], value.Str("Fresno"))
	}
	x := indexOf(t, columns...)
	if got := x.Lookup(valueindex.Prepare("b c d e f g h j k l m n o p q r")); len(got) != valueindex.MaxMatches {
		t.Errorf("%d matches, want %d", len(got), valueindex.MaxMatches)
	}
	for _, c := range []struct {
		blanks, want int
	}{
		{valueindex.MaxText - len("Fresno"), 20}, {valueindex.MaxText, 0},
	} {
		if got := x.Lookup(valueindex.Prepare(strings.Repeat(" ", c.blanks) + "Fresno")); len(got) != c.want {
			t.Errorf("after %d blanks: %d matches, want %d", c.blanks, len(got), c.want)
		}
	}
}

// TestStored lists texts with the values of a column that they are.
func TestStored(t *testing.T) {
	stored := []value.Value{
		value.Str("San Francisco"), value.Str("Fresno"), value.Str("USA"), value.Str("Usa"), value.Str("2012-08-24"), value.Str("OR"), value.Str("+"), value.Str(""),
		value.Int(40), value.Float(1.5), value.Str("0040"),
	}
	x := indexOf(t, []value.Value{value.Str("Oakland")}, stored)
	for _, c := range []struct {
		text string
		want value.Value // NULL for none
		how  valueindex.MatchKind
	}{
		{"Fresno", value.Str("Fresno"), valueindex.Same},
		{"fresno", value.Str("Fresno"), valueindex.Folded},
		{" Fresno ", value.Str("Fresno"), valueindex.Folded},
		{"Frezno", value.Str("Fresno"), valueindex.Typo},
		{"Fresno City", value.NullValue(), 0},
		{"usa", value.Str("USA"), valueindex.Folded},
		{"Usa", value.Str("Usa"), valueindex.Same},
		{"U.S.A.", value.Str("USA"), valueindex.Folded},
		{"August 24, 2012", value.Str("2012-08-24"), valueindex.Form},
		{"or", value.Str("OR"), valueindex.Folded},
		{"+", value.Str("+"), valueindex.Same},
		{" + ", value.Str("+"), valueindex.Folded},
		{"", value.Str(""), valueindex.Same},
		{"40", value.Int(40), valueindex.Same},
		{"1.5", value.Float(1.5), valueindex.Same},
		{"Oakland", value.NullValue(), 0},
		{"-", value.NullValue(), 0},
	} {
		v, how, ok := x.Stored(1, c.text)
		if v != c.want || how != c.how || ok == c.want.IsNull() {
			t.Errorf("%q: %v, %v, %t; want %v, %v", c.text, v, how, ok, c.want, c.how)
		}
	}
}
