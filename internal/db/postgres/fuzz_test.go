package postgres

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// FuzzURL holds parseURL to reporting no password, wherever in a URL one may be
// by mistake.
func FuzzURL(f *testing.F) {
	f.Add("reader", "", "h/shop")
	f.Add("reader", "12/", "h/shop")
	f.Add("reader", "12#", "h/shop?sslmode=disable")
	f.Add("reader", "12?application_name=", "h/{db}")
	f.Add("", "@", "h:5432,h2/shop")
	f.Fuzz(func(t *testing.T, user, password, rest string) {
		_, _ = parseURL("postgres://" + user + password + rest) // does not panic
		if strings.ContainsAny(user, "/?#@") {
			return
		}
		const secret = "hush-hush"
		target, err := parseURL("postgres://" + user + ":" + password + secret + "@" + rest)
		if err == nil {
			t.Fatalf("a URL with a password is accepted, and shown as %s", target.shown)
		}
		if strings.Contains(err.Error(), secret) {
			t.Errorf("the error shows the password: %v", err)
		}
	})
}

// FuzzArray has arrays written as the server does and read again, and held to be
// JSON whatever they are.
func FuzzArray(f *testing.F) {
	f.Add("a\x00b\"c\x00\\")
	f.Add(`{a,"b,\"c",NULL,{d}}`)
	f.Add("[0:1]={5,6}")
	f.Add("{{}")
	f.Add(strings.Repeat("{", 100))
	texts := &typ{form: asArray, element: &typ{delimiter: ','}}
	f.Fuzz(func(t *testing.T, text string) {
		if got := appendArray(nil, []byte(text), texts); !json.Valid(got) {
			t.Errorf("%q is written as %s", text, got)
		}
		for form := asText; form <= asArray; form++ {
			element := &typ{form: form, delimiter: ';', element: texts.element}
			_ = appendArray(nil, []byte(text), &typ{form: asArray, element: element}) // does not panic
		}
		if !utf8.ValidString(text) {
			return
		}
		want := strings.Split(text, "\x00")
		var quoted []string
		for _, element := range want {
			quoted = append(quoted, `"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(element)+`"`)
		}
		var got []string
		cell := "{" + strings.Join(quoted, ",") + "}"
		if err := json.Unmarshal(appendArray(nil, []byte(cell), texts), &got); err != nil || strings.Join(got, "\x00") != text {
			t.Errorf("%s is read as %q, %v", cell, got, err)
		}
	})
}

// FuzzTime has times written as the server does and read by package time, and held
// to be JSON whatever they are.
func FuzzTime(f *testing.F) {
	f.Add("2024-02-29 23:59:59.5+00", int64(0))
	f.Add("0044-03-15 BC", int64(1_700_000_000_123_456))
	f.Add("-infinity", int64(-1))
	f.Add("1 year 2 mons -3 days +04:05:06.7", int64(1))
	f.Add("1:2:3:4", int64(1<<50))
	f.Fuzz(func(t *testing.T, text string, micro int64) {
		for _, form := range []form{asTimestamp, asTimestampTZ, asInterval} {
			if got := appendJSON(nil, []byte(text), &typ{form: form}); !json.Valid(got) {
				t.Errorf("%q is written as %s", text, got)
			}
		}
		want := time.UnixMicro(micro % (200_000_000_000 * 1_000_000)).UTC()
		if want.Year() < 1 || want.Year() > 9999 {
			return
		}
		cell := fmt.Appendf(nil, "%04d%s", want.Year(), want.Format("-01-02 15:04:05.999999"))
		if got, err := time.Parse(time.RFC3339Nano, string(appendTime(nil, append(bytes.Clone(cell), "+00"...), "Z"))); err != nil || !got.Equal(want) {
			t.Errorf("%s with a zone is read as %v, %v", cell, got, err)
		}
		if got, err := time.Parse("2006-01-02T15:04:05.999999", string(appendTime(nil, cell, ""))); err != nil || !got.Equal(want) {
			t.Errorf("%s is read as %v, %v", cell, got, err)
		}
	})
}
