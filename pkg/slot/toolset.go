package slot

import (
	"slices"
	"strings"

	"github.com/birdcall/birdcall/pkg/tools"
)

// Toolset says what sequences are made of.
type Toolset string

const (
	// Full is all that pkg/tools offers. The zero Toolset means the same.
	Full Toolset = "full"
	// Paper is the paper's seven tools with the paper's arguments, conditions,
	// aggregations and operations, for code that knows no others.
	Paper Toolset = "paper"
)

func (s Toolset) isKnown() bool { return s == "" || s == Full || s == Paper }

// Definitions returns the tools of the set as they are specified in it.
func (s Toolset) Definitions() []tools.Definition { return s.pick(tools.Definitions()) }

// Operations returns the operations of transform_data that the set has.
func (s Toolset) Operations() []tools.Definition { return s.pick(tools.Operations()) }

func (s Toolset) pick(all []tools.Definition) []tools.Definition {
	if s != Paper {
		return all
	}
	var out []tools.Definition
	for _, d := range all {
		if d.Paper {
			out = append(out, inPaper(d))
		}
	}
	return out
}

// inPaper keeps the parameters and choices that are the paper's.
func inPaper(d tools.Definition) tools.Definition {
	var params []tools.Parameter
	for _, p := range d.Parameters {
		if !p.Paper {
			continue
		}
		var choices []tools.Choice
		for _, c := range p.Choices {
			if c.Paper {
				choices = append(choices, c)
			}
		}
		p.Choices = choices
		if p.Name == tools.ArgOperationArgs {
			p.Description = withoutLater(p.Description)
		}
		params = append(params, p)
	}
	d.Parameters = params
	return d
}

// laterOperations came when samples with the paper's tools were out, whose
// description of ArgOperationArgs stays as it was.
var laterOperations = []tools.Operation{tools.OpCollate, tools.OpJSONExtract, tools.OpJSONQuery, tools.OpJSONValue}

// laterArgument came to OpCall with them.
const laterArgument = ", " + tools.ArgJSON + "?"

// withoutLater takes the later operations and argument out of a list such as
// "...: add {value, swap?}; and {value}".
func withoutLater(description string) string {
	intro, list, _ := strings.Cut(strings.Replace(description, laterArgument, "", 1), ": ")
	entries := slices.DeleteFunc(strings.Split(list, "; "), func(entry string) bool {
		name, _, _ := strings.Cut(entry, " ")
		return slices.Contains(laterOperations, tools.Operation(name))
	})
	return intro + ": " + strings.Join(entries, "; ")
}
