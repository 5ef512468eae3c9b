package pipeline

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/tools"
)

// The fields of a record that are replaced when it is written.
const (
	outputField    = "output"
	goldField      = "gold_answer"
	toolsField     = "tools"
	toolsFileField = "tools_file"
)

// fields returns the record with these calls, and the chat that they make if it is
// asked for, field by field in its order.
func (s *prepared) fields(calls []tools.Call) (tools.Arguments, error) {
	record, err := s.record(calls)
	if err != nil {
		return nil, err
	}
	fields, isRead := record.(tools.Arguments)
	if !isRead {
		fields = fieldsOf(record)
	}
	if s.observed == nil {
		return fields, nil
	}
	messages, err := s.observed.messages(calls)
	return fields.Set(messagesColumn, messages), err
}

// fieldsOf returns the fields of a struct that is a record, in the order in which
// encoding/json writes them, without those that it leaves out.
func fieldsOf(record any) tools.Arguments {
	var out tools.Arguments
	v := reflect.Indirect(reflect.ValueOf(record))
	for _, f := range reflect.VisibleFields(v.Type()) {
		if f.Anonymous {
			continue // its own fields follow
		}
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		field := v.FieldByIndex(f.Index)
		if option == "omitempty" && isEmpty(field) || option == "omitzero" && field.IsZero() {
			continue
		}
		out = append(out, tools.Argument{Name: name, Value: field.Interface()})
	}
	return out
}

// isEmpty reports whether encoding/json leaves a value out that may be empty.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.Array, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

// readFields returns the fields of a written record in their order, each as its text:
// a record has long answers, and few of the fields are looked at.
func readFields(record []byte) (tools.Arguments, error) {
	var out tools.Arguments
	in := json.NewDecoder(bytes.NewReader(record))
	if _, err := in.Token(); err != nil {
		return nil, err
	}
	for in.More() {
		name, err := in.Token()
		if err != nil {
			return nil, err
		}
		var text json.RawMessage
		if err := in.Decode(&text); err != nil {
			return nil, err
		}
		out = append(out, tools.Argument{Name: name.(string), Value: text})
	}
	return out, nil
}

// join writes fields as a record. What is JSON already, such as the tools, is not read
// again.
func join(fields tools.Arguments) (json.RawMessage, error) {
	var b bytes.Buffer
	for i, f := range fields {
		before := byte(',')
		if i == 0 {
			before = '{'
		}
		b.WriteByte(before)
		if err := jsontext.Append(&b, f.Name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if text, ok := f.Value.(json.RawMessage); ok {
			b.Write(text)
		} else if err := jsontext.Append(&b, f.Value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
