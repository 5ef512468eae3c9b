package value_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/birdcall/birdcall/pkg/value"
)

// timeTexts are time values, odd and invalid ones among them.
var timeTexts = []string{
	"2024-02-29", "2023-02-29", "2023-02-31", "2024-12-31", "2023-01-01", "1900-02-29", "2000-02-30", "0000-01-01", "-4713-11-24 12:00", "-0001-06-15", "9999-12-31 23:59:59.999",
	"2024-1-5", "24-01-05", "2024-13-01", "2024-00-10", "2024-01-32", "2024/01/05", "20240105", "2024-01-05x", " 2024-01-05", "2024-01-05 ", "12024-01-05",
	"2024-01-05T10:20", "2024-01-05t10:20", "2024-01-05  T  10:20:30", "2024-01-05 10:20:30.5", "2024-01-05 10:20:30.123456789", "2024-01-05 10:20:30.9999", "2024-01-05 10:20:59.9996", "2024-01-05 10:20:30.", "2024-01-05 10:20:30,5",
	"2024-01-05 24:00", "2024-12-31 24:00:00", "2024-01-05 24:01", "2024-01-05 25:00", "2024-01-05 10:60", "2024-01-05 10:20:60", "2024-01-05 1:02", "2024-01-05 10", "2024-01-05 10:20 PM",
	"2024-01-05 10:20Z", "2024-01-05 10:20:30 z ", "2024-01-05 10:20:30+05:30", "2024-01-05 01:20:30 +14:59", "2024-01-05 10:20:30-08:00", "2024-01-05 10:20+00:00", "2024-01-05 10:20+15:00", "2024-01-05 10:20+5:00", "2024-01-05Z", "2024-01-05+01:00", "2024-02-29 24:00-01:00",
	"10:20", "10:20:30", "10:20:30.25", "24:00", "24:00:01", "10:20+01:00", "1:20", "",
	"2460310.5", "0", "-1", "5373484.4999999", "5373484.5", "1704412800", "1704412800.123", "-210866760000", "-210866760001", "253402300799", "253402300800", "1e3", "0x10", "12 ", "2024", "1.5.", "abc", "NOWW", "today", "2024-01-05\x0010:00",
}

var modifiers = []string{
	"+1 day", "-1 days", "1 day", "+1.5 days", "-1.5 hours", "+36 hours", "+90 minutes", "+0.001 seconds", "-0.0005 seconds", "+1 month", "+13 months", "-1 month", "+1.5 months", "-11 months", "+1 year", "-1 years", "+1.5 years", "+4 years", "+10000 years", "-10000 years", "+1 dayz", "+ 1 day", "+1day", "+1  DAY", "+1 week", "days", "+1", "+x days",
	"+5373484 days", "+5373485 days", "+999999999999 seconds", "+1e2 days", "+14712 years", "+14713 years",
	"start of month", "START OF YEAR", "start of day", "start of week", "start of  day", "end of month", "end of year", "end of day", "end of hour",
	"weekday 0", "weekday 1", "weekday 6", "weekday 7", "weekday -1", "weekday -0", "weekday 1.5", "weekday 2 ", "weekday", "weekday x",
	"unixepoch", "UnixEpoch", "julianday", "auto", "subsec", "subsecond", "floor", "ceiling", " unixepoch",
	"+01:30", "-01:30", "01:30", "+01:30:15.5", "-24:00", "+25:00", "+1:30", "+01:30+01:00", "+0001-02-03", "-0001-02-03", "+0001-02-03 04:05", "-0001-11-30 04:05:06.5", "+0001-12-03", "+0001-02-31", "+00001-02-03", "+10000-00-00", "0001-02-03", "+0001-02-03x", "+0001-02-03 4:05", "+2024-01-05T10:00",
	"", "nonsense", "é",
}

func TestDates(t *testing.T) {
	o := newOracle(t)
	functions := []string{"date", "time", "datetime", "julianday", "unixepoch"}
	times := []value.Value{value.NullValue(), value.Int(2460310), value.Int(1704412800), value.Float(2460310.123456), value.Float(-1), value.Float(1e300), value.Float(math.Inf(1)), value.Bytes("2024-01-05"), value.Bytes("2460310.5")}
	for _, s := range timeTexts {
		times = append(times, value.Str(s))
	}
	for _, at := range times {
		for _, f := range functions {
			o.checkCall(f, []value.Value{at}, false)
			o.checkCall(f, []value.Value{at, value.NullValue()}, false)
			for _, m := range modifiers {
				o.checkCall(f, []value.Value{at, value.Str(m)}, false)
			}
		}
	}
	// Pairs of modifiers on a few times.
	for _, at := range []value.Value{value.Str("2024-01-31 10:20:30.5"), value.Int(1704412800), value.Float(2460310.25), value.Str("10:20")} {
		for _, first := range modifiers {
			for _, second := range modifiers {
				o.checkCall("datetime", []value.Value{at, value.Str(first), value.Str(second)}, false)
			}
		}
	}
	o.checkCall("datetime", []value.Value{value.Str("2024-01-31"), value.Str("+1 month"), value.Str("floor"), value.Str("+1 day"), value.Str("subsec")}, false)
}

func TestStrftime(t *testing.T) {
	o := newOracle(t)
	var formats []string
	for c := byte(' '); c < 0x7F; c++ {
		formats = append(formats, fmt.Sprintf("<%%%c>", c))
	}
	formats = append(formats, "", "plain", "%", "100%", "%Y-%m-%dT%H:%M:%fZ", "%%%d%%", "é%Yé", "%Y\x00%m")
	times := []string{
		"2024-02-29 00:00:00", "2023-12-31 23:59:59.9999", "2024-12-30 12:00", "2021-01-03 13:05:09.25", "2026-01-01", "-0044-03-15 01:00", "9999-12-31 12:30", "2460310.5", "12:00", "2024-06-30 10:20:30+05:30", "bad",
	}
	for _, at := range times {
		for _, f := range formats {
			o.checkCall("strftime", []value.Value{value.Str(f), value.Str(at)}, false)
		}
		o.checkCall("strftime", []value.Value{value.Str("%s"), value.Str(at), value.Str("subsec")}, false)
		o.checkCall("strftime", []value.Value{value.NullValue(), value.Str(at)}, false)
	}
	o.checkCall("strftime", []value.Value{value.Int(7), value.Str("2024-01-01")}, false)
	// The weeks around New Year, in all ways to count them.
	for year := 1999; year < 2030; year++ {
		for day := range 14 {
			at := value.Str(fmt.Sprintf("%d-12-25", year))
			o.checkCall("strftime", []value.Value{value.Str("%j %G %g %V %U %W %u %w"), at, value.Str(fmt.Sprintf("+%d days", day))}, false)
		}
	}
}

func TestTimediff(t *testing.T) {
	o := newOracle(t)
	for _, a := range timeTexts {
		for _, b := range timeTexts {
			o.checkCall("timediff", []value.Value{value.Str(a), value.Str(b)}, false)
		}
	}
}

func TestNowAndLocalTime(t *testing.T) {
	s := func(texts ...string) (list []value.Value) {
		for _, text := range texts {
			list = append(list, value.Str(text))
		}
		return list
	}
	for _, c := range []struct {
		name string
		args []value.Value
		want value.Value
	}{
		{"date", nil, value.Str("2024-02-29")},
		{"current_date", nil, value.Str("2024-02-29")},
		{"current_time", nil, value.Str("23:59:58")},
		{"CURRENT_TIMESTAMP", nil, value.Str("2024-02-29 23:59:58")},
		{"datetime", s("NOW"), value.Str("2024-02-29 23:59:58")},
		{"datetime", s("now", "+1 year"), value.Str("2025-03-01 23:59:58")},
		{"time", s("subsec"), value.Str("23:59:58.123")},
		{"unixepoch", nil, value.Int(1709251198)},
		{"unixepoch", s("subsecond"), value.Float(1709251198.123)},
		{"strftime", s("%Y"), value.Str("2024")},
		{"timediff", s("now", "2024-02-28"), value.Str("+0000-00-01 23:59:58.123")},
		// Local time is UTC.
		{"datetime", s("now", "localtime"), value.Str("2024-02-29 23:59:58")},
		{"datetime", s("now", "localtime", "utc"), value.Str("2024-02-29 23:59:58")},
		{"datetime", s("2024-01-01 10:00", "utc"), value.Str("2024-01-01 10:00:00")},
		{"time", s("2024-01-01 10:00:01.25", "localtime", "subsec"), value.Str("10:00:01.250")},
		{"date", s("9999-12-31", "+1 day", "localtime"), value.NullValue()},
	} {
		if got, err := value.Call(c.name, c.args, now); err != nil || got != c.want {
			t.Errorf("%s = %s, %v, want %s", showCall(c.name, c.args), show(got), err, show(c.want))
		}
	}
}

func TestDateProperty(t *testing.T) {
	o := newOracle(t)
	timeText := rapid.OneOf(
		rapid.StringMatching(`-?[0-9]{4}-[01][0-9]-[0-3][0-9]([ T][0-2][0-9]:[0-5][0-9](:[0-5][0-9](\.[0-9]{0,5})?)?( ?(Z|[+-][01][0-9]:[0-5][0-9]))?)?`),
		rapid.StringMatching(`[0-9]{1,7}(\.[0-9]{0,6})?`),
		rapid.SampledFrom(timeTexts),
	)
	modifier := rapid.OneOf(
		rapid.SampledFrom(modifiers),
		rapid.StringMatching(`[+-]?[0-9]{1,4}(\.[0-9]{1,3})? (day|hour|minute|second|month|year)s?`),
		rapid.StringMatching(`[+-][0-9]{4}-[01][0-9]-[0-3][0-9]( [0-2][0-9]:[0-5][0-9])?`),
		rapid.StringMatching(`weekday -?[0-7]`),
	)
	rapid.Check(t, func(rt *rapid.T) {
		args := []value.Value{value.Str(timeText.Draw(rt, "time"))}
		for _, m := range rapid.SliceOfN(modifier, 0, 3).Draw(rt, "modifiers") {
			args = append(args, value.Str(m))
		}
		name := rapid.SampledFrom([]string{"date", "time", "datetime", "julianday", "unixepoch"}).Draw(rt, "function")
		want, err := o.eval(name+"(?"+strings.Repeat(",?", len(args)-1)+")", args...)
		if err != nil {
			rt.Fatal(err)
		}
		if got, err := value.Call(name, args, now); err != nil || !same(got, want) {
			rt.Errorf("%s = %s, %v, want %s", showCall(name, args), show(got), err, show(want))
		}
	})
}

func FuzzDate(f *testing.F) {
	o := newOracle(f)
	for i, s := range timeTexts {
		f.Add(s, modifiers[i%len(modifiers)])
	}
	f.Fuzz(func(t *testing.T, at, modifier string) {
		for _, s := range []string{at, modifier} {
			if s := strings.ToLower(s); strings.Contains(s, "now") || strings.Contains(s, "subsec") || strings.Contains(s, "localtime") || strings.Contains(s, "utc") {
				return // depends on the clock or the machine
			}
		}
		args := []value.Value{value.Str(at), value.Str(modifier)}
		for _, n := range []int{1, 2} {
			want, err := o.eval("datetime(?"+strings.Repeat(",?", n-1)+")", args[:n]...)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := value.Call("datetime", args[:n], now); err != nil || !same(got, want) {
				t.Errorf("%s = %s, %v, want %s", showCall("datetime", args[:n]), show(got), err, show(want))
			}
		}
	})
}
