package evaluate

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/evaluation/calltext"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/tools"
)

// What follows does what the public code of Elder et al. does
// (api-integrated-llm-experiment: scoring.py, metrics_helper.py and
// output_parsers.py), also where that differs from their text.

// paperCall is a call as that code compares it: a name, and a text for each
// argument.
type paperCall struct {
	name      string // "" where the entry has none
	hasName   bool
	arguments []string
}

// labelWord is looked for in a model's text: only with it are the arguments under
// parameters read, and labels put instead of results.
const labelWord = "label"

// paperCalls returns calls as the code compares them. Results are replaced by the
// functions that they are of only if labelled is set.
func paperCalls(entries []any, labelled bool) ([]paperCall, error) {
	if labelled {
		var err error
		if entries, err = ground(entries); err != nil {
			return nil, err
		}
	}
	out := make([]paperCall, len(entries))
	for i, e := range entries {
		text, err := jsontext.Marshal(e, "")
		if err != nil {
			return nil, err
		}
		// Each call is written as JSON and read again with {} for null, wherever
		// the letters are.
		replaced := strings.ReplaceAll(strings.ReplaceAll(string(text), "<|endoftext|>", ""), "null", "{}")
		var object tools.Arguments
		if json.Unmarshal([]byte(replaced), &object) != nil {
			continue // an entry that is no object has no name
		}
		name, ok := object.Get("name")
		if !ok {
			continue
		}
		out[i].name, out[i].hasName = pythonText(name), true
		arguments, _ := object.Get("arguments")
		list, _ := arguments.(tools.Arguments)
		for _, a := range list {
			out[i].arguments = append(out[i].arguments, a.Name+" = "+pythonText(a.Value))
		}
	}
	return out, nil
}

// ground keeps the name and the arguments of each call. A text that begins with
// the label of a call and a point, as in "$var_1.output$", gets the name of the
// function in the label's place; labels of other forms stay as they are.
func ground(entries []any) ([]any, error) {
	type labelled struct{ label, name string }
	var labels []labelled
	for _, e := range entries {
		object, ok := e.(tools.Arguments)
		name, named := object.Get("name")
		if !ok || !named {
			return nil, errors.New("an entry is no object with a name")
		}
		if text, ok := name.(string); ok && text != "varResult" && text != "var_result" {
			if label, ok := object.Get(labelWord); ok {
				if l, ok := label.(string); ok {
					labels = append(labels, labelled{strings.ReplaceAll(l, "$", ""), text})
				}
			}
		}
	}
	replace := func(text string) string {
		for _, l := range labels {
			before, _, hasPoint := strings.Cut(text, ".")
			if strings.HasPrefix(text, "$var") && hasPoint && strings.ReplaceAll(before, "$", "") == l.label && l.label != "" {
				text = strings.ReplaceAll(text, l.label, l.name)
			}
		}
		return text
	}
	out := []any{}
	for _, e := range entries {
		object := e.(tools.Arguments)
		name, _ := object.Get("name")
		if name == "var_result" {
			continue
		}
		arguments, ok := object.Get("arguments")
		if !ok {
			arguments, ok = object.Get("parameters")
		}
		list, isObject := arguments.(tools.Arguments)
		if ok && !isObject {
			return nil, errors.New("the arguments of an entry are no object")
		}
		grounded := make(tools.Arguments, len(list))
		for i, a := range list {
			switch v := a.Value.(type) {
			case string:
				a.Value = replace(v)
			case []any:
				items := slices.Clone(v)
				for j, item := range items {
					if text, ok := item.(string); ok {
						items[j] = replace(text)
					}
				}
				a.Value = items
			}
			grounded[i] = a
		}
		out = append(out, tools.Arguments{{Name: "name", Value: name}, {Name: "arguments", Value: grounded}})
	}
	return out, nil
}

// entriesOf returns calls as the JSON objects that they are written as.
func entriesOf(calls []tools.Call) []any {
	out := make([]any, len(calls))
	for i, c := range calls {
		arguments := c.Arguments
		if arguments == nil {
			arguments = tools.Arguments{}
		}
		out[i] = tools.Arguments{{Name: "name", Value: c.Name}, {Name: "arguments", Value: arguments}, {Name: labelWord, Value: c.Label}}
	}
	return out
}

// comparePaper holds a prediction against gold by the paper's code.
func comparePaper(gold, predicted []paperCall) *compared {
	c := &compared{}
	for _, g := range gold {
		c.goldNames = append(c.goldNames, g.name)
	}
	for _, p := range predicted {
		c.names = append(c.names, p.name)
	}
	c.count(Paper)
	waiting := map[string][]int{}
	for i, p := range predicted {
		if p.hasName {
			waiting[p.name] = append(waiting[p.name], i)
		}
	}
	c.same = len(gold) == len(predicted)
	for i, g := range gold {
		if i < len(predicted) && g.name != predicted[i].name {
			c.same = false
		}
		list := waiting[g.name]
		if len(list) == 0 {
			c.differences = append(c.differences, Difference{Gold: i, Predicted: -1, Want: jsonText(g.name)})
			continue
		}
		p := predicted[list[0]]
		slot := set(g.arguments, p.arguments)
		if len(g.arguments)+len(p.arguments) == 0 {
			slot.TP = 1
		}
		c.slot.add(slot)
		c.differences = append(c.differences, paperDifferences(i, list[0], g, p)...)
		waiting[g.name] = list[1:]
	}
	for i, p := range predicted {
		if slices.Contains(waiting[p.name], i) || !p.hasName {
			c.differences = append(c.differences, Difference{Gold: -1, Predicted: i, Got: jsonText(p.name)})
		}
	}
	c.same = c.same && len(c.differences) == 0
	return c
}

// paperDifferences lists the arguments of two calls that do not have the same
// text.
func paperDifferences(gold, predicted int, g, p paperCall) []Difference {
	var out []Difference
	values := map[string]string{}
	for _, text := range p.arguments {
		name, value, _ := strings.Cut(text, " = ")
		values[name] = value
	}
	wanted := map[string]bool{}
	for _, text := range g.arguments {
		name, value, _ := strings.Cut(text, " = ")
		wanted[name] = true
		got, given := values[name]
		if given && got == value {
			continue
		}
		d := Difference{Gold: gold, Predicted: predicted, Argument: name, Want: jsonText(value)}
		if given {
			d.Got = jsonText(got)
		}
		out = append(out, d)
	}
	for _, text := range p.arguments {
		if name, value, _ := strings.Cut(text, " = "); !wanted[name] {
			out = append(out, Difference{Gold: gold, Predicted: predicted, Argument: name, Got: jsonText(value)})
		}
	}
	return out
}

// readPaper returns what the paper's code reads in a prediction: the entries, and
// whether it takes them for labelled.
func readPaper(s *Sample, p *Prediction) (entries []any, labelled bool, err error) {
	switch {
	case p.Message != nil && len(p.Message.ToolCalls) > 0:
		for _, c := range p.Message.ToolCalls {
			arguments, err := calltext.Paper(c.Function.Arguments)
			if err != nil || len(arguments) != 1 {
				return nil, false, errors.New("the arguments of a call are no JSON object")
			}
			entries = append(entries, tools.Arguments{{Name: "name", Value: c.Function.Name}, {Name: "arguments", Value: arguments[0]}})
		}
		return entries, strings.Contains(p.Message.Content, labelWord), nil
	case p.Message != nil || p.Text != "":
		text := p.text()
		if !s.HasLabels() {
			entries, err = calltext.PaperREST(text, p.Model)
			return entries, false, err
		}
		entries, err = calltext.Paper(text)
		return entries, strings.Contains(text, labelWord), err
	}
	return p.entries(), s.HasLabels(), nil
}

// callsOf returns entries as calls, as they are run and classified.
func callsOf(entries []any, labelled bool) []calltext.Call {
	out := make([]calltext.Call, len(entries))
	for i, e := range entries {
		object, _ := e.(tools.Arguments)
		name, _ := object.Get("name")
		arguments, ok := object.Get("arguments")
		if !ok && labelled {
			arguments, _ = object.Get("parameters")
		}
		label, _ := object.Get(labelWord)
		c := &out[i]
		var named, isObject bool
		c.Name, named = name.(string)
		c.Arguments, isObject = arguments.(tools.Arguments)
		c.Label, _ = label.(string)
		c.Label = strings.Trim(c.Label, "$")
		switch {
		case !named:
			c.Malformed = "has no name"
		case !isObject:
			c.Malformed = "has no arguments"
		}
	}
	return out
}
