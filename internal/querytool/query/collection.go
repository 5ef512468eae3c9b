package query

import "github.com/birdcall/birdcall/internal/text/spelling"

// Type is what the values of a property are.
type Type string

// The types. A date is a text to the paper's toolset.
const (
	Text    Type = "text"
	Number  Type = "number"
	Boolean Type = "boolean"
	Date    Type = "date" // a text such as 2010-07-19 or 2010-07-19 19:39:08
)

// Collection is objects that have the same properties: a table, whose rows are
// the objects.
type Collection struct {
	Name        string     `json:"name"`
	Description string     `json:"description,omitempty"`
	Properties  []Property `json:"properties"`
}

// Property is a column of a collection.
type Property struct {
	Name        string `json:"name"`
	Type        Type   `json:"type"`
	Description string `json:"description,omitempty"`
	Values      string `json:"values,omitempty"` // what they mean, where the dataset says
	// Required says that each object has a value: none is null.
	Required bool `json:"required,omitempty"`
}

// Property returns the property of that name, or nil. The case of ASCII letters does
// not matter.
func (c *Collection) Property(name string) *Property {
	for i := range c.Properties {
		if spelling.Same(c.Properties[i].Name, name) {
			return &c.Properties[i]
		}
	}
	return nil
}

// Find returns the collection of that name, or nil. The case of ASCII letters does not
// matter.
func Find(collections []Collection, name string) *Collection {
	for i := range collections {
		if spelling.Same(collections[i].Name, name) {
			return &collections[i]
		}
	}
	return nil
}
