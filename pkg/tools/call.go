package tools

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/birdcall/birdcall/internal/jsontext"
)

// Call is one call of a tool and the label of its result.
type Call struct {
	Name      string    `json:"name"`
	Arguments Arguments `json:"arguments"`
	Label     string    `json:"label"`
}

// MarshalJSON writes the call {"name": "initialize_active_data", ...} with the
// tables in their order.
func (s Start) MarshalJSON() ([]byte, error) {
	conditions := make([]any, len(s.Conditions))
	for i, c := range s.Conditions {
		conditions[i] = []string{c.Left, c.Right, c.Type}
	}
	tables := Arguments{}
	for _, t := range s.Tables {
		tables = append(tables, Argument{Name: t.Alias, Value: Arguments{
			{Name: "original_table_name", Value: t.Original},
			{Name: "modified_table_name", Value: t.modified()},
		}})
	}
	label := s.Label
	if label == "" {
		label = StartLabel
	}
	var b bytes.Buffer
	err := jsontext.Append(&b, Call{Name: startTool, Label: label, Arguments: Arguments{
		{Name: "condition_sequence", Value: conditions},
		{Name: "alias_to_table_dict", Value: tables},
		{Name: "database_path", Value: s.Database},
	}})
	return b.Bytes(), err
}

// UnmarshalJSON reads what MarshalJSON writes. Errors say which part of the
// call is not as it should be.
func (s *Start) UnmarshalJSON(data []byte) error {
	var call Call
	if err := json.Unmarshal(data, &call); err != nil {
		return fmt.Errorf("%s: %w", startTool, err)
	}
	if call.Name != startTool {
		return startError("name", fmt.Sprintf("the call is %s", quoted(call.Name)), "a sequence starts with "+startTool)
	}
	out := Start{Label: call.Label}
	for _, a := range call.Arguments {
		var err error
		switch a.Name {
		case "condition_sequence":
			out.Conditions, err = startConditions(a.Value)
		case "alias_to_table_dict":
			out.Tables, err = startTables(a.Value)
		case "database_path":
			var ok bool
			if out.Database, ok = a.Value.(string); !ok {
				err = startError(a.Name, "is not a text", "give a file name")
			}
		default:
			err = unknown(startTool, "", "argument", a.Name, []string{"condition_sequence", "alias_to_table_dict", "database_path"})
		}
		if err != nil {
			return err
		}
	}
	*s = out
	return nil
}

func startConditions(v any) ([]Condition, error) {
	const argument = "condition_sequence"
	list, ok := v.([]any)
	if !ok {
		return nil, startError(argument, "is not a list", `give a list such as [["T1.a", "T2.b", "INNER"]]`)
	}
	var out []Condition
	for i, item := range list {
		texts, ok := textList(item)
		if !ok || len(texts) != 3 {
			return nil, startError(argument, fmt.Sprintf("condition %d is not a list of three texts", i), `write it as ["T1.a", "T2.b", "INNER"]`)
		}
		out = append(out, Condition{Left: texts[0], Right: texts[1], Type: texts[2]})
	}
	return out, nil
}

func startTables(v any) ([]StartTable, error) {
	const argument = "alias_to_table_dict"
	dict, ok := v.(Arguments)
	if !ok {
		return nil, startError(argument, "is not an object", `give an object from alias to table`)
	}
	var out []StartTable
	for _, entry := range dict {
		t := StartTable{Alias: entry.Name}
		table, ok := entry.Value.(Arguments)
		if ok {
			original, _ := table.Get("original_table_name")
			modified, _ := table.Get("modified_table_name")
			t.Original, ok = original.(string)
			t.Modified, _ = modified.(string)
		}
		if !ok {
			return nil, startError(argument, fmt.Sprintf("table %s has no original_table_name", quoted(entry.Name)), `write it as {"original_table_name": "t", "modified_table_name": "t"}`)
		}
		out = append(out, t)
	}
	return out, nil
}

// textList returns a text or a list of texts as a list.
func textList(v any) ([]string, bool) {
	switch v := v.(type) {
	case string:
		return []string{v}, true
	case []string:
		return v, true
	case []any:
		out := make([]string, len(v))
		for i, item := range v {
			s, ok := item.(string)
			if !ok {
				return nil, false
			}
			out[i] = s
		}
		return out, true
	}
	return nil, false
}
