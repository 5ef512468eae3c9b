package openapi

import (
	"fmt"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/pkg/value"
)

// show writes a value with its storage class.
func show(v value.Value) string {
	switch v.Kind() {
	case value.Null:
		return "NULL"
	case value.Text:
		return fmt.Sprintf("%q", v.Raw())
	case value.Blob:
		return fmt.Sprintf("x'%x'", v.Raw())
	case value.Real:
		return fmt.Sprintf("real %v", v.Float64())
	}
	return value.AsText(v)
}

// TestConversions lists values of JSON with what they are in SQL.
func TestConversions(t *testing.T) {
	for _, c := range []struct {
		json                                        string
		written, toReal, toInteger, isExact, toText string // "" is as written
	}{
		{json: `null`, written: "NULL"},
		{json: `true`, written: "1", toText: `"1"`},
		{json: `false`, written: "0", toText: `"0"`},
		{json: `5`, written: "5", toReal: "real 5", toText: `"5"`},
		{json: `-0`, written: "0", toReal: "real -0", toText: `"0"`},
		{json: `5.0`, written: "real 5", toInteger: "5", toText: `"5.0"`},
		{json: `5e2`, written: "real 500", toInteger: "500", toText: `"500.0"`},
		{json: `5.5`, written: "real 5.5", toText: `"5.5"`},
		{json: `9007199254740993`, written: "9007199254740993", toReal: "real 9.007199254740992e+15", toText: `"9007199254740993"`},
		{json: `9223372036854775807`, written: "9223372036854775807", toReal: "real 9.223372036854775807e+18", toText: `"9223372036854775807"`},
		{json: `-9223372036854775808`, written: "-9223372036854775808", toReal: "real -9.223372036854775807e+18", toText: `"-9223372036854775808"`},
		{json: `9223372036854775808`, written: "real 9.223372036854775807e+18", toText: `"9.2233720368547758e+18"`},
		{json: `1e999`, written: "real +Inf", toText: `"Inf"`},
		{json: `0.1`, written: "real 0.1", toText: `"0.1"`},
		{json: `""`, written: `""`},
		{json: `"007"`, written: `"007"`},
		{json: `"caf\u00e9 \"x\"\n\u0000"`, written: `"café \"x\"\n\x00"`},
		{json: `"\ud83d\udc26"`, written: `"🐦"`},
		{json: `[1, "a b", {"x" : null}]`, written: `"[1,\"a b\",{\"x\":null}]"`},
		{json: `{ }`, written: `"{}"`},
		{json: `{"blob":"00ff"}`, written: `"{\"blob\":\"00ff\"}"`, isExact: "x'00ff'"},
		{json: `{"text":"ff"}`, written: `"{\"text\":\"ff\"}"`, isExact: `"\xff"`},
		{json: `{"real":"-Inf"}`, written: `"{\"real\":\"-Inf\"}"`, isExact: "real -Inf"},
		{json: `{"real":"NaN"}`, written: `"{\"real\":\"NaN\"}"`},
		{json: `{"blob":"00","text":""}`, written: `"{\"blob\":\"00\",\"text\":\"\"}"`},
		{json: `{"blob":5}`, written: `"{\"blob\":5}"`},
	} {
		for convert, want := range []string{c.written, c.toReal, c.toInteger, c.isExact, c.toText} {
			if want == "" {
				want = c.written
			}
			row := &node{}
			row.put([]string{"v"}, slot{0, conversion(convert)})
			d := newDecoder(&call{}, row, 1)
			got, err := d.decode([]byte(`[{"v": ` + c.json + `}]`))
			if err != nil {
				t.Errorf("%s: %v", c.json, err)
				continue
			}
			// What is more than 64 bits is written in the shortest form.
			if text := show(got.rows[0][0]); text != want && text != strings.Replace(want, "223372036854775807e", "223372036854776e", 1) {
				t.Errorf("%s by %d: got %s, want %s", c.json, convert, text, want)
			}
		}
	}
}

// TestDecode lists answers with the rows that are read from them, or what is wrong.
func TestDecode(t *testing.T) {
	for _, c := range []struct{ rows, columns, single, body, want string }{
		{"", "a b", "", `[{"a":1,"b":2},{"b":3},{"c":4},{}]`, "1 2|NULL 3|NULL NULL|NULL NULL"},
		{"", "a b", "", ` [ ] `, ""},
		{"data", "a", "", `{"x":[{"a":0}],"data":[{"a":1}],"y":{"data":[]}}`, "1"},
		{"x/y~1z", "a", "", `{"x":{"y/z":[{"a":1}]}}`, "1"},
		{"0/data", "a", "", `[{"data":[{"a":1}]},{"data":[{"a":2}]}]`, "1"},
		{"data", "/o/p /o /o/q/1 a", "", `{"data":[{"o":{"p":"deep","q":[1,{"r":2}]},"a":1},{"o":[5],"a":2},{"o":null}]}`,
			`"deep" "{\"p\":\"deep\",\"q\":[1,{\"r\":2}]}" "{\"r\":2}" 1|NULL "[5]" NULL 2|NULL NULL NULL NULL`},
		{"data", "/o/p /l/0", "", `{"data":[{"l":[7,8],"o":{"n":0,"p":[ ]}},{"l":[],"o":5}]}`, `"[]" 7|NULL NULL`},
		{"", "é\" q", "", `[{"é\"":1,"q":2},{"\u00e9\"":3}]`, "1 2|3 NULL"},
		{"", "a", "", `[{"a":1,"a":2}]`, "2"},
		{"", "a", "single", `{"a":1}`, "1"},
		{"data", "a", "single", `{"data":[{"a":1}]}`, "1"},
		{"data", "a", "single", `{"data":null}`, ""},
		{"", "- 0", "", `["a",null,[5]]`, `"a" NULL|NULL NULL|"[5]" 5`},

		{"data", "a", "", `{"date":[]}`, "there is nothing at /data, where the rows should be"},
		{"data", "a", "", `[1]`, "there is nothing at /data, where the rows should be"},
		{"data", "a", "", `{"data":null}`, "at /data, where the rows should be, is null instead of an array"},
		{"data", "a", "", `{"data":{"a":1}}`, "at /data, where the rows should be, is an object instead of an array"},
		{"data", "a", "", `{"data":"x"}`, "at /data, where the rows should be, is a text instead of an array"},
		{"", "a", "", `{"error":"x"}`, "at its top, where the rows should be, is an object instead of an array"},
		{"", "a", "", `[{"a":1},5]`, "row 2 at its top is a number instead of an object"},
		{"", "a", "", `[{"a":1},null]`, "row 2 at its top is null instead of an object"},
		{"", "a", "", ``, "the JSON value ends too early"},
		{"", "a", "", `[{"a":1}`, "the JSON value ends too early"},
		{"", "a", "", `[{"a":1}] []`, "there is more after the JSON value"},
		{"", "a", "", `[{"a":1},]`, "*"},
		{"", "a", "", `[{"a":01}]`, "*"},
		{"", "a", "", `[{"a":"` + "\xff" + `"}]`, "*"},
		{"", "a", "", `<html>`, "*"},
	} {
		row := &node{}
		columns := strings.Fields(c.columns)
		for i, name := range columns {
			path := []string{name}
			if strings.HasPrefix(name, "/") {
				path, _ = parsePointer(name)
			}
			if name == "-" {
				path = nil // the whole row
			}
			row.put(path, slot{i, asWritten})
		}
		at, err := parsePointer("/" + c.rows)
		if c.rows == "" {
			at = nil
		}
		if err != nil {
			t.Fatal(err)
		}
		d := newDecoder(&call{rows: at, single: c.single != ""}, row, len(columns))
		out, err := d.decode([]byte(c.body))
		got := ""
		if err != nil {
			if got = err.Error(); c.want == "*" {
				continue
			}
		} else {
			rows := make([]string, len(out.rows))
			for i, row := range out.rows {
				for _, v := range row {
					rows[i] += " " + show(v)
				}
				rows[i] = rows[i][1:]
			}
			got = strings.Join(rows, "|")
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.body, got, c.want)
		}
	}
}

// TestPageMembers reads what answers say of their pages.
func TestPageMembers(t *testing.T) {
	row := &node{}
	row.put([]string{"a"}, slot{0, asWritten})
	c := &call{rows: []string{"data"}, pages: pagePointers{next: []string{"page", "next"}, total: []string{"total"}, more: []string{"more"}, last: []string{"data", "0"}}}
	out, err := newDecoder(c, row, 1).decode([]byte(`{"page":{"next":"x"},"data":[{"a":1}],"total":7,"more":true}`))
	if err != nil {
		t.Fatal(err)
	}
	if string(out.data) != `{"a":1}]` || show(out.pages[nextSlot]) != `"x"` || show(out.pages[totalSlot]) != "7" || show(out.pages[moreSlot]) != "1" || show(out.pages[lastSlot]) != "NULL" {
		t.Errorf("%s %v", out.data, out.pages)
	}
}

// FuzzDecode reads any text as an answer: what is read of it is what is there, and
// nothing breaks.
func FuzzDecode(f *testing.F) {
	f.Add(`{"data":[{"a":1,"b":{"c":[1,2.5,"x"]}}],"next":"y"}`)
	f.Add(`{"data":[{"a":{"blob":"00"},"b":null}, {}], "data": []}`)
	f.Add(`[{"data":{"a":"\u00e9"}}]`)
	f.Fuzz(func(t *testing.T, body string) {
		for convert := asWritten; convert <= exact; convert++ {
			row := &node{}
			row.put([]string{"a"}, slot{0, convert})
			row.put([]string{"b"}, slot{1, convert})
			row.put([]string{"b", "c"}, slot{2, convert})
			for _, single := range []bool{false, true} {
				c := &call{rows: []string{"data"}, single: single, pages: pagePointers{next: []string{"next"}}}
				out, err := newDecoder(c, row, 3).decode([]byte(body))
				if err == nil && (out == nil || !out.found) {
					t.Errorf("neither rows nor an error")
				}
			}
		}
	})
}
