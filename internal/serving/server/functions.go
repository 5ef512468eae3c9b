package server

import (
	"encoding/json"
	"fmt"

	"github.com/birdcall/birdcall/internal/federation/scalars"
)

// functionsDocument is the path of the document of the functions.
const functionsDocument = "/openapi/functions.json"

// describeFunctions returns the document of the functions, or nil if they are not
// answered.
func (s *Server) describeFunctions() ([]byte, error) {
	if !s.opts.Functions {
		return nil, nil
	}
	for _, db := range s.api.Databases {
		if "/openapi/"+db.Segment+".json" == functionsDocument {
			return nil, fmt.Errorf("%w, %s; rename the database, or leave the functions out", ErrFunctions, functionsDocument)
		}
	}
	return json.Marshal(scalars.Document(s.documents.opts.APIKey))
}
