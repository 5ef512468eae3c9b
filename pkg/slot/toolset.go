package slot

import "github.com/birdcall/birdcall/pkg/tools"

// Toolset says which tools sequences may use and which tools are listed.
type Toolset string

const (
	// Full is everything that pkg/tools offers. The zero Toolset means Full.
	Full Toolset = "full"
	// Paper is the paper's seven tools with the paper's arguments, conditions,
	// aggregations and operations, for code that knows no others.
	Paper Toolset = "paper"
	// Auto makes the same sequences as Full. It lists the paper's seven tools and
	// whatever else the sequences of the whole database use. See Needs.
	Auto Toolset = "auto"
)

// Toolsets returns the names of the toolsets.
func Toolsets() []string { return []string{string(Auto), string(Full), string(Paper)} }

func (s Toolset) isKnown() bool { return s == "" || s == Full || s == Paper || s == Auto }

// Definitions returns the tools of the set. needs is what Auto lists in addition to the
// paper's tools; nil means everything. The other sets ignore needs.
func (s Toolset) Definitions(needs *Needs) []tools.Definition {
	switch {
	case s == Paper:
		return pick(tools.Definitions(), &Needs{})
	case s == Auto && needs != nil:
		return pick(tools.Definitions(), needs)
	}
	return tools.Definitions()
}

// pick returns the paper's definitions and the other needed definitions, with only the
// needed parameters and choices.
func pick(all []tools.Definition, needs *Needs) []tools.Definition {
	var out []tools.Definition
	for _, d := range all {
		if d.Paper || needs.tool(d.Name) {
			d.Parameters = pickParameters(d, needs)
			out = append(out, d)
		}
	}
	return out
}

func pickParameters(d tools.Definition, needs *Needs) []tools.Parameter {
	var out []tools.Parameter
	for _, p := range d.Parameters {
		if !p.Paper && !needs.argument(d.Name, p.Name) && (d.Paper || !p.Required) {
			continue
		}
		p.Choices = pickChoices(d.Name, p, needs)
		p.Operations = pick(p.Operations, needs.operations())
		out = append(out, p)
	}
	return out
}

// fewChoices is the number of values up to which an argument offers all its values,
// even if some are never used.
const fewChoices = 8

func pickChoices(tool string, p tools.Parameter, needs *Needs) []tools.Choice {
	if len(p.Choices) <= fewChoices {
		return p.Choices
	}
	var out []tools.Choice
	for _, c := range p.Choices {
		if c.Paper || needs.choice(tool, p.Name, c.Name) {
			out = append(out, c)
		}
	}
	return out
}
