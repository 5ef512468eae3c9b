package valueindex

import (
	"strings"
)

// date is a day, or a month where day is 0.
type date struct{ year, month, day int }

func (d date) key() uint64 {
	return mix(uint64(d.year)<<16 ^ uint64(d.month)<<8 ^ uint64(d.day) ^ seedDate)
}

func (d date) valid() bool {
	if d.year < 1000 || d.year > 9999 || d.month < 1 || d.month > 12 || d.day < 0 {
		return false
	}
	days := [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[d.month-1]
	if d.month == 2 && d.year%4 == 0 && (d.year%100 != 0 || d.year%400 == 0) {
		days = 29
	}
	return d.day <= days
}

// digits reads the number at the beginning of s if it has least to most digits.
func digits(s string, least, limit int) (n int, rest string, ok bool) {
	i := 0
	for i < len(s) && isDigit(s[i]) {
		if i < limit {
			n = 10*n + int(s[i]-'0')
		}
		i++
	}
	return n, s[i:], least <= i && i <= limit
}

// storedDate returns the date that a stored text is: year, month and day, between
// which are hyphens, slashes or points. What comes after it is clock.
func storedDate(s string) (d date, clock string, ok bool) {
	if len(s) < len("2012-8-4") || !isDigit(s[0]) {
		return date{}, "", false
	}
	var rest string
	if d.year, rest, ok = digits(s, 4, 4); !ok || rest == "" || !isSeparator(rest[0]) {
		return date{}, "", false
	}
	separator := rest[:1]
	if d.month, rest, ok = digits(rest[1:], 1, 2); !ok || !strings.HasPrefix(rest, separator) {
		return date{}, "", false
	}
	if d.day, rest, ok = digits(rest[1:], 1, 2); !ok || d.day == 0 || !d.valid() {
		return date{}, "", false
	}
	if rest != "" && rest[0] != ' ' && rest[0] != 'T' {
		return date{}, "", false
	}
	return d, rest, true
}

// isSeparator reports whether a byte separates numbers of a date.
func isSeparator(c byte) bool { return c == '-' || c == '/' || c == '.' }

// isMidnight reports whether the time after a date says nothing: there is none, or
// it is of zeros.
func isMidnight(clock string) bool { return strings.Trim(clock, " T0:.Z") == "" }

// compactDate returns the date that a text of digits is: 20120824, or 201208.
func compactDate(s string) (d date, ok bool) {
	n, rest, ok := digits(s, 6, 8)
	switch {
	case !ok || rest != "" || len(s) == 7:
		return date{}, false
	case len(s) == 8:
		d = date{n / 10000, n / 100 % 100, n % 100}
		ok = d.day > 0
	default:
		d = date{n / 100, n % 100, 0}
	}
	const first, last = 1800, 2100 // of years that codes are not likely to look like
	return d, ok && first <= d.year && d.year < last && d.valid()
}

// months are the names of months by their first letters.
var months = func() map[string]int {
	m := map[string]int{"sept": 9}
	for i, name := range strings.Fields("january february march april may june july august september october november december") {
		m[name], m[name[:3]] = i+1, i+1
	}
	return m
}()

// dated is a date that tokens of a text mean.
type dated struct {
	date
	first, end int // tokens
}

// datesOf returns the dates that tokens of a text mean. A date that can be read in
// two ways, as 8/9/2012, comes twice.
func datesOf(s string, tokens []token, words []string) []dated {
	var out []dated
	for i := range tokens {
		for _, d := range datesAt(s, tokens[i:], words[i:]) {
			if d.valid() {
				d.first, d.end = i, i+d.end
				out = append(out, d)
			}
		}
	}
	return out
}

// datesAt returns the dates at the first of some tokens, which are only valid in
// their form.
func datesAt(s string, tokens []token, words []string) (out []dated) {
	if d, ok := compactDate(words[0]); ok {
		out = append(out, dated{date: d, end: 1})
	}
	between := func(i int) string { return strings.TrimSpace(s[tokens[i-1].end:tokens[i].start]) }
	number := func(i, least, limit int) int {
		if i < len(words) {
			if n, rest, ok := digits(words[i], least, limit); ok && rest == "" {
				return n
			}
		}
		return -1
	}
	if m := months[words[0]]; m > 0 && len(words) > 1 {
		day := dayOf(words[1])
		if year := number(2, 4, 4); day > 0 && year > 0 && len(between(1)) == 0 {
			out = append(out, dated{date: date{year, m, day}, end: 3})
		}
		at := 1
		if words[1] == "of" {
			at = 2
		}
		if year := number(at, 4, 4); year > 0 {
			out = append(out, dated{date: date{year, m, 0}, end: at + 1})
		}
	}
	if day := dayOf(words[0]); day > 0 {
		at := 1
		if len(words) > 1 && words[1] == "of" {
			at = 2
		}
		if year := number(at+1, 4, 4); year > 0 && months[words[at]] > 0 {
			out = append(out, dated{date: date{year, months[words[at]], day}, end: at + 2})
		}
	}
	if len(words) < 3 || !isDigit(words[0][0]) {
		return out
	}
	separator := between(1)
	if len(separator) != 1 || separator != between(2) || !isSeparator(separator[0]) {
		return out
	}
	a, b := number(0, 1, 2), number(1, 1, 2)
	if year, day := number(0, 4, 4), number(2, 1, 2); year > 0 && b > 0 && day > 0 {
		return append(out, dated{date: date{year, b, day}, end: 3})
	}
	if year := number(2, 4, 4); year > 0 && a > 0 && b > 0 {
		out = append(out, dated{date: date{year, b, a}, end: 3})
		if separator != "." && a != b {
			out = append(out, dated{date: date{year, a, b}, end: 3})
		}
	}
	return out
}

// dayOf returns the day of a month that a token is, as in 24 or 24th, or 0.
func dayOf(w string) int {
	n, rest, ok := digits(w, 1, 2)
	if ok && (rest == "" || rest == "st" || rest == "nd" || rest == "rd" || rest == "th") && n <= 31 {
		return n
	}
	return 0
}
