package sqltree

import "github.com/birdcall/birdcall/internal/db/engine"

// Read parses and binds a statement. The error is a *dialect.Error.
func Read(sql string, schema *engine.Schema) (*Query, error) {
	q, err := Parse(sql)
	if err != nil {
		return nil, err
	}
	return q, Bind(q, schema)
}
