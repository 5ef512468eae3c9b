package postgres

import (
	"bytes"
	"strconv"
)

// appendTime writes a date or a timestamp as ISO 8601 has it. The server writes
// 2024-01-02 03:04:05.6+00, years before the first as 0001-... BC, years of more
// than four digits as they are, and infinity.
func appendTime(b, cell []byte, zone string) []byte {
	if bytes.HasSuffix(cell, []byte("infinity")) {
		return append(b, cell...)
	}
	rest, beforeChrist := bytes.CutSuffix(cell, []byte(" BC"))
	year, rest, _ := bytes.Cut(rest, []byte("-"))
	switch {
	case beforeChrist:
		// The year before 1 is 0, as in ISO 8601.
		n, _ := strconv.Atoi(string(year)) // the server wrote it
		if n > 1 {
			b = append(b, '-')
		}
		digits := strconv.Itoa(n - 1)
		for range 4 - len(digits) {
			b = append(b, '0')
		}
		b = append(b, digits...)
	case len(year) > 4:
		b = append(append(b, '+'), year...)
	default:
		b = append(b, year...)
	}
	b = append(b, '-')
	day, clock, hasClock := bytes.Cut(rest, []byte(" "))
	b = append(b, day...)
	if !hasClock {
		return b
	}
	b = append(b, 'T')
	if zone != "" {
		clock = bytes.TrimSuffix(clock, []byte("+00"))
	}
	return append(append(b, clock...), zone...)
}

// appendInterval writes an interval as ISO 8601 has it, with its own sign
// before each part: P1Y2M-3DT4H5M6.7S. The server writes 1 year 2 mons -3 days
// +04:05:06.7.
func appendInterval(b, cell []byte) []byte {
	if bytes.HasSuffix(cell, []byte("infinity")) {
		return append(b, cell...)
	}
	b = append(b, 'P')
	start := len(b)
	fields := bytes.Fields(cell)
	for len(fields) > 0 {
		if len(fields) == 1 {
			b = appendClock(b, fields[0])
			break
		}
		number, unit := fields[0], fields[1]
		fields = fields[2:]
		b = append(b, bytes.TrimPrefix(number, []byte("+"))...)
		switch unit[0] {
		case 'y':
			b = append(b, 'Y')
		case 'm':
			b = append(b, 'M')
		default:
			b = append(b, 'D')
		}
	}
	if len(b) == start {
		b = append(b, "T0S"...)
	}
	return b
}

// appendClock writes hours, minutes and seconds, each if it is not zero.
func appendClock(b, clock []byte) []byte {
	negative := clock[0] == '-'
	clock = bytes.TrimLeft(clock, "+-")
	started := false
	const units = "HMS"
	for i, part := range bytes.SplitN(clock, []byte(":"), len(units)) {
		part = bytes.TrimLeft(part, "0")
		if len(part) == 0 {
			continue
		}
		if !started {
			b, started = append(b, 'T'), true
		}
		if negative {
			b = append(b, '-')
		}
		if part[0] == '.' {
			b = append(b, '0')
		}
		b = append(append(b, part...), units[i])
	}
	return b
}
