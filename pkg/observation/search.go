package observation

import (
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/spec"
)

// OfSearch shows the tools that a call of spec.SearchTool found out of count, in the
// format of the model's tools. The error is that of a schema that is no JSON.
func OfSearch(f spec.Format, found []spec.Tool, count int) (*Observation, error) {
	v, err := f.Found(found, count)
	if err != nil {
		return nil, err
	}
	text, err := jsontext.Marshal(v, "")
	return &Observation{Found: text}, err
}
