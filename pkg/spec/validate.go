package spec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/birdcall/birdcall/pkg/tools"
)

// Validator checks calls against the specifications of their sample with an
// independent JSON Schema validator. It keeps compiled schemas, since most
// samples of a database share them: do not change a tool that it has seen. The zero
// Validator is ready for use, also by several goroutines at once.
type Validator struct {
	mu       sync.Mutex
	known    map[identity]known
	compiled map[string]*jsonschema.Schema // by their text: tools often differ in name alone
}

// known is a tool with its schema. It is kept, so that no other gets its identity.
type known struct {
	tool   Tool
	schema *jsonschema.Schema
}

// Validate checks a sample's calls: each one's tool is in the sample's list, and
// its arguments are valid under the tool's schema. The error names the call.
func (v *Validator) Validate(list []Tool, calls []tools.Call) error {
	for i, c := range calls {
		if err := v.call(list, c); err != nil {
			return fmt.Errorf("call %d (%s): %w", i, c.Name, err)
		}
	}
	return nil
}

func (v *Validator) call(list []Tool, c tools.Call) error {
	for _, t := range list {
		if t.Name != c.Name {
			continue
		}
		schema, err := v.schema(t)
		if err != nil {
			return err
		}
		data, err := json.Marshal(c.Arguments)
		if err != nil {
			return err
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			return err
		}
		return schema.Validate(doc)
	}
	return fmt.Errorf("the sample specifies no such tool")
}

// schemaURL names a schema in the validator's messages.
const schemaURL = "birdcall:tool"

func (v *Validator) schema(t Tool) (*jsonschema.Schema, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if k, ok := v.known[t.identity()]; ok {
		return k.schema, nil
	}
	data, err := json.Marshal(t.Parameters)
	if err != nil {
		return nil, err
	}
	if v.known == nil {
		v.known, v.compiled = map[identity]known{}, map[string]*jsonschema.Schema{}
	}
	c := v.compiled[string(data)]
	if c == nil {
		if c, err = compile(data); err != nil {
			return nil, err
		}
		v.compiled[string(data)] = c
	}
	v.known[t.identity()] = known{t, c}
	return c, nil
}

func compile(schema []byte) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(schemaURL, doc); err != nil {
		return nil, err
	}
	return compiler.Compile(schemaURL)
}
