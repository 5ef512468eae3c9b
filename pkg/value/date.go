package value

import (
	"math"
	"time"
)

// Dates are computed as in lang_datefunc.html, in the proleptic Gregorian
// calendar from 4714 BC (year -4713) to 9999.

const (
	msPerDay    = 86400000
	msPerMinute = 60000
	unixEpoch   = 210866760000000 // the Julian day of 1970-01-01, in ms
	maxJulian   = 464269060799999 // the end of year 9999, in ms
)

// moment is a point in time that is worked on in three forms, each of which
// may be missing and is computed from the others when it is asked for: the
// Julian day, the calendar date, and the time of day.
type moment struct {
	julian int64 // ms since noon in Greenwich on November 24, 4714 BC
	hasJD  bool

	year, month, day int
	hasYMD           bool

	hour, minute int
	second       float64
	hasHMS       bool
	zone         int // minutes east of UTC, still to be taken off

	raw    bool // second is the number that was given, its meaning open
	bad    bool // out of range: the result is NULL
	subsec bool // show milliseconds
	utc    bool // known to be UTC already
	local  bool // known to be local time already
	excess int  // days by which day exceeds its month
}

// fail makes m invalid.
func (m *moment) fail() { *m = moment{bad: true} }

// forget drops the date and the time of day, which the Julian day replaces.
func (m *moment) forget() {
	m.hasYMD, m.hasHMS, m.zone = false, false, 0
}

func (m *moment) setNow(now time.Time) bool {
	m.julian = now.UnixMilli() + unixEpoch
	if m.julian <= 0 {
		return false
	}
	m.hasJD = true
	m.utc, m.local = true, false
	m.forget()
	return true
}

// setNumber takes a number: a Julian day if it is in range for one, or
// something for a modifier to decide.
func (m *moment) setNumber(f float64) {
	const maxDay = 5373484.5
	m.second = f
	m.raw = true
	if f >= 0 && f < maxDay {
		m.julian = int64(float64(f*msPerDay) + 0.5)
		m.hasJD = true
	}
}

// setUnix takes milliseconds since 1970.
func (m *moment) setUnix(ms float64) {
	m.forget()
	m.julian = int64(ms + unixEpoch + 0.5)
	m.hasJD, m.raw = true, false
}

// needJulian computes the Julian day. A missing date is 2000-01-01.
func (m *moment) needJulian() {
	if m.hasJD {
		return
	}
	year, month, day := 2000, 1, 1
	if m.hasYMD {
		year, month, day = m.year, m.month, m.day
	} else if m.hasHMS && m.hour == 24 {
		m.hour = 0
		day = 2
	}
	if year < -4713 || year > 9999 || m.raw {
		m.fail()
		return
	}
	// Meeus's formula, in which the year starts in March.
	if month <= 2 {
		year--
		month += 12
	}
	century := (year + 4800) / 100
	leap := 38 - century + century/4
	days := 36525*(year+4716)/100 + 306001*(month+1)/10000 + day + leap
	m.julian = int64((float64(days) - 1524.5) * msPerDay)
	m.hasJD = true
	if !m.hasHMS {
		return
	}
	m.julian += int64(m.hour*60+m.minute)*msPerMinute + int64(float64(m.second*1000)+0.5)
	if m.zone != 0 {
		m.julian -= int64(m.zone) * msPerMinute
		m.forget()
		m.utc, m.local = true, false
	}
}

// inRange reports whether the Julian day is of the years SQLite knows.
func (m *moment) inRange() bool { return m.julian >= 0 && m.julian <= maxJulian }

// needDate computes the calendar date.
func (m *moment) needDate() {
	if m.hasYMD {
		return
	}
	switch {
	case !m.hasJD:
		m.year, m.month, m.day = 2000, 1, 1
	case !m.inRange():
		m.fail()
		return
	default:
		// Meeus's formula, backwards.
		z := int((m.julian + msPerDay/2) / msPerDay)
		alpha := int((float64(z)+32044.75)/36524.25) - 52
		a := z + 1 + alpha - (alpha+100)/4 + 25
		b := a + 1524
		c := int((float64(b) - 122.1) / 365.25)
		d := 36525 * (c & 32767) / 100
		e := int(float64(b-d) / 30.6001)
		m.day = b - d - int(float64(30.6001*float64(e)))
		m.month = e - 1
		if e >= 14 {
			m.month = e - 13
		}
		m.year = c - 4716
		if m.month <= 2 {
			m.year = c - 4715
		}
	}
	m.hasYMD = true
}

// needTime computes the time of day.
func (m *moment) needTime() {
	if m.hasHMS {
		return
	}
	m.needJulian()
	ms := int((m.julian + msPerDay/2) % msPerDay)
	m.second = float64(ms%msPerMinute) / 1000
	m.hour, m.minute = ms/msPerMinute/60, ms/msPerMinute%60
	m.raw = false
	m.hasHMS = true
}

func (m *moment) needDateAndTime() {
	m.needDate()
	m.needTime()
}

// needExcess notes by how much the day exceeds its month, for the modifier
// that undoes it.
func (m *moment) needExcess() { m.excess = max(m.day-daysIn(m.year, m.month), 0) }

func daysIn(year, month int) int {
	switch {
	case month == 2 && year%4 == 0 && (year%100 != 0 || year%400 == 0):
		return 29
	case month == 2:
		return 28
	case month == 4 || month == 6 || month == 9 || month == 11:
		return 30
	}
	return 31
}

// toLocal turns UTC into local time, which is UTC here, leaving only the date
// and the time of day.
func (m *moment) toLocal() {
	m.needJulian()
	ms := m.julian % 1000
	m.forget()
	m.needDateAndTime()
	m.second = math.Trunc(m.second) + float64(float64(ms)*0.001)
	m.hasJD = false
}

// readMoment computes what the arguments of a date function stand for: a time
// value and its modifiers. ok is false where the result is NULL.
func readMoment(args []Value, now time.Time) (m moment, ok bool) {
	if len(args) == 0 {
		return m, m.setNow(now)
	}
	switch args[0].kind {
	case Null:
		return m, false
	case Integer, Real:
		m.setNumber(args[0].Float64())
	default:
		if !m.parse(cstring(args[0].str), now) {
			return m, false
		}
	}
	for i, v := range args[1:] {
		if v.kind == Null || !m.modify(cstring(AsText(v)), i == 0) {
			return m, false
		}
	}
	m.needJulian()
	if m.bad || !m.inRange() {
		return m, false
	}
	if len(args) == 1 && m.hasYMD && m.day > 28 {
		m.hasYMD = false // so that February 31 shows as in March
	}
	return m, true
}
