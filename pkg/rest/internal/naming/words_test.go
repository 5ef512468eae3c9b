package naming

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"NumTstTakr":             "num tst takr",
		"Free Meal Count (K-12)": "free meal count k 12",
		"CDSCode":                "cds code",
		"userIDs":                "user ids",
		"GSserved":               "g sserved",
		"Percent (%) Eligible":   "percent eligible",
		"no. of crimes":          "number of crimes",
		"Größe":                  "gro e",
		"Café":                   "cafe",
		"card's name":            "cards name",
		"":                       "",
		"日本":                     "",
	} {
		if got := strings.Join(words(text), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestPluralize(t *testing.T) {
	for list, want := range map[string]string{"number of page": "numbers of page", "full name": "full names", "time since birth": "time since birth", "amount paid": "amount paid", "seed": "seeds"} {
		if got := strings.Join(pluralize(strings.Fields(list)), " "); got != want {
			t.Errorf("pluralize(%q) = %q, want %q", list, got, want)
		}
	}
}

// A name is always valid and no longer than asked for, whatever it is made of.
func TestNamesAreValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := words(rapid.String().Draw(t, "text"))
		for _, name := range []string{endpointName([][]string{list}, maxName), paramName(list)} {
			if len(name) > maxName || !isName(name) {
				t.Fatalf("%v became %q", list, name)
			}
		}
	})
}

func isName(name string) bool {
	if name == "" || name[0] < 'a' || name[0] > 'z' {
		return false
	}
	return !slices.ContainsFunc([]byte(name), func(c byte) bool {
		return (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_'
	})
}
