package toolnames

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/convert/multi"
	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/observation"
	"github.com/birdcall/birdcall/pkg/sel"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Labeler gives results the labels that the tools' descriptions state. Only calls
// that have a result count.
type Labeler struct {
	sample *evaluate.Sample
	set    *sel.Set     // nil but for SEL
	kept   []tools.Call // as tools of pkg/tools
}

// NewLabeler returns the labeler of a sample, before its first call.
func NewLabeler(s *evaluate.Sample) *Labeler {
	l := &Labeler{sample: s}
	if variant.Of(s.Variant).Bound && s.Start != nil {
		l.set = sel.New(tools.Definitions(), s.Start.Keys)
	}
	return l
}

// Next returns the label of a call under its real name, "" for one that has none: the
// first by the rule that is not taken, which asks whether another result has it. nil
// stands for none that is.
func (l *Labeler) Next(c tools.Call, taken func(label string) bool) string {
	if !l.sample.HasLabels() {
		return "" // no later call can read the result
	}
	next := new(tools.Labels).Next
	if l.sample.Pair != nil {
		next = new(multi.Labels).Next
	}
	for _, k := range l.kept {
		next(k)
	}
	c = l.unbound(c)
	label := next(c)
	for label != "" && taken != nil && taken(label) {
		label = next(c)
	}
	return label
}

// Keep counts a call that has a result.
func (l *Labeler) Keep(c tools.Call) { l.kept = append(l.kept, l.unbound(c)) }

// unbound returns the call of pkg/tools that one of SEL stands for. One that
// stands for none fails when it is run.
func (l *Labeler) unbound(c tools.Call) tools.Call {
	if l.set != nil {
		if call, err := l.set.Unbind(c); err == nil {
			return call
		}
	}
	return c
}

// labelArgument is the argument by which some models give a label.
const labelArgument = "label"

// TakeLabel takes a label out of the arguments of a call whose tool has no such
// argument.
func (l *Labeler) TakeLabel(c tools.Call) tools.Call {
	v, _ := c.Arguments.Get(labelArgument)
	label, ok := v.(string)
	if !ok || !l.sample.HasLabels() || slices.Contains(argumentNames(l.sample, c.Name), labelArgument) {
		return c
	}
	c.Label = strings.Trim(label, "$")
	c.Arguments = slices.DeleteFunc(slices.Clone(c.Arguments), func(a tools.Argument) bool { return a.Name == labelArgument })
	return c
}

// argumentNames returns the arguments that a tool lists, in ascending order.
func argumentNames(s *evaluate.Sample, tool string) []string {
	i := slices.IndexFunc(s.Tools, func(t spec.Tool) bool { return t.Name == tool })
	if i < 0 {
		return nil
	}
	return s.Tools[i].Takes()
}

// Unlisted is the error of a call whose tool a sample does not list, nil where it does.
func Unlisted(s *evaluate.Sample, name string) error {
	if slices.ContainsFunc(s.Tools, func(t spec.Tool) bool { return t.Name == name }) {
		return nil
	}
	names := make([]string, len(s.Tools))
	for i, t := range s.Tools {
		names[i] = t.Name
	}
	const limit = 10
	slices.SortStableFunc(names, func(a, b string) int { return spelling.Distance(a, name) - spelling.Distance(b, name) })
	return fmt.Errorf("there is no tool %q; use one of those listed, such as %s", name, strings.Join(names[:min(limit, len(names))], ", "))
}

// nameWord is a word that can only be a name: it has an underscore.
var nameWord = regexp.MustCompile(`[A-Za-z0-9]+(_[A-Za-z0-9]+)+`)

// Mistake is what a model is shown of a call that failed, in the names that the
// sample lists.
func Mistake(s *evaluate.Sample, tool string, err error) *observation.Observation {
	o := observation.OfError(err)
	for _, words := range []*string{&o.Err.Message, &o.Err.Tool, &o.Err.Argument, &o.Err.Reason, &o.Err.Hint} {
		*words = asListed(s, tool, *words)
	}
	return o
}

// asListed writes a text about a call in the names that the sample lists, so that
// errors do not reveal what hidden names stand for.
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
	if name, ok := listed[text]; ok { // a name alone may have no underscore
		return name
	}
	return nameWord.ReplaceAllStringFunc(text, func(word string) string {
		if name, ok := listed[word]; ok {
			return name
		}
		return word
	})
}
