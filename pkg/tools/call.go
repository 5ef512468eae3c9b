package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/internal/text/toolname"
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
		conditions[i] = []string{c.Left, c.Right, strings.ToUpper(string(c.Type))}
	}
	tables := Arguments{}
	for _, t := range s.Tables {
		tables = append(tables, Argument{Name: t.Alias, Value: Arguments{
			{Name: toolname.ArgOriginalName, Value: t.Original},
			{Name: toolname.ArgModifiedName, Value: t.modified()},
		}})
	}
	label := s.Label
	if label == "" {
		label = StartLabel
	}
	var b bytes.Buffer
	err := jsontext.Append(&b, Call{Name: toolname.Start, Label: label, Arguments: Arguments{
		{Name: toolname.ArgConditionSequence, Value: conditions},
		{Name: toolname.ArgAliasToTable, Value: tables},
		{Name: toolname.ArgDatabasePath, Value: s.Database},
	}})
	return b.Bytes(), err
}

// UnmarshalJSON reads what MarshalJSON writes. Errors say which part of the
// call is not as it should be.
func (s *Start) UnmarshalJSON(data []byte) error {
	var call Call
	if err := json.Unmarshal(data, &call); err != nil {
		return fmt.Errorf("%s: %w", toolname.Start, err)
	}
	if call.Name != toolname.Start {
		return startError("name", fmt.Sprintf("the call is %s", quoted(call.Name)), "a sequence starts with "+toolname.Start)
	}
	out := Start{Label: call.Label}
	for _, a := range call.Arguments {
		var err error
		switch a.Name {
		case toolname.ArgConditionSequence:
			out.Conditions, err = startConditions(a.Value)
		case toolname.ArgAliasToTable:
			out.Tables, err = startTables(a.Value)
		case toolname.ArgDatabasePath:
			var ok bool
			if out.Database, ok = a.Value.(string); !ok {
				err = startError(a.Name, "is not a text", "give a file name")
			}
		default:
			err = unknown(toolname.Start, "", "argument", a.Name, []string{toolname.ArgConditionSequence, toolname.ArgAliasToTable, toolname.ArgDatabasePath})
		}
		if err != nil {
			return err
		}
	}
	*s = out
	return nil
}

func startConditions(v any) ([]JoinKey, error) {
	const argument = toolname.ArgConditionSequence
	list, ok := v.([]any)
	if !ok {
		return nil, startError(argument, "is not a list", `give a list such as [["T1.a", "T2.b", "INNER"]]`)
	}
	var out []JoinKey
	for i, item := range list {
		texts, ok := textList(item)
		if !ok || len(texts) != 3 {
			return nil, startError(argument, fmt.Sprintf("condition %d is not a list of three texts", i), `write it as ["T1.a", "T2.b", "INNER"]`)
		}
		out = append(out, JoinKey{Left: texts[0], Right: texts[1], Type: JoinKind(strings.ToLower(texts[2]))})
	}
	return out, nil
}

func startTables(v any) ([]StartTable, error) {
	const argument = toolname.ArgAliasToTable
	dict, ok := v.(Arguments)
	if !ok {
		return nil, startError(argument, "is not an object", `give an object from alias to table`)
	}
	var out []StartTable
	for _, entry := range dict {
		t := StartTable{Alias: entry.Name}
		table, ok := entry.Value.(Arguments)
		if ok {
			original, _ := table.Get(toolname.ArgOriginalName)
			modified, _ := table.Get(toolname.ArgModifiedName)
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
