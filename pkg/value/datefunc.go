package value

import (
	"math"
	"strings"
	"time"
)

func dateFunction(args []Value, now time.Time) Value {
	m, ok := readMoment(args, now)
	if !ok {
		return Value{}
	}
	m.needDate()
	return Str(m.dateText())
}

func timeFunction(args []Value, now time.Time) Value {
	m, ok := readMoment(args, now)
	if !ok {
		return Value{}
	}
	m.needTime()
	return Str(m.timeText())
}

func datetimeFunction(args []Value, now time.Time) Value {
	m, ok := readMoment(args, now)
	if !ok {
		return Value{}
	}
	m.needDateAndTime()
	return Str(m.dateText() + " " + m.timeText())
}

func juliandayFunction(args []Value, now time.Time) Value {
	m, ok := readMoment(args, now)
	if !ok {
		return Value{}
	}
	return Float(float64(m.julian) / msPerDay)
}

func unixepochFunction(args []Value, now time.Time) Value {
	m, ok := readMoment(args, now)
	switch {
	case !ok:
		return Value{}
	case m.subsec:
		return Float(float64(m.julian-unixEpoch) / 1000)
	}
	return Int(m.julian/1000 - unixEpoch/1000)
}

// padded writes n with zeros in front, or spaces, to a width.
func padded(n, width int, zero bool) string {
	return spec{verb: 'd', precision: -1, width: width, zero: zero}.integer(int64(n))
}

// dateText is YYYY-MM-DD, with a minus sign before a year of that kind.
func (m *moment) dateText() string {
	sign, year := "", m.year
	if year < 0 {
		sign, year = "-", -year
	}
	return sign + padded(year, 4, true) + "-" + padded(m.month, 2, true) + "-" + padded(m.day, 2, true)
}

// timeText is HH:MM:SS or HH:MM:SS.SSS.
func (m *moment) timeText() string {
	text := padded(m.hour, 2, true) + ":" + padded(m.minute, 2, true) + ":"
	if !m.subsec {
		return text + padded(int(m.second), 2, true)
	}
	ms := int(float64(1000*m.second) + 0.5)
	return text + padded(ms/1000, 2, true) + "." + padded(ms%1000, 3, true)
}

// strftime writes the moment of the arguments behind the format. A conversion
// that does not exist makes the result NULL.
func strftime(args []Value, now time.Time) Value {
	if len(args) == 0 || args[0].kind == Null {
		return Value{}
	}
	m, ok := readMoment(args[1:], now)
	if !ok {
		return Value{}
	}
	m.needJulian()
	m.needDateAndTime()
	var b strings.Builder
	format := cstring(AsText(args[0]))
	for {
		i := strings.IndexByte(format, '%')
		if i < 0 {
			b.WriteString(format)
			return Str(b.String())
		}
		b.WriteString(format[:i])
		text, ok := m.convert(at(format, i+1))
		if !ok {
			return Value{}
		}
		b.WriteString(text)
		format = format[i+2:]
	}
}

// convert renders one conversion of strftime.
func (m *moment) convert(verb byte) (text string, ok bool) {
	switch verb {
	case 'd':
		return padded(m.day, 2, true), true
	case 'e':
		return padded(m.day, 2, false), true
	case 'f':
		return spec{verb: 'f', width: 6, precision: 3, zero: true}.float(math.Min(m.second, 59.999)), true
	case 'F':
		return padded(m.year, 4, true) + "-" + padded(m.month, 2, true) + "-" + padded(m.day, 2, true), true
	case 'G':
		return padded(m.thursday().year, 4, true), true
	case 'g':
		return padded(m.thursday().year%100, 2, true), true
	case 'H':
		return padded(m.hour, 2, true), true
	case 'k':
		return padded(m.hour, 2, false), true
	case 'I':
		return padded(m.hour12(), 2, true), true
	case 'l':
		return padded(m.hour12(), 2, false), true
	case 'j':
		return padded(m.yearDay()+1, 3, true), true
	case 'J':
		return spec{verb: 'g', precision: 16}.float(float64(m.julian) / msPerDay), true
	case 'm':
		return padded(m.month, 2, true), true
	case 'M':
		return padded(m.minute, 2, true), true
	case 'p':
		return strings.ToUpper(m.half()), true
	case 'P':
		return m.half(), true
	case 'R':
		return padded(m.hour, 2, true) + ":" + padded(m.minute, 2, true), true
	case 's':
		if m.subsec {
			return spec{verb: 'f', precision: 3}.float(float64(m.julian-unixEpoch) / 1000), true
		}
		return padded(int(m.julian/1000-unixEpoch/1000), 0, false), true
	case 'S':
		return padded(int(m.second), 2, true), true
	case 'T':
		return padded(m.hour, 2, true) + ":" + padded(m.minute, 2, true) + ":" + padded(int(m.second), 2, true), true
	case 'u':
		return padded((m.sunday()+6)%7+1, 0, false), true
	case 'w':
		return padded(m.sunday(), 0, false), true
	case 'U':
		return padded((m.yearDay()-m.sunday()+7)/7, 2, true), true
	case 'V':
		thursday := m.thursday()
		return padded(thursday.yearDay()/7+1, 2, true), true
	case 'W':
		return padded((m.yearDay()-m.monday()+7)/7, 2, true), true
	case 'Y':
		return padded(m.year, 4, true), true
	case '%':
		return "%", true
	}
	return "", false
}

func (m *moment) hour12() int { return (m.hour+11)%12 + 1 }

func (m *moment) half() string {
	if m.hour >= 12 {
		return "pm"
	}
	return "am"
}

// yearDay counts from 0 on January 1.
func (m *moment) yearDay() int {
	january := *m
	january.hasJD = false
	january.month, january.day = 1, 1
	january.needJulian()
	return int((m.julian - january.julian + msPerDay/2) / msPerDay)
}

// monday and sunday count the days since that day of the week.
func (m *moment) monday() int { return int((m.julian + msPerDay/2) / msPerDay % 7) }
func (m *moment) sunday() int { return int((m.julian + 3*msPerDay/2) / msPerDay % 7) }

// thursday returns the Thursday of the same week, which decides the year of
// the week.
func (m *moment) thursday() moment {
	t := *m
	t.julian += int64(3-m.monday()) * msPerDay
	t.hasYMD = false
	t.needDate()
	return t
}

// timediff writes what must be added to the second time value to get the
// first, as (+|-)YYYY-MM-DD HH:MM:SS.SSS.
func timediff(args []Value, now time.Time) Value {
	to, okTo := readMoment(args[:1], now)
	from, okFrom := readMoment(args[1:], now)
	if !okTo || !okFrom {
		return Value{}
	}
	to.needDateAndTime()
	from.needDateAndTime()
	forward := to.julian >= from.julian
	sign, step := "+", 1
	years, months := to.year-from.year, to.month-from.month
	if !forward {
		sign, step = "-", -1
		years, months = -years, -months
	}
	if months < 0 {
		years--
		months += 12
	}
	// Move from into the month of to, then back as long as it is too far.
	from.year, from.month, from.hasJD = to.year, to.month, false
	from.needJulian()
	for forward && to.julian < from.julian || !forward && to.julian > from.julian {
		if months--; months < 0 {
			months = 11
			years--
		}
		from.addMonths(-step)
		from.hasJD = false
		from.needJulian()
	}
	rest := to.julian - from.julian
	if !forward {
		rest = -rest
	}
	// A Julian day on the first of a month, at midnight, shows the rest as days
	// and a time.
	const firstOfMonth = 148699540800000
	left := moment{julian: rest + firstOfMonth, hasJD: true}
	left.needDateAndTime()
	seconds := spec{verb: 'f', width: 6, precision: 3, zero: true}.float(left.second)
	return Str(sign + padded(years, 4, true) + "-" + padded(months, 2, true) + "-" + padded(left.day-1, 2, true) +
		" " + padded(left.hour, 2, true) + ":" + padded(left.minute, 2, true) + ":" + seconds)
}
