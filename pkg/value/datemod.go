package value

import "strings"

// modify applies one modifier (lang_datefunc.html, section 3); ok is false
// where it is not one or does not fit here. first says that it comes right
// behind the time value.
func (m *moment) modify(s string, first bool) (ok bool) {
	z := noCase(s)
	switch {
	case z == "":
		return false
	case z == "auto":
		return first && m.auto()
	case z == "ceiling":
		m.needJulian()
		m.forget()
		m.excess = 0
		return true
	case z == "floor":
		m.needJulian()
		m.julian -= int64(m.excess) * msPerDay
		m.forget()
		return true
	case z == "julianday":
		ok = first && m.hasJD && m.raw
		m.raw = m.raw && !ok
		return ok
	case z == "localtime":
		if !m.local {
			m.toLocal()
		}
		m.utc, m.local = false, true
		return true
	case z == "unixepoch":
		return first && m.unix()
	case z == "utc":
		m.toUTC()
		return true
	case strings.HasPrefix(z, "weekday "):
		return m.weekday(z[len("weekday "):])
	case isSubsec(z):
		m.subsec = true
		return true
	case strings.HasPrefix(z, "start of "):
		return m.startOf(z[len("start of "):])
	case strings.HasPrefix(z, "end of "):
		return m.endOf(z[len("end of "):])
	case z[0] == '+' || z[0] == '-' || isDigit(z[0]):
		return m.shift(z)
	}
	return false
}

// auto takes a number that is not a Julian day for seconds since 1970.
func (m *moment) auto() bool {
	const minSecond, maxSecond = -210866760000, 253402300799
	if !m.raw || m.hasJD {
		m.raw = false
	} else if m.second >= minSecond && m.second <= maxSecond {
		m.setUnix(float64(m.second * 1000))
	}
	return true
}

// unix takes the number that was given for seconds since 1970.
func (m *moment) unix() bool {
	if !m.raw {
		return false
	}
	ms := float64(m.second * 1000)
	if r := ms + unixEpoch; r < 0 || r >= maxJulian+1 {
		return false
	}
	m.setUnix(ms)
	return true
}

// toUTC turns local time into UTC; they are the same here, so that only the
// form of m changes.
func (m *moment) toUTC() {
	if m.utc {
		return
	}
	m.needJulian()
	*m = moment{julian: m.julian, hasJD: true, utc: true}
}

// weekday moves m to the next day, or with a minus sign the last one, that is
// weekday n (Sunday is 0), unless m is on one.
func (m *moment) weekday(s string) bool {
	r := parseReal(s)
	n := int64(r.value)
	if !r.found || !r.whole || r.value < -6 || r.value > 6 || float64(n) != r.value {
		return false
	}
	m.needDateAndTime()
	m.zone, m.hasJD = 0, false
	m.needJulian()
	today := (m.julian + 3*msPerDay/2) / msPerDay % 7
	n = max(n, -n)
	if today != n {
		if today > n {
			today -= 7
		}
		m.julian += (n - today) * msPerDay
		if strings.Contains(s, "-") {
			m.julian -= 7 * msPerDay
		}
	}
	m.forget()
	return true
}

// setTime sets the time of day, for the modifiers that keep the date.
func (m *moment) setTime(hour, minute int, second float64) bool {
	if !m.hasJD && !m.hasYMD && !m.hasHMS {
		return false
	}
	m.needDate()
	m.hour, m.minute, m.second = hour, minute, second
	m.hasHMS, m.raw, m.zone, m.hasJD = true, false, 0, false
	return true
}

func (m *moment) startOf(unit string) bool {
	if !m.setTime(0, 0, 0) {
		return false
	}
	switch unit {
	case "day":
	case "month":
		m.day = 1
	case "year":
		m.month, m.day = 1, 1
	default:
		return false
	}
	return true
}

func (m *moment) endOf(unit string) bool {
	if !m.setTime(23, 59, 59.999) {
		return false
	}
	switch unit {
	case "day":
	case "month":
		m.day = 1
		if m.month++; m.month > 12 {
			m.year++
			m.month = 1
		}
		m.needExcess()
		m.needJulian()
		m.julian -= int64(m.excess+1) * msPerDay
		m.forget()
	case "year":
		m.month, m.day = 12, 31
	default:
		return false
	}
	return true
}

// shift applies the modifiers that start with a number or a sign.
func (m *moment) shift(s string) bool {
	n := numberLength(s)
	r := parseReal(s[:n])
	if !r.found || !r.whole {
		return false
	}
	switch at(s, n) {
	case '-':
		return m.shiftDate(s, n)
	case ':':
		return m.shiftTime(s[0] == '-', s)
	}
	return m.shiftUnits(r.value, skipSpace(s[n:]))
}

// numberLength returns where the number that s starts with ends, which is
// before the first - of a date and the first : of a time.
func numberLength(s string) int {
	n := 1
	for ; n < len(s) && s[n] != ':' && !isSpace(s[n]); n++ {
		if s[n] != '-' || n != 5 && n != 6 {
			continue
		}
		if _, ok := readFields(s[1:], []field{{n - 1, 0, 14712, 0}}); ok {
			break
		}
	}
	return n
}

// shiftDate applies +YYYY-MM-DD, with or without HH:MM behind it. n is the
// place of the first hyphen: a year may have five digits.
func (m *moment) shiftDate(s string, n int) bool {
	if s[0] != '+' && s[0] != '-' {
		return false
	}
	f, ok := readFields(s[1:], []field{{n - 1, 0, 14712, '-'}, {2, 0, 12, '-'}, {2, 0, 31, 0}})
	if !ok || f[1] >= 12 || f[2] >= 31 {
		return false
	}
	if s[0] == '-' {
		f[0], f[1], f[2] = -f[0], -f[1], -f[2]
	}
	m.needDateAndTime()
	m.hasJD = false
	m.year += f[0]
	m.addMonths(f[1])
	m.needExcess()
	m.needJulian()
	m.hasHMS, m.hasYMD = false, false
	m.julian += int64(f[2]) * msPerDay
	rest := s[n+6:]
	if rest == "" {
		return true
	}
	if _, ok := readFields(rest[1:], fieldsHM); !ok || !isSpace(rest[0]) {
		return false
	}
	return m.shiftTime(s[0] == '-', rest[1:])
}

// addMonths leaves a month from 1 to 12.
func (m *moment) addMonths(n int) {
	m.month += n
	years := (m.month - 1) / 12
	if m.month <= 0 {
		years = (m.month - 12) / 12
	}
	m.year += years
	m.month -= years * 12
}

// shiftTime adds a time of day, or takes it off.
func (m *moment) shiftTime(back bool, s string) bool {
	if !isDigit(s[0]) {
		s = s[1:]
	}
	var t moment
	if !t.parseTime(s) {
		return false
	}
	t.needJulian()
	t.julian = (t.julian - msPerDay/2) % msPerDay
	if back {
		t.julian = -t.julian
	}
	m.needJulian()
	m.forget()
	m.julian += t.julian
	return true
}

// units are the words behind a number of them. limit keeps the arithmetic in
// range; SQLite holds it in single precision.
var units = []struct {
	name    string
	limit   float32
	seconds float64
}{
	{"second", 4.6427e+14, 1},
	{"minute", 7.7379e+12, 60},
	{"hour", 1.2897e+11, 3600},
	{"day", 5373485, 86400},
	{"month", 176546, 30 * 86400},
	{"year", 14713, 365 * 86400},
}

// shiftUnits applies NNN days and the like. Of months and years only the whole
// number moves the calendar; the rest counts as 30 or 365 days.
func (m *moment) shiftUnits(n float64, unit string) bool {
	if len(unit) < 3 || len(unit) > 10 {
		return false
	}
	unit = strings.TrimSuffix(unit, "s")
	m.needJulian()
	m.excess = 0
	ok := false
	for _, u := range units {
		if u.name != unit || n <= -float64(u.limit) || n >= float64(u.limit) {
			continue
		}
		rounder := 0.5
		if n < 0 {
			rounder = -0.5
		}
		switch unit {
		case "month":
			m.needDateAndTime()
			m.addMonths(int(n))
		case "year":
			m.needDateAndTime()
			m.year += int(n)
		}
		if unit == "month" || unit == "year" {
			m.needExcess()
			m.hasJD = false
			n -= float64(int(n))
		}
		m.needJulian()
		m.julian += int64(float64(float64(n*1000)*u.seconds) + rounder)
		ok = true
		break
	}
	m.forget()
	return ok
}
