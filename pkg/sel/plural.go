package sel

import (
	"slices"
	"strings"
)

// plural returns a key with its last word in the plural, and whether it has one
// by the regular rules: the words that are plurals already, have no plural, or
// are abbreviations and numbers have none.
func plural(key string) (string, bool) {
	last := key[strings.LastIndexByte(key, '_')+1:]
	if !isWord(last) {
		return "", false
	}
	out := key + "s"
	switch {
	case hasEnd(key, "y") && !hasEnd(key, "ay", "ey", "oy", "uy"):
		out = key[:len(key)-1] + "ies"
	case hasEnd(key, "ss", "us", "x", "ch", "sh"):
		out = key + "es"
	case hasEnd(key, "s"):
		return "", false // milliseconds, analysis
	}
	return out, singular(out) == key
}

// singular returns the key that a plural is made of.
func singular(name string) string {
	switch {
	case hasEnd(name, "ies"):
		return strings.TrimSuffix(name, "ies") + "y"
	case hasEnd(name, "auses", "ouses"): // causes, houses
		return strings.TrimSuffix(name, "s")
	case hasEnd(name, "sses", "uses", "xes", "ches", "shes"):
		return strings.TrimSuffix(name, "es")
	}
	return strings.TrimSuffix(name, "s")
}

// uncounted are words without a plural that columns are called by.
var uncounted = []string{"data", "info", "information", "news", "series", "people", "children", "men", "women", "money", "feedback", "equipment"}

// isWord reports whether the last part of a key is an English noun as far as
// spelling tells. "ID" counts, as IDs is common.
func isWord(last string) bool {
	if hasEnd(last, "ID") {
		return true
	}
	for _, verb := range []string{"is", "has", "can"} { // isPromo
		if rest, ok := strings.CutPrefix(last, verb); ok && rest != "" && rest[0] >= 'A' && rest[0] <= 'Z' {
			return false
		}
	}
	end := last[max(0, len(last)-1):]
	return end >= "a" && end <= "z" && !slices.Contains(uncounted, strings.ToLower(last))
}

func hasEnd(s string, ends ...string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(s, end) })
}
