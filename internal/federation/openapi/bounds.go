package openapi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/goccy/go-yaml/token"
	yaml3 "github.com/oasdiff/yaml3"

	"github.com/birdcall/birdcall/internal/federation/fetch"
)

// The bounds on a declaration and on the documents that it names. The libraries that
// read them take time that grows with the square of the depth.
const (
	maxFile     = 1 << 20   // bytes of a declaration
	maxNodes    = 1_000_000 // of a declaration, those of aliases for each use
	maxMembers  = 10_000    // of a mapping
	maxNesting  = 64        // of a declaration
	maxNested   = 256       // of a document
	maxColumns  = 10_000    // of the rows that a document mentions
	maxDocument = fetch.DefaultMaxBody
)

// readFile reads a file of so many bytes at most.
func readFile(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, reason(err)
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, limit+1))
	switch {
	case err != nil:
		return nil, reason(err)
	case int64(len(content)) > limit:
		return nil, fmt.Errorf("the file has more than %d bytes", limit)
	}
	return content, nil
}

// tooDeep returns the first token of YAML that is nested deeper than maxNesting by
// brackets or by marks of lists and keys in one line, or nil. Deeper indentation takes
// more bytes than a declaration may have.
func tooDeep(tokens token.Tokens) *token.Token {
	brackets, marks, line := 0, 0, 0
	for _, t := range tokens {
		if t.Position != nil && t.Position.Line != line {
			marks, line = 0, t.Position.Line
		}
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			brackets++
		case token.SequenceEndType, token.MappingEndType:
			brackets--
		case token.SequenceEntryType, token.MappingKeyType, token.AnchorType, token.TagType:
			marks++
		}
		if brackets > maxNesting || marks > maxNesting {
			return t
		}
	}
	return nil
}

// checkNesting fails if a document, JSON or YAML, is nested too deeply. What it cannot
// read is left to what reads the document.
func checkNesting(text []byte) error {
	tooDeep := fmt.Errorf("it is nested more than %d levels deep", maxNested)
	d := jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		_, err := d.ReadToken()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case d.StackDepth() > maxNested:
			return tooDeep
		case err != nil:
			var root yaml3.Node
			if yaml3.Unmarshal(text, &root) == nil && isDeeper(&root, maxNested) {
				return tooDeep
			}
			return nil
		}
	}
}

// isDeeper reports whether a node has so many levels below it.
func isDeeper(n *yaml3.Node, levels int) bool {
	if levels < 0 {
		return true
	}
	for _, below := range n.Content {
		if isDeeper(below, levels-1) {
			return true
		}
	}
	return false
}
