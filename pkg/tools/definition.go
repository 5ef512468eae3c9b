package tools

import (
	"strings"
)

// Kind is the sort of value that a parameter takes.
type Kind string

// The kinds of parameters.
const (
	KindTable   Kind = "table"   // "$LABEL$" of an earlier result
	KindKey     Kind = "key"     // the name of a column
	KindKeys    Kind = "keys"    // one or several names of columns
	KindValue   Kind = "value"   // an operand: see Operand
	KindValues  Kind = "values"  // an operand or a list of operands
	KindInteger Kind = "integer" // a whole number
	KindBoolean Kind = "boolean" // true or false
	KindText    Kind = "text"    // a text that stands for itself
	KindFlags   Kind = "flags"   // one boolean or several
	KindObject  Kind = "object"  // the arguments of an operation, or a frame
)

// Choice is one of the values that a categorical parameter takes.
type Choice struct {
	Name        string
	Description string
	// Paper marks the values of the tool set in the paper that introduced
	// these tools; the others extend it.
	Paper bool
}

// Parameter describes one argument of a tool or of an operation.
type Parameter struct {
	Name        string
	Description string
	Kind        Kind
	// Choices are the values that a categorical parameter takes.
	Choices  []Choice
	Required bool
	// Default is the value of an argument that is not given, nil for none.
	Default any
	// Operations are what toolname.ArgOperationType chooses from, for toolname.ArgOperationArgs:
	// the object holds the parameters of one of them.
	Operations []Definition
	// Paper is as in Choice.
	Paper bool
}

// IsKey reports whether the argument names columns of a table.
func (p Parameter) IsKey() bool { return p.Kind == KindKey || p.Kind == KindKeys }

// Categorical reports whether the argument is one of a fixed set.
func (p Parameter) Categorical() bool { return len(p.Choices) > 0 }

// Definition describes a tool, or an operation of transform_data.
type Definition struct {
	Name        string
	Description string
	Parameters  []Parameter
	// Paper is as in Choice.
	Paper bool
}

// Definitions describes the tools a model may call, in a fixed order.
func Definitions() []Definition {
	out := make([]Definition, len(catalog))
	for i, t := range catalog {
		out[i] = t.Definition
		out[i].Parameters = append([]Parameter(nil), t.Parameters...)
	}
	return out
}

// Operations describes the operations of transform_data. Their parameters are
// what operation_args holds.
func Operations() []Definition {
	out := make([]Definition, len(operations))
	for i, o := range operations {
		out[i] = o.Definition
		out[i].Parameters = append([]Parameter(nil), o.Parameters...)
	}
	return out
}

func choiceNames(choices []Choice) []string {
	out := make([]string, len(choices))
	for i, c := range choices {
		out[i] = c.Name
	}
	return out
}

// oneOf checks a categorical argument.
func oneOf(tool, argument, name string, choices []Choice) error {
	for _, c := range choices {
		if c.Name == name {
			return nil
		}
	}
	return notAmong(tool, argument, name, choices)
}

// notAmong is the error for a value that a categorical argument does not take.
func notAmong(tool, argument, name string, choices []Choice) error {
	return &ToolError{
		Tool: tool, Argument: argument,
		Reason: "unknown value " + quoted(name),
		Hint:   "use one of " + strings.Join(choiceNames(choices), ", "),
	}
}

func conditionChoices() []Choice {
	out := make([]Choice, len(conditions))
	for i, c := range conditions {
		out[i] = c.Choice
	}
	return out
}

func aggregationChoices() []Choice {
	out := make([]Choice, len(aggregations))
	for i, a := range aggregations {
		out[i] = a.Choice
	}
	return out
}

func operationChoices() []Choice {
	out := make([]Choice, len(operations))
	for i, o := range operations {
		out[i] = Choice{o.Name, o.Description, o.Paper}
	}
	return out
}
