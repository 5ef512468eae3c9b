package scripted

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Entry is one line of a script.
type Entry struct {
	Question  string          `json:"question"`
	Content   string          `json:"content"`
	Reasoning string          `json:"reasoning_content,omitempty"`
	ToolCalls json.RawMessage `json:"tool_calls,omitempty"` // as in a chat completion
}

// Script has the answers to questions. The zero Script knows none.
type Script struct {
	entries   map[string][]Entry  // by question, one for each turn
	questions []string            // the longest first
	byLine    map[string][]string // the same, by their first line
}

// New returns a script of entries. Those of one question are its turns.
func New(entries ...Entry) *Script {
	s := &Script{entries: map[string][]Entry{}, byLine: map[string][]string{}}
	for _, e := range entries {
		if s.entries[e.Question] == nil {
			s.questions = append(s.questions, e.Question)
		}
		s.entries[e.Question] = append(s.entries[e.Question], e)
	}
	slices.SortStableFunc(s.questions, func(a, b string) int { return len(b) - len(a) })
	for _, q := range s.questions {
		line := firstLine(q)
		s.byLine[line] = append(s.byLine[line], q)
	}
	return s
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// maxLine bounds a line of a script.
const maxLine = 16 << 20

// Read reads a script, an Entry a line. Errors name the line.
func Read(r io.Reader) (*Script, error) {
	var entries []Entry
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var e Entry
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.DisallowUnknownFields()
		err := d.Decode(&e)
		if err == nil && e.Question == "" {
			err = errors.New("it has no question")
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w; write {\"question\": ..., \"content\": ..., \"tool_calls\": [...]}", n, err)
		}
		entries = append(entries, e)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	return New(entries...), nil
}

// message is one of a request, as far as it is looked at.
type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// find returns the question that the messages ask and its turn, counted from 0.
func (s *Script) find(messages []message) (question string, turn int, ok bool) {
	var asked strings.Builder // the examples in a system message are not asked
	for _, m := range messages {
		switch m.Role {
		case "user":
			asked.WriteString(m.Content)
		case "assistant":
			turn++
		}
	}
	text := asked.String()
	question, at := s.search(text)
	if at < 0 {
		return "", turn, false
	}
	// In one text, each observation ends a turn.
	return question, turn + strings.Count(text[at:], "\nObservation:"), true
}

// heading is what prompts have before a question.
const heading = "Question: "

// search returns the question that a text asks and where it is, or -1: the last
// one behind a heading, the one that the text starts with, or else the longest one
// that it has anywhere, which takes longer. Examples come first in a text, and
// thoughts that repeat the question have no heading.
func (s *Script) search(text string) (question string, at int) {
	for end := len(text); ; {
		at := strings.LastIndex(text[:end], heading)
		if at < 0 {
			break
		}
		if q := s.startOf(text[at+len(heading):]); q != "" {
			return q, at
		}
		end = at
	}
	if q := s.startOf(text); q != "" {
		return q, 0
	}
	for _, q := range s.questions {
		if at := strings.LastIndex(text, q); at >= 0 {
			return q, at
		}
	}
	return "", -1
}

// startOf returns the longest question that a text starts with, as a whole line or
// several.
func (s *Script) startOf(text string) string {
	for _, q := range s.byLine[firstLine(text)] {
		if strings.HasPrefix(text, q) {
			return q
		}
	}
	return ""
}

// answer returns what is answered at a turn. The last answer of a question is
// given again.
func (s *Script) answer(question string, turn int) Entry {
	turns := s.entries[question]
	return turns[min(turn, len(turns)-1)]
}
