package rest

import (
	"iter"
	"strconv"
	"strings"
)

// weighted returns the elements of a header such as Accept, in lower case and
// without parameters, with their weights (RFC 9110, section 12.4.2).
func weighted(header []string) iter.Seq2[string, float64] {
	return func(yield func(string, float64) bool) {
		for _, list := range header {
			for one := range strings.SplitSeq(list, ",") {
				name, params, _ := strings.Cut(one, ";")
				if name = strings.ToLower(strings.TrimSpace(name)); name != "" && !yield(name, weight(params)) {
					return
				}
			}
		}
	}
}

// weight returns the parameter q: 1 where there is none, and 0, which is no,
// where it is not a number from 0 to 1.
func weight(params string) float64 {
	for param := range strings.SplitSeq(params, ";") {
		name, text, _ := strings.Cut(param, "=")
		if strings.EqualFold(strings.TrimSpace(name), "q") {
			if q, err := strconv.ParseFloat(strings.TrimSpace(text), 64); err == nil && q >= 0 && q <= 1 {
				return q
			}
			return 0
		}
	}
	return 1
}

// negotiate chooses the format that the Accept header prefers
// (RFC 9110, section 12.5.1): what names a format most exactly has its weight,
// and of equal ones the first in the header is taken. Without the header it is
// JSON.
func negotiate(header []string) (format, bool) {
	if len(header) == 0 || len(header) == 1 && (header[0] == "*/*" || header[0] == mediaTypes[asJSON]) {
		return asJSON, true
	}
	var found [len(mediaTypes)]struct {
		q         float64
		exact, at int
	}
	n := 0
	for name, q := range weighted(header) {
		n++
		for f := range found {
			exact := exactness(name, format(f))
			if had := found[f]; exact > had.exact || exact > 0 && exact == had.exact && q > had.q {
				found[f].q, found[f].exact, found[f].at = q, exact, n
			}
		}
	}
	best := -1
	for f, one := range found {
		if one.q > 0 && (best < 0 || one.q > found[best].q || one.q == found[best].q && one.at < found[best].at) {
			best = f
		}
	}
	if n == 0 {
		best = int(asJSON) // an empty header asks for nothing
	}
	return format(max(best, 0)), best >= 0
}

// exactness returns how exactly a media range names a format, from 0 (not at
// all) to 3.
func exactness(name string, f format) int {
	kind, _, _ := strings.Cut(mediaTypes[f], "/")
	switch {
	case name == mediaTypes[f], f == asNDJSON && (name == "application/ndjson" || name == "application/jsonl"):
		return 3
	case name == kind+"/*":
		return 2
	case name == "*/*":
		return 1
	}
	return 0
}

// takesGzip reports whether an Accept-Encoding header prefers gzip to no coding,
// or both equally (RFC 9110, section 12.5.3).
func takesGzip(header []string) bool {
	gzip, identity, other := -1.0, -1.0, -1.0
	for name, q := range weighted(header) {
		switch name {
		case "gzip", "x-gzip":
			gzip = max(gzip, q)
		case "identity":
			identity = max(identity, q)
		case "*":
			other = max(other, q)
		}
	}
	if gzip < 0 {
		gzip = other
	}
	return gzip > 0 && gzip >= identity
}
