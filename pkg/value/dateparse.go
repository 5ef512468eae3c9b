package value

import "time"

// field is a number of fixed width in a date: its digits, its range, and the
// byte that must follow it (0 if any may).
type field struct {
	digits, min, max int
	next             byte
}

var (
	fieldsYMD  = []field{{4, 0, 14712, '-'}, {2, 1, 12, '-'}, {2, 1, 31, 0}}
	fieldsHM   = []field{{2, 0, 24, ':'}, {2, 0, 59, 0}}
	fieldsS    = []field{{2, 0, 59, 0}}
	fieldsZone = []field{{2, 0, 14, ':'}, {2, 0, 59, 0}}
)

// readFields reads all fields from the start of s.
func readFields(s string, fields []field) (numbers [3]int, ok bool) {
	i := 0
	for n, f := range fields {
		v := 0
		for range f.digits {
			c := at(s, i)
			if !isDigit(c) {
				return numbers, false
			}
			v = v*10 + int(c-'0')
			i++
		}
		if v < f.min || v > f.max || f.next != 0 && at(s, i) != f.next {
			return numbers, false
		}
		numbers[n] = v
		i++
	}
	return numbers, true
}

// parse reads a time value: a date, a time, both, a number, or 'now'.
func (m *moment) parse(s string, now time.Time) bool {
	if m.parseDate(s) || m.parseTime(s) {
		return true
	}
	if noCase(s) == "now" {
		return m.setNow(now)
	}
	if r := parseReal(s); r.found && r.whole {
		m.setNumber(r.value)
		return true
	}
	if isSubsec(s) {
		m.subsec = true
		return m.setNow(now)
	}
	return false
}

func isSubsec(s string) bool {
	s = noCase(s)
	return s == "subsec" || s == "subsecond"
}

// parseDate reads YYYY-MM-DD, alone or with a time behind it.
func (m *moment) parseDate(s string) bool {
	negative := at(s, 0) == '-'
	if negative {
		s = s[1:]
	}
	n, ok := readFields(s, fieldsYMD)
	if !ok {
		return false
	}
	year, month, day := n[0], n[1], n[2]
	s = s[10:]
	for s != "" && (isSpace(s[0]) || s[0] == 'T') {
		s = s[1:]
	}
	switch {
	case m.parseTime(s):
		if m.hour == 24 {
			m.hour = 0
			if day++; day > daysIn(year, month) {
				day -= daysIn(year, month)
				if month++; month > 12 {
					month = 1
					year++
				}
			}
		}
	case s != "":
		return false
	default:
		m.hasHMS = false
	}
	if negative {
		year = -year
	}
	m.hasJD, m.hasYMD = false, true
	m.year, m.month, m.day = year, month, day
	m.needExcess()
	if m.zone != 0 {
		m.needJulian()
	}
	return true
}

// parseTime reads HH:MM, HH:MM:SS or HH:MM:SS.SSS and a time zone. Where it
// fails it may have changed m.
func (m *moment) parseTime(s string) bool {
	n, ok := readFields(s, fieldsHM)
	if !ok {
		return false
	}
	hour, minute, second, fraction := n[0], n[1], 0, 0.0
	s = s[5:]
	if at(s, 0) == ':' {
		n, ok := readFields(s[1:], fieldsS)
		if !ok {
			return false
		}
		second = n[0]
		s = s[3:]
		if at(s, 0) == '.' && isDigit(at(s, 1)) {
			fraction, s = readFraction(s[1:])
		}
	}
	if hour == 24 && (minute != 0 || second != 0 || fraction != 0) {
		return false
	}
	m.hasJD, m.raw, m.hasHMS = false, false, true
	m.hour, m.minute, m.second = hour, minute, float64(second)+fraction
	return m.parseZone(s)
}

// readFraction reads the digits behind the point of the seconds. It never
// rounds up to the next millisecond.
func readFraction(s string) (float64, string) {
	f, scale := 0.0, 1.0
	for s != "" && isDigit(s[0]) {
		f = float64(f*10) + float64(s[0]-'0')
		scale *= 10
		s = s[1:]
	}
	f /= scale
	if f > 0.999 {
		f = 0.999
	}
	return f, s
}

// parseZone reads Z, +HH:MM, -HH:MM or nothing, to the end of the text.
func (m *moment) parseZone(s string) bool {
	s = skipSpace(s)
	m.zone = 0
	switch c := at(s, 0); c {
	case 'Z', 'z':
		s = s[1:]
	case '+', '-':
		n, ok := readFields(s[1:], fieldsZone)
		if !ok {
			return false
		}
		m.zone = n[0]*60 + n[1]
		if c == '-' {
			m.zone = -m.zone
		}
		s = s[6:]
	default:
		return c == 0
	}
	if m.zone == 0 {
		m.utc, m.local = true, false
	}
	return skipSpace(s) == ""
}

func skipSpace(s string) string {
	for s != "" && isSpace(s[0]) {
		s = s[1:]
	}
	return s
}
