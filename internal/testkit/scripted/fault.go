package scripted

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
)

// Fault is a way in which a request fails, or an answer is unusual.
type Fault string

// The faults.
const (
	None            Fault = ""
	NullContent     Fault = "null content"
	BrokenArguments Fault = "broken arguments" // which end in the middle
	NoUsage         Fault = "no usage"
	NoIDs           Fault = "no ids"
	Length          Fault = "finish_reason length"
	ContentFilter   Fault = "finish_reason content_filter"
	NoChoices       Fault = "no choices"
	ContextLength   Fault = "400 context_length_exceeded"
	BadRequest      Fault = "400"
	Unauthorized    Fault = "401" // with the request's own key in the message
	NotFound        Fault = "404"
	RateLimited     Fault = "429" // with Retry-After: 1
	ServerError     Fault = "500"
	Redirect        Fault = "307" // to the host that Server.Elsewhere names
	Slow            Fault = "slow"
	Cut             Fault = "cut"      // the connection ends in the middle of the body
	NotJSON         Fault = "not JSON" // with status 200
)

// Plan says what befalls a request: the n-th attempt, counted from 1, to get the
// answer to a question at a turn, counted from 0.
type Plan func(question string, turn, attempt int) Fault

// Random draws faults, the same in each run: limited and cut are the shares of
// 429 and of bodies that are cut.
func Random(seed uint64, limited, cut float64) Plan {
	return func(question string, turn, attempt int) Fault {
		h := fnv.New64a()
		fmt.Fprintf(h, "%s\x00%d\x00%d", question, turn, attempt)
		switch drawn := rand.New(rand.NewPCG(seed, h.Sum64())).Float64(); {
		case drawn < limited:
			return RateLimited
		case drawn < limited+cut:
			return Cut
		}
		return None
	}
}

// Each has the faults of a question befall its attempts, one after the other.
func Each(faults map[string][]Fault) Plan {
	return func(question string, _, attempt int) Fault {
		if list := faults[question]; attempt <= len(list) {
			return list[attempt-1]
		}
		return None
	}
}
