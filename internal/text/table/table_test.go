package table

import (
	"strings"
	"testing"
	"unicode"

	"github.com/rivo/uniseg"
)

func TestNumbers(t *testing.T) {
	half := 0.005
	for _, c := range []struct{ got, want string }{
		{Decimal(nil), "–"}, {Decimal(&half), "0.01"}, {Share(1, 3), "0.33"}, {Share(0, 0), "–"},
		{Count(0), "0"}, {Count(999), "999"}, {Count(1000), "1,000"}, {Count(-1234567), "-1,234,567"},
		{Cut("Größe", 5), "Größe"}, {Cut("Größen", 5), "Größ…"}, {Cut("x", 0), "…"}, {Cut("a\u0300bc", 2), "a\u0300…"},
		{Plain("a\nb\tc\x1b[1m\u202e\xff"), "a b c\ufffd[1m\ufffd\ufffd"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// TestCut says that a text is cut before the first character that has no room,
// however narrow those are that follow.
func TestCut(t *testing.T) {
	for _, test := range []struct {
		text  string
		width int
		want  string
	}{
		{"", 1, ""},
		{"abc", 3, "abc"},
		{"abcd", 3, "ab…"},
		{"a東b", 3, "a…"},
		{"東京", 4, "東京"},
		{"東京都", 5, "東京…"},
	} {
		if got := Cut(test.text, test.width); got != test.want {
			t.Errorf("%q in %d columns is %q, want %q", test.text, test.width, got, test.want)
		}
	}
}

func TestText(t *testing.T) {
	scores := &Table{
		Title:   "Title",
		Columns: []Column{{Name: "model", Words: true}, {Group: "group", Name: "a"}, {Group: "group", Name: "b"}, {Name: "n"}},
		Notes:   []string{"a note of more words than fit"},
	}
	scores.Add("short", "0.1", "0.22", "7")
	scores.Add("some/long-name_without spaces", "1", "1", "1,000")
	scores.Add("模型模型模型模型模型", "–", "–", "0")
	const want = `Title
              group
model         a     b      n
short       0.1  0.22      7
some/long-    1     1  1,000
name_
without
spaces
模型模型模    –     –      0
型模型模型
a note of more words than
fit
`
	var b strings.Builder
	scores.Text(&b, 28)
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestMarkdown(t *testing.T) {
	scores := &Table{Title: "A_b", Columns: []Column{{Name: "model", Words: true}, {Group: "Intent", Name: "F1"}}, Notes: []string{"* note"}}
	scores.Rows = [][]Cell{{{Text: "a|b\n<c>"}, {Text: "1.00", Best: true}}}
	const want = "## A\\_b\n\n| model | Intent F1 |\n|:---|---:|\n| a\\|b &lt;c&gt; | **1.00** |\n\n\\* note\n"
	var b strings.Builder
	scores.Markdown(&b)
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// FuzzText says that no cell, whatever a model wrote, breaks out of its line or
// of the width, and that a terminal obeys none of it.
func FuzzText(f *testing.F) {
	f.Add("a name", "x")
	f.Add("\x1b[31m", "\u202e| \r\n")
	f.Add("👩‍🔬👩‍🔬👩‍🔬👩‍🔬👩‍🔬", "a\u0300\u0300")
	f.Fuzz(func(t *testing.T, a, b string) {
		table := &Table{Columns: []Column{{Name: "a", Words: true}, {Name: "b", Words: true}}}
		table.Add(a, b)
		var out strings.Builder
		table.Text(&out, 30)
		for line := range strings.Lines(out.String()) {
			line = strings.TrimSuffix(line, "\n")
			if uniseg.StringWidth(line) > 30 || strings.ContainsFunc(line, unicode.IsControl) {
				t.Errorf("%q, %q: line %q", a, b, line)
			}
		}
		out.Reset()
		table.Markdown(&out)
		if strings.Count(out.String(), "\n") != 3 || strings.ContainsAny(out.String(), "<>") {
			t.Errorf("%q, %q: %q", a, b, out.String())
		}
	})
}
