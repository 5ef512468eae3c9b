package rest

import (
	"time"

	"github.com/birdcall/birdcall/pkg/record"
)

// The default limits of a service.
const (
	DefaultMaxRows  = 10_000   // rows of an answer
	DefaultMaxBytes = 16 << 20 // bytes of an answer before compression
	DefaultMaxValue = 1 << 20  // bytes of one value or stored row

	DefaultTimeout = 5 * time.Second // for one query
)

// needs returns the limits that a call needs whose answer has that many rows
// and bytes and whose query has values of at most that size, or nil for none.
func (c Call) needs(rows, bytes, value int) *record.Limits {
	maxRows := DefaultMaxRows
	if at := c.Endpoint.rows; at >= 0 {
		maxRows = max(maxRows, int(c.Endpoint.Params[at].first[0].Int64()))
		for _, asked := range c.Arguments[at] {
			rows = max(rows, int(asked.Int64()))
		}
	}
	need := record.Limits{}
	if rows > maxRows {
		need.MaxRows = rows
	}
	if bytes > DefaultMaxBytes {
		need.MaxBytes = bytes
	}
	if value > DefaultMaxValue {
		need.MaxValue = value
	}
	if need == (record.Limits{}) {
		return nil
	}
	return &need
}
