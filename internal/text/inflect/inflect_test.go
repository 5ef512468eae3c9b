package inflect

import (
	"slices"
	"testing"
)

// TestNouns puts nouns into the plural and back.
func TestNouns(t *testing.T) {
	for one, many := range map[string]string{
		"book": "books", "branch": "branches", "category": "categories", "day": "days", "key": "keys", "box": "boxes", "dish": "dishes",
		"class": "classes", "status": "statuses", "virus": "viruses", "cause": "causes", "house": "houses", "case": "cases", "size": "sizes",
		"hero": "heroes", "superhero": "superheroes", "person": "people", "child": "children", "man": "men", "woman": "women",
		"foot": "feet", "tooth": "teeth", "mouse": "mice", "tie": "ties", "film": "films",
		"card": "cards", "race": "races", "match": "matches", "laboratory": "laboratories", "expense": "expenses",
	} {
		if got := Plural(one); got != many {
			t.Errorf("Plural(%q) = %q, want %q", one, got, many)
		}
		if got := Singular(many); got != one {
			t.Errorf("Singular(%q) = %q, want %q", many, got, one)
		}
		for _, w := range []string{one, many} {
			if got := IsPlural(w); got != (w == many) {
				t.Errorf("IsPlural(%q) = %t", w, got)
			}
		}
		if Plural(many) != many || Singular(one) != one {
			t.Errorf("the plural of %q is %q, the singular of %q is %q", many, Plural(many), one, Singular(one))
		}
	}
	for _, same := range []string{"", "species", "series", "news", "data", "information", "staff", "2020"} {
		if Plural(same) != same || Singular(same) != same {
			t.Errorf("%q becomes %q and %q", same, Plural(same), Singular(same))
		}
	}
	for one, many := range map[string]string{"diagnosis": "diagnoses", "iris": "irises"} {
		if got := Plural(one); got != many || IsPlural(one) {
			t.Errorf("Plural(%q) = %q, want %q", one, got, many)
		}
	}
}

// TestRegular says what the rules of spelling make of irregular nouns.
func TestRegular(t *testing.T) {
	for one, want := range map[string]string{"person": "persons", "man": "mans", "book": "books", "books": "books", "people": "people", "series": "series", "": ""} {
		if got := Regular(one); got != want {
			t.Errorf("Regular(%q) = %q, want %q", one, got, want)
		}
	}
}

// TestForms lists what a word may be the plural or the singular of.
func TestForms(t *testing.T) {
	for w, want := range map[string][]string{
		"film": {"films"}, "films": {"film", "filmses"}, "cities": {"city", "citie", "citieses"}, "city": {"cities"}, "boxes": {"box", "boxe", "boxeses"},
		"women": {"woman"}, "woman": {"women"}, "class": {"classes"}, "gas": {"gases"},
	} {
		if got := Forms(w); !slices.Equal(got, want) {
			t.Errorf("Forms(%q) = %q, want %q", w, got, want)
		}
	}
}
