package tools

import (
	"fmt"
	"math"

	"github.com/birdcall/birdcall/pkg/value"
)

// The bounds where no others are given.
const (
	DefaultMaxRows  = 100_000_000
	DefaultMaxBytes = 1 << 30
)

// NoRows is the Limit of RetrieveArgs or AggregateArgs that lets no row
// through, as the limit 0 of a call does.
const NoRows = math.MinInt

// limited returns how many of n rows a Limit lets through.
func limited(limit, n int) int {
	switch {
	case limit == NoRows:
		return 0
	case limit <= 0:
		return n
	}
	return min(limit, n)
}

// LimitError says that a step would give more than its Options allow.
type LimitError struct {
	Tool  string // name of the tool
	What  string // what is counted: "rows" or "bytes"
	Limit int    // the bound that was passed
}

// Error implements error.
func (e *LimitError) Error() string {
	return fmt.Sprintf("%s: the result has more than %d %s; filter first, join on a key, or raise the limit", e.Tool, e.Limit, e.What)
}

// meter counts the bytes of the texts and blobs that a tool makes.
type meter struct {
	tool  string
	limit int // 0 is DefaultMaxBytes
	bytes int
}

// add counts a value. The error is a *LimitError.
func (m *meter) add(v value.Value) error { return m.addBytes(len(v.Raw())) }

// addBytes counts a value of so many bytes.
func (m *meter) addBytes(n int) error {
	if m.limit <= 0 {
		m.limit = DefaultMaxBytes
	}
	if m.bytes += n; m.bytes > m.limit {
		return &LimitError{Tool: m.tool, What: "bytes", Limit: m.limit}
	}
	return nil
}
