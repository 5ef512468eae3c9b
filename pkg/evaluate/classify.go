package evaluate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/evaluation/calltext"
)

// classify returns the class of the error of a sample that was not completed: the
// first that applies (appendix H.1.1). written are the calls in the names of the
// sample's list.
func classify(s *Sample, written []calltext.Call, c *compared) (Class, string) {
	if gold, got := len(c.goldNames), len(c.names); gold != got {
		if len(written) != len(s.Gold) {
			got, gold = len(written), len(s.Gold)
			return FunctionCount, fmt.Sprintf("%s, gold has %d", calls(got), gold)
		}
		return FunctionCount, fmt.Sprintf("%s in the normal form, gold has %d", calls(got), gold)
	}
	for i, w := range written {
		if w.Malformed != "" {
			return FunctionFormat, fmt.Sprintf("call %d %s", i+1, w.Malformed)
		}
	}
	for i, w := range written {
		if s.tool(w.Name) < 0 {
			return HallucinatedName, fmt.Sprintf("call %d: there is no function %q", i+1, w.Name)
		}
	}
	for i, name := range c.goldNames {
		if c.names[i] != name {
			return WrongName, fmt.Sprintf("%s, gold has %s", c.names[i], name)
		}
	}
	for i, w := range written {
		for _, name := range s.Tools[s.tool(w.Name)].Needs() {
			if _, given := w.Arguments.Get(name); !given {
				return MissingParameter, fmt.Sprintf("call %d: %s needs %s", i+1, w.Name, name)
			}
		}
	}
	for i, w := range written {
		takes := s.Tools[s.tool(w.Name)].Takes()
		for _, a := range w.Arguments {
			if !slices.Contains(takes, a.Name) {
				return UnexpectedParameter, fmt.Sprintf("call %d: %s has no argument %s", i+1, w.Name, a.Name)
			}
		}
	}
	return ValueError, valueReason(c)
}

// valueReason says which values are wrong, as far as the calls show.
func valueReason(c *compared) string {
	var out []string
	for _, d := range c.differences {
		if d.Argument == "" || d.Predicted < 0 {
			continue
		}
		text := fmt.Sprintf("call %d: %s is %s, gold has %s", d.Predicted+1, d.Argument, brief(d.Got), brief(d.Want))
		switch {
		case d.Got == "":
			text = fmt.Sprintf("call %d: %s is missing, gold has %s", d.Predicted+1, d.Argument, brief(d.Want))
		case d.Want == "":
			text = fmt.Sprintf("call %d: %s is %s, gold has none", d.Predicted+1, d.Argument, brief(d.Got))
		}
		out = append(out, text)
	}
	if len(out) == 0 {
		return "the calls are gold's, but they return something else"
	}
	const limit = 3
	if more := len(out) - limit; more > 0 {
		out = append(out[:limit], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(out, "; ")
}

// brief returns a value as a reason shows it.
func brief(text string) string {
	const limit = 60
	if runes := []rune(text); len(runes) > limit {
		return string(runes[:limit]) + "…"
	}
	return text
}

// tool returns the place of a tool in the sample's list, -1 if it is not there.
func (s *Sample) tool(name string) int {
	for i := range s.Tools {
		if s.Tools[i].Name == name {
			return i
		}
	}
	return -1
}

func calls(n int) string {
	if n == 1 {
		return "1 call"
	}
	return fmt.Sprintf("%d calls", n)
}
