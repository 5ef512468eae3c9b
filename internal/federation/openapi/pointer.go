package openapi

import (
	"strings"

	"github.com/go-openapi/jsonpointer"
)

// parsePointer returns the tokens of a JSON pointer (RFC 6901). "" is the whole
// document.
func parsePointer(text string) ([]string, error) {
	p, err := jsonpointer.New(text)
	if err != nil {
		return nil, err
	}
	return p.DecodedTokens(), nil
}

// writePointer writes tokens as a JSON pointer.
func writePointer(tokens []string) string {
	var b strings.Builder
	for _, token := range tokens {
		b.WriteString("/" + jsonpointer.Escape(token))
	}
	return b.String()
}
