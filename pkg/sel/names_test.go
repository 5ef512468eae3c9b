package sel

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestGetter lists keys and the names of their getters.
func TestGetter(t *testing.T) {
	long := "satscores_" + strings.Repeat("Number_of_Test_Takers_", 4)
	for key, want := range map[string]string{
		"schools_School":         "get_schools_Schools",
		"frpm_Free_Meal_Count":   "get_frpm_Free_Meal_Counts",
		"member_first_name":      "get_member_first_names",
		"races_year":             "get_races_years",
		"schools_City":           "get_schools_Cities",
		"schools_County":         "get_schools_Counties",
		"races_day":              "get_races_days",
		"account_status":         "get_account_statuses",
		"client_address":         "get_client_addresses",
		"loan_match":             "get_loan_matches",
		"Patient_ID":             "get_Patient_IDs",
		"lapTimes_milliseconds":  "get_lapTimes_milliseconds_list",
		"frpm_Count_K_12":        "get_frpm_Count_K_12_list",
		"Laboratory_GOT":         "get_Laboratory_GOT_list",
		"event_info":             "get_event_info_list",
		"member_t_shirt_size":    "get_member_t_shirt_sizes",
		"customers_CustomerID":   "get_customers_CustomerIDs",
		"cards_isPromo":          "get_cards_isPromo_list",
		"city_house":             "get_city_houses",
		"x_citie":                "get_x_citie_list",
		"café":                   "get_caf__list_850f7dc4",
		"":                       "get__list",
		long:                     "get_satscores_Number_of_Test_Takers_Number_of_Test_Take_9f3fe92c",
		strings.Repeat("a", 59):  "get_" + strings.Repeat("a", 59) + "s",
		strings.Repeat("a", 60):  "get_" + strings.Repeat("a", 51) + "_11ee3912",
		strings.Repeat("a", 100): "get_" + strings.Repeat("a", 51) + "_28165978",
	} {
		if got := Getter(key); got != want {
			t.Errorf("Getter(%q) = %s, want %s", key, got, want)
		}
	}
}

var pattern = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_]{0,63}$`)

// TestGetterNamesAreUsable checks any two keys: their getters have names that
// every function-calling interface takes, and not the same one.
func TestGetterNamesAreUsable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z_]{50,80}`), rapid.StringMatching(`[a-z]{1,3}`), rapid.StringMatching(`[xy]?(ie|e|y|se|s|us|ch)?(s|_list|es)?`))
		a, b := key.Draw(t, "a"), key.Draw(t, "b")
		if !pattern.MatchString(Getter(a)) {
			t.Fatalf("%q is no name", Getter(a))
		}
		if a != b && Getter(a) == Getter(b) {
			t.Fatalf("%q and %q share %s", a, b, Getter(a))
		}
	})
}

// TestFirstSentence says where the first sentence of a description ends.
func TestFirstSentence(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "",
		".":                               "",
		". ":                              ". ",
		"the name":                        "the name",
		"The name.":                       "The name",
		"The name. In capitals.":          "The name",
		"The name. A":                     "The name",
		"The name. Zip codes follow.":     "The name",
		"The name. [in brackets]":         "The name. [in brackets]",
		"The name. @home":                 "The name. @home",
		"The name. ":                      "The name. ",
		"The name, e.g. in lower case. B": "The name, e.g. in lower case",
		"Version 2.0 of it. Then":         "Version 2.0 of it",
		". Nothing before it":             "",
	} {
		if got := firstSentence(text); got != want {
			t.Errorf("the first sentence of %q is %q, want %q", text, got, want)
		}
	}
}
