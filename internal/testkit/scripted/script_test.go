package scripted

import (
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"{\"question\": \"a\", \"content\": \"b\"}\n\n{\"question\": \"c\", \"tool_calls\": []}", ""},
		{"{\"question\": \"a\"}\n{\"content\": \"b\"}", "line 2: it has no question; write {"},
		{"{\"question\": \"a\", \"answer\": \"b\"}", "line 1: json: unknown field \"answer\"; write {"},
		{"[]", "line 1: "},
	} {
		_, err := Read(strings.NewReader(c.text))
		if err == nil && c.want != "" || err != nil && (c.want == "" || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %q", c.text, err, c.want)
		}
	}
}

func TestFind(t *testing.T) {
	s := New(Entry{Question: "How many?"}, Entry{Question: "How many? And why?"}, Entry{Question: "Who?"}, Entry{Question: "Who?\nAnd how?"})
	user := func(text string) message { return message{"user", text} }
	for _, c := range []struct {
		name     string
		messages []message
		want     string
		turn     int
	}{
		{"a question in the prompt", []message{user("Answer.\nQuestion: Who?\n")}, "Who?", 0},
		{"alone, with a hint", []message{user("Who?\n\nHint: How many?")}, "Who?", 0},
		{"the last", []message{user("Question: How many?\nAnswer: 1\n\nQuestion: Who?\nAnswer:")}, "Who?", 0},
		{"of several lines", []message{user("Question: Who?\nAnd how?\nHint: x")}, "Who?\nAnd how?", 0},
		{"the longest", []message{user("How many? And why?")}, "How many? And why?", 0},
		{"not that of an example", []message{{"system", "How many? And why?"}, user("Who?")}, "Who?", 0},
		{"tools", []message{user("Who?"), {"assistant", ""}, {"tool", "x"}, {"assistant", ""}}, "Who?", 2},
		{"text", []message{user("\nObservation: what I give you\nQuestion: Who?\nThought: Who?\nObservation: 1\nThought:")}, "Who?", 1},
		{"another question", []message{user("Where?")}, "", 0},
	} {
		if got, turn, ok := s.find(c.messages); got != c.want || turn != c.turn || ok != (c.want != "") {
			t.Errorf("%s: got %q, turn %d", c.name, got, turn)
		}
	}
}

// TestRandom says that the shares are met, and drawn anew for each attempt.
func TestRandom(t *testing.T) {
	plan, got := Random(1, 0.2, 0.05), map[Fault]int{}
	for attempt := range 10_000 {
		f := plan("Who?", 0, attempt)
		got[f]++
		if f != plan("Who?", 0, attempt) {
			t.Fatal("the same attempt is drawn in two ways")
		}
	}
	if n := got[RateLimited]; n < 1_800 || n > 2_200 {
		t.Errorf("%d of 10000 are limited", n)
	}
	if n := got[Cut]; n < 400 || n > 600 {
		t.Errorf("%d of 10000 are cut", n)
	}
}
