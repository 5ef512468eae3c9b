package askmodel

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/spelling"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/sel"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// labeler gives results the labels that the tools' descriptions state. Only calls
// that have a result count.
type labeler struct {
	sample *evaluate.Sample
	set    *sel.Set     // nil but for SEL
	kept   []tools.Call // as tools of pkg/tools
}

func newLabeler(s *evaluate.Sample) *labeler {
	l := &labeler{sample: s}
	if s.Variant == evaluate.SEL && s.Start != nil {
		l.set = sel.New(tools.Definitions(), s.Start.Keys)
	}
	return l
}

// next returns the label of a call under its real name, "" for one that has none.
func (l *labeler) next(c tools.Call) string {
	if l.sample.Variant == evaluate.REST {
		return "" // no later call can read the result
	}
	var labels tools.Labels
	for _, k := range l.kept {
		labels.Next(k)
	}
	return labels.Next(l.unbound(c))
}

// keep counts a call that has a result.
func (l *labeler) keep(c tools.Call) { l.kept = append(l.kept, l.unbound(c)) }

// unbound returns the call of pkg/tools that one of SEL stands for. One that
// stands for none fails when it is run.
func (l *labeler) unbound(c tools.Call) tools.Call {
	if l.set != nil {
		if call, err := l.set.Unbind(c); err == nil {
			return call
		}
	}
	return c
}

// labelArgument is the argument by which some models give a label.
const labelArgument = "label"

// takeLabel takes a label out of the arguments of a call whose tool has no such
// argument.
func (l *labeler) takeLabel(c tools.Call) tools.Call {
	v, _ := c.Arguments.Get(labelArgument)
	label, ok := v.(string)
	if !ok || l.sample.Variant == evaluate.REST || slices.Contains(argumentNames(l.sample, c.Name), labelArgument) {
		return c
	}
	c.Label = strings.Trim(label, "$")
	c.Arguments = slices.DeleteFunc(slices.Clone(c.Arguments), func(a tools.Argument) bool { return a.Name == labelArgument })
	return c
}

// argumentNames returns the arguments that a tool lists, in ascending order.
func argumentNames(s *evaluate.Sample, tool string) []string {
	for _, t := range s.Tools {
		if t.Name == tool {
			properties, _ := t.Parameters["properties"].(map[string]any)
			return slices.Sorted(maps.Keys(properties))
		}
	}
	return nil
}

// unlisted says that a sample lists no tool of that name, "" where it does.
func unlisted(s *evaluate.Sample, name string) string {
	if slices.ContainsFunc(s.Tools, func(t spec.Tool) bool { return t.Name == name }) {
		return ""
	}
	names := make([]string, len(s.Tools))
	for i, t := range s.Tools {
		names[i] = t.Name
	}
	const most = 10
	slices.SortStableFunc(names, func(a, b string) int { return spelling.Distance(a, name) - spelling.Distance(b, name) })
	return fmt.Sprintf("error: there is no tool %q; use one of those listed, such as %s", name, strings.Join(names[:min(most, len(names))], ", "))
}

// nameWord is a word that can only be a name: it has an underscore.
var nameWord = regexp.MustCompile(`[A-Za-z0-9]+(_[A-Za-z0-9]+)+`)

// asListed writes a text about a call in the names that the sample lists, so that
// errors do not tell what hidden names stand for.
func asListed(s *evaluate.Sample, tool, text string) string {
	whole := tools.Call{Name: tool}
	for _, name := range argumentNames(s, tool) {
		whole.Arguments = append(whole.Arguments, tools.Argument{Name: name, Value: ""})
	}
	real := s.Reveal(whole)
	if real.Name == tool || len(real.Arguments) != len(whole.Arguments) {
		return text
	}
	listed := map[string]string{real.Name: tool}
	for i, a := range real.Arguments {
		listed[a.Name] = whole.Arguments[i].Name
	}
	return nameWord.ReplaceAllStringFunc(text, func(word string) string {
		if name, ok := listed[word]; ok {
			return name
		}
		return word
	})
}
